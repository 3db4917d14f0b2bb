"""Creating a game: only once for one idempotency key."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.games.game import Game
from ledger.kernel.facts.state import Seat
from ledger.service import KeyUsed, Ledger
from ledger.store.store import Store
from tests.tables.ledgers import a_ledger


def test_creating_a_game_again_with_the_same_key_gives_the_same_tokens(ledger: Ledger) -> None:
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    first = ledger.create("negopoly", title="T", players=players, settings={}, dice="table", key="create-1")
    again = ledger.create("negopoly", title="T", players=players, settings={}, dice="table", key="create-1")
    assert again.replayed
    assert (again.game, again.tokens) == (first.game, first.tokens)
    with pytest.raises(KeyUsed):
        ledger.create("negopoly", title="U", players=players, settings={}, dice="table", key="create-1")


def test_a_game_that_two_processes_begin_at_once_is_begun_once(
    ledger: Ledger, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process was killed after it created the game. Two others open it, and one of them is faster."""
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    created = store.games.get(
        ledger.create("negopoly", title="T", players=players, settings={}, dice="table").game
    )
    assert created is not None
    game = f"{created.game_id}-2"
    assert store.games.create(replace(created, game_id=game), [])
    slow, fast = a_ledger(store), a_ledger(store)
    catch_up = slow.games.catch_up

    def then_another_begins(opened: Game) -> bool:
        caught_up = catch_up(opened)
        monkeypatch.undo()
        fast.games.open(game)
        return caught_up

    monkeypatch.setattr(slow.games, "catch_up", then_another_begins)
    assert slow.games.open(game).state.version == fast.games.open(game).state.version == 1
    assert store.journal.head(game) == 1
