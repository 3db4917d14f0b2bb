"""Planning a correction: every action from the first edit on is decided again.

`plan` is the entry point. `EditedHistory` is the list of actions with every edit in force applied.
`_Redecision` decides the actions in order and records the different outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ledger.kernel.deciding.as_recorded import StateAsRecorded
from ledger.kernel.deciding.causes import Causes, Turns
from ledger.kernel.deciding.decision import Decision, decide
from ledger.kernel.deciding.edited import EditedHistory, Planned
from ledger.kernel.deciding.mended import decide_mended
from ledger.kernel.deciding.plan import (
    CannotKeep,
    CorrectionSpreads,
    InsertedStep,
    MissingDraw,
    Plan,
    Restated,
    VoidedEntry,
    readers,
)
from ledger.kernel.deciding.settling import settle
from ledger.kernel.facts.accounts import CONSERVATION
from ledger.kernel.facts.audience import seats_of
from ledger.kernel.facts.consistency import appeared
from ledger.kernel.facts.edits import Cascade, Insert, NewAction, Replace
from ledger.kernel.facts.events import Amendment, Event, InsertedAction, Insertion, Reason, UndoneDraw
from ledger.kernel.facts.labels import Place, label_of
from ledger.kernel.facts.refusals import Impossible, NeedsDraw, Refusal, RuleBroken
from ledger.kernel.facts.state import MissingPartError, State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import body
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.actions import Action, Correct, DefaultStep, StepGoal
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.draws import undone_draws
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


_Drawn = Mapping[str, list[int | str]]
"""The draws of an action, by name."""


def plan(
    rulebook: Rulebook[S],
    timeline: Timeline,
    head: S,
    state_before: Callable[[int], S],
    correction_request: Correct,
    state_then: Callable[[int], S] | None = None,
) -> Plan:
    """Work out the changes of a correction, without writing anything.

    Takes the timeline, the state at the head, a function that returns the state right before an action number
    (as now known), and the edits. `state_then` returns this state as known when the action was recorded, before
    any later correction. Without `state_then`, the timeline is folded.

    Raises Malformed for edits of missing actions, Impossible for forbidden edits, CannotKeep, and WouldSpread
    (which carries the plan).
    """
    number = head.version + 1
    rule = rulebook.governance.correction_rule
    edits = correction_request.edits
    history = EditedHistory(rulebook, timeline, number, edits, frozenset(head.seats))
    earliest = history.earliest()
    state = state_before(earliest).copy()
    recorded_states = StateAsRecorded(rulebook, timeline, earliest, state_then)
    redecision = _Redecision(rulebook, history, state, correction_request.cascade, recorded_states)
    for planned in history.planned(earliest):
        redecision.step(planned)
    corrected: Any = redecision.state
    corrected.version, corrected.seq, corrected.last_at = head.version, head.seq, head.last_at
    broken = appeared(rulebook.play.inconsistencies(head), rulebook.play.inconsistencies(corrected))
    event = HistoryCorrected(
        rule=rule,
        edits=edits,
        cascade=correction_request.cascade,
        reason=correction_request.reason,
        earliest=earliest,
        amendments=tuple(redecision.amendments),
        insertions=tuple(insertion for _, insertion in sorted(redecision.insertions.items())),
        warnings=tuple(item.warned() for item in broken),
        undrawn=tuple(redecision.undrawn) or UNSET,
    )
    corrected.corrections = (*head.corrections, (number, event.first))
    result = Plan(
        event=event,
        unchanged=redecision.unchanged,
        undone=tuple(redecision.undone),
        restored=tuple(redecision.restored),
        restated=tuple(redecision.restated),
        voided=tuple(redecision.voided),
        steps=tuple(redecision.steps),
        needs=tuple(redecision.needs),
        gained=redecision.turns.gained(),
        lost=redecision.turns.lost(),
        causes=tuple(redecision.causes.causes[edit] for edit in sorted(redecision.causes.causes)),
        links=redecision.causes.links,
        old_state=head,
        new_state=corrected,
    )
    result = replace(
        result, spreads=bool(result.steps) or any(item.label not in history.named for item in result.touched())
    )
    if correction_request.cascade == "refuse" and result.spreads:
        raise CorrectionSpreads(result, history.named)
    return result


class _Redecision:
    """Decides the actions of an edited history again, and records the different outcomes."""

    def __init__(
        self,
        rulebook: Rulebook[Any],
        history: EditedHistory,
        state: State,
        cascade: Cascade,
        recorded_states: StateAsRecorded,
    ) -> None:
        self.rulebook = rulebook
        self.history = history
        self.state = state
        self.was = state.copy()
        """The state at the same position of the uncorrected history."""
        self._recorded_states = recorded_states
        self.cascade = cascade
        self.unchanged = 0
        self.undone: list[TimelineEntry] = []
        self.restored: list[TimelineEntry] = []
        self.restated: list[Restated] = []
        self.voided: list[VoidedEntry] = []
        self.amendments: list[Amendment] = []
        self.insertions: dict[int, Insertion] = {}
        """The inserted actions by index: first those of the edits, then the default steps."""
        self.steps: list[InsertedStep] = []
        self.needs: list[MissingDraw] = []
        self.undrawn: list[UndoneDraw] = []
        """The undone draws, if the rulebook puts them back."""
        self._steps_from = 1 + sum(isinstance(edit, Insert) for edit in history.edits)
        self.turns = Turns(rulebook)
        self.causes = Causes(history)
        self._last_counted = str(state.version)
        """The name of the last effective action of the recorded history. Edits may refer to this action."""
        self._at: datetime | None = state.last_at

    def step(self, planned: Planned) -> None:
        """Process the next action."""
        if planned.new is not None:
            self._insert(planned, planned.new)
        elif planned.timeline_entry is not None:
            timeline_entry = planned.timeline_entry
            self._at = timeline_entry.entry.recorded_at
            self._again(timeline_entry)
            if timeline_entry.counts:
                self.was.fold(_without_corrections(timeline_entry.events))
            self._recorded_states.pass_by(timeline_entry)
            if (link := self.causes.links.get(timeline_entry.label)) is not None:
                self.causes.changed(timeline_entry.name, link, self.was, self.state)
        self.turns.follow(self.was, self.state)

    def _again(self, timeline_entry: TimelineEntry) -> None:
        """Process an action of the existing history."""
        state_before = self.state
        if self.history.gone(timeline_entry):
            self._note(timeline_entry, "undone", state_before)
            return
        if all(isinstance(event, HistoryCorrected) for event in timeline_entry.recorded):
            self._note(timeline_entry, "effective", state_before)
            return
        if self.cascade == "keep" and timeline_entry.label not in self.history.named:
            self._keep(timeline_entry)
            return
        try:
            events, draws = self._decide(timeline_entry)
        except Refusal as refusal:
            if timeline_entry.label in self.history.renewed:
                raise
            if any(isinstance(event, HistoryCorrected) for event in timeline_entry.recorded):
                raise CannotKeep(timeline_entry, refusal) from refusal
            if timeline_entry.is_default_step:
                self._note(timeline_entry, "restated", state_before)  # the history no longer needs this step
            else:
                self._note(timeline_entry, "voided", state_before, why=refusal)
            return
        recorded = _without_corrections(timeline_entry.recorded)
        self._note(timeline_entry, "effective" if events == recorded else "restated", state_before, events, draws)

    def _keep(self, timeline_entry: TimelineEntry) -> None:
        """Keep a later action with its effective events. Raises CannotKeep if the events cannot be applied."""
        if not timeline_entry.counts:
            return
        try:
            self.state.fold(_without_corrections(timeline_entry.events))
        except Refusal as refusal:
            # Nobody decided here, so nobody has named the accounts yet.
            refusal.named_by(self.rulebook.naming(self.state))
            raise CannotKeep(timeline_entry, refusal) from refusal
        except MissingPartError as fault:
            missing = Impossible(
                CONSERVATION, "what it changes is no longer there", "ce qu'elle modifie n'est plus là"
            )
            raise CannotKeep(timeline_entry, missing) from fault
        self.unchanged += 1

    def _decide(self, timeline_entry: TimelineEntry) -> tuple[tuple[Event, ...], _Drawn]:
        """Decide an action again, after the default steps, and return the events and draws.

        Raises the last refusal of the action.
        """
        entry = timeline_entry.entry
        params = self.history.replaced.get(timeline_entry.label)
        action = self.rulebook.codec.action(
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
            opens_as=timeline_entry.name.replace(".", "-"),
            cited=self.history.timeline.cited(self.rulebook.secrets, action.cites()),
            again=True,
            put_back=self._put_back(),
            recorded=params is None,
        )
        # The correction of the action is already in force. For a pure correction, it is also the only event.
        mended = next((event for event in timeline_entry.recorded if isinstance(event, HistoryCorrected)), None)

        def by_rules_of_today(state: State) -> Decision:
            state.version = _version_before(timeline_entry.position)
            try:
                return decide(self.rulebook, state, request, chance=None, correction=mended)
            except NeedsDraw:
                return decide(self.rulebook, state, replace(request, undrawn=True), chance=None)

        attempt: Callable[[State], Decision] = by_rules_of_today
        is_renewed = timeline_entry.label in self.history.renewed
        if not is_renewed and self.rulebook.mended(entry.decided_under, (entry.kind,)):
            is_recorded = params is None and mended is None and not timeline_entry.insert
            recorded = (self._recorded_states.state or self.was) if is_recorded else None
            attempt = partial(decide_mended, timeline_entry, by_rules_of_today, self.was, recorded)
        try:
            if timeline_entry.is_default_step:
                decision: Decision | None = self._step_again(timeline_entry, action, attempt)
            elif mended is not None or self.history.falls_due(timeline_entry):
                decision = attempt(self.state)
            else:
                decision = self._settled(
                    timeline_entry.name,
                    timeline_entry.position,
                    StepGoal(action, entry.seat, self._recorded_states.state or self.was),
                    attempt,
                )
        except NeedsDraw as needed:
            if is_renewed:
                needed.edit = next(
                    edit
                    for edit in self.history.edits
                    if isinstance(edit, Replace) and label_of(edit.action) == timeline_entry.label
                )
            elif not timeline_entry.is_default_step:
                self.needs.append(
                    MissingDraw(needed, self._last_counted, entry.seat, action, timeline_entry, voids=True)
                )
            raise
        if decision is None:
            return (), {}
        for missed in decision.missed:
            self.needs.append(
                MissingDraw(missed, self._last_counted, entry.seat, action, timeline_entry, voids=False)
            )
        self._go_on(decision)
        return _without_corrections(decision.events), decision.draws

    def _step_again(
        self, timeline_entry: TimelineEntry, action: Action, attempt: Callable[[State], Decision]
    ) -> Decision:
        """Decide a default step of an earlier correction again. Raises a refusal if the history no longer needs
        the step.

        A step that had an effect so far belongs to the turn of the effect.
        """
        if timeline_entry.counts and timeline_entry.events:
            wrong_turn = self.rulebook.progress.wrong_turn(
                self.state, StepGoal(action, timeline_entry.entry.seat, self.was)
            )
            if wrong_turn is not None:
                raise wrong_turn
        return attempt(self.state)

    def _insert(self, planned: Planned, new: NewAction) -> None:
        """Decide a new action at the planned place. A refusal refuses the whole correction."""
        anchor, *under, _, index = planned.position
        label, name = (self.history.number, index), f"{self.history.number}.{index}"
        action: Action = self.rulebook.codec.action(new.kind, msgspec.json.encode(new.params))
        request = Request(
            action=action,
            seat=new.seat,
            by="banker",
            at=self._current_time(),
            override=new.override,
            opens_as=f"{self.history.number}-{index}",
            cited=self.history.timeline.cited(self.rulebook.secrets, action.cites()),
            again=True,
            put_back=self._put_back(),
        )

        def attempt(state: State) -> Decision:
            state.version = _version_before(planned.position)
            return decide(self.rulebook, state, request, chance=None)

        goal = StepGoal(action, new.seat, self._recorded_states.state or self.was)
        try:
            decision = self._settled(name, planned.position, goal, attempt)
        except NeedsDraw as needed:
            needed.edit = [edit for edit in self.history.edits if isinstance(edit, Insert)][index - 1]
            raise
        if decision is None:
            raise Impossible(
                self.history.rule,
                "{kind} after action {after} changes nothing: what it is for has happened by then",
                "{kind} après l'action {after} ne change rien : c'est chose faite à ce moment",
                kind=new.kind,
                after=anchor,
            )
        link = self.causes.of(label, new.seat, decision.events, {}, self.was, self.state)
        self._go_on(decision)
        self.insertions[index] = Insertion(anchor, _inserted(request, decision), under=tuple(under))
        self.causes.changed(name, link, self.was, self.state)

    def _settled(
        self, name: str, position: Place, goal: StepGoal, attempt: Callable[[State], Decision]
    ) -> Decision | None:
        """Insert the default steps before the action called `name`, and decide it.

        None if nothing is left for the action to do.
        """
        first = self._steps_from + len(self.steps)
        requests: list[Request] = []

        def take(state: State, step: DefaultStep) -> Decision:
            request = Request(
                action=step.action,
                seat=step.seat,
                by="system",
                at=self._current_time(),
                opens_as=f"{self.history.number}-{first + len(requests)}",
                again=True,
                put_back=self._put_back(),
            )
            state.version = _version_before(position)
            decision = decide(self.rulebook, state, request, chance=None)
            requests.append(request)
            return decision

        result = settle(self.rulebook, self.state, goal, attempt, take)
        for index, (request, (step, decision)) in enumerate(zip(requests, result.steps, strict=True), first):
            for missed in decision.missed:
                asking = step.by_hand or step.action
                self.needs.append(MissingDraw(missed, self._last_counted, step.seat, asking, None, voids=False))
            self._take_step(index, name, position, request, decision)
        return result.decision

    def _take_step(self, index: int, target: str, position: Place, request: Request, decision: Decision) -> None:
        """Insert a default step right before the action called `target`, at this position."""
        label = self.history.number, index
        link = self.causes.of(label, request.seat, decision.events, {}, self.was, self.state)
        self._go_on(decision)
        # Before an inserted action means after the preceding insertion, or after none.
        under = (*position[1:-1], position[-1] - 1) if position[1] else ()
        self.insertions[index] = Insertion(_version_before(position), _inserted(request, decision), under=under)
        self.steps.append(InsertedStep(index, target))
        self.causes.changed(f"{self.history.number}.{index}", link, self.was, self.state)

    def _go_on(self, decision: Decision) -> None:
        """Continue after a decision. Cards of undone draws that are drawn again are no longer put back."""
        self.state = decision.state
        self.undrawn = [
            replace(undone, values=values)
            for undone in self.undrawn
            if (values := tuple(v for v in undone.values if v not in decision.draws.get(undone.name, ())))
        ]

    def _put_back(self) -> dict[str, list[int | str]]:
        """Return the values of undone draws, by the name of the draw."""
        values: dict[str, list[int | str]] = {}
        for undone in self.undrawn:
            values.setdefault(undone.name, []).extend(undone.values)
        return values

    def _current_time(self) -> datetime:
        """Return the recorded time of the action under decision, or of the action before an insertion."""
        if self._at is None:
            raise AssertionError("something always comes before what a correction decides")
        return self._at

    def _note(
        self,
        timeline_entry: TimelineEntry,
        status: str,
        state: State,
        events: tuple[Event, ...] = (),
        draws: _Drawn = MappingProxyType({}),
        *,
        why: Refusal | None = None,
    ) -> None:
        """Compare the outcome with the status of the action, and record any difference. `state` is the state
        before the action.
        """
        old_events = _without_corrections(timeline_entry.events)
        puts_back = self.rulebook.play.puts_back
        if puts_back:
            self.undrawn.extend(undone_draws(timeline_entry.name, timeline_entry.draws, draws))
        if status in {"effective", "restated"}:
            self._last_counted = timeline_entry.name
        if status == timeline_entry.status and events == old_events:
            if timeline_entry.counts:
                self.unchanged += 1
            return
        stored = tuple(msgspec.Raw(body(event)) for event in events) if status == "restated" else ()
        self.amendments.append(
            Amendment(
                timeline_entry.entry.number,
                status,
                stored,
                insert=timeline_entry.insert,
                why=None if why is None else _reason(why, timeline_entry),
                draws=dict(draws) if puts_back and stored and draws != timeline_entry.entry.draws else UNSET,
            )
        )
        values = {} if why is None else why.values
        self.causes.of(
            timeline_entry.label, timeline_entry.entry.seat, (*old_events, *events), values, self.was, state
        )
        if status == "undone":
            self.undone.append(timeline_entry)
        elif status == "voided":
            self.voided.append(VoidedEntry(timeline_entry, why))
        elif status == "restated":
            self.restated.append(Restated(timeline_entry, old_events, events))
        else:
            self.restored.append(timeline_entry)


def _version_before(position: Place) -> int:
    """Return the version of the state right before a position: the number of the last entry before it."""
    return position[0] if position[1] else position[0] - 1


def _inserted(request: Request, decision: Decision) -> InsertedAction:
    """Return an inserted action for storage in the correction."""
    return InsertedAction(
        kind=request.action.kind,
        seat=request.seat,
        by=request.by,
        params=msgspec.Raw(body(request.action)),
        draws=decision.draws,
        recorded_at=request.at,
        override=request.override,
        warnings=decision.warnings,
        events=tuple(msgspec.Raw(body(event)) for event in decision.events),
    )


def _without_corrections(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events of an action without the correction of the history, if any."""
    return tuple(event for event in events if not isinstance(event, HistoryCorrected))


def _reason(refusal: Refusal, timeline_entry: TimelineEntry) -> Reason:
    """Return the reason for a voided action, for the journal."""
    seats = seats_of(readers(refusal, timeline_entry))
    if isinstance(refusal, NeedsDraw):
        return Reason("needs input", refusal.en, refusal.fr, seats)
    return Reason(refusal.rule if isinstance(refusal, RuleBroken) else "", refusal.en, refusal.fr, seats)
