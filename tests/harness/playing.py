"""Playing a game in memory: the same rulebook, decisions and fold as the ledger's, without a database.

Each game's own table (`tests/tables/<game>.py`) is a `Playing` with short ways to lay out and to read:

    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_doses", "VII.A.1", amount=1)

What an action makes due at once is performed with it; `table.requested` is the number of the action itself.

The game keeps its journal, so the banker may correct it and actions are cited by number (last: `table.number`):

    table.banker("correct", edits=[{"op": "drop", "action": number}], cascade="restate", reason="a die misread")

A position laid out by hand is no part of the journal: corrections cannot reach back beyond it.

Every action is decided, then its events are folded from their stored bytes into a second state, which must be
equal. So no scenario passes with an event that forgets something. Every action is also decided a second time from
what was recorded with it, on an equal state that was filled in another order. So no scenario passes with an action
that reads anything else. After a correction the effective history is folded again from the journal. Conservation
is checked after every action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.due import due_immediately
from ledger.kernel.deciding.in_memory import JournalInMemory
from ledger.kernel.deciding.moves import Move, moves
from ledger.kernel.deciding.plan import Plan
from ledger.kernel.deciding.steps import decide_request, entry_of, plan_of, request_of
from ledger.kernel.facts.accounts import Holdings
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.consistency import appeared
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Refusal, RuleBroken
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry, body
from ledger.kernel.journal.sight import view_event
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.actions import Action, Correct
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from tests.harness.rules import witness

S = TypeVar("S", bound=State)

NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


def start_from(journal: JournalInMemory[S], state: S) -> None:
    """Use this state as the result of the entries so far. Earlier moments are no longer available."""
    journal._start = state.copy()


class Playing(Generic[S]):
    """A game in memory with these seats after its first action. Players have the names of their seats."""

    def __init__(
        self,
        rulebook: Rulebook[S],
        seats: tuple[str, ...],
        *,
        dice: str = "table",
        settings: dict[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        self.rulebook = rulebook
        self.now = NOON
        self.chance = Random(seed) if dice == "service" else None
        self.state: S = rulebook.blank()
        self.folded: S = rulebook.blank()
        self.last: Decision | None = None
        self.requested = 0
        self.past = JournalInMemory(rulebook)
        opening = Opening(
            players=tuple(Seat(seat, seat.capitalize()) for seat in seats),
            settings=msgspec.convert(settings or {}, rulebook.settings),
            dice="service" if dice == "service" else "table",
        )
        self._perform(rulebook.play.opening_action(opening), None, "system")

    # Playing ------------------------------------------------------------------------------------

    def play(self, seat: str, kind: str, *, override: str | None = None, **params: Any) -> list[Event]:
        """The seat performs an action. Returns its events; a refusal fails the test."""
        return self._perform(self._action(kind, params), seat, "banker" if override else seat, override)

    def banker(
        self, kind: str, *, seat: str | None = None, override: str | None = None, **params: Any
    ) -> list[Event]:
        """The banker performs an action, for a seat if one is named."""
        return self._perform(self._action(kind, params), seat, "banker", override)

    def system(self, kind: str, *, seat: str | None = None, **params: Any) -> list[Event]:
        """The game takes a step by itself, for a seat if one is named."""
        return self._perform(self._action(kind, params), seat, "system")

    def refused(self, seat: str | None, kind: str, rule: str, **params: Any) -> RuleBroken:
        """Check that the action is refused by this rule, or beside it, and changes nothing. Return the refusal."""
        before = self.rulebook.codec.to_snapshot(self.state)
        try:
            self._decide(self._request(self._action(kind, params), seat, seat or "banker"), self.state)
        except RuleBroken as refusal:
            assert rule in {refusal.rule, *refusal.also_cited}, (
                f"refused by {refusal.rule}, not {rule}: {refusal.en}"
            )
            assert refusal.fr != refusal.en
            told = f"{refusal.en} {refusal.fr}"
            assert not [one for one in self.state.seats if re.search(rf"(?<![\w'’-]){one}\b", told)], told
            witness(rule)
            assert self.rulebook.codec.to_snapshot(self.state) == before
            return refusal
        raise AssertionError(f"{kind} by {seat} was not refused")

    def what_if(self, *edits: dict[str, Any]) -> Plan:
        """Plan a correction with these edits and the cascade `restate`. Nothing is kept."""
        params = {"edits": edits, "cascade": "restate", "reason": "what if"}
        return self.planned(self._action("correct", params).correction_request())

    def planned(self, mending: Correct) -> Plan:
        """Plan a correction. Nothing is kept."""
        return plan_of(self.rulebook, self.state, self.past, mending)

    def malformed(self, seat: str | None, kind: str, **params: Any) -> Refusal:
        """Check that the action is refused for its shape, not by a rule."""
        try:
            self._perform(self._action(kind, params), seat, seat or "banker")
        except Refusal as refusal:
            assert not isinstance(refusal, RuleBroken), refusal.en
            return refusal
        raise AssertionError(f"{kind} by {seat} was not refused")

    def wait(self, seconds: int) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)

    @contextmanager
    def arranged(self) -> Iterator[S]:
        """Lay out a position by hand (in both states) before the scenario proper."""
        yield self.state
        self.folded = self.rulebook.codec.from_snapshot(self.rulebook.codec.to_snapshot(self.state))
        start_from(self.past, self.folded)

    # Reading ------------------------------------------------------------------------------------

    @property
    def journal(self) -> list[Entry]:
        """The entries, in order."""
        return self.past.entries

    @property
    def number(self) -> int:
        """The number of the last action."""
        return self.state.version

    def standing(self, number: int) -> TimelineEntry:
        """The timeline entry of an action: its status, and its effective events."""
        standing = self.timeline().entry(number)
        assert standing is not None
        return standing

    def timeline(self) -> Timeline:
        """The effective history."""
        return self.past.timeline()

    def moves(self, seat: str) -> list[Move]:
        """The legal actions of the seat."""
        viewer = Viewer("player", seat)
        return moves(self.rulebook, self.state, seat, self.rulebook.accounts.purse(seat), viewer, self.now)

    def offers(self, seat: str, kind: str) -> list[dict[str, Any]]:
        """The parameters of this kind that the seat's moves offer."""
        return [move.params for move in self.moves(seat) if move.kind == kind]

    def seen_by(self, seat: str | None) -> list[Event]:
        """The events of the last action as a seat (None: a spectator) sees them."""
        assert self.last is not None
        viewer = Viewer("player", seat) if seat else Viewer("spectator")
        shown = (view_event(self.state, event, viewer) for event in self.last.events)
        return [event for event in shown if event is not None]

    # Inside -------------------------------------------------------------------------------------

    def _action(self, kind: str, params: dict[str, Any]) -> Any:
        return self.rulebook.codec.action(kind, msgspec.json.encode(params))

    def _perform(self, action: Any, seat: str | None, by: str, override: str | None = None) -> list[Event]:
        """Perform an action and what it makes due at once. Returns the events of the action itself."""
        request = self._request(action, seat, by, override)
        self.last = decision = self._decide(request, self.state)
        self._keep(request, decision)
        self.requested = self.state.version
        for step in due_immediately(self.rulebook, self.state, self.now, self.chance):
            self._keep(*step)
        return list(decision.events)

    def _keep(self, request: Request, decision: Decision) -> None:
        """Keep a decision, after checking it."""
        self._decide_again(request, decision)
        self._check_consistency(decision)
        self.past.append(entry_of("table", request, decision, salt="00"))
        self.state = decision.state
        kind = request.action.kind
        witness(*self.rulebook.register.rules_of(kind), *(event.rule for event in decision.events))
        witness(*(warning.rule for warning in decision.warnings))
        corrected = [event for event in decision.events if isinstance(event, HistoryCorrected)]
        witness(*(warning.rule for event in corrected for warning in event.warnings))
        self._fold_again(decision)

    def _request(self, action: Action, seat: str | None, by: str, override: str | None = None) -> Request:
        return request_of(self.rulebook, self.past, action, seat=seat, by=by, at=self.now, override=override)

    def _decide(self, request: Request, state: S, *, again: bool = False) -> Decision:
        """Decide on a state, as the ledger does."""
        return decide_request(self.rulebook, state, request, self.past, None if again else self.chance)[0]

    def _decide_again(self, request: Request, decision: Decision) -> None:
        """Check that the action, decided again from what was recorded with it, has the same outcome."""
        recorded = replace(request, draws=decision.draws)
        again = self._decide(recorded, self._the_other_way_round(), again=True)
        assert again.events == decision.events
        assert again.draws == decision.draws
        assert again.warnings == decision.warnings

    def _the_other_way_round(self) -> S:
        """An equal state with dicts in reverse order. A state from a snapshot may have another order, too."""
        turned = self.state.copy()
        for name in turned.__struct_fields__:
            value = getattr(turned, name)
            if isinstance(value, dict):
                setattr(turned, name, dict(reversed(value.items())))
        accounts = reversed(self.state.holdings.as_dict().items())
        held = {account: dict(reversed(amounts.items())) for account, amounts in accounts}
        turned.holdings = Holdings(self.rulebook.accounts.may_owe, held)
        assert turned == self.state
        return turned

    def _check_consistency(self, decision: Decision) -> None:
        """Check that only what a rule was waived for, or a correction warns of, is left inconsistent."""
        rules = {warned.rule for warned in decision.warnings}
        for event in decision.events:
            if isinstance(event, HistoryCorrected):
                rules |= {warned.rule for warned in event.warnings}
        before, after = (self.rulebook.play.inconsistencies(state) for state in (self.state, decision.state))
        assert [one for one in appeared(before, after) if one.rule not in rules] == []

    def _fold_again(self, decision: Decision) -> None:
        stored = [body(event) for event in decision.events]
        if any(isinstance(event, HistoryCorrected) for event in decision.events):
            self.folded = self.past.state_after(self.state.version)
        else:
            self.folded.fold(map(self.rulebook.codec.event, stored))
        self.folded.version = self.state.version
        self.folded.last_at = self.state.last_at
        assert self.rulebook.codec.to_snapshot(self.folded) == self.rulebook.codec.to_snapshot(self.state)
        commodities = {commodity for _, held in self.state.holdings.items() for commodity in held}
        for commodity in commodities:
            assert self.state.holdings.total(commodity) == 0, commodity
        speakers = self.rulebook.language.speakers(self.state)
        for event in decision.events:
            assert event.rule in self.rulebook.register, f"{type(event).__name__} cites {event.rule}"
            for language in ("en", "fr"):
                assert "{" not in say(event, language, speakers)


def say(event: Event, language: str, speakers: Any) -> str:
    """The sentence of an event."""
    return event.sentence(language, speakers)
