"""Previews: the consequences that a correction would have, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

import msgspec

from ledger.kernel.deciding.plan import Cause, Plan, Restated, VoidedEntry, readers
from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.edits import Amend, Drop, Insert, Replace, Rewind
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Label, Name, Place, name_in, name_of, preceding
from ledger.kernel.facts.refusals import Refusal, RuleBroken
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.sight import (
    admits,
    current_viewer,
    redact_for_dry_run,
    sees_holding,
    veiled,
    visible_entry,
)
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.display import StandingView
from ledger.kernel.rules.faces.editions import pointer_at
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.text import warning_views
from ledger.reading.entries.views import EventView, WarningView, view_event
from ledger.reading.history.preview_views import (
    ActionCounts,
    AddedAction,
    BeforeAfter,
    CascadeFigures,
    Cascades,
    CauseView,
    Difference,
    HeldDifference,
    ObligationDifference,
    Piece,
    Preview,
    PreviewedAction,
    RefusedCascade,
    RefuseFigures,
    RestatedAction,
    SeatDifference,
    VoidedAction,
)
from ledger.reading.money.obligations import AllObligations, changed_between
from ledger.reading.money.standings import standings
from ledger.reading.moves.needs import NeedView, need_view
from ledger.reading.words.naming import Names
from ledger.reading.words.seating import seat_views, turn_order
from ledger.reading.words.telling import PRIVATE, SentenceWriter

_GAINED = Phrase(
    "{who} has a turn in round {round} that was not played.",
    "{who} a un tour au round {round} qui n'avait pas été joué.",
)


_LOST = Phrase("{who} has no turn in round {round} any more.", "{who} n'a plus de tour au round {round}.")


_FOR_SEAT = Phrase("The game acts for {who}: {sentence}", "Le jeu agit pour {who} : {sentence}")
_EMPTY = Phrase("Without effect.", "Sans effet.")
"""An action without an event for the viewer."""


_WITH_STEPS = Phrase(
    "Action {name} is dropped, and the steps taken for it: {steps}.",
    "L'action {name} est retirée, ainsi que les étapes faites pour elle : {steps}.",
)


_AT_ONCE = 3
"""Maximum number of sentences about the immediate changes of an edit."""


def preview_of(
    rulebook: Rulebook[Any], plan: Plan, viewer: Viewer, language: str, players: Sequence[Seat] | None = None
) -> Preview:
    """Build the preview of a planned correction for a viewer, with sentences in "en" or "fr".

    `players` are the seats in the order of the game's creation. By default the seats of the state are used.
    """
    view = _PreviewWriter(rulebook, plan, viewer, language)
    seats = tuple(plan.old_state.seats.values()) if players is None else players
    return Preview(
        version=plan.old_state.version,
        cascades=view.cascades(),
        seats=tuple(view.seats(seats)),
        turns=tuple(view.turns()),
        causes=tuple(view.causes()),
        changes=tuple(view.changes(plan.old_state, plan.new_state)),
        needs=tuple(view.needs()),
        counts=ActionCounts(
            unchanged=plan.unchanged,
            undone=len(plan.undone),
            restored=len(plan.restored),
            restated=len(plan.restated),
            voided=len(plan.voided),
            inserted=len(plan.event.insertions),
        ),
        undone=tuple(PreviewedAction(*view.name(item), view.sentence(item, item.events)) for item in plan.undone),
        restored=tuple(
            PreviewedAction(*view.name(item), view.sentence(item, item.recorded)) for item in plan.restored
        ),
        restated=tuple(view.restated(action) for action in plan.restated),
        voided=tuple(view.voided(action) for action in plan.voided),
        inserted=tuple(view.inserted()),
        holdings=view.holdings(),
        table=tuple(differences(view.table(plan.old_state), view.table(plan.new_state))),
        agreements=tuple(view.agreements()),
        obligations=tuple(view.obligations()),
        warnings=warning_views(plan.event.warnings, view.viewer, language),
    )


def differences(previous: object, corrected: object, path: str = "") -> Iterator[Difference]:
    """Yield the differences between two pieces of plain data, object by object. A list is a single value."""
    if isinstance(previous, dict) and isinstance(corrected, dict):
        for name in [*previous, *(name for name in corrected if name not in previous)]:
            yield from differences(previous.get(name), corrected.get(name), pointer_at(path, name))
    elif previous != corrected:
        yield Difference(path, previous, corrected)


_Seen = int | msgspec.UnsetType
"""An amount visible to the viewer, or UNSET."""


def _before_after(previous: _Seen, corrected: _Seen) -> BeforeAfter | msgspec.UnsetType:
    """Return two amounts, if both are visible."""
    return (
        BeforeAfter(previous, corrected)
        if isinstance(previous, int) and isinstance(corrected, int)
        else msgspec.UNSET
    )


def _refusal_text(language: str) -> str:
    """Return the refusal for a viewer who may not know the reason."""
    return Phrase("it is refused", "elle est refusée").in_language(language)


class _PreviewWriter:
    """A writer of a planned correction for a viewer, with the visibility of the game's current state."""

    def __init__(self, rulebook: Rulebook[Any], plan: Plan, viewer: Viewer, language: str) -> None:
        self.rulebook = rulebook
        self.plan = plan
        self.viewer = current_viewer(plan.old_state, viewer)
        self.language = language
        self.names = Names(rulebook, plan.old_state, language)
        self.speakers: Mapping[str, Speaker] = self.names.speakers
        self.teller = SentenceWriter(self.names)

    def name(self, timeline_entry: TimelineEntry) -> tuple[Name, int, str, str | None]:
        """Return an action's name, number, kind and seat. Kind and seat are hidden if unknown to the viewer."""
        entry = timeline_entry.entry
        is_known = visible_entry(timeline_entry, self.viewer).is_visible or entry.by == self.viewer.seat
        kind, seat = (entry.kind, entry.seat) if is_known else (PRIVATE, None)
        return name_of(timeline_entry.label), entry.number, kind, seat

    def sentence(self, timeline_entry: TimelineEntry, events: Iterable[Event]) -> str:
        """Return a sentence for an action with these events."""
        _, _, kind, _ = self.name(timeline_entry)
        texts = [event.text for event in self._events(events, 0)]
        return self.teller.sentence(kind, texts or [self.teller.say(_EMPTY)])

    def _cause(self, label: Label) -> tuple[int, Name | None]:
        """Return the number of a consequence's cause, from 1, and the name of the action in between."""
        link = self.plan.links[label]
        number = next(number for number, cause in enumerate(self.plan.causes, start=1) if cause.edit == link.edit)
        return number, name_in(link.because) if link.because else None

    def turns(self) -> Iterator[str]:
        """Yield the additional and the lost turns of the corrected history, in sentences."""
        for turns, sentence in ((self.plan.gained, _GAINED), (self.plan.lost, _LOST)):
            for round_, seat in turns:
                who = self.speakers["seat"](seat, self.language)
                yield sentence.in_language(self.language).format(who=who, round=round_)

    def changes(self, previous: State, corrected: State) -> Iterator[str]:
        """Yield the differences of the table between two states, in sentences."""
        return self.rulebook.language.describe_changes(
            previous, self.table(previous), self.table(corrected), self.language
        )

    def causes(self) -> Iterator[CauseView]:
        """Yield the first causes, each with its consequences."""
        links = self.plan.links
        names = self._names_in_order()
        for number, cause in enumerate(self.plan.causes, start=1):
            action, edit = name_in(cause.action), self.plan.event.edits[cause.edit]
            itself = {action, edit.action} if isinstance(edit, Drop | Replace | Amend) else {action}
            follows = tuple(
                name for label, name in names if links[label].edit == cause.edit and name not in itself
            )
            yield CauseView(number, cause.edit, action, self._describe(cause), follows)

    def _names_in_order(self) -> list[tuple[Label, Name]]:
        """Return the labels and names of all actions touched by the correction, in the order of the history."""
        plan, number = self.plan, self.plan.old_state.version + 1
        touched = [*plan.undone, *plan.touched()]
        labels: list[tuple[Place, Label]] = [(item.position, item.label) for item in touched]
        for index, insertion in enumerate(plan.event.insertions, start=1):
            position = (insertion.after, *insertion.under, number, index)
            labels.append((position, (number, index)))
        return [(label, name_of(label)) for _, label in sorted(labels)]

    def _describe(self, cause: Cause) -> str:
        """Describe the immediate changes of an edit: the differences of the table, and the payments caused.

        Differences from before the action come from the other edits.
        """
        earlier = {*self.changes(*cause.earlier)}
        changed = [text for text in self.changes(cause.was, cause.corrected) if text not in earlier][:_AT_ONCE]
        followed = [*dict.fromkeys(event.text for event in self._events(self._direct(cause), 0))][:_AT_ONCE]
        return " ".join((*self._with_steps(cause), *changed, *followed)) or self._name_edit(cause)

    def _with_steps(self, cause: Cause) -> Iterator[str]:
        """Yield a sentence for a dropped action that takes along the steps right before it, by the system."""
        dropped = {edit.action for edit in self.plan.event.edits if isinstance(edit, Drop)}
        by = {item.entry.number: item.entry.by for item in self.plan.undone if name_of(item.label) in dropped}
        name = name_in(cause.action)
        if isinstance(name, int) and by.get(name, "system") != "system":
            steps = [*takewhile(lambda number: by.get(number) == "system", range(name - 1, 0, -1))]
            if steps:
                yield self.teller.say(_WITH_STEPS, name=name, steps=", ".join(map(str, reversed(steps))))

    def _direct(self, cause: Cause) -> Iterator[Event]:
        """Yield the events that move something only because of an edit, in its own action or right after."""
        plan = self.plan

        def direct(label: Label) -> bool:
            link = plan.links[label]
            return link.edit == cause.edit and link.because in ("", cause.action)

        restated = {item.timeline_entry.label: item for item in plan.restated}
        for label, _ in self._names_in_order():
            if not direct(label):
                continue
            if label in restated:
                earlier_events, events = restated[label].old_events, restated[label].new_events
            elif label[0] == plan.old_state.version + 1:
                stored = plan.event.insertions[label[1] - 1].action.events
                earlier_events, events = (), tuple(self.rulebook.codec.event(item) for item in stored)
            else:
                continue
            yield from (event for event in events if event.postings and event not in earlier_events)

    def _name_edit(self, cause: Cause) -> str:
        """Name the edit in words, if nothing changes at the table."""
        name: Name = cause.action
        match self.plan.event.edits[cause.edit]:
            case Drop(action=name):
                sentence = Phrase("Action {name} is dropped.", "L'action {name} est retirée.")
            case Replace(action=name):
                sentence = Phrase("Action {name} is replaced.", "L'action {name} est remplacée.")
            case Insert():
                sentence = Phrase("Action {name} is inserted.", "L'action {name} est insérée.")
            case Amend(action=name):
                sentence = Phrase("Correction {name} is amended.", "La correction {name} est amendée.")
            case Rewind(to=name):
                sentence = Phrase("The game goes back to action {name}.", "La partie revient à l'action {name}.")
        return sentence.in_language(self.language).format(name=name)

    def needs(self) -> Iterator[NeedView]:
        """Yield the missing draws, if the viewer may know of their actions."""
        yielded: set[tuple[str, str, str | None]] = set()
        for need in self.plan.needs:
            if need.timeline_entry is not None and not visible_entry(need.timeline_entry, self.viewer).whole:
                continue
            key = need.previous, need.draw.draw_name, need.seat
            if key not in yielded:
                yielded.add(key)
                yield need_view(need, self.viewer, self.speakers, self.language)

    def restated(self, action: Restated) -> RestatedAction:
        """Build the view of a restated action."""
        first = action.timeline_entry.entry.first_seq
        return RestatedAction(
            *self.name(action.timeline_entry),
            self.sentence(action.timeline_entry, action.old_events),
            self.sentence(action.timeline_entry, action.new_events),
            *self._cause(action.timeline_entry.label),
            self._events(action.old_events, first),
            self._events(action.new_events, first),
        )

    def voided(self, fallen: VoidedEntry) -> VoidedAction:
        """Build the view of an action that is no longer possible."""
        refusal: Refusal = fallen.why
        whole = visible_entry(fallen.timeline_entry, self.viewer).whole
        why = WarningView("", "")
        if whole and readers(refusal, fallen.timeline_entry).admits(self.viewer):
            rule = refusal.rule if isinstance(refusal, RuleBroken) else ""
            why = WarningView(rule, refusal.sentence(self.language))
        sentence = self.sentence(fallen.timeline_entry, fallen.timeline_entry.events)
        return VoidedAction(
            *self.name(fallen.timeline_entry), sentence, *self._cause(fallen.timeline_entry.label), why
        )

    def inserted(self) -> Iterator[AddedAction]:
        """Yield the views of the inserted actions."""
        number = self.plan.old_state.version + 1
        followers = {step.index: step.next_action for step in self.plan.steps}
        for index, insertion in enumerate(self.plan.event.insertions, start=1):
            new = insertion.action
            events = tuple(self.rulebook.codec.event(stored) for stored in new.events)
            whole = all(admits(event, self.viewer) for event in events)
            visible = self._events(events, self.plan.old_state.seq + 1)
            cause, because = self._cause((number, index))
            kind, seat = (new.kind, new.seat) if whole or visible else (PRIVATE, None)
            sentence = self.teller.sentence(kind, [event.text for event in visible])
            if seat is not None and new.by == "system":
                who = self.speakers["seat"](seat, self.language)
                sentence = _FOR_SEAT.in_language(self.language).format(who=who, sentence=sentence)
            yield AddedAction(
                action=name_of((number, index)),
                after=preceding((insertion.after, *insertion.under, number, index)) or insertion.after,
                before=name_in(followers[index]) if index in followers else None,
                kind=kind,
                seat=seat,
                by=new.by,
                sentence=sentence,
                cause=cause,
                because=because,
                events=visible,
                warnings=warning_views(new.warnings, self.viewer, self.language) if whole else (),
            )

    def holdings(self) -> dict[str, dict[str, BeforeAfter]]:
        """Return every change of a final holding, by account and commodity.

        A hidden commodity stands under its veil.
        """
        previous = dict(self.plan.old_state.holdings.items())
        corrected = dict(self.plan.new_state.holdings.items())
        changes: dict[str, dict[str, BeforeAfter]] = {}
        for account in sorted(previous.keys() | corrected.keys()):
            if previous.get(account) == corrected.get(account):
                continue
            had, has = (self._visible(side.get(account, {}), account) for side in (previous, corrected))
            changed = {
                commodity: BeforeAfter(had.get(commodity, 0), has.get(commodity, 0))
                for commodity in sorted(had.keys() | has.keys())
                if had.get(commodity, 0) != has.get(commodity, 0)
            }
            if changed:
                changes[account] = changed
        return changes

    def seats(self, players: Sequence[Seat]) -> Iterator[SeatDifference]:
        """Yield the differences for each seat, in the order of turns."""
        names, holdings, stands = self.names, self.holdings(), self._standings()
        for seat in seat_views(players, turn_order(self.rulebook, self.plan.old_state)):
            changed: dict[str, tuple[int, int]] = {}
            for account in self.rulebook.accounts.accounts_of(seat.seat):
                for commodity, item in holdings.get(account, {}).items():
                    previous_sum, corrected_sum = changed.get(commodity, (0, 0))
                    changed[commodity] = previous_sum + item.before, corrected_sum + item.after
            changed.pop(self.rulebook.accounts.currency, None)
            pieces = {
                item: was < becomes
                for item, (was, becomes) in changed.items()
                if was != becomes and self._is_unique(item)
            }
            was_standing, is_standing = stands[seat.seat]
            yield SeatDifference(
                seat=seat,
                money=_before_after(was_standing.cash, is_standing.cash),
                worth=_before_after(was_standing.worth, is_standing.worth),
                gained=tuple(Piece(item, names.commodity(item)) for item, came in pieces.items() if came),
                lost=tuple(Piece(item, names.commodity(item)) for item, came in pieces.items() if not came),
                holdings=tuple(
                    HeldDifference(item, names.commodity(item), was, becomes)
                    for item, (was, becomes) in changed.items()
                    if was != becomes and item not in pieces
                ),
            )

    def _is_unique(self, commodity: str) -> bool:
        """Return True if the commodity is a single piece that came out of the box."""
        return any(
            state.holdings.of(BOX, commodity) == -1
            and sees_holding(self.rulebook.secrets, state, BOX, commodity, self.viewer)
            for state in (self.plan.old_state, self.plan.new_state)
        )

    def _standings(self) -> dict[str, tuple[StandingView, StandingView]]:
        """Return the standing of each seat before and after the correction, as far as the viewer may see."""
        previous, corrected = (
            {standing.seat: standing for standing in standings(self.rulebook, state, self.viewer, self.language)}
            for state in (self.plan.old_state, self.plan.new_state)
        )
        return {seat: (standing, corrected[seat]) for seat, standing in previous.items() if seat in corrected}

    def cascades(self) -> Cascades:
        """Return the figures of all three cascades. A plan without alternatives stands for every cascade."""
        restated = self.plan.beside.get("restate", self.plan)
        keeping = self.plan.beside.get("keep", self.plan)
        spreads = not isinstance(restated, Plan) or restated.spreads
        return Cascades(self._figures(restated), self._figures(keeping), RefuseFigures(spreads))

    def _figures(self, plan: Plan | Refusal) -> CascadeFigures | RefusedCascade:
        if not isinstance(plan, Plan):
            is_known = self.viewer.sees_all or (plan.readers is not None and plan.readers.admits(self.viewer))
            return RefusedCascade(plan.sentence(self.language) if is_known else _refusal_text(self.language))
        view = self if plan is self.plan else _PreviewWriter(self.rulebook, plan, self.viewer, self.language)
        changes = [
            is_standing.cash - was_standing.cash
            for was_standing, is_standing in view._standings().values()
            if isinstance(was_standing.cash, int) and isinstance(is_standing.cash, int)
        ]
        came = sum(change for change in changes if change > 0)
        return CascadeFigures(
            restated=len(plan.restated),
            voided=len(plan.voided),
            inserted=len(plan.event.insertions),
            unchanged=plan.unchanged,
            moved=max(came, came - sum(changes)),
            needs=sum(1 for _ in view.needs()),
            warnings=warning_views(plan.event.warnings, self.viewer, self.language),
        )

    def table(self, state: State) -> Any:
        """Return the rulebook's view of a state, as plain data."""
        return msgspec.to_builtins(self.rulebook.screen.view(state, self.viewer), str_keys=True)

    def agreements(self) -> Iterator[Difference]:
        """Yield the changes of agreements, by collection and id."""
        for collection in self.rulebook.agreements.agreement_types:
            was = {key.id: key for key in self.rulebook.agreements.of(self.plan.old_state, collection)}
            now_is = {key.id: key for key in self.rulebook.agreements.of(self.plan.new_state, collection)}
            for key in [*was, *(key for key in now_is if key not in was)]:
                previous, corrected = was.get(key), now_is.get(key)
                if previous == corrected:
                    continue
                visible = [
                    agreement is None or self.rulebook.secrets.agreement_audience(agreement).admits(self.viewer)
                    for agreement in (previous, corrected)
                ]
                if all(visible):
                    yield from differences(
                        msgspec.to_builtins(previous), msgspec.to_builtins(corrected), f"/{collection}/{key}"
                    )

    def obligations(self) -> Iterator[ObligationDifference]:
        """Yield the changes in who owes whom, as far as the viewer may see both states."""
        previous, corrected = (
            AllObligations(self.rulebook, state, self.language).seen_by(self.viewer, foreseen=True)
            for state in (self.plan.old_state, self.plan.new_state)
        )
        for was, becomes in changed_between(previous, corrected):
            yield ObligationDifference(previous=was, corrected=becomes)

    def _events(self, events: Iterable[Event], first_seq: int) -> tuple[EventView, ...]:
        """Build the views of events as in a dry run: a preview reveals nothing."""
        foreseen_events = (
            (seq, redact_for_dry_run(event, self.viewer)) for seq, event in enumerate(events, start=first_seq)
        )
        return tuple(
            view_event(visible, seq if self.viewer.sees_all else None, self.language, self.speakers)
            for seq, visible in foreseen_events
            if visible is not None
        )

    def _visible(self, amounts: Mapping[str, int], account: str) -> dict[str, int]:
        """Return the holdings of an account visible to the viewer both before and after the correction."""
        visible = {
            commodity
            for commodity in amounts
            if all(
                sees_holding(self.rulebook.secrets, state, account, commodity, self.viewer)
                for state in (self.plan.old_state, self.plan.new_state)
            )
        }
        return veiled(self.rulebook.secrets, amounts, visible)
