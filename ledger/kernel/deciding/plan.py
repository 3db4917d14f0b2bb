"""Corrections: the past is mended, and the journal never rewritten.

A correction edits the effective history, not the journal. Every action from the first edit on is decided again
from what was recorded with it. The correction's one event says what came out: which actions no longer count, which
count with other events, and which were inserted. So folding a corrected game needs no rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from ledger.kernel.facts.audience import EVERYONE, Audience, only
from ledger.kernel.facts.edits import Cascade
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Label
from ledger.kernel.facts.refusals import NeedsDraw, Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.rules.actions import Action

S = TypeVar("S", bound=State)


class Restated(msgspec.Struct, frozen=True):
    """An action that comes out differently, with its events before and after."""

    standing: Standing
    before: tuple[Event, ...]
    after: tuple[Event, ...]


class Fallen(msgspec.Struct, frozen=True):
    """An action that is no longer possible, and why."""

    standing: Standing
    why: Any


class Taken(msgspec.Struct, frozen=True):
    """A default step that the game takes in the corrected history, right before the action called `before`.

    `index` is its index among the insertions of the correction.
    """

    index: int
    before: str


class Need(msgspec.Struct, frozen=True):
    """A die or a card that the corrected history asks for, and that nobody threw or drew.

    `after` is the name of the action after which it is needed. `action` is the action that asks for it, with its
    seat: a recorded action (`standing`) or a default step (None). `voids` is whether the recorded action falls
    without it; otherwise the game goes on without it.
    """

    draw: NeedsDraw
    after: str
    seat: str | None
    action: Action
    standing: Standing | None
    voids: bool


class Cause(msgspec.Struct, frozen=True):
    """What an edit changes at once, from which all its consequences follow.

    `edit` is its index among the edits. `action` is the name of the action where the histories part. `was` and
    `now` are the states right after it, before and after the correction.
    """

    edit: int
    action: str
    was: Any
    now: Any


class Link(msgspec.Struct, frozen=True):
    """Where a consequence comes from: the edit's index, and the name of the action that brought it about."""

    edit: int
    because: str


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a correction changes, before it is written."""

    event: HistoryCorrected
    unchanged: int
    undone: tuple[Standing, ...]
    restored: tuple[Standing, ...]
    """Actions that had been undone or voided and count again."""
    restated: tuple[Restated, ...]
    voided: tuple[Fallen, ...]
    inserted: int
    """How many actions the edits insert."""
    steps: tuple[Taken, ...] = ()
    """The default steps that the game takes in the corrected history."""
    needs: tuple[Need, ...] = ()
    gained: tuple[tuple[int, str], ...] = ()
    """The turns, as round and seat, that are played only in the corrected history."""
    lost: tuple[tuple[int, str], ...] = ()
    """The turns that are played only in the history as it was."""
    causes: tuple[Cause, ...] = ()
    links: Mapping[Label, Link] = {}
    """Where each consequence comes from, by the label of the action."""
    spreads: bool = False
    """Whether something changes that no edit names. With the cascade "refuse" the correction is refused then."""
    beside: Mapping[Cascade, Plan | Refusal] = {}
    """What the same edits come to with the cascades "restate" and "keep", if it is worked out (`game.beside`)."""
    before: Any
    """The state at the head as it was believed to be."""
    after: Any
    """The state at the head as it is now said to be."""

    def touched(self) -> list[Standing]:
        """The actions that come out differently without being undone."""
        return [
            *self.restored,
            *(one.standing for one in self.restated),
            *(one.standing for one in self.voided),
        ]


class WouldSpread(Refusal):
    """With cascade "refuse": later actions would change. Carries the plan, so that the banker can choose."""

    def __init__(self, found: Plan, named: set[Label]) -> None:
        later = [one.name for one in found.touched() if one.label not in named]
        super().__init__(
            "later actions would change: {later}; look at the preview, then choose to restate or to keep them",
            "des actions ultérieures changeraient : {later} ; voyez l'aperçu, puis choisissez de les rejouer "
            "(restate) ou de les garder (keep)",
            later=", ".join(later),
        )
        self.plan = found


class CannotKeep(Refusal):
    """A later action cannot stand as it was recorded, and may not be voided either.

    This happens with cascade "keep". It also happens to a ruling that corrected the history when its other
    remedies are now refused: a ruling stands as a whole, so the banker has to drop it in the same correction.
    """

    def __init__(self, standing: Standing, refusal: Refusal) -> None:
        super().__init__(
            "action {name} ({kind:action}) cannot be kept: {why}",
            "l'action {name} ({kind:action}) ne peut pas être gardée : {pourquoi}",
            name=standing.name,
            kind=standing.entry.kind,
            why=refusal.en,
            pourquoi=refusal.fr,
        )
        self.standing = standing
        self.refusal = refusal
        self.known_to = refusal.known_to


def readers(refusal: Refusal, standing: Standing) -> Audience:
    """Who may read why an action is voided, among those who see it whole.

    Its own seat only, unless the refusal says otherwise: a refusal is worded for the seat that asked, and may tell
    what only that seat knows.
    """
    if isinstance(refusal, NeedsDraw):
        return EVERYONE
    return only(standing.entry.seat) if refusal.known_to is None else refusal.known_to
