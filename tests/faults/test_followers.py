"""A follower who comes when much has happened reads what the stream leaves out, and has every entry in the end."""

from __future__ import annotations

import pytest

from tests.command.service import Service, create_game, sender
from tests.faults.checking import stored
from tests.faults.followers import Follower, missed
from tests.faults.players import Table

pytestmark = pytest.mark.xdist_group("command")

_HANGS_SECONDS = 300


def test_a_follower_who_comes_late_has_every_entry(service: Service, served: str) -> None:
    """Ana and Bob gave each other ₦1 more often than a stream tells again."""
    with service.client() as client:
        game, tokens = create_game(client)
        send = sender(client, game)
        for number in range(210):
            payer, payee = ("ana", "bob") if number % 2 else ("bob", "ana")
            send(tokens[payer], "transfer_money", {"to": payee, "amount": 1})
        table = Table("a seed", "negopoly", ("ana", "bob"))
        table.games.append(game)
        table.tokens[game] = tokens
        follower = Follower([service.url], table)
        follower.start()
        rows = stored(served, game)
        assert follower.catches_up(game, len(rows), _HANGS_SECONDS)
        follower.leave()
        send(tokens["ana"], "transfer_money", {"to": "bob", "amount": 1})
        follower.join(_HANGS_SECONDS)
    assert len(rows) > 210
    assert missed(stored(served, game), follower.brought[game]) == []
