"""The one door, on real Postgres: what is accepted is in the journal, once, whoever else is writing."""

from __future__ import annotations

import random
import threading
from datetime import UTC, datetime, timedelta

import pytest

from ledger.games.games import UnknownGame
from ledger.games.history import SNAPSHOT_EVERY
from ledger.kernel.audience import BANKER, Viewer
from ledger.kernel.journal import leaf, read
from ledger.kernel.refusals import Malformed, NeedsDraw, NotYours, RuleBroken
from ledger.kernel.state import Seat
from ledger.reading.accounts import accounts
from ledger.reading.journal import Filter, page_of_journal, read_entry
from ledger.reading.moves import obstacles, open_moves
from ledger.reading.statements import statement
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
    assert second.moment(game).now.holdings == first.moment(game).now.holdings
    assert first.moment(game).now.holdings.of("player:ana", "NGD") == 1651


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
    assert a_ledger(store, clock).moment(game).now.holdings.of("player:bob", "NGD") == 1650 + 80


def test_a_caller_who_insists_on_a_version_is_told_when_it_is_stale(ledger: Ledger, store: Store) -> None:
    game = a_game(ledger)
    version = ledger.moment(game).now.version
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
    assert ledger.moment(game).now.holdings.of("player:ana", "NGD") == 1650


def test_a_turn_over_its_five_minutes_is_closed_before_anything_else(ledger: Ledger, clock: Clock) -> None:
    game = a_game(ledger)
    clock.now = NOON + timedelta(seconds=301)
    done = do(ledger, game, BOB, "roll_dice", dice=[1, 2])
    closing = read_entry(ledger.moment(game), done.entry.number - 1)
    assert closing is not None
    assert (closing.kind, closing.by, closing.seat) == ("expire_turn", "system", "ana")
    state = ledger.moment(game).now
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
    start = ledger.moment(game).now.version
    for _ in range(SNAPSHOT_EVERY):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    moments = (start, start + 1, SNAPSHOT_EVERY, SNAPSHOT_EVERY + 3, start + SNAPSHOT_EVERY)
    expected = [1650 + moment - start for moment in moments]

    def bob() -> list[int]:
        return [ledger.moment(game, at=at).state.holdings.of("player:bob", "NGD") for at in moments]

    assert bob() == expected
    whole = RULEBOOK.freeze(ledger.moment(game).now)
    store.drop_snapshots(game)
    assert bob() == expected
    assert RULEBOOK.freeze(a_ledger(store, clock).moment(game).now) == whole
    assert ledger.moment(game, at=moments[3], known_at=moments[1]).state.version == moments[1]


def test_a_game_whose_creation_was_cut_short_is_laid_out_when_it_is_opened(ledger: Ledger, store: Store) -> None:
    """The service died between writing the game's row and its first action."""
    complete = store.game(a_game(ledger))
    assert complete is not None
    store.create_game(
        GameRecord("cutshort", complete.rulebook, "Cut short", complete.created_at, complete.setup), []
    )
    assert store.head("cutshort") == 0
    assert ledger.moment("cutshort").now.version == 1
    assert list(ledger.moment("cutshort").now.seats) == ["ana", "bob"]


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
    assert ledger.tokens.authenticate(token) == (created.game, ANA)
    row = next(row for row in ledger.tokens.issued(created.game) if row.seat == "ana")
    fresh = ledger.tokens.replace(created.game, row.credential_id)
    assert fresh is not None
    assert ledger.tokens.authenticate(token) is None
    assert ledger.tokens.authenticate(fresh.token) == (created.game, ANA)
    assert ledger.tokens.authenticate("nonsense") is None
    assert ledger.tokens.authenticate(f"{created.game}.{'x' * 32}") is None


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
        entry = read_entry(ledger.moment(game, viewer), number)
        assert entry is not None
        assert entry.params == {"to": "bob", "amount": 40}
    hidden = read_entry(ledger.moment(game, SPECTATOR), number)
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
        found, _ = page_of_journal(ledger.moment(game, SPECTATOR), only=only, limit=200)
        assert number not in [entry.number for entry in found]
    assert accounts(RULEBOOK, ledger.moment(game).now, SPECTATOR).get("player:ana") is None
    assert "NGD" not in accounts(RULEBOOK, ledger.moment(game).now, BOB).get("player:ana", {})


def test_a_statement_runs_like_a_bank_s(ledger: Ledger) -> None:
    game = a_game(ledger)
    do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
    do(ledger, game, BOB, "transfer_money", to="ana", amount=15)
    lines, rest = statement(ledger.moment(game, ANA), "player:ana")
    assert rest is None
    assert [(line.amount, line.balance) for line in lines] == [(1500, 1500), (150, 1650), (-40, 1610), (15, 1625)]
    first, more = statement(ledger.moment(game, ANA), "player:ana", limit=2)
    second, end = statement(ledger.moment(game, ANA), "player:ana", after=more, limit=2)
    assert first + second == lines
    assert end is None
    unseen, _ = statement(ledger.moment(game, SPECTATOR), "player:ana")
    assert all(line.balance is None for line in unseen)
    assert 40 not in {abs(line.amount) for line in unseen}


def test_the_journal_is_read_in_pages_both_ways(ledger: Ledger) -> None:
    game = a_game(ledger)
    whole, _ = page_of_journal(ledger.moment(game), limit=200)
    assert [entry.number for entry in whole] == list(range(1, ledger.moment(game).now.version + 1))
    forward: list[int] = []
    after: int | None = None
    while True:
        page, after = page_of_journal(ledger.moment(game), after=after, limit=2)
        forward += [entry.number for entry in page]
        if after is None:
            break
    assert forward == [entry.number for entry in whole]
    newest, rest = page_of_journal(ledger.moment(game), newest_first=True, limit=2)
    assert [entry.number for entry in newest] == forward[:-3:-1]
    assert rest == newest[-1].number


def test_every_entry_shows_the_balances_right_after_it(ledger: Ledger) -> None:
    game = a_game(ledger)
    for amount in (1, 2, 3):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=amount)
    found, _ = page_of_journal(ledger.moment(game), only=Filter(kind="transfer_money"))
    assert [entry.balances["player:bob"]["NGD"] for entry in found] == [1651, 1653, 1656]


def test_moves_offers_what_is_legal_and_explains_what_is_not(ledger: Ledger) -> None:
    game = a_game(ledger)
    kinds = {move.kind for move in open_moves(ledger.moment(game, ANA), None, ledger.clock.now())}
    assert {"roll_dice", "take_loan", "transfer_money"} <= kinds
    assert not {"end_turn", "start_game", "buy_property"} & kinds
    assert "roll_dice" not in {
        move.kind for move in open_moves(ledger.moment(game, BOB), None, ledger.clock.now())
    }
    assert "end_game" in {move.kind for move in open_moves(ledger.moment(game), None, ledger.clock.now())}
    (obstacle,) = obstacles(ledger.moment(game, ANA), None, "end_turn", ledger.clock.now())
    assert obstacle.refusal.rule == "II.B.12"
