"""Random games with random corrections in Postgres, through two ledgers with a memory each.

After any actions and corrections, both ledgers and a third with an empty memory have the same state; the state of
any moment, as known at any other, is the fold of the journal; statements and totals come to the holdings; filters
find what the audit finds; and the preview of a correction is what the correction does.
"""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.edits import Cascade, Drop, Edit, Insert, NewAction, Replace, Rewind
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.journal.entry import Entry, read
from ledger.kernel.journal.timeline import Timeline
from ledger.reading.entries.journal import Filter, number_of, page_around, page_of_journal, read_entry, totals_of
from ledger.reading.entries.views import EntryView
from ledger.reading.history.audit import audit
from ledger.reading.money.statements import StatementLine, statement
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import player
from ledger.service import Command, Ledger
from ledger.store.records import Selection
from ledger.store.store import Store
from tests.harness.storing import drop_snapshots
from tests.properties.commands import SEATS, choices, faces, insertions, other_parameters, places, profile, small
from tests.properties.oracle import assert_conserved
from tests.tables.chronicle import frozen, without_counters
from tests.tables.ledgers import Clock, started

FILTERS = (
    *(Filter(account=player(seat)) for seat in SEATS),
    Filter(seat="ana"),
    Filter(kind="end_turn"),
    Filter(status="effective"),
    Filter(status="voided"),
    Filter(account=player("bob"), words=("bob",)),
)


