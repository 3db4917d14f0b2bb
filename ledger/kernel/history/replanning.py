"""Working out a correction: every action from the first edit on is decided again.

`plan` is the entry point. `_EditedHistory` is the list of actions with every edit in force applied. `_Redecision`
decides them one after the other and notes which come out differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from ledger.kernel.accounts import CONSERVATION
from ledger.kernel.actions import Action, Cascade, Mending
from ledger.kernel.audience import seats_of
from ledger.kernel.decision import decide
from ledger.kernel.draft import Request
from ledger.kernel.events import Amendment, Event, InsertedAction, Insertion, Reason
from ledger.kernel.history.corrections import (
    CannotKeep,
    Drop,
    Edit,
    Fallen,
    HistoryCorrected,
    Insert,
    NewAction,
    Plan,
    Replace,
    Restated,
    Rewind,
    WouldSpread,
    readers,
)
from ledger.kernel.history.timeline import Label, Standing, Timeline
from ledger.kernel.journal import body
from ledger.kernel.refusals import Impossible, Malformed, NeedsDraw, NotYours, Refusal, RuleBroken
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
    history = _EditedHistory(rulebook, timeline, number, edits, frozenset(head.seats))
    earliest = history.earliest()
    state = state_before(earliest).copy()
    redecision = _Redecision(rulebook, history, state, mending.cascade)
    for planned in history.planned(earliest):
        redecision.step(planned)
    after = redecision.state
    after.version, after.seq, after.last_at = head.version, head.seq, head.last_at
    after.corrections = (*head.corrections, (number, earliest))
    found = Plan(
        event=HistoryCorrected(
            rule=rule,
            edits=edits,
            cascade=mending.cascade,
            reason=mending.reason,
            earliest=earliest,
            amendments=tuple(redecision.amendments),
            insertions=tuple(insertion for _, insertion in sorted(redecision.insertions.items())),
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


class _Planned(msgspec.Struct, frozen=True):
    """One action to be decided again, or a new one to be inserted."""

    place: tuple[int, int, int]
    standing: Standing | None
    new: NewAction | None = None


class _EditedHistory:
    """The actions of a game in order, with every edit in force applied, before they are decided again."""

    def __init__(
        self,
        rulebook: Rulebook[Any],
        timeline: Timeline,
        number: int,
        edits: tuple[Edit, ...],
        seats: frozenset[str],
    ) -> None:
        self.rulebook = rulebook
        self.timeline = timeline
        self.number = number
        self.edits = edits
        self.rule = rulebook.correction_rule
        self.seats = seats
        self._corrections = {
            standing.entry.number: event
            for standing in timeline.standings()
            for event in standing.recorded
            if isinstance(event, HistoryCorrected)
        }
        self.dropped: set[int] = set()
        self.replaced: dict[int, dict[str, Any]] = {}
        self.renewed: set[Label] = {(edit.action, 0) for edit in edits if isinstance(edit, Replace)}
        """The actions that the new edits replace. The whole correction is refused when one of them is."""
        self.inactive: set[int] = set()
        self._rewinds: list[tuple[int, int]] = []
        self._check()
        self._apply()
        self.named = self._named(number, edits)

    def _check(self) -> None:
        if not self.edits:
            raise Malformed("a correction needs an edit", "une correction demande une modification")
        for edit in self.edits:
            match edit:
                case Drop() | Replace():
                    standing = self._standing(edit.action)
                    if isinstance(edit, Replace):
                        if edit.action in self._corrections:
                            raise Malformed(
                                "action {number} is a correction: drop it instead of replacing it",
                                "l'action {number} est une correction : retirez-la au lieu de la remplacer",
                                number=edit.action,
                            )
                        self._require_plain(standing.entry.kind, edit.params)
                    if standing.status == "undone":
                        raise Impossible(
                            self.rule,
                            "action {number} is undone already (by correction {by})",
                            "l'action {number} est déjà annulée (par la correction {by})",
                            number=edit.action,
                            by=standing.by,
                        )
                case Rewind():
                    self._standing(edit.to)
                case Insert():
                    self._standing(edit.after, also_first=True)
                    self._require_plain(edit.action.kind, edit.action.params)
                    self._require_bankers(edit.action)
        named = [edit.action for edit in self.edits if isinstance(edit, Drop | Replace)]
        for number in named:
            if named.count(number) > 1:
                raise Malformed(
                    "action {number} is dropped or replaced twice in one correction",
                    "l'action {number} est retirée ou remplacée deux fois dans une même correction",
                    number=number,
                )

    def _require_bankers(self, new: NewAction) -> None:
        """Raise a Refusal for what the banker could not have performed, or for a seat that is not there."""
        action = self.rulebook.action_type(new.kind)
        if action.by == ("system",):
            raise NotYours("{kind} happens by itself", "{kind} se produit de lui-même", kind=new.kind)
        if new.seat is not None and new.seat not in self.seats:
            raise Malformed(
                "there is no seat {seat!r} in this game; its seats are: {seats}",
                "il n'y a pas de siège {seat!r} dans cette partie ; ses sièges sont : {seats}",
                seat=new.seat,
                seats=", ".join(sorted(self.seats)),
            )

    def _require_plain(self, kind: str, params: dict[str, Any]) -> None:
        """Raise a Refusal for parameters that are not right, or that would correct the history within this."""
        if self.rulebook.action(kind, msgspec.json.encode(params)).mends() is not None:
            raise Malformed(
                "{kind} corrects the history itself: perform it instead of inserting it",
                "{kind} corrige elle-même l'histoire : effectuez-la au lieu de l'insérer",
                kind=kind,
            )

    def _standing(self, number: int, *, also_first: bool = False) -> Standing:
        standing = self.timeline.standing(number)
        if standing is None:
            raise Malformed(
                "there is no action {number}; the last one is {last}",
                "il n'y a pas d'action {number} ; la dernière est la {last}",
                number=number,
                last=self.number - 1,
            )
        if number == 1 and not also_first:
            raise Impossible(
                self.rule,
                "action 1 laid out the game: it cannot be corrected",
                "l'action 1 a installé la partie : elle ne se corrige pas",
            )
        return standing

    def _apply(self) -> None:
        """Find the edits in force: those of this correction, and of earlier corrections that are not dropped."""
        in_force: list[tuple[int, tuple[Edit, ...]]] = [(self.number, self.edits)]
        in_force += [(number, event.edits) for number, event in sorted(self._corrections.items(), reverse=True)]
        applied: list[tuple[int, Edit]] = []
        for number, edits in in_force:
            if number in self.inactive:
                continue
            for edit in edits:
                self.inactive.update(one for one in self._drops(number, edit) if one in self._corrections)
            applied = [(number, edit) for edit in edits] + applied
        for number, edit in applied:
            self.dropped.update(one for one in self._drops(number, edit) if one not in self._corrections)
            if isinstance(edit, Replace):
                self.replaced[edit.action] = edit.params
            elif isinstance(edit, Rewind):
                self._rewinds.append((edit.to, number))

    def _drops(self, number: int, edit: Edit) -> Iterable[int]:
        """The action numbers that an edit of correction `number` takes out."""
        if isinstance(edit, Drop):
            return (edit.action,)
        if isinstance(edit, Rewind):
            # What is said about the game (disputes, rulings) is not part of what is played over.
            return (
                one
                for one in range(max(edit.to, 2), number)
                if (found := self.timeline.standing(one)) is not None and not self._on_the_docket(found)
            )
        return ()

    def _on_the_docket(self, standing: Standing) -> bool:
        action = self.rulebook.actions.get(standing.entry.kind)
        return action is not None and action.docket

    def earliest(self) -> int:
        """The number of the first action that the new edits touch."""
        touched: list[int] = []
        for edit in self.edits:
            match edit:
                case Insert():
                    touched.append(edit.after)
                case Replace():
                    touched.append(edit.action)
                case Rewind():
                    touched.append(edit.to)
                case Drop():
                    correction = self._corrections.get(edit.action)
                    touched.append(edit.action if correction is None else min(edit.action, correction.earliest))
        return min(touched, default=self.number)

    def gone(self, standing: Standing) -> bool:
        """Whether the edits in force take an action out."""
        number = standing.entry.number
        if standing.insert:
            return number in self.inactive or any(_rewound(standing, to, by) for to, by in self._rewinds)
        return number in self.dropped or number in self.inactive

    def _named(self, number: int, edits: Iterable[Edit]) -> set[Label]:
        """The actions that edits of correction `number` name, or that a correction they drop had named."""
        labels: set[Label] = set()
        for edit in edits:
            if isinstance(edit, Replace):
                labels.add((edit.action, 0))
            if isinstance(edit, Rewind):
                standings = self.timeline.standings()
                labels |= {one.label for one in standings if one.insert and _rewound(one, edit.to, number)}
            for one in self._drops(number, edit):
                labels.add((one, 0))
                correction = self._corrections.get(one)
                if correction is not None:
                    labels |= {(amended.number, amended.insert) for amended in correction.amendments}
                    labels |= {(one, index) for index in range(1, len(correction.insertions) + 1)}
                    # What another correction had taken out as well is not among what this one changed.
                    labels |= self._named(one, correction.edits)
        return labels

    def planned(self, earliest: int) -> list[_Planned]:
        """The actions from `earliest` on and those to be inserted, in the order of the history."""
        planned = [
            _Planned(standing.place, standing)
            for standing in self.timeline.standings()
            if standing.place >= (earliest, 0, 0)
        ]
        inserted = [edit for edit in self.edits if isinstance(edit, Insert)]
        planned += [
            _Planned((edit.after, self.number, index), None, edit.action)
            for index, edit in enumerate(inserted, start=1)
        ]
        return sorted(planned, key=lambda one: one.place)


class _Redecision:
    """Decides the actions of an edited history again, and notes which of them come out differently."""

    def __init__(self, rulebook: Rulebook[Any], history: _EditedHistory, state: State, cascade: Cascade) -> None:
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

    def step(self, planned: _Planned) -> None:
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
        params = self.history.replaced.get(entry.number) if not standing.insert else None
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

    def _insert(self, planned: _Planned, new: NewAction) -> None:
        """Decide a new action at its place. A refusal refuses the whole correction."""
        _, number, index = planned.place
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
        self.state.version = planned.place[0]
        decision = decide(self.rulebook, self.state, request, chance=None)
        self.state = decision.state
        self.insertions[index] = Insertion(
            planned.place[0],
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


def _rewound(inserted: Standing, to: int, by: int) -> bool:
    """Whether going back to action `to`, as correction `by` does, takes out what an earlier one inserted."""
    return inserted.entry.number < by and inserted.place[0] >= to


def _without_corrections(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events of an action without its correction of the history, if it made one."""
    return tuple(event for event in events if not isinstance(event, HistoryCorrected))


def _reason(refusal: Refusal, standing: Standing) -> Reason:
    """Why an action is voided, as the journal keeps it."""
    told = seats_of(readers(refusal, standing))
    if isinstance(refusal, NeedsDraw):
        return Reason("needs input", refusal.en, refusal.fr, told)
    return Reason(refusal.rule if isinstance(refusal, RuleBroken) else "", refusal.en, refusal.fr, told)
