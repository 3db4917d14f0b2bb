"""The one door, on real Postgres: what is accepted is in the journal, once, whoever else is writing."""

from __future__ import annotations

import random
import threading
from datetime import UTC, datetime, timedelta

import pytest

from ledger.games.states import SNAPSHOT_EVERY, UnknownGame
from ledger.kernel.audience import BANKER, Viewer
from ledger.kernel.journal import leaf, read
from ledger.kernel.refusals import Malformed, NeedsDraw, NotYours, RuleBroken
from ledger.kernel.state import Seat
from ledger.reading.journal import Filter
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Command, KeyUsed, Ledger, StaleVersion
from ledger.store.records import GameRecord
from ledger.store.store import Store

NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
ANA, BOB, SPECTATOR = Viewer("player", "ana"), Viewer("player", "bob"), Viewer("spectator")


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(store: Store, clock: Clock) -> Ledger:
    return a_ledger(store, clock)


def a_ledger(store: Store, clock: Clock) -> Ledger:
    return Ledger(store, {"negopoly": RULEBOOK}, clock=clock, chance=random.Random())


def a_game(ledger: Ledger, dice: str = "table", **settings: object) -> str:
    """Ana and Bob have joined and it is Ana's turn."""
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    game = ledger.create("negopoly", title=None, players=players, settings=settings, dice=dice).game
    for viewer in (ANA, BOB):
        do(ledger, game, viewer, "join_game", persona="X")
        do(ledger, game, viewer, "choose_starter_perk", perk="money")
    do(ledger, game, BANKER, "start_game")
    return game


def do(ledger: Ledger, game: str, viewer: Viewer, kind: str, **params: object):
    return ledger.perform(game, viewer, Command(kind=kind, params=params))


def test_an_accepted_action_is_in_the_journal_with_the_leaf_of_its_bytes(ledger: Ledger, store: Store) -> None:
    game = a_game(ledger)
    done = do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    stored = store.entry(game, done.entry.number)
    assert stored is not None
    assert done.entry.receipt.leaf == leaf(stored).hex()
    assert read(stored).seat == "ana"
    assert done.entry.balances["player:ana"]["NGD"] == 1610


def test_two_processes_serve_the_same_game(store: Store, clock: Clock) -> None:
    """Each ledger has its own memory; neither ever answers from a stale one."""
    first, second = a_ledger(store, clock), a_ledger(store, clock)
    game = a_game(first)
    do(second, game, ANA, "transfer_money", to="bob", amount=1)
    do(first, game, BOB, "transfer_money", to="ana", amount=2)
    do(second, game, ANA, "roll_dice", dice=[1, 2])
    # The first still remembers that Ana has not rolled; its refusal would have been wrong.
    do(first, game, ANA, "end_turn")
    assert second.state(game).holdings == first.state(game).holdings
    assert first.state(game).holdings.of("player:ana", "NGD") == 1651


def test_racing_writers_lose_nothing(store: Store, clock: Clock) -> None:
    """Eight ledgers send ten transfers each at once: eighty more actions, every ₦ accounted for."""
    game = a_game(a_ledger(store, clock))
    before = store.head(game)

    def send() -> None:
        own = a_ledger(store, clock)
        for _ in range(10):
            do(own, game, ANA, "transfer_money", to="bob", amount=1)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.head(game) == before + 80
    assert a_ledger(store, clock).state(game).holdings.of("player:bob", "NGD") == 1650 + 80


def test_a_caller_who_insists_on_a_version_is_told_when_it_is_stale(ledger: Ledger, store: Store) -> None:
    game = a_game(ledger)
    version = ledger.state(game).version
    transfer = Command(kind="transfer_money", params={"to": "bob", "amount": 1})
    ledger.perform(game, ANA, transfer, expected=version)
    with pytest.raises(StaleVersion) as stale:
        ledger.perform(game, ANA, transfer, expected=version)
    assert (stale.value.expected, stale.value.head) == (version, version + 1)
    assert store.head(game) == version + 1


def test_a_repeated_request_is_answered_as_the_first_time(ledger: Ledger, store: Store) -> None:
    """Even when the state has moved on so that it would be refused now."""
    game = a_game(ledger)
    roll = Command(kind="roll_dice", params={"dice": [1, 2]})
    first = ledger.perform(game, ANA, roll, key="k1")
    do(ledger, game, ANA, "end_turn")
    head = store.head(game)
    again = ledger.perform(game, ANA, roll, key="k1")
    assert again.replayed
    assert not first.replayed
    assert again.entry == first.entry
    assert store.head(game) == head
    with pytest.raises(KeyUsed):
        ledger.perform(game, ANA, Command(kind="roll_dice", params={"dice": [6, 6]}), key="k1")
    with pytest.raises(KeyUsed):
        ledger.perform(game, BOB, Command(kind="roll_dice", params={"dice": [1, 2]}), key="k1")


def test_a_refusal_writes_nothing(ledger: Ledger, store: Store) -> None:
    game = a_game(ledger)
    head = store.head(game)
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
    assert store.head(game) == head


