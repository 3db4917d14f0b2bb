"""Previews: the consequences that a correction would have, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger.kernel.deciding.plan import Cause, Fallen, Plan, Restated, readers
from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.edits import Drop, Insert, Replace
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Label, Name, Place, name_in, name_of, preceding
from ledger.kernel.facts.refusals import Refusal, RuleBroken
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.sight import admits, foreseen, sees_holding, sight, veiled, viewer_now
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.language.sentences import Speaker
from ledger.kernel.rules.display import StandingView
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
    Piece,
    Preview,
    PreviewedAction,
    RefusedCascade,
    RefuseFigures,
    RestatedAction,
    SeatDifference,
    VoidedAction,
)
from ledger.reading.money.standings import standings
from ledger.reading.moves.needs import NeedView, need_view
from ledger.reading.words.naming import Names
from ledger.reading.words.seating import seat_views, turn_order
from ledger.reading.words.telling import PRIVATE, Teller

_GAINED_FR = "{who} a au round {round} un tour qui n'avait pas été joué."


_LOST_FR = "{who} n'a plus de tour au round {round}."


_AT_ONCE = 3
"""How many sentences tell what an edit changes at once."""


def preview_of(
    rulebook: Rulebook[Any], plan: Plan, viewer: Viewer, language: str, players: Sequence[Seat] | None = None
) -> Preview:
    """The preview of a planned correction for a viewer, with sentences in "en" or "fr".

    `players` are the seats in the order of the game's creation; without them, those of the state.
    """
    view = _PreviewWriter(rulebook, plan, viewer, language)
    seats = tuple(plan.before.seats.values()) if players is None else players
    return Preview(
        version=plan.before.version,
        cascades=view.cascades(),
        seats=tuple(view.seats(seats)),
        turns=tuple(view.turns()),
        causes=tuple(view.causes()),
        changes=tuple(view.changes(plan.before, plan.after)),
        needs=tuple(view.needs()),
        counts=ActionCounts(
            unchanged=plan.unchanged,
            undone=len(plan.undone),
            restored=len(plan.restored),
            restated=len(plan.restated),
            voided=len(plan.voided),
            inserted=plan.inserted,
        ),
        undone=tuple(
            PreviewedAction(*view.name(standing), view.sentence(standing, standing.events))
            for standing in plan.undone
        ),
        restored=tuple(
            PreviewedAction(*view.name(standing), view.sentence(standing, standing.recorded))
            for standing in plan.restored
        ),
        restated=tuple(view.restated(one) for one in plan.restated),
        voided=tuple(view.voided(one) for one in plan.voided),
        inserted=tuple(view.inserted()),
        holdings=view.holdings(),
        table=tuple(differences(view.table(plan.before), view.table(plan.after))),
        agreements=tuple(view.agreements()),
        warnings=warning_views(plan.event.warnings, view.viewer, language),
    )


def differences(before: object, after: object, path: str = "") -> Iterator[Difference]:
    """The differences of two pieces of plain data, object by object. A list is one value."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in [*before, *(name for name in after if name not in before)]:
            step = str(name).replace("~", "~0").replace("/", "~1")
            yield from differences(before.get(name), after.get(name), f"{path}/{step}")
    elif before != after:
        yield Difference(path, before, after)


_Seen = int | msgspec.UnsetType
"""An amount that the viewer may see, or not."""


def _before_after(before: _Seen, after: _Seen) -> BeforeAfter | msgspec.UnsetType:
    """Two amounts, where the viewer sees both."""
    return BeforeAfter(before, after) if isinstance(before, int) and isinstance(after, int) else msgspec.UNSET


def _said_refused(language: str) -> str:
    """What a viewer reads who may not know why a cascade is refused."""
    return "elle est refusée" if language == "fr" else "it is refused"