class StoredHistories(RuleBasedStateMachine):
    """A game in the database, played and corrected through two ledgers, each with its own memory."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.clock = Clock()
        self.ledgers = [self._ledger(), self._ledger()]

    @initialize(seed=st.integers(0, 2**32), turns=st.integers(2, 5))
    def sit_down(self, seed: int, turns: int) -> None:
        chance = random.Random(seed)
        self.id = started(self.ledgers[0], *SEATS)
        self.believed: dict[int, dict[str, dict[str, int]]] = {}
        self.first = self.head
        for _ in range(turns):
            self.turn(0, [chance.randint(1, 6), chance.randint(1, 6)], chance.randint(1, 120))
        gift = NewAction(kind="transfer_money", params={"to": "bob", "amount": 7}, seat="ana")
        self._correct(0, [Insert(self.first, gift)], "keep")

    # Playing and correcting

    @rule(who=st.integers(0, 1), dice=faces, amount=small)
    def turn(self, who: int, dice: list[int], amount: int) -> None:
        turn = self.state.turn
        if turn is None:
            return
        other = SEATS[(SEATS.index(turn.seat) + 1) % len(SEATS)]
        self._do(who, turn.seat, "roll_dice", dice=dice)
        self._do(who, turn.seat, "resolve_square")
        self._do(1 - who, turn.seat, "buy_property")
        self._do(who, turn.seat, "transfer_money", to=other, amount=amount)
        self._do(who, turn.seat, "take_loan", amount=amount)
        self._do(1 - who, turn.seat, "end_turn")

    @rule(seconds=st.sampled_from([1, 301]))
    def wait(self, seconds: int) -> None:
        self.clock.now += timedelta(seconds=seconds)

    @rule(who=st.integers(0, 1), where=places, cascade=st.sampled_from(["restate", "refuse", "keep"]))
    def drop(self, who: int, where: int, cascade: Cascade) -> None:
        self._correct(who, [Drop(self._number(where))], cascade)

    @rule(
        who=st.integers(0, 1),
        where=places,
        other=places,
        new=insertions,
        amount=small,
        dice=faces,
        cascade=st.sampled_from(["restate", "keep"]),
    )
    def several(
        self,
        who: int,
        where: int,
        other: int,
        new: tuple[Any, ...],
        amount: int,
        dice: list[int],
        cascade: Cascade,
    ) -> None:
        after, seat, (kind, params), override = new
        number = self._number(where)
        added = NewAction(kind=kind, params=params, seat=seat, override=override)
        replaced = Replace(number, other_parameters(self._entries()[number - 1], amount, dice))
        self._correct(who, [Drop(self._number(other)), Insert(self._number(after), added), replaced], cascade)

    @rule(who=st.integers(0, 1), back=st.integers(0, 6))
    def rewind(self, who: int, back: int) -> None:
        self._correct(who, [Rewind(max(2, self.head - back))], "restate")

    @rule(who=st.integers(0, 1), pick=choices)
    def take_back_a_correction(self, who: int, pick: int) -> None:
        corrections = [number for number, _ in self.state.corrections]
        if corrections:
            self._correct(who, [Drop(corrections[pick % len(corrections)])], "restate")

    # Snapshots and touches

    @rule(who=st.integers(0, 1))
    def snapshot(self, who: int) -> None:
        game = self.ledgers[who].games.open(self.id)
        self.ledgers[who].games.catch_up(game)
        game.history.save(game.state)

    @rule()
    def forget_the_snapshots(self) -> None:
        drop_snapshots(self.store, self.id)

    # Invariants

    @invariant()
    def every_ledger_has_the_same_state(self) -> None:
        if not hasattr(self, "id"):
            return
        states = [frozen(one.moment(self.id).newest) for one in (*self.ledgers, self._ledger())]
        assert states[0] == states[1] == states[2]

    @rule(at=places, known_at=places)
    def read_any_moment_as_known_at_any_other(self, at: int, known_at: int) -> None:
        number, known = at % self.head + 1, known_at % self.head + 1
        found = self.ledgers[0].moment(self.id, at=number, known_at=known).state
        assert frozen(found) == frozen(self._ledger().moment(self.id, at=number, known_at=known).state)
        timeline = Timeline(self._entries(), RULEBOOK.codec.event, known)
        folded = RULEBOOK.blank()
        for standing in timeline.effective(min(number, known)):
            folded.fold(standing.events)
        assert without_counters(found) == without_counters(folded)
        assert_conserved(found)

    @rule(known_at=places, limit=st.integers(1, 7))
    def statements_end_at_what_is_held(self, known_at: int, limit: int) -> None:
        ledger = self._ledger()
        for known in (None, known_at % self.head + 1):
            state = ledger.moment(self.id, known_at=known).state
            for seat in SEATS:
                lines = self._statement(ledger, player(seat), limit, known)
                assert lines == statement(ledger.moment(self.id, known_at=known), player(seat), limit=10_000)[0]
                ends: dict[str, int | None] = {}
                for line in lines:
                    assert line.balance == (ends.get(line.commodity) or 0) + line.amount
                    ends[line.commodity] = line.balance
                held = state.holdings.account(player(seat))
                assert {commodity: amount for commodity, amount in ends.items() if amount} == held

    @rule(known_at=places, newest_first=st.booleans(), limit=st.integers(1, 9))
    def the_journal_tells_how_everything_stands(self, known_at: int, newest_first: bool, limit: int) -> None:
        ledger = self._ledger()
        known = known_at % self.head + 1
        timeline = Timeline(self._entries(), RULEBOOK.codec.event, known)
        found: list[EntryView] = []
        after: int | None = None
        while True:
            page, after = page_of_journal(
                ledger.moment(self.id, known_at=known), cursor=after, limit=limit, newest_first=newest_first
            )
            found += page
            if after is None:
                break
        numbers = list(range(1, known + 1))
        assert [view.number for view in found] == (numbers[::-1] if newest_first else numbers)
        after_each = _holdings_after_each(timeline)
        for view in found:
            standing = timeline.entry(view.number)
            assert standing is not None
            assert (view.status, view.corrected_by) == (standing.status, standing.by)
            for account, held in view.balances.items():
                assert held.items() <= after_each[view.number][account].items()

    @rule(known_at=places)
    def totals_come_to_what_is_held(self, known_at: int) -> None:
        moment = self._ledger().moment(self.id, known_at=known_at % self.head + 1)
        for seat in SEATS:
            account = player(seat)
            sums = {
                one.commodity: one.received - one.given  # type: ignore[operator]
                for one in totals_of(moment, Filter(account=account)).commodities
            }
            assert {one: amount for one, amount in sums.items() if amount} == moment.state.holdings.account(
                account
            )

    @rule(known_at=places, newest_first=st.booleans(), limit=st.integers(1, 9))
    def filters_find_what_the_audit_finds(self, known_at: int, newest_first: bool, limit: int) -> None:
        moment = self._ledger().moment(self.id, known_at=known_at % self.head + 1)
        for only in FILTERS:
            lines = audit(moment, register_at="", only=only, newest_first=newest_first, limit=10_000)[0]
            found: list[EntryView] = []
            after: int | None = None
            while True:
                page, after = page_of_journal(
                    moment, only=only, cursor=after, limit=limit, newest_first=newest_first
                )
                found += page
                if after is None:
                    break
            assert [(one.action, one.status, one.after) for one in found] == [
                (one.action, one.status, one.after) for one in lines
            ]
            assert totals_of(moment, only).count == len(found)
            for view in found:
                assert view == read_entry(moment, view.action)
            if found:
                around, _, _ = page_around(moment, number_of(moment, found[0]), only=only, limit=10_000)
                assert around == (found[::-1] if newest_first else found)

    def teardown(self) -> None:
        if not hasattr(self, "id"):
            return
        self.filters_find_what_the_audit_finds(self.head - 1, newest_first=False, limit=3)
        self.totals_come_to_what_is_held(self.head - 1)
        ledger = self._ledger()
        for version, holdings in self.believed.items():
            assert ledger.moment(self.id, at=version, known_at=version).state.holdings.as_dict() == holdings
            assert ledger.moment(self.id, known_at=version).state.holdings.as_dict() == holdings

    # Inside

    @property
    def head(self) -> int:
        return self.store.journal.head(self.id)

    @property
    def state(self) -> Negopoly:
        found = self.ledgers[0].moment(self.id).newest
        assert isinstance(found, Negopoly)
        return found

    def _ledger(self) -> Ledger:
        return Ledger(self.store, {"negopoly": RULEBOOK}, clock=self.clock)

    def _entries(self) -> list[Entry]:
        return [read(stored) for _, stored in self.store.journal.entries(self.id, Selection(limit=10_000))]

    def _number(self, where: int) -> int:
        return self.first + where % (self.head - self.first) + 1

    def _do(self, who: int, seat: str | None, kind: str, **params: Any) -> None:
        viewer = BANKER if seat is None else Viewer("player", seat)
        with suppress(Refusal):
            self.ledgers[who].perform(self.id, viewer, Command(kind=kind, params=params))

    def _correct(self, who: int, edits: list[Edit], cascade: Cascade) -> None:
        """Correct the history, if it is legal, and compare the result with the preview."""
        given = {"edits": msgspec.to_builtins(edits), "cascade": cascade, "reason": "a mistake"}
        command = Command(kind="correct", params=given)
        version, before = self.head, self.state.holdings.as_dict()
        try:
            seen = self.ledgers[1 - who].preview(self.id, BANKER, command)
        except Refusal as refusal:
            with pytest.raises(type(refusal)):
                self.ledgers[who].perform(self.id, BANKER, command)
            assert self.head == version
            return
        assert self.head == version
        done = self.ledgers[who].perform(self.id, BANKER, command)
        # A dry run tells the consequences by themselves, not in its sentence; and its readers and debts.
        told = msgspec.structs.replace(
            done.entry,
            receipt=seen.entry.receipt,
            sentence=seen.entry.sentence,
            owed=seen.entry.owed,
            seen_by=seen.entry.seen_by,
        )
        assert told == seen.entry
        assert seen.preview is not None
        assert _changes(before, self.state.holdings.as_dict()) == {
            (account, commodity): (amounts.before, amounts.after)
            for account, held in seen.preview.holdings.items()
            for commodity, amounts in held.items()
        }
        self.believed[version] = before

    def _statement(self, ledger: Ledger, account: str, limit: int, known: int | None) -> list[StatementLine]:
        """A whole statement, page by page."""
        lines: list[StatementLine] = []
        after: int | None = None
        while True:
            page, after = statement(ledger.moment(self.id, known_at=known), account, cursor=after, limit=limit)
            lines += page
            if after is None:
                return lines


def _holdings_after_each(timeline: Timeline) -> dict[int, dict[str, dict[str, int]]]:
    """The holdings right after each action of the journal, before the actions that were inserted behind it."""
    folded = RULEBOOK.blank()
    after: dict[int, dict[str, dict[str, int]]] = {}
    for standing in timeline.entries():
        if standing.counts:
            folded.fold(standing.events)
        if not standing.insert:
            after[standing.entry.number] = folded.holdings.as_dict()
    return after


def _changes(
    before: dict[str, dict[str, int]], after: dict[str, dict[str, int]]
) -> dict[tuple[str, str], tuple[int, int]]:
    """The changed holdings, before and after."""
    changed: dict[tuple[str, str], tuple[int, int]] = {}
    for account in before.keys() | after.keys():
        had, has = before.get(account, {}), after.get(account, {})
        for commodity in had.keys() | has.keys():
            amounts = had.get(commodity, 0), has.get(commodity, 0)
            if amounts[0] != amounts[1]:
                changed[account, commodity] = amounts
    return changed


def test_histories_in_the_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots and states in memory every few actions, so that short games test what long ones would."""
    for module in ("history", "past"):
        monkeypatch.setattr(f"ledger.games.{module}.EVERY", 3)
    monkeypatch.setattr("ledger.games.history.SNAPSHOT_EVERY", 12)
    monkeypatch.setattr("ledger.games.games.SNAPSHOT_EVERY", 12)
    monkeypatch.setattr("ledger.games.history.CORRECTED_EVERY", 5)
    run_state_machine_as_test(lambda: StoredHistories(store), settings=profile(10, 20))