def test_the_banker_waives_a_rule_and_the_journal_says_so(ledger: Ledger) -> None:
    game = a_game(ledger)
    waived = Command(kind="end_turn", seat="ana", override="Ana had to leave the table")
    done = ledger.perform(game, BANKER, waived)
    assert [warning.rule for warning in done.entry.warnings] == ["II.B.12"]
    assert done.entry.override == "Ana had to leave the table"
    assert (done.entry.seat, done.entry.by) == ("ana", "banker")
    with pytest.raises(NotYours):
        ledger.perform(game, BOB, Command(kind="roll_dice", params={"dice": [1, 1]}, override="I want"))


def test_a_preview_answers_like_the_action_and_writes_nothing(ledger: Ledger, store: Store) -> None:
    game = a_game(ledger)
    head = store.head(game)
    transfer = Command(kind="transfer_money", params={"to": "bob", "amount": 40})
    seen = ledger.preview(game, ANA, transfer)
    assert seen.entry.balances["player:ana"]["NGD"] == 1610
    assert store.head(game) == head
    assert ledger.state(game).holdings.of("player:ana", "NGD") == 1650


def test_a_turn_over_its_five_minutes_is_closed_before_anything_else(ledger: Ledger, clock: Clock) -> None:
    game = a_game(ledger)
    clock.now = NOON + timedelta(seconds=301)
    done = do(ledger, game, BOB, "roll_dice", dice=[1, 2])
    closing = ledger.entry(game, done.entry.number - 1, BANKER)
    assert closing is not None
    assert (closing.kind, closing.by, closing.seat) == ("expire_turn", "system", "ana")
    state = ledger.state(game)
    assert state.turn.seat == "bob"  # type: ignore[attr-defined]


def test_a_refusal_after_five_minutes_still_writes_nothing(ledger: Ledger, store: Store, clock: Clock) -> None:
    """Ana's turn is over, and Bob asks for something impossible: the journal stays as it is."""
    game = a_game(ledger)
    head = store.head(game)
    clock.now = NOON + timedelta(seconds=301)
    with pytest.raises(RuleBroken) as refused:
        do(ledger, game, BOB, "end_turn")
    assert refused.value.rule == "II.B.12"
    with pytest.raises(RuleBroken):
        do(ledger, game, ANA, "roll_dice", dice=[1, 2])
    assert store.head(game) == head


def test_the_clock_set_back_reorders_nothing(ledger: Ledger, clock: Clock) -> None:
    game = a_game(ledger)
    clock.now = NOON + timedelta(seconds=10)
    late = do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    clock.now = NOON
    later = do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    assert later.entry.recorded_at == late.entry.recorded_at


def test_any_moment_can_be_read_again_with_and_without_snapshots(store: Store, clock: Clock) -> None:
    """Bob's balance after each of the last transfers, before and after every snapshot is thrown away."""
    ledger = a_ledger(store, clock)
    game = a_game(ledger)
    start = ledger.state(game).version
    for _ in range(SNAPSHOT_EVERY):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    moments = (start, start + 1, SNAPSHOT_EVERY, SNAPSHOT_EVERY + 3, start + SNAPSHOT_EVERY)
    expected = [1650 + moment - start for moment in moments]

    def bob() -> list[int]:
        return [ledger.state(game, at=at).holdings.of("player:bob", "NGD") for at in moments]

    assert bob() == expected
    whole = RULEBOOK.freeze(ledger.state(game))
    store.drop_snapshots(game)
    assert bob() == expected
    assert RULEBOOK.freeze(a_ledger(store, clock).state(game)) == whole
    assert ledger.state(game, at=moments[3], known_at=moments[1]).version == moments[1]


def test_a_game_whose_creation_was_cut_short_is_laid_out_when_it_is_opened(ledger: Ledger, store: Store) -> None:
    """The service died between writing the game's row and its first action."""
    complete = store.game(a_game(ledger))
    assert complete is not None
    store.create_game(
        GameRecord("cutshort", complete.rulebook, "Cut short", complete.created_at, complete.setup), []
    )
    assert store.head("cutshort") == 0
    assert ledger.state("cutshort").version == 1
    assert list(ledger.state("cutshort").seats) == ["ana", "bob"]


def test_creating_a_game_again_with_the_same_key_gives_the_same_tokens(ledger: Ledger) -> None:
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    first = ledger.create("negopoly", title="T", players=players, settings={}, dice="table", key="create-1")
    again = ledger.create("negopoly", title="T", players=players, settings={}, dice="table", key="create-1")
    assert again.replayed
    assert (again.game, again.tokens) == (first.game, first.tokens)
    with pytest.raises(KeyUsed):
        ledger.create("negopoly", title="U", players=players, settings={}, dice="table", key="create-1")


