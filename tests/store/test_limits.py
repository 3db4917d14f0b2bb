"""The limits of time: neither a lock, a slow statement nor a silent server holds a caller for ever."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeVar

import psycopg
import pytest

from ledger.store.database.connection import connect, driver_cursor, transaction
from ledger.store.database.database_url import driver_parameters
from ledger.store.database.errors import NothingWritten, StoreBusy, StoreUnavailable
from ledger.store.database.limits import Limits
from ledger.store.records import ActionRecord, Appended
from ledger.store.store import Store
from tests.store.journals import action, credential, event, game

T = TypeVar("T")


@pytest.fixture
def limited(database_url: str) -> Iterator[Callable[..., Store]]:
    """A function that gives a store with one connection and these limits."""
    engines = []

    def create(**seconds: float) -> Store:
        engines.append(connect(database_url, pool_size=1, overflow=0, limits=Limits(**seconds)))
        return Store(engines[-1])

    yield create
    for engine in engines:
        engine.dispose()


def answered(ask: Callable[[], T]) -> T:
    """Ask until there is an answer. On a busy machine the short limits of these tests also end what is quick."""
    for _ in range(600):
        with suppress(StoreUnavailable):
            return ask()
    return ask()


def connection_of(store: Store) -> int:
    """The server's process that the store's one connection speaks to."""

    def read() -> int:
        with driver_cursor(store.engine) as cursor:
            row = cursor.execute("SELECT pg_backend_pid()").fetchone()
        assert row is not None
        return int(row[0])

    return answered(read)


class TestALockedTable:
    def test_reading_and_writing_are_given_up_and_work_after_it(
        self, limited: Callable[..., Store], table: str, database_url: str
    ):
        store = limited(lock=0.1)
        used = connection_of(store)
        with psycopg.connect(database_url) as other:
            other.execute("LOCK TABLE actions IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(StoreBusy, match="lock timeout"):
                store.journal.head(table)
            with pytest.raises(NothingWritten, match="lock timeout"):
                store.journal.append(table, action(1, event(1)))
            assert store.games.get(table) == game(table)
        assert store.journal.head(table) == 0
        assert store.journal.append(table, action(1, event(1))) == Appended(1)
        assert connection_of(store) == used

    def test_several_actions_are_written_together_or_not_at_all(
        self, limited: Callable[..., Store], table: str, database_url: str
    ):
        """The first one needs no locked table; the second one does."""
        store = limited(lock=0.1)
        both = [action(1), action(2, event(1))]
        with psycopg.connect(database_url) as other:
            other.execute("LOCK TABLE events IN SHARE MODE")
            with pytest.raises(NothingWritten):
                store.journal.append_all(table, both)
        assert store.journal.head(table) == 0
        assert store.journal.append_all(table, both) == Appended(2)

    def test_a_game_is_not_written_without_its_tokens(
        self, limited: Callable[..., Store], table: str, database_url: str
    ):
        store, name = limited(lock=0.1), f"{table}-new"
        with psycopg.connect(database_url) as other:
            other.execute("LOCK TABLE credentials IN SHARE MODE")
            with pytest.raises(NothingWritten):
                store.games.create(game(name), [credential(name, "c", b"h")])
        assert store.games.get(name) is None
        assert store.games.create(game(name), [credential(name, "c", b"h")])


class TestALongStatement:
    def test_it_is_given_up(self, limited: Callable[..., Store], table: str):
        store = limited(statement=0.1)
        used = connection_of(store)
        with pytest.raises(StoreBusy, match="statement timeout"), driver_cursor(store.engine) as cursor:
            cursor.execute("SELECT pg_sleep(60)")
        assert answered(lambda: store.journal.head(table)) == 0
        assert connection_of(store) == used

    def test_an_import_may_take_longer(self, limited: Callable[..., Store], table: str):
        store, name = limited(statement=0.1, silence=0.2), f"{table}-imported"

        def slowly() -> Iterator[ActionRecord]:
            for number in range(1, 2003):  # More than one stretch.
                if number in (1, 2002):
                    time.sleep(0.3)
                yield action(number)

        assert store.copies.write(game(name), [], slowly())
        assert answered(lambda: store.journal.head(name)) == 2002
        with pytest.raises(StoreBusy, match="statement timeout"), driver_cursor(store.engine) as cursor:
            cursor.execute("SELECT pg_sleep(60)")


class TestASilentServer:
    """A server that is stopped, or a machine that vanished, does not even end what takes too long."""

    def test_it_is_given_up_and_another_connection_is_opened(self, limited: Callable[..., Store], table: str):
        store = limited(statement=60, silence=0.1)
        used = connection_of(store)
        with (
            pytest.raises(StoreUnavailable, match="no answer"),
            driver_cursor(store.engine) as cursor,
        ):
            cursor.execute("SELECT pg_sleep(60)")
        assert answered(lambda: store.journal.head(table)) == 0
        assert connection_of(store) != used

    def test_a_transaction_is_given_up_whole(self, limited: Callable[..., Store], table: str):
        store = limited(statement=60, silence=0.1)
        with pytest.raises(StoreUnavailable, match="no answer"), transaction(store.engine) as connection:
            connection.exec_driver_sql("SELECT pg_sleep(60)")
        answered(lambda: store.games.create(game(f"{table}-2"), []))
        assert answered(lambda: store.games.get(f"{table}-2")) == game(f"{table}-2")

    def test_a_listener_may_hear_nothing_for_long(self, limited: Callable[..., Store], store: Store, table: str):
        with answered(limited(silence=0.1).notices.listen) as listener:
            assert listener.wait(0.3) == []
            store.journal.append(table, action(1))
            assert [notice.number for notice in listener.wait(60)] == [1]


class TestSettings:
    def test_every_connection_has_them(self, limited: Callable[..., Store]):
        store = limited(statement=2.5, lock=1)
        with driver_cursor(store.engine) as cursor:
            rows = cursor.execute(
                "SELECT name, setting FROM pg_settings WHERE name ~ '^(statement|lock|idle_in.*_session)_timeout$'"
            ).fetchall()
        assert dict(rows) == {
            "statement_timeout": "2500",
            "lock_timeout": "1000",
            "idle_in_transaction_session_timeout": "60000",
        }

    def test_a_vanished_machine_is_noticed_unless_the_url_says_otherwise(self):
        usual = driver_parameters("postgresql://db.example/mabligop")
        assert (usual["keepalives_idle"], usual["tcp_user_timeout"]) == (10, 20_000)
        assert driver_parameters("postgresql://db.example/mabligop?tcp_user_timeout=5")["tcp_user_timeout"] == "5"

    def test_they_come_from_the_environment(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.delenv("MABLIGOP_STATEMENT_TIMEOUT", raising=False)
        monkeypatch.delenv("MABLIGOP_LOCK_TIMEOUT", raising=False)
        assert Limits.configured() == Limits(statement=15, lock=5, silence=20)
        monkeypatch.setenv("MABLIGOP_STATEMENT_TIMEOUT", "2.5")
        monkeypatch.setenv("MABLIGOP_LOCK_TIMEOUT", "1")
        assert Limits.configured() == Limits(statement=2.5, lock=1, silence=7.5)

    @pytest.mark.parametrize("wrong", ["0", "-1", "soon", "nan", "inf", "100000"])
    def test_what_is_no_limit_is_refused(self, wrong: str, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("MABLIGOP_LOCK_TIMEOUT", wrong)
        with pytest.raises(ValueError, match="MABLIGOP_LOCK_TIMEOUT is a number of seconds"):
            Limits.configured()
