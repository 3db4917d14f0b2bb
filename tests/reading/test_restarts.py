"""A service that starts again reads its games from snapshots, and nobody at the table can tell.

The names at the table are not in the order of the alphabet, and neither are their seats: whoever sorts them, or
follows an order that a snapshot has lost, gives other answers.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields

from api.rest.application import Config, create_app
from ledger.kernel.facts.accounts import Holdings
from ledger.kernel.facts.agreements import Archive
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.store import Store
from replays.exports import FORMATS
from replays.keeping import keep
from tests.tables.evenings import evening
from tests.tables.ledgers import Clock
from tests.tables.over_http import Caller

READINGS = (
    "",
    "state",
    "state?at=60",
    "board",
    "names",
    "accounts",
    "accounts/bank/statement",
    "accounts/player:s9x/statement",
    "agreements",
    "obligations",
    "moves?seat=all",
    "disputes",
    "rulings",
    "replay?from=1&limit=40",
    "replay/index",
    "actions?limit=200",
    "audit?limit=50",
    "statistics",
    *(f"export?format={name}" for name in sorted(FORMATS)),
)


def in_order(value: Any) -> Any:
    """Everything that a state holds, in its order; what has no order is sorted."""
    if isinstance(value, Holdings):
        return in_order(value.as_dict())
    if isinstance(value, dict):
        return [(key, in_order(one)) for key, one in value.items()]
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, list | tuple | Archive):
        return [in_order(one) for one in value]
    if isinstance(value, msgspec.Struct):
        return [(one.name, in_order(getattr(value, one.name))) for one in fields(value)]
    return value


@pytest.mark.parametrize("rulebook", rulebooks_by_id().values(), ids=lambda rulebook: rulebook.id)
def test_a_state_comes_back_from_a_snapshot_in_the_order_in_which_it_was_played(rulebook: Rulebook[Any]) -> None:
    """Given an evening, when its state goes to a snapshot and comes back, then everything is in the same order."""
    game = evening(rulebook).game
    thawed: State = rulebook.codec.from_snapshot(rulebook.codec.to_snapshot(game.state))
    assert list(thawed.seats) == ["s4x", "s9x", "s1x", "s7x"]
    assert in_order(thawed) == in_order(game.state)


@pytest.mark.parametrize("rulebook", rulebooks_by_id().values(), ids=lambda rulebook: rulebook.id)
def test_a_service_that_starts_again_gives_the_same_answers(
    rulebook: Rulebook[Any], new_database: Callable[..., str]
) -> None:
    """Given an evening, when the service starts again with a snapshot of it, then every answer is the same."""
    played = evening(rulebook)
    at = played.game.state.last_at
    url = new_database()

    def service() -> Ledger:
        return Ledger(Store(connect(url)), rulebooks_by_id(), clock=Clock(at), chance=Random(1))

    before = service()
    token = keep(before, played)
    game = played.game.name
    history = before.games.open(game).history

    def answers(ledger: Ledger) -> dict[str, tuple[int, bytes]]:
        with create_app(ledger, Config()).test_client() as client:
            table = Caller(client, game, token)
            return {path: (answer.status_code, answer.data) for path in READINGS for answer in [table.get(path)]}

    first = answers(before)
    # Not every game has every account of these.
    assert {status for status, _ in first.values()} <= {200, 404}
    assert first["statistics"][0] == first["state"][0] == 200
    history.save(before.moment(game).newest)
    after = service()
    assert after.games.open(game).history.latest_snapshot().version == played.game.state.version
    again = answers(after)
    assert [path for path in READINGS if again[path] != first[path]] == []
