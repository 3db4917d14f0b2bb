"""A game of Negopoly in memory with its whole journal: played, corrected, and read at two times.

    game = Chronicle("ana", "bob")                        joined, started: it is ana's turn of round 1
    loan = game.play("ana", "take_loan", amount=100)      returns the number of the action
    game.correct(Drop(loan), cascade="restate")           returns the plan that was written
    assert game.status(loan) == "undone"

The journal holds entries as the ledger stores them, as bytes. Only the state at the head is cached.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import msgspec

from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.due import due
from ledger.kernel.deciding.in_memory import JournalInMemory
from ledger.kernel.deciding.moves import Move, moves
from ledger.kernel.deciding.plan import Plan
from ledger.kernel.deciding.replanning import plan
from ledger.kernel.deciding.steps import decide_request, entry_of
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.edits import Cascade, Edit, Insert, NewAction
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.actions import Correct
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.settings import Settings
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import MONEY, player
from tests.tables.negopoly import NO_DECKS, starting

S = TypeVar("S", bound=State)

NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


class Chronicle:
    """A game with these seats, joined and started by default; `chance` throws the dice if given."""

    def __init__(
        self,
        *seats: str,
        started: bool = True,
        chance: Chance | None = None,
        settings: dict[str, Any] | None = None,
    ) -> None:
        self.now = NOON
        self.chance = chance
        self.past = JournalInMemory(RULEBOOK)
        self.state: Negopoly = RULEBOOK.blank()
        opening = Opening(
            players=tuple(Seat(seat, seat.capitalize()) for seat in seats),
            # Where nobody throws nobody draws, so there is nothing to draw.
            settings=msgspec.convert(({"decks": NO_DECKS} if chance is None else {}) | (settings or {}), Settings),
            dice="table" if chance is None else "service",
        )
        self._act(Request(action=RULEBOOK.play.opening_action(opening), seat=None, by="system", at=self.now))
        if started:
            for seat, kind, params in starting(*seats):
                if seat is None:
                    self.banker(kind, **params)
                else:
                    self.play(seat, kind, **params)

    # Playing ------------------------------------------------------------------------------------

    @property
    def journal(self) -> list[Entry]:
        """The entries, in order."""
        return self.past.entries

    @property
    def head(self) -> int:
        """The number of the last action."""
        return self.journal[-1].number

    def play(self, seat: str, kind: str, **params: Any) -> int:
        """The seat performs an action; return its number."""
        return self._perform(kind, params, seat, seat)

    def banker(self, kind: str, *, seat: str | None = None, override: str | None = None, **params: Any) -> int:
        """The banker performs an action, for a seat if one is named; return its number."""
        return self._perform(kind, params, seat, "banker", override)

    def wait(self, seconds: int) -> None:
        """Let time pass; a turn that is over by then is closed first."""
        self.now += timedelta(seconds=seconds)
        for request, decision in due(RULEBOOK, self.state, self.now, self.chance):
            self._keep(request, decision)

    def moves(self, seat: str) -> list[Move]:
        """The moves of a seat."""
        return moves(RULEBOOK, self.state, seat, player(seat), Viewer("player", seat), self.now)

    def bankers_moves(self) -> list[Move]:
        """The banker's own moves."""
        found = moves(RULEBOOK, self.state, "", "", BANKER, self.now)
        return [move for move in found if "player" not in RULEBOOK.actions[move.kind].by]

    # Correcting ---------------------------------------------------------------------------------

    def plan(self, *edits: Edit, cascade: Cascade = "refuse") -> Plan:
        """The plan of a correction. Raises as `corrections.plan`."""
        return self._plan(self._correction(edits, cascade))

    def correct(self, *edits: Edit, cascade: Cascade = "refuse") -> Plan:
        """Correct the history; return the plan. The correction is the head then."""
        found = self._act(Request(action=self._correction(edits, cascade), seat=None, by="banker", at=self.now))
        assert found is not None
        return found

    # Reading ------------------------------------------------------------------------------------

    def timeline(self, known_at: int | None = None) -> Timeline:
        """The effective history, from the stored bytes."""
        return Timeline(self.journal, RULEBOOK.codec.event, known_at)

    def standing(self, number: int, insert: int = 0) -> TimelineEntry:
        """The present timeline entry of an action."""
        found = self.timeline().entry(number, insert)
        assert found is not None
        return found

    def status(self, number: int, insert: int = 0) -> str:
        """The present status of an action."""
        return self.standing(number, insert).status

    def at(self, number: int, known_at: int | None = None) -> Negopoly:
        """The state right after an action, computed from the first stored event on."""
        state = RULEBOOK.blank()
        timeline = self.timeline(known_at)
        corrections: list[tuple[int, int]] = []
        for standing in timeline.effective(number):
            state.fold(standing.events)
        for entry in self.journal[:number]:
            state.version, state.last_at = entry.number, entry.recorded_at
            state.seq = entry.first_seq + len(entry.events) - 1
            events = map(RULEBOOK.codec.event, entry.events)
            corrections += [(entry.number, one.first) for one in events if isinstance(one, HistoryCorrected)]
        state.corrections = tuple(corrections)
        return state

    def money(self, seat: str) -> int:
        """The seat's balance in ₦."""
        return self.state.holdings.of(player(seat), MONEY)

    # Internal -----------------------------------------------------------------------------------

    def _perform(
        self, kind: str, params: dict[str, Any], seat: str | None, by: str, override: str | None = None
    ) -> int:
        action = RULEBOOK.codec.action(kind, msgspec.json.encode(params))
        self._act(Request(action=action, seat=seat, by=by, at=self.now, override=override))
        return self.head

    def _correction(self, edits: tuple[Edit, ...], cascade: Cascade) -> Correct:
        given = {"edits": edits, "cascade": cascade, "reason": "a mistake"}
        action = RULEBOOK.codec.action("correct", msgspec.json.encode(given))
        assert isinstance(action, Correct)
        return action

    def _plan(self, action: Correct) -> Plan:
        mending = action.correction_request()
        return plan(RULEBOOK, self.timeline(), self.state, lambda number: self.at(number - 1), mending)

    def _act(self, request: Request) -> Plan | None:
        decision, found = decide_request(RULEBOOK, self.state, request, self.past, self.chance)
        self._keep(request, decision)
        return found

    def _keep(self, request: Request, decision: Decision) -> None:
        self.past.append(entry_of("chronicle", request, decision, salt="00"))
        self.state = decision.state


def without_counters(state: S) -> S:
    """The state without the numbers of entries and events."""
    bare = state.copy()
    bare.version = bare.seq = 0
    bare.last_at = None
    bare.corrections = ()
    return bare


def inserting(after: int, seat: str | None, kind: str, **params: Any) -> Insert:
    """The edit that inserts an action after another."""
    return Insert(after, NewAction(kind=kind, params=params, seat=seat))


def frozen(state: Negopoly) -> bytes:
    """The state as bytes; equal states give equal bytes."""
    return RULEBOOK.codec.to_snapshot(state)
