"""Touches: written with an action, and read instead of scanning the events."""

from __future__ import annotations

import re
import secrets

import psycopg
import pytest

from ledger.store.database.connection import driver_cursor
from ledger.store.database.errors import RecordRefused
from ledger.store.records import ActionRecord, Appended, LostRace, Selection
from ledger.store.selecting import statement
from ledger.store.store import Store
from tests.store.journals import action, event, game, new_game

Touch = tuple[str, int]

# The rows of the table, and the same by a scan of all events of the game.
KEPT = "SELECT account, number FROM touches WHERE game_id = %s ORDER BY 1, 2"
SCANNED = "SELECT DISTINCT unnest(accounts), number FROM events WHERE game_id = %s ORDER BY 1, 2"

EVENING: list[ActionRecord] = [
    action(1, event(1, accounts=("bank", "player:ana")), event(2, accounts=("player:ana", "player:ben"))),
    action(2),
    action(3, event(3, accounts=())),
    action(4, event(4, accounts=("player:\"an{a}, \\ o'brien", ""))),
    action(5, event(5, accounts=("player:ben", "bank")), event(6, accounts=("bank", "bank"))),
]
TOUCHED: list[Touch] = [
    ("", 4),
    ("bank", 1),
    ("bank", 5),
    ("player:\"an{a}, \\ o'brien", 4),
    ("player:ana", 1),
    ("player:ben", 1),
    ("player:ben", 5),
]


def touches(url: str, game_id: str) -> list[Touch]:
    """The touches of a game, compared with a scan of its events."""
    with psycopg.connect(url) as owner:
        kept = owner.execute(KEPT, (game_id,)).fetchall()
        assert kept == owner.execute(SCANNED, (game_id,)).fetchall()
    return kept


def test_an_append_writes_each_account_of_the_action_once(store: Store, database_url: str) -> None:
    game_id = new_game(store)
    for record in EVENING:
        assert store.journal.append(game_id, record) == Appended(record.number)
    assert sorted(touches(database_url, game_id)) == sorted(TOUCHED)


def test_a_journal_written_at_once_has_them_too(store: Store, database_url: str) -> None:
    new = game(f"game-{secrets.token_hex(6)}")
    assert store.copies.write(new, [], EVENING)
    assert sorted(touches(database_url, new.game_id)) == sorted(TOUCHED)


def test_what_is_not_appended_touches_nothing(store: Store, database_url: str) -> None:
    game_id = new_game(store)
    store.journal.append(game_id, action(1, event(1, accounts=("bank",)), key="k", request=b"a"))
    store.journal.append(game_id, action(1, event(1, accounts=("player:ana",)), key="k", request=b"a"))
    assert store.journal.append(game_id, action(3, event(2, accounts=("player:ana",)))) == LostRace(1)
    with pytest.raises(RecordRefused):
        store.journal.append(game_id, action(2, event(2, accounts=("nul \0",))))
    with pytest.raises(RecordRefused):
        store.journal.append(game_id, action(2, event(2, accounts=("player:ana",), body=b"{no json")))
    assert touches(database_url, game_id) == [("bank", 1)]


def test_an_account_is_looked_for_in_its_own_game(store: Store) -> None:
    here, there = new_game(store), new_game(store)
    store.journal.append(here, action(1, event(1, accounts=("bank",)), canonical=b"here"))
    store.journal.append(there, action(1, event(1, accounts=("bank",)), canonical=b"there"))
    assert store.journal.entries(here, Selection(account="bank")) == [(1, b"here")]


@pytest.mark.parametrize("commodity", [None, "NGD"])
def test_a_page_of_an_account_is_read_by_keys(store: Store, commodity: str | None) -> None:
    """Actions and their events are looked up one by one: the query never reads all events of the game."""
    selection = Selection(account="bank", commodity=commodity, above=10, limit=50)
    text, parameters = statement("somewhere", selection)
    with driver_cursor(store.engine) as cursor:
        plan = "\n".join(row[0] for row in cursor.execute("EXPLAIN " + text, parameters).fetchall())
    keys = {"touches_pkey", "actions_pkey"} | ({"events_pkey"} if commodity else set())
    assert set(re.findall(r"\w+_pkey", plan)) == keys
    for joined in ("Hash", "Merge", "Semi Join"):
        assert joined not in plan