class _PreviewWriter:
    """Writes a planned correction for one viewer, who sees what the game's current state lets them see."""

    def __init__(self, rulebook: Rulebook[Any], plan: Plan, viewer: Viewer, language: str) -> None:
        self.rulebook = rulebook
        self.plan = plan
        self.viewer = viewer_now(plan.before, viewer)
        self.language = language
        self.names = Names(rulebook, plan.before, language)
        self.speakers: Mapping[str, Speaker] = self.names.speakers
        self.teller = Teller(self.names)

    def name(self, standing: Standing) -> tuple[Name, int, str, str | None]:
        """An action's name, number, kind and seat. Kind and seat are hidden when the viewer may not know them."""
        entry = standing.entry
        known = sight(standing, self.viewer).anything or entry.by == self.viewer.seat
        kind, seat = (entry.kind, entry.seat) if known else (PRIVATE, None)
        return name_of(standing.label), entry.number, kind, seat

    def sentence(self, standing: Standing, events: Iterable[Event]) -> str:
        """An action with these events as one sentence."""
        _, _, kind, _ = self.name(standing)
        texts = [event.text for event in self._events(events, 0)]
        return self.teller.sentence(kind, texts)

    def _cause(self, label: Label) -> tuple[int, Name | None]:
        """The cause of a consequence, from 1, and the name of the action in between."""
        link = self.plan.links[label]
        place = next(place for place, one in enumerate(self.plan.causes, start=1) if one.edit == link.edit)
        return place, name_in(link.because) if link.because else None

    def turns(self) -> Iterator[str]:
        """Where the corrected history has other turns, in sentences."""
        for turns, en, fr in (
            (self.plan.gained, "{who} has a turn in round {round} that was not played.", _GAINED_FR),
            (self.plan.lost, "{who} has no turn in round {round} any more.", _LOST_FR),
        ):
            for round_, seat in turns:
                who = self.speakers["seat"](seat, self.language)
                yield (fr if self.language == "fr" else en).format(who=who, round=round_)

    def changes(self, before: State, after: State) -> Iterator[str]:
        """How the table differs between two states, in sentences."""
        return self.rulebook.changes_told(before, self.table(before), self.table(after), self.language)

    def causes(self) -> Iterator[CauseView]:
        """The first causes, each with what follows from it."""
        links = self.plan.links
        names = self._names_in_order()
        for place, cause in enumerate(self.plan.causes, start=1):
            action = name_in(cause.action)
            follows = tuple(name for label, name in names if links[label].edit == cause.edit and name != action)
            yield CauseView(place, cause.edit, action, self._told(cause), follows)

    def _names_in_order(self) -> list[tuple[Label, Name]]:
        """The labels and names of everything that the correction touches, in the order of the history."""
        plan, number = self.plan, self.plan.before.version + 1
        touched = [*plan.undone, *plan.touched()]
        found: list[tuple[Place, Label]] = [(one.place, one.label) for one in touched]
        for index, insertion in enumerate(plan.event.insertions, start=1):
            place = (insertion.after, *insertion.under, number, index)
            found.append((place, (number, index)))
        return [(label, name_of(label)) for _, label in sorted(found)]

    def _told(self, cause: Cause) -> str:
        """What an edit changes at once: how the table differs, and what is paid or given because of it."""
        changed = list(self.changes(cause.was, cause.now))[:_AT_ONCE]
        followed = [*dict.fromkeys(one.text for one in self._events(self._direct(cause), 0))][:_AT_ONCE]
        return " ".join((*changed, *followed)) or self._edited(cause)

    def _direct(self, cause: Cause) -> Iterator[Event]:
        """The events that move something only because of an edit, in its own action or right after it."""
        plan = self.plan

        def direct(label: Label) -> bool:
            link = plan.links[label]
            return link.edit == cause.edit and link.because in ("", cause.action)

        restated = {one.standing.label: one for one in plan.restated}
        for label, _ in self._names_in_order():
            if not direct(label):
                continue
            if label in restated:
                before, events = restated[label].before, restated[label].after
            elif label[0] == plan.before.version + 1:
                stored = plan.event.insertions[label[1] - 1].action.events
                before, events = (), tuple(self.rulebook.event(one) for one in stored)
            else:
                continue
            yield from (event for event in events if event.postings and event not in before)

    def _edited(self, cause: Cause) -> str:
        """The edit in words, where nothing at the table tells of it."""
        match self.plan.event.edits[cause.edit]:
            case Drop():
                en, fr = "Action {name} is dropped.", "L'action {name} est retirée."
            case Replace():
                en, fr = "Action {name} is replaced.", "L'action {name} est remplacée."
            case Insert():
                en, fr = "Action {name} is inserted.", "L'action {name} est insérée."
            case _:
                en, fr = "The game goes back to action {name}.", "La partie revient à l'action {name}."
        return (fr if self.language == "fr" else en).format(name=cause.action)

    def needs(self) -> Iterator[NeedView]:
        """The draws that are missing, where the viewer may know of what asks for them."""
        seen: set[tuple[str, str, str | None]] = set()
        for need in self.plan.needs:
            if need.standing is not None and not sight(need.standing, self.viewer).whole:
                continue
            key = need.after, need.draw.what, need.seat
            if key not in seen:
                seen.add(key)
                yield need_view(need, self.speakers, self.language)

    def restated(self, one: Restated) -> RestatedAction:
        """The view of a restated action."""
        first = one.standing.entry.first_seq
        return RestatedAction(
            *self.name(one.standing),
            self.sentence(one.standing, one.before),
            self.sentence(one.standing, one.after),
            *self._cause(one.standing.label),
            self._events(one.before, first),
            self._events(one.after, first),
        )

    def voided(self, fallen: Fallen) -> VoidedAction:
        """The view of an action that is no longer possible."""
        refusal: Refusal = fallen.why
        whole = sight(fallen.standing, self.viewer).whole
        why = WarningView("", "")
        if whole and readers(refusal, fallen.standing).admits(self.viewer):
            rule = refusal.rule if isinstance(refusal, RuleBroken) else ""
            why = WarningView(rule, refusal.sentence(self.language))
        told = self.sentence(fallen.standing, fallen.standing.events)
        return VoidedAction(*self.name(fallen.standing), told, *self._cause(fallen.standing.label), why)

    def inserted(self) -> Iterator[AddedAction]:
        """The views of the inserted actions."""
        number = self.plan.before.version + 1
        before = {step.index: step.before for step in self.plan.steps}
        for index, insertion in enumerate(self.plan.event.insertions, start=1):
            new = insertion.action
            events = tuple(self.rulebook.event(stored) for stored in new.events)
            whole = all(admits(event, self.viewer) for event in events)
            shown = self._events(events, self.plan.before.seq + 1)
            cause, because = self._cause((number, index))
            kind, seat = (new.kind, new.seat) if whole or shown else (PRIVATE, None)
            yield AddedAction(
                action=name_of((number, index)),
                after=preceding((insertion.after, *insertion.under, number, index)) or insertion.after,
                before=name_in(before[index]) if index in before else None,
                kind=kind,
                seat=seat,
                by=new.by,
                sentence=self.teller.sentence(kind, [event.text for event in shown]),
                cause=cause,
                because=because,
                events=shown,
                warnings=warning_views(new.warnings, self.viewer, self.language) if whole else (),
            )

    def holdings(self) -> dict[str, dict[str, BeforeAfter]]:
        """Every final holding that changes, by account and commodity. A hidden commodity stands under its veil."""
        before = dict(self.plan.before.holdings.items())
        after = dict(self.plan.after.holdings.items())
        found: dict[str, dict[str, BeforeAfter]] = {}
        for account in sorted(before.keys() | after.keys()):
            if before.get(account) == after.get(account):
                continue
            had, has = (self._held(held.get(account, {}), account) for held in (before, after))
            changed = {
                commodity: BeforeAfter(had.get(commodity, 0), has.get(commodity, 0))
                for commodity in sorted(had.keys() | has.keys())
                if had.get(commodity, 0) != has.get(commodity, 0)
            }
            if changed:
                found[account] = changed
        return found

    def seats(self, players: Sequence[Seat]) -> Iterator[SeatDifference]:
        """The differences for each seat, in the order of turns."""
        names, holdings, stands = self.names, self.holdings(), self._standings()
        for seat in seat_views(players, turn_order(self.rulebook, self.plan.before)):
            changed: dict[str, tuple[int, int]] = {}
            for account in self.rulebook.accounts_of(seat.seat):
                for commodity, one in holdings.get(account, {}).items():
                    before, after = changed.get(commodity, (0, 0))
                    changed[commodity] = before + one.before, after + one.after
            changed.pop(self.rulebook.currency, None)
            pieces = {one: was < now for one, (was, now) in changed.items() if was != now and self._is_unique(one)}
            was_standing, is_standing = stands[seat.seat]
            yield SeatDifference(
                seat=seat,
                money=_before_after(was_standing.cash, is_standing.cash),
                worth=_before_after(was_standing.worth, is_standing.worth),
                gained=tuple(Piece(one, names.commodity(one)) for one, came in pieces.items() if came),
                lost=tuple(Piece(one, names.commodity(one)) for one, came in pieces.items() if not came),
                holdings=tuple(
                    HeldDifference(one, names.commodity(one), was, now)
                    for one, (was, now) in changed.items()
                    if was != now and one not in pieces
                ),
            )

    def _is_unique(self, commodity: str) -> bool:
        """Whether there is one piece of a commodity, which came out of the box."""
        return any(
            state.holdings.of(BOX, commodity) == -1
            and sees_holding(self.rulebook, state, BOX, commodity, self.viewer)
            for state in (self.plan.before, self.plan.after)
        )

    def _standings(self) -> dict[str, tuple[StandingView, StandingView]]:
        """How each seat stands before and after the correction, as far as the viewer may see it."""
        before, after = (
            {one.seat: one for one in standings(self.rulebook, state, self.viewer)}
            for state in (self.plan.before, self.plan.after)
        )
        return {seat: (one, after[seat]) for seat, one in before.items() if seat in after}

    def cascades(self) -> Cascades:
        """The figures of all three cascades. A plan that knows no other one stands for itself alone."""
        restated = self.plan.beside.get("restate", self.plan)
        kept = self.plan.beside.get("keep", self.plan)
        spreads = not isinstance(restated, Plan) or restated.spreads
        return Cascades(self._figures(restated), self._figures(kept), RefuseFigures(spreads))

    def _figures(self, plan: Plan | Refusal) -> CascadeFigures | RefusedCascade:
        if not isinstance(plan, Plan):
            known = self.viewer.sees_all or (plan.known_to is not None and plan.known_to.admits(self.viewer))
            return RefusedCascade(plan.sentence(self.language) if known else _said_refused(self.language))
        view = self if plan is self.plan else _PreviewWriter(self.rulebook, plan, self.viewer, self.language)
        changes = [
            now.cash - was.cash
            for was, now in view._standings().values()
            if isinstance(was.cash, int) and isinstance(now.cash, int)
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
        """The rulebook's view of a state, as plain data."""
        return msgspec.to_builtins(self.rulebook.view(state, self.viewer), str_keys=True)

    def agreements(self) -> Iterator[Difference]:
        """The changes of agreements, by collection and id."""
        for collection in self.rulebook.agreement_types:
            was = {one.id: one for one in self.rulebook.agreements(self.plan.before, collection)}
            now_is = {one.id: one for one in self.rulebook.agreements(self.plan.after, collection)}
            for one in [*was, *(one for one in now_is if one not in was)]:
                before, after = was.get(one), now_is.get(one)
                if before == after:
                    continue
                shown = [
                    agreement is None or self.rulebook.agreement_audience(agreement).admits(self.viewer)
                    for agreement in (before, after)
                ]
                if all(shown):
                    yield from differences(
                        msgspec.to_builtins(before), msgspec.to_builtins(after), f"/{collection}/{one}"
                    )

    def _events(self, events: Iterable[Event], first_seq: int) -> tuple[EventView, ...]:
        """The views of events as in a dry run: a preview reveals nothing."""
        shown = ((seq, foreseen(event, self.viewer)) for seq, event in enumerate(events, start=first_seq))
        return tuple(
            view_event(visible, seq if self.viewer.sees_all else None, self.language, self.speakers)
            for seq, visible in shown
            if visible is not None
        )

    def _held(self, held: Mapping[str, int], account: str) -> dict[str, int]:
        """The holdings of an account that the viewer may see both before and after the correction."""
        seen = {
            commodity
            for commodity in held
            if all(
                sees_holding(self.rulebook, state, account, commodity, self.viewer)
                for state in (self.plan.before, self.plan.after)
            )
        }
        return veiled(self.rulebook, held, seen)
