"""Turns of writers: one after the other, over all processes of a database."""

import threading

import psycopg
import pytest

from ledger.store.database.connection import connect, driver_cursor, keeping_connection
from ledger.store.database.errors import StoreUnavailable
from ledger.store.store import Store


def session(store: Store) -> int:
    with driver_cursor(store.engine) as cursor:
        found = cursor.execute("SELECT pg_backend_pid()").fetchone()
    assert found is not None
    return int(found[0])


def test_the_next_turn_begins_when_the_one_before_ends(
    store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store.turns._WAIT_MILLISECONDS", 300_000)
    other = Store(connect(database_url))
    order: list[str] = []
    asked = threading.Event()

    def second() -> None:
        asked.set()
        with other.turns.in_turn("evening"):
            order.append("second")

    waiting = threading.Thread(target=second)
    with store.turns.in_turn("evening"):
        waiting.start()
        assert asked.wait(300)
        with Store(connect(database_url)).turns.in_turn("another evening"):
            order.append("another game")
        order.append("first")
    waiting.join()
    assert order == ["another game", "first", "second"]


def test_a_turn_ends_with_its_session(store: Store, database_url: str, owner: psycopg.Connection) -> None:
    """Its process was killed, or the server closed the connection."""
    other = Store(connect(database_url))
    with other.turns.in_turn("evening"):
        owner.execute("SELECT pg_terminate_backend(%s)", (session(other),))
        with store.turns.in_turn("evening"):
            pass
    with other.turns.in_turn("evening"):  # And the store goes on with another session.
        pass


def test_in_a_turn_all_statements_use_one_connection(store: Store) -> None:
    with store.turns.in_turn("evening"):
        first = session(store)
        with store.turns.in_turn("evening"):
            assert session(store) == first
        assert session(store) == first


def test_a_store_with_one_connection_goes_on_without_turns(database_url: str) -> None:
    single = Store(connect(database_url, pool_size=1, overflow=0))
    with single.turns.in_turn("evening") as is_mine:
        assert not is_mine
        assert single.journal.head("evening") == 0


def test_too_many_who_keep_a_connection_are_told_so(database_url: str) -> None:
    small = Store(connect(database_url, pool_size=2, overflow=0, patience=0.05))
    failures: list[Exception] = []

    def another() -> None:
        try:
            with keeping_connection(small.engine):
                pass
        except StoreUnavailable as failure:
            failures.append(failure)

    with keeping_connection(small.engine):
        thread = threading.Thread(target=another)
        thread.start()
        thread.join()
    assert "wait for their turn" in str(failures[0])
    with keeping_connection(small.engine):
        pass


def test_a_failure_in_a_turn_ends_it(store: Store, database_url: str) -> None:
    with pytest.raises(ValueError, match="refused"), store.turns.in_turn("evening"):
        raise ValueError("refused")
    with Store(connect(database_url)).turns.in_turn("evening"):
        pass


def test_a_process_that_never_ends_its_turn_is_not_waited_for(
    store: Store, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be stopped, with its connection open. The others go on without turns."""
    monkeypatch.setattr("ledger.store.turns._WAIT_MILLISECONDS", 50)
    other = Store(connect(database_url))
    with other.turns.in_turn("evening"), store.turns.in_turn("evening") as is_mine:
        assert not is_mine
        assert store.journal.head("evening") == 0
    with store.turns.in_turn("evening") as is_mine:
        assert is_mine
