"""Corrections of the past, without rewriting the journal.

A correction edits the effective history, not the journal. Every action from the first edit on is decided again
from the recorded data. The single event of the correction holds the outcome: the actions that no longer count,
those with changed events, and those inserted. So folding a corrected game needs no rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from ledger.kernel.facts.audience import EVERYONE, Audience, only
from ledger.kernel.facts.edits import Cascade
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Label, Place
from ledger.kernel.facts.refusals import NeedsDraw, Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.timeline import Decode, TimelineEntry
from ledger.kernel.rules.actions import Action

S = TypeVar("S", bound=State)


class Restated(msgspec.Struct, frozen=True):
    """An action with a different outcome, and the events before and after."""

    timeline_entry: TimelineEntry
    old_events: tuple[Event, ...]
    new_events: tuple[Event, ...]


class VoidedEntry(msgspec.Struct, frozen=True):
    """An action that is no longer possible, and the reason."""

    timeline_entry: TimelineEntry
    why: Any


class InsertedStep(msgspec.Struct, frozen=True):
    """A default step of the game in the corrected history, right before `next_action`.

    `index` is the index among the insertions of the correction.
    """

    index: int
    next_action: str


class MissingDraw(msgspec.Struct, frozen=True):
    """A die or a card needed by the corrected history, which nobody threw or drew.

    `previous` is the name of the preceding action. `action` is the action that needs the draw, with the seat: a
    recorded action (`timeline_entry`) or a default step (None). `voids` is True if the recorded action is voided
    without the draw; otherwise the game continues without the draw.
    """

    draw: NeedsDraw
    previous: str
    seat: str | None
    action: Action
    timeline_entry: TimelineEntry | None
    voids: bool


class Cause(msgspec.Struct, frozen=True):
    """The immediate effect of an edit, from which all consequences follow.

    `edit` is the index of the edit. `action` is the name of the action at which the histories part. `was` and
    `corrected` are the states right after the action, before and after the correction; `earlier` are both states
    right before the action, which differ by the other edits.
    """

    edit: int
    action: str
    earlier: tuple[Any, Any]
    was: Any
    corrected: Any


class Link(msgspec.Struct, frozen=True):
    """The cause of a consequence: the index of the edit, and the name of the action in between."""

    edit: int
    because: str


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All changes of a correction, before writing."""

    event: HistoryCorrected
    unchanged: int
    undone: tuple[TimelineEntry, ...]
    restored: tuple[TimelineEntry, ...]
    """The formerly undone or voided actions that count again."""
    restated: tuple[Restated, ...]
    voided: tuple[VoidedEntry, ...]
    steps: tuple[InsertedStep, ...] = ()
    """The default steps taken by the game in the corrected history."""
    needs: tuple[MissingDraw, ...] = ()
    gained: tuple[tuple[int, str], ...] = ()
    """The turns, as round and seat, played only in the corrected history."""
    lost: tuple[tuple[int, str], ...] = ()
    """The turns played only in the uncorrected history."""
    causes: tuple[Cause, ...] = ()
    links: Mapping[Label, Link] = {}
    """The cause of each consequence, by the label of the action."""
    spreads: bool = False
    """True if an action not named by any edit changes. The cascade "refuse" refuses such a correction."""
    beside: Mapping[Cascade, Plan | Refusal] = {}
    """The plans of the edits with the cascades "restate" and "keep", if computed (`steps.alternatives`)."""
    old_state: Any
    """The state at the head before the correction."""
    new_state: Any
    """The state at the head after the correction."""

    def touched(self) -> list[TimelineEntry]:
        """Return the actions with a different outcome, except undone actions."""
        return [
            *self.restored,
            *(change.timeline_entry for change in self.restated),
            *(change.timeline_entry for change in self.voided),
        ]

    def changes(self, decode: Decode) -> Iterator[tuple[Place, Iterable[Event], Iterable[Event]]]:
        """Yield the place of each changed action, with the effective events before and after."""
        for undone in (*self.undone, *(item.timeline_entry for item in self.voided)):
            yield undone.position, undone.events, ()
        for restored in self.restored:
            yield restored.position, restored.events, restored.recorded
        for item in self.restated:
            yield item.timeline_entry.position, item.old_events, item.new_events
        for insertion in self.event.insertions:
            yield (insertion.after, *insertion.under), (), map(decode, insertion.action.events)


class CorrectionSpreads(Refusal):
    """Later actions would change, and the cascade is "refuse". Carries the plan for the banker's choice."""

    def __init__(self, plan: Plan, named: set[Label]) -> None:
        later = [timeline_entry.name for timeline_entry in plan.touched() if timeline_entry.label not in named]
        later += [f"{plan.old_state.version + 1}.{step.index}" for step in plan.steps]
        super().__init__(
            "later actions would change: {later}; look at the preview, then choose to restate or to keep them",
            "des actions ultérieures changeraient : {later} ; voyez l'aperçu, puis choisissez de les rejouer "
            "(restate) ou de les garder (keep)",
            later=", ".join(later),
        )
        self.plan = plan


class CannotKeep(Refusal):
    """A later action cannot stay as recorded, and may not be voided either.

    This happens with cascade "keep". It also happens to a ruling with a correction, if another remedy of the
    ruling is now refused: a ruling stands as a whole, so the banker has to drop the ruling in the new
    correction.
    """

    def __init__(self, timeline_entry: TimelineEntry, refusal: Refusal) -> None:
        super().__init__(
            "action {name} ({kind:action}) cannot be kept: {why}",
            "l'action {name} ({kind:action}) ne peut pas être gardée : {pourquoi}",
            name=timeline_entry.name,
            kind=timeline_entry.entry.kind,
            why=refusal.en,
            pourquoi=refusal.fr,
        )
        self.timeline_entry = timeline_entry
        self.refusal = refusal
        self.known_to = refusal.readers


def readers(refusal: Refusal, timeline_entry: TimelineEntry) -> Audience:
    """Return the viewers who may read the reason for a voided action, among the viewers of the whole action.

    Only the action's own seat by default: a refusal is worded for the requesting seat, and may tell facts known
    to the seat alone.
    """
    if isinstance(refusal, NeedsDraw):
        return EVERYONE
    return only(timeline_entry.entry.seat) if refusal.readers is None else refusal.readers