def test_tokens_are_revoked_and_replaced(ledger: Ledger) -> None:
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    created = ledger.create("negopoly", title=None, players=players, settings={}, dice="table")
    token = created.tokens.players["ana"]
    assert ledger.authenticate(token) == (created.game, ANA)
    row = next(row for row in ledger.tokens(created.game) if row.seat == "ana")
    fresh = ledger.replace_token(created.game, row.credential_id)
    assert fresh is not None
    assert ledger.authenticate(token) is None
    assert ledger.authenticate(fresh.token) == (created.game, ANA)
    assert ledger.authenticate("nonsense") is None
    assert ledger.authenticate(f"{created.game}.{'x' * 32}") is None


def test_the_service_throws_the_dice_and_keeps_what_it_threw(ledger: Ledger, store: Store) -> None:
    game = a_game(ledger, dice="service")
    with pytest.raises(Malformed):
        do(ledger, game, ANA, "roll_dice", dice=[6, 6])
    with pytest.raises(NeedsDraw, match="movement dice"):
        ledger.preview(game, ANA, Command(kind="roll_dice"))  # looking ahead throws nothing
    done = do(ledger, game, ANA, "roll_dice")
    thrown = done.entry.draws["movement dice"]
    assert len(thrown) == 2
    assert all(1 <= int(die) <= 6 for die in thrown)
    stored = store.entry(game, done.entry.number)
    assert stored is not None
    assert read(stored).draws["movement dice"] == thrown


def test_what_is_private_stays_between_its_parties(ledger: Ledger) -> None:
    """Ana gives Bob 40 ₦: Bob and the banker see it, a spectator learns that something happened and no more."""
    game = a_game(ledger)
    done = do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    number = done.entry.number
    for viewer in (ANA, BOB, BANKER):
        entry = ledger.entry(game, number, viewer)
        assert entry is not None
        assert entry.params == {"to": "bob", "amount": 40}
    hidden = ledger.entry(game, number, SPECTATOR)
    assert hidden is not None
    assert (hidden.kind, hidden.seat, hidden.by, hidden.params, hidden.events, hidden.balances) == (
        "private",
        None,
        None,
        {},
        (),
        {},
    )
    for only in (Filter(kind="transfer_money"), Filter(account="player:ana", seat="ana", commodity="NGD")):
        found, _ = ledger.journal(game, SPECTATOR, only=only, limit=200)
        assert number not in [entry.number for entry in found]
    assert ledger.accounts(ledger.state(game), RULEBOOK, SPECTATOR).get("player:ana") is None
    assert "NGD" not in ledger.accounts(ledger.state(game), RULEBOOK, BOB).get("player:ana", {})


def test_a_statement_runs_like_a_bank_s(ledger: Ledger) -> None:
    game = a_game(ledger)
    do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    do(ledger, game, BOB, "transfer_money", to="ana", amount=15)
    lines, rest = ledger.statement(game, "player:ana", ANA)
    assert rest is None
    assert [(line.amount, line.balance) for line in lines] == [(1500, 1500), (150, 1650), (-40, 1610), (15, 1625)]
    first, more = ledger.statement(game, "player:ana", ANA, limit=2)
    second, end = ledger.statement(game, "player:ana", ANA, after=more, limit=2)
    assert first + second == lines
    assert end is None
    unseen, _ = ledger.statement(game, "player:ana", SPECTATOR)
    assert all(line.balance is None for line in unseen)
    assert 40 not in {abs(line.amount) for line in unseen}


def test_the_journal_is_read_in_pages_both_ways(ledger: Ledger) -> None:
    game = a_game(ledger)
    whole, _ = ledger.journal(game, BANKER, limit=200)
    assert [entry.number for entry in whole] == list(range(1, ledger.state(game).version + 1))
    forward: list[int] = []
    after: int | None = None
    while True:
        page, after = ledger.journal(game, BANKER, after=after, limit=2)
        forward += [entry.number for entry in page]
        if after is None:
            break
    assert forward == [entry.number for entry in whole]
    newest, rest = ledger.journal(game, BANKER, newest_first=True, limit=2)
    assert [entry.number for entry in newest] == forward[:-3:-1]
    assert rest == newest[-1].number


def test_every_entry_shows_the_balances_right_after_it(ledger: Ledger) -> None:
    game = a_game(ledger)
    for amount in (1, 2, 3):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=amount)
    found, _ = ledger.journal(game, BANKER, only=Filter(kind="transfer_money"))
    assert [entry.balances["player:bob"]["NGD"] for entry in found] == [1651, 1653, 1656]


def test_moves_offers_what_is_legal_and_explains_what_is_not(ledger: Ledger) -> None:
    game = a_game(ledger)
    kinds = {move.kind for move in ledger.moves(game, ANA, None)}
    assert {"roll_dice", "take_loan", "transfer_money"} <= kinds
    assert not {"end_turn", "start_game", "buy_property"} & kinds
    assert "roll_dice" not in {move.kind for move in ledger.moves(game, BOB, None)}
    assert "end_game" in {move.kind for move in ledger.moves(game, BANKER, None)}
    (obstacle,) = ledger.obstacles(game, ANA, None, "end_turn")
    assert obstacle.refusal.rule == "II.B.12"
