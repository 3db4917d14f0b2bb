"""Performing actions on real Postgres: an accepted action is in the journal once, whoever else writes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from ledger.games.games import UnknownGame
from ledger.kernel.facts.audience import BANKER
from ledger.kernel.facts.refusals import Malformed, NeedsDraw, NotYours, RuleBroken
from ledger.kernel.journal.entry import read
from ledger.kernel.journal.stored import leaf
from ledger.reading.entries.journal import read_entry
from ledger.service import Command, KeyUsed, Ledger, StaleVersion, TooBusy
from ledger.store.records import ActionRecord, Outcome
from ledger.store.store import Store
from tests.harness.playing import NOON
from tests.tables.ledgers import ANA, BOB, SPECTATOR, Clock, a_ledger, do, started


def test_an_accepted_action_is_in_the_journal_with_the_leaf_of_its_bytes(ledger: Ledger, store: Store) -> None:
    game = started(ledger, "ana", "bob")
    done = do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    stored = store.journal.entry(game, done.entry.number)
    assert stored is not None
    assert done.entry.receipt.leaf == leaf(stored).hex()
    assert read(stored).seat == "ana"
    assert done.entry.balances["player:ana"]["NGD"] == 1610


def test_racing_writers_lose_nothing(store: Store, clock: Clock) -> None:
    """Eight ledgers send ten transfers each at once: eighty more actions, every ₦ accounted for."""
    game = started(a_ledger(store, clock), "ana", "bob")
    before = store.journal.head(game)

    def send() -> None:
        own = a_ledger(store, clock)
        for _ in range(10):
            do(own, game, ANA, "transfer_money", to="bob", amount=1)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.journal.head(game) == before + 80
    assert a_ledger(store, clock).moment(game).newest.holdings.of("player:bob", "NGD") == 1650 + 80


def test_after_lost_races_writers_take_turns(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob is faster twice, in another process. Ana then waits for her turn, which a third process has; she appends
    as soon as that turn ends."""
    ledger, other = a_ledger(store, clock), a_ledger(store, clock)
    game = started(ledger, "ana", "bob")
    before = store.journal.head(game)
    append, in_turn = store.journal.append, store.turns.in_turn
    races, happened = 0, []

    def late(game_id: str, action: ActionRecord) -> Outcome:
        nonlocal races
        if action.seat == "ana" and races < 2:
            races += 1
            do(other, game, BOB, "transfer_money", to="ana", amount=1)
        elif action.seat == "ana":
            happened.append("Ana acts")
        return append(game_id, action)

    @contextmanager
    def watched(game_id: str) -> Iterator[bool]:
        waits.set()
        with in_turn(game_id) as is_mine:
            yield is_mine

    waits = threading.Event()
    monkeypatch.setattr("ledger.store.turns._WAIT_MILLISECONDS", 30_000)
    monkeypatch.setattr(store.journal, "append", late)
    with in_turn(game):
        monkeypatch.setattr(store.turns, "in_turn", watched)
        ana = threading.Thread(target=lambda: do(ledger, game, ANA, "transfer_money", to="bob", amount=40))
        ana.start()
        assert waits.wait(30)
        happened.append("the other turn ends")
    ana.join()
    assert happened == ["the other turn ends", "Ana acts"]
    assert store.journal.head(game) == before + 3
    # Others were fast, so her next action waits for its turn from the start.
    waits.clear()
    do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    assert waits.is_set()


