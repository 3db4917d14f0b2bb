"""Working out a correction: every action from the first edit on is decided again.

`plan` is the entry point. `EditedHistory` is the list of actions with every edit in force applied. `_Redecision`
decides them one after the other and notes which come out differently.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from ledger.kernel.accounts import CONSERVATION
from ledger.kernel.actions import Action, Cascade, Mending
from ledger.kernel.audience import seats_of
from ledger.kernel.consistency import appeared
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.events import Amendment, Event, InsertedAction, Insertion, Reason
from ledger.kernel.history.corrections import (
    CannotKeep,
    Edit,
    Fallen,
    HistoryCorrected,
    NewAction,
    Plan,
    Restated,
    WouldSpread,
    readers,
)
from ledger.kernel.history.edited import EditedHistory, Planned
from ledger.kernel.history.timeline import Standing, Timeline
from ledger.kernel.journal import body
from ledger.kernel.refusals import Impossible, NeedsDraw, Refusal, RuleBroken
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State

S = TypeVar("S", bound=State)


def plan(
    rulebook: Rulebook[S],
    timeline: Timeline,
    head: S,
    state_before: Callable[[int], S],
    mending: Mending,
) -> Plan:
    """Work out what a correction changes, without writing anything.

    Takes the timeline and the state at the head, how to get the state right before an action number (as now
    known), and the edits. Raises Malformed for edits that name nothing, Impossible for those that cannot be made,
    CannotKeep, and WouldSpread (which carries the plan).
    """
    number = head.version + 1
    rule = rulebook.correction_rule
    edits: tuple[Edit, ...] = mending.edits
    history = EditedHistory(rulebook, timeline, number, edits, frozenset(head.seats))
    earliest = history.earliest()
    state = state_before(earliest).copy()
    redecision = _Redecision(rulebook, history, state, mending.cascade)
    for planned in history.planned(earliest):
        redecision.step(planned)
    after: Any = redecision.state
    after.version, after.seq, after.last_at = head.version, head.seq, head.last_at
    after.corrections = (*head.corrections, (number, earliest))
    broken = appeared(rulebook.inconsistencies(head), rulebook.inconsistencies(after))
    found = Plan(
        event=HistoryCorrected(
            rule=rule,
            edits=edits,
            cascade=mending.cascade,
            reason=mending.reason,
            earliest=earliest,
            amendments=tuple(redecision.amendments),
            insertions=tuple(insertion for _, insertion in sorted(redecision.insertions.items())),
            warnings=tuple(one.warned() for one in broken),
        ),
        unchanged=redecision.unchanged,
        undone=tuple(redecision.undone),
        restored=tuple(redecision.restored),
        restated=tuple(redecision.restated),
        voided=tuple(redecision.voided),
        inserted=len(redecision.insertions),
        before=head,
        after=after,
    )
    if mending.cascade == "refuse" and any(one.label not in history.named for one in found.touched()):
        raise WouldSpread(found, history.named)
    return found


class _Redecision:
    """Decides the actions of an edited history again, and notes which of them come out differently."""

    def __init__(self, rulebook: Rulebook[Any], history: EditedHistory, state: State, cascade: Cascade) -> None:
        self.rulebook = rulebook
        self.history = history
        self.state = state
        self.cascade = cascade
        self.unchanged = 0
        self.undone: list[Standing] = []
        self.restored: list[Standing] = []
        self.restated: list[Restated] = []
        self.voided: list[Fallen] = []
        self.amendments: list[Amendment] = []
        self.insertions: dict[int, Insertion] = {}
        """By their index among the edits, which names them wherever in the history they stand."""
        self._last_at: datetime | None = state.last_at

    def step(self, planned: Planned) -> None:
        """Take the next action."""
        if planned.new is not None:
            self._insert(planned, planned.new)
            return
        standing = planned.standing
        if standing is None:
            raise AssertionError("a planned action stands or is new")
        self._last_at = standing.entry.recorded_at
        if self.history.gone(standing):
            self._note(standing, "undone", (), None)
            return
        if all(isinstance(event, HistoryCorrected) for event in standing.recorded):
            self._note(standing, "effective", (), None)
            return
        if self.cascade == "keep" and standing.label not in self.history.named:
            self._keep(standing)
            return
        try:
            events = self._decide(standing)
        except Refusal as refusal:
            if standing.label in self.history.renewed:
                raise
            if any(isinstance(event, HistoryCorrected) for event in standing.recorded):
                raise CannotKeep(standing, refusal) from refusal
            self._note(standing, "voided", (), refusal)
            return
        own = _without_corrections(standing.recorded)
        self._note(standing, "effective" if events == own else "restated", events, None)

    def _keep(self, standing: Standing) -> None:
        """Keep a later action with the events it counted with. Raises CannotKeep when they cannot be applied."""
        if not standing.counts:
            return
        try:
            self.state.fold(_without_corrections(standing.events))
        except Refusal as refusal:
            raise CannotKeep(standing, refusal) from refusal
        except (LookupError, AttributeError, TypeError, ValueError) as fault:
            # An event is applied to what it was decided on. When that is gone, only such an error tells.
            missing = Impossible(
                CONSERVATION,
                "what it changes is no longer there",
                "ce qu'elle modifie n'est plus là",
            )
            raise CannotKeep(standing, missing) from fault
        self.unchanged += 1

    def _decide(self, standing: Standing) -> tuple[Event, ...]:
        entry = standing.entry
        params = self.history.replaced.get(standing.label)
        action = self.rulebook.action(
            entry.kind, bytes(entry.params) if params is None else msgspec.json.encode(params)
        )
        request = Request(
            action=action,
            seat=entry.seat,
            by=entry.by,
            at=entry.recorded_at,
            override=entry.override,
            draws=entry.draws,
            waives=frozenset(warned.rule for warned in entry.warnings),
            opens_as=standing.name.replace(".", "-"),
            cited=self.history.timeline.cited(self.rulebook, action.cites()),
        )
        self.state.version = standing.place[0] - (0 if standing.insert else 1)
        # Its correction is in force already. For an action that only corrects, it is also the only event.
        mended = next((event for event in standing.recorded if isinstance(event, HistoryCorrected)), None)
        decision = decide(self.rulebook, self.state, request, chance=None, correction=mended)
        self.state = decision.state
        return _without_corrections(decision.events)

    def _insert(self, planned: Planned, new: NewAction) -> None:
        """Decide a new action at its place. A refusal refuses the whole correction."""
        after, *under, number, index = planned.place
        if self._last_at is None:
            raise AssertionError("something always comes before an inserted action")
        action: Action = self.rulebook.action(new.kind, msgspec.json.encode(new.params))
        request = Request(
            action=action,
            seat=new.seat,
            by="banker",
            at=self._last_at,
            override=new.override,
            opens_as=f"{number}-{index}",
            cited=self.history.timeline.cited(self.rulebook, action.cites()),
        )
        self.state.version = after
        decision = decide(self.rulebook, self.state, request, chance=None)
        self.state = decision.state
        self.insertions[index] = Insertion(
            after,
            InsertedAction(
                kind=action.kind,
                seat=new.seat,
                by="banker",
                params=msgspec.Raw(body(action)),
                draws=decision.draws,
                recorded_at=self._last_at,
                override=new.override,
                warnings=decision.warnings,
                events=tuple(msgspec.Raw(body(event)) for event in decision.events),
            ),
            under=tuple(under),
        )

    def _note(self, standing: Standing, status: str, events: tuple[Event, ...], why: Refusal | None) -> None:
        """Compare the outcome with how the action stood, and keep the difference."""
        before = _without_corrections(standing.events)
        if status == standing.status and events == before:
            if standing.counts:
                self.unchanged += 1
            return
        stored = tuple(msgspec.Raw(body(event)) for event in events) if status == "restated" else ()
        self.amendments.append(
            Amendment(
                standing.entry.number,
                status,
                stored,
                insert=standing.insert,
                why=None if why is None else _reason(why, standing),
            )
        )
        if status == "undone":
            self.undone.append(standing)
        elif status == "voided":
            self.voided.append(Fallen(standing, why))
        elif status == "restated":
            self.restated.append(Restated(standing, before, events))
        else:
            self.restored.append(standing)


def _without_corrections(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events of an action without its correction of the history, if it made one."""
    return tuple(event for event in events if not isinstance(event, HistoryCorrected))


def _reason(refusal: Refusal, standing: Standing) -> Reason:
    """Why an action is voided, as the journal keeps it."""
    told = seats_of(readers(refusal, standing))
    if isinstance(refusal, NeedsDraw):
        return Reason("needs input", refusal.en, refusal.fr, told)
    return Reason(refusal.rule if isinstance(refusal, RuleBroken) else "", refusal.en, refusal.fr, told)
