"""Creating a game: only once for one idempotency key."""

from __future__ import annotations

import pytest

from ledger.kernel.state import Seat
from ledger.service import KeyUsed, Ledger


def test_creating_a_game_again_with_the_same_key_gives_the_same_tokens(ledger: Ledger) -> None:
    players = [Seat("ana", "Ana"), Seat("bob", "Bob")]
    first = ledger.create("negopoly", title="T", players=players, settings={}, dice="table", key="create-1")
    again = ledger.create("negopoly", title="T", players=players, settings={}, dice="table", key="create-1")
    assert again.replayed
    assert (again.game, again.tokens) == (first.game, first.tokens)
    with pytest.raises(KeyUsed):
        ledger.create("negopoly", title="U", players=players, settings={}, dice="table", key="create-1")
