"""The toy with corrections, in which players may undo their own last action."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.arbitration import correct
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.rules.chapter import Chapter
from tests.kernel import toy

chapter = Chapter("Taking back")

chapter.event(HistoryCorrected)


@chapter.action(by=("player", "banker"), summary=("take back", "reprendre"), when=("always", "toujours"))
class TakeBack(correct.Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction. A player may only undo their own last action."""


class KindRules(toy.ToyRules):
    """The toy's rules with player undo."""

    id: ClassVar[str] = "kind_toy"
    correction_rule: ClassVar[str] = "3.3"
    player_undo: ClassVar[bool] = True


class StrictRules(KindRules):
    """The toy's rules without player undo: players may only ask the banker."""

    player_undo: ClassVar[bool] = False


CARRIED = {**toy.CARRIED, "3.3": ("take_back",)}
RULES = KindRules(toy.register(CARRIED), (toy.chapter, chapter))
STRICT = StrictRules(toy.register(CARRIED), (toy.chapter, chapter))