def test_an_action_that_always_comes_too_late_is_given_up(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob acts in another process each time before Ana's action is appended. Ana's is refused, and nothing of hers
    is written."""
    ledger, other = a_ledger(store, clock), a_ledger(store, clock)
    game = started(ledger, "ana", "bob")
    append = store.journal.append
    tries = 0

    def late(game_id: str, action: ActionRecord) -> Outcome:
        nonlocal tries
        if action.seat == "ana":
            tries += 1
            do(other, game, BOB, "transfer_money", to="ana", amount=1)
        return append(game_id, action)

    monkeypatch.setattr(store.journal, "append", late)
    before = store.journal.head(game)
    with pytest.raises(TooBusy):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    assert store.journal.head(game) == before + tries
    assert ledger.moment(game).newest.holdings.of("player:ana", "NGD") == 1650 + tries
    monkeypatch.undo()
    assert do(ledger, game, ANA, "transfer_money", to="bob", amount=40).version == before + tries + 1


def test_a_caller_who_insists_on_a_version_is_told_when_it_is_stale(ledger: Ledger, store: Store) -> None:
    game = started(ledger, "ana", "bob")
    version = ledger.moment(game).newest.version
    transfer = Command(kind="transfer_money", params={"to": "bob", "amount": 1})
    ledger.perform(game, ANA, transfer, expected=version)
    with pytest.raises(StaleVersion) as stale:
        ledger.perform(game, ANA, transfer, expected=version)
    assert (stale.value.expected, stale.value.head) == (version, version + 1)
    assert store.journal.head(game) == version + 1


def test_a_repeated_request_is_answered_as_the_first_time(ledger: Ledger, store: Store) -> None:
    """The first answer is repeated even when the state has changed so that the action would be refused now."""
    game = started(ledger, "ana", "bob")
    roll = Command(kind="roll_dice", params={"dice": [1, 2]})
    first = ledger.perform(game, ANA, roll, key="k1")
    do(ledger, game, ANA, "end_turn")
    head = store.journal.head(game)
    again = ledger.perform(game, ANA, roll, key="k1")
    assert again.replayed
    assert not first.replayed
    assert again.entry == first.entry
    assert store.journal.head(game) == head
    with pytest.raises(KeyUsed):
        ledger.perform(game, ANA, Command(kind="roll_dice", params={"dice": [6, 6]}), key="k1")
    with pytest.raises(KeyUsed):
        ledger.perform(game, BOB, Command(kind="roll_dice", params={"dice": [1, 2]}), key="k1")


def test_a_refusal_writes_nothing(ledger: Ledger, store: Store) -> None:
    game = started(ledger, "ana", "bob")
    head = store.journal.head(game)
    with pytest.raises(RuleBroken):
        do(ledger, game, BOB, "roll_dice", dice=[1, 2])
    with pytest.raises(Malformed):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=2**63)
    with pytest.raises(NotYours):
        ledger.perform(game, ANA, Command(kind="end_turn", seat="bob"))
    with pytest.raises(NotYours):
        do(ledger, game, SPECTATOR, "roll_dice", dice=[1, 2])
    with pytest.raises(UnknownGame):
        do(ledger, "nowhere", ANA, "roll_dice", dice=[1, 2])
    assert store.journal.head(game) == head


def test_the_banker_waives_a_rule_and_the_journal_says_so(ledger: Ledger) -> None:
    game = started(ledger, "ana", "bob")
    waived = Command(kind="end_turn", seat="ana", override="Ana had to leave the table")
    done = ledger.perform(game, BANKER, waived)
    assert [warning.rule for warning in done.entry.warnings] == ["II.B.12"]
    assert done.entry.override == "Ana had to leave the table"
    assert (done.entry.seat, done.entry.by) == ("ana", "banker")
    with pytest.raises(NotYours):
        ledger.perform(game, BOB, Command(kind="roll_dice", params={"dice": [1, 1]}, override="I want"))


def test_a_preview_answers_like_the_action_and_writes_nothing(ledger: Ledger, store: Store) -> None:
    game = started(ledger, "ana", "bob")
    head = store.journal.head(game)
    transfer = Command(kind="transfer_money", params={"to": "bob", "amount": 40})
    seen = ledger.preview(game, ANA, transfer)
    assert seen.entry.balances["player:ana"]["NGD"] == 1610
    assert store.journal.head(game) == head
    assert ledger.moment(game).newest.holdings.of("player:ana", "NGD") == 1650


def test_a_turn_over_its_five_minutes_is_closed_before_anything_else(ledger: Ledger, clock: Clock) -> None:
    game = started(ledger, "ana", "bob")
    clock.now = NOON + timedelta(seconds=301)
    done = do(ledger, game, BOB, "roll_dice", dice=[1, 2])
    closing = read_entry(ledger.moment(game), done.entry.number - 1)
    assert closing is not None
    assert (closing.kind, closing.by, closing.seat) == ("expire_turn", "system", "ana")
    state = ledger.moment(game).newest
    assert state.turn.seat == "bob"  # type: ignore[attr-defined]


def test_a_refusal_after_five_minutes_still_writes_nothing(ledger: Ledger, store: Store, clock: Clock) -> None:
    """Ana's turn is over, and Bob requests something impossible: the journal does not change."""
    game = started(ledger, "ana", "bob")
    head = store.journal.head(game)
    clock.now = NOON + timedelta(seconds=301)
    with pytest.raises(RuleBroken) as refused:
        do(ledger, game, BOB, "end_turn")
    assert refused.value.rule == "II.B.12"
    with pytest.raises(RuleBroken):
        do(ledger, game, ANA, "roll_dice", dice=[1, 2])
    assert store.journal.head(game) == head


def test_the_clock_set_back_reorders_nothing(ledger: Ledger, clock: Clock) -> None:
    game = started(ledger, "ana", "bob")
    clock.now = NOON + timedelta(seconds=10)
    late = do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    clock.now = NOON
    later = do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    assert later.entry.recorded_at == late.entry.recorded_at


def test_the_service_throws_the_dice_and_keeps_what_it_threw(ledger: Ledger, store: Store) -> None:
    game = started(ledger, "ana", "bob", dice="service")
    with pytest.raises(Malformed):
        do(ledger, game, ANA, "roll_dice", dice=[6, 6])
    with pytest.raises(NeedsDraw, match="dice of the move"):
        ledger.preview(game, ANA, Command(kind="roll_dice"))  # A dry run draws nothing.
    done = do(ledger, game, ANA, "roll_dice")
    thrown = done.entry.draws["movement dice"]
    assert len(thrown) == 2
    assert all(1 <= int(die) <= 6 for die in thrown)
    stored = store.journal.entry(game, done.entry.number)
    assert stored is not None
    assert read(stored).draws["movement dice"] == thrown
