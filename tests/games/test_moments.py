"""Games in memory: every ledger has the same state at any moment, with and without snapshots."""

from __future__ import annotations

from ledger.games.history import SNAPSHOT_EVERY
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Ledger
from ledger.store.records import GameRecord
from ledger.store.store import Store
from tests.harness.storing import drop_snapshots
from tests.tables.ledgers import ANA, BOB, Clock, a_ledger, do, started


def test_two_processes_serve_the_same_game(store: Store, clock: Clock) -> None:
    """Each ledger has its own memory; neither ever answers from a stale state."""
    first, second = a_ledger(store, clock), a_ledger(store, clock)
    game = started(first, "ana", "bob")
    do(second, game, ANA, "transfer_money", to="bob", amount=1)
    do(first, game, BOB, "transfer_money", to="ana", amount=2)
    do(second, game, ANA, "roll_dice", dice=[1, 2])
    # The first ledger still has Ana before her roll in memory: its refusal would have been wrong.
    do(first, game, ANA, "end_turn")
    assert second.moment(game).newest.holdings == first.moment(game).newest.holdings
    assert first.moment(game).newest.holdings.of("player:ana", "NGD") == 1651


def test_any_moment_can_be_read_again_with_and_without_snapshots(store: Store, clock: Clock) -> None:
    """Bob's balance after each of the last transfers, with snapshots and after all snapshots are dropped."""
    ledger = a_ledger(store, clock)
    game = started(ledger, "ana", "bob")
    start = ledger.moment(game).newest.version
    for _ in range(SNAPSHOT_EVERY):
        do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
    moments = (start, start + 1, SNAPSHOT_EVERY, SNAPSHOT_EVERY + 3, start + SNAPSHOT_EVERY)
    expected = [1650 + moment - start for moment in moments]

    def bob(reading: Ledger) -> list[int]:
        return [reading.moment(game, at=at).state.holdings.of("player:bob", "NGD") for at in moments]

    # The ledger that played has states in memory; the others have nothing but the database.
    assert bob(ledger) == bob(a_ledger(store, clock)) == expected
    whole = RULEBOOK.codec.to_snapshot(ledger.moment(game).newest)
    drop_snapshots(store, game)
    assert bob(ledger) == bob(a_ledger(store, clock)) == expected
    assert RULEBOOK.codec.to_snapshot(a_ledger(store, clock).moment(game).newest) == whole
    assert ledger.moment(game, at=moments[3], known_at=moments[1]).state.version == moments[1]


def test_a_game_whose_creation_was_cut_short_is_laid_out_when_it_is_opened(ledger: Ledger, store: Store) -> None:
    """The service died between writing the game's row and its first action."""
    complete = store.games.get(started(ledger, "ana", "bob"))
    assert complete is not None
    store.games.create(
        GameRecord("cutshort", complete.rulebook, "Cut short", complete.created_at, complete.setup), []
    )
    assert store.journal.head("cutshort") == 0
    assert ledger.moment("cutshort").newest.version == 1
    assert list(ledger.moment("cutshort").newest.seats) == ["ana", "bob"]
