"""The toy with corrections, in which players may undo their own last action."""

from __future__ import annotations

from msgspec.structs import replace

from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.rules.actions import Correct
from ledger.kernel.rules.chapter import Chapter
from tests.harness.rulebooks import changed
from tests.kernel import toy

chapter = Chapter("Taking back")

chapter.event(HistoryCorrected)


@chapter.action(by=("player", "banker"), summary=("take back", "reprendre"), when=("always", "toujours"))
class TakeBack(Correct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A correction. A player may only undo their own last action."""


CARRIED = {**toy.CARRIED, "3.3": ("take_back",)}
KIND = replace(toy.GOVERNANCE, correction_rule="3.3", player_undo=True)
RULES = toy.rules(chapter, id="kind_toy", register=toy.register(CARRIED), governance=KIND)
"""The toy's rules with player undo."""
STRICT = changed(RULES, governance=replace(KIND, player_undo=False))
"""The toy's rules without player undo: players may only ask the banker."""
