"""Notices of appends, and connections that break."""

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import psycopg
import pytest
from psycopg import sql

from ledger.store.database.connection import connect
from ledger.store.database.database_url import url_of
from ledger.store.database.errors import StoreUnavailable
from ledger.store.records import Appended, Credential, Notice, Replayed, Saying, TokensChanged
from ledger.store.store import Store
from tests.store.journals import action, event, game

OTHERWISE = {
    "DateStyle": "SQL, DMY",
    "TimeZone": "Asia/Tokyo",
    "IntervalStyle": "sql_standard",
    "client_encoding": "LATIN1",
    "bytea_output": "escape",
    "standard_conforming_strings": "off",
    "default_transaction_isolation": "serializable",
}


class TestNotices:
    def test_every_append_is_told_once_and_in_order(self, store: Store, table: str):
        with store.notices.listen() as listener:
            store.journal.append(table, action(1, event(1), key="k"))
            store.journal.append(table, action(1, event(1), key="k"))
            store.journal.append(table, action(3, event(3)))
            store.journal.append(table, action(2))
            heard: list[object] = []
            while len(heard) < 2:
                heard += listener.wait(60)
            assert heard == [Notice(table, 1), Notice(table, 2)]
            assert listener.wait(0.05) == []

    def test_a_game_id_may_hold_a_colon(self, store: Store):
        odd = f"game:{secrets.token_hex(6)}"
        store.games.create(game(odd), [])
        with store.notices.listen() as listener:
            store.journal.append(odd, action(1))
            assert listener.wait(60) == [Notice(odd, 1)]

    def test_a_listener_that_lost_its_connection_says_so(
        self, store: Store, table: str, owner: psycopg.Connection
    ):
        with store.notices.listen() as listener:
            hang_up(owner)
            with pytest.raises(StoreUnavailable):
                listener.wait(60)
        with store.notices.listen() as listener:
            store.journal.append(table, action(1))
            assert listener.wait(60) == [Notice(table, 1)]

    def test_a_revoked_token_is_told_and_so_is_what_a_process_says(self, store: Store, table: str):
        """Who listens hears that tokens of the game changed, and words that are stored nowhere, in order."""
        at = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
        store.games.create(
            game(spare := f"g{secrets.token_hex(6)}"), [Credential(spare, "one", b"hash", "banker", None, at)]
        )
        with store.notices.listen() as listener:
            assert store.games.revoke_credential(spare, "one", at)
            assert not store.games.revoke_credential(spare, "one", at)
            store.notices.say("ana is here")
            heard: list[object] = []
            while len(heard) < 2:
                heard += listener.wait(60)
            assert heard == [TokensChanged(spare), Saying("ana is here")]


def hang_up(owner: psycopg.Connection) -> None:
    """End every other connection to the database, as a restart of the server does."""
    owner.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )


def break_off_when_it_waits(owner: psycopg.Connection) -> None:
    """End the one connection that waits for a lock, as soon as there is one."""
    for _ in range(6000):
        ended = owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).fetchall()
        if ended:
            assert ended == [(True,)]
            return
        owner.execute("SELECT pg_sleep(0.01)")
    raise AssertionError("nothing ever waited")


class TestRecovery:
    def test_the_call_after_a_restart_works(self, store: Store, table: str, owner: psycopg.Connection):
        with ThreadPoolExecutor(4) as threads:  # Several connections are in the pool.
            list(threads.map(lambda _: store.journal.head(table), range(16)))
        hang_up(owner)
        assert store.journal.append(table, action(1, event(1))) == Appended(1)
        hang_up(owner)
        assert store.games.get(table) == game(table)
        hang_up(owner)
        assert store.games.create(game(f"{table}-2"), []) is True

    def test_an_append_broken_off_is_unavailable_and_can_be_asked_again(
        self, store: Store, table: str, owner: psycopg.Connection, database_url: str
    ):
        request = action(1, event(1), key="k", request=b"a")
        with psycopg.connect(database_url) as blocker, ThreadPoolExecutor(1) as threads:
            blocker.execute("LOCK TABLE actions IN EXCLUSIVE MODE")
            pending = threads.submit(store.journal.append, table, request)
            break_off_when_it_waits(owner)
            with pytest.raises(StoreUnavailable, match="terminating connection"):
                pending.result(timeout=60)
        assert store.journal.append(table, request) == Appended(1)
        assert store.journal.append(table, request) == Replayed(1)

    def test_a_server_that_is_not_there_is_unavailable(self, tmp_path):
        nowhere = Store(connect(f"postgresql:///ledger?host={tmp_path}"))
        asking: list[Callable[[], object]] = [
            nowhere.ready,
            nowhere.notices.listen,
            lambda: nowhere.journal.head("g"),
            lambda: nowhere.journal.append("g", action(1)),
            lambda: nowhere.games.get("g"),
            lambda: nowhere.games.create(game("g"), []),
        ]
        for ask in asking:
            with pytest.raises(StoreUnavailable, match="did not answer"):
                ask()

    def test_a_pool_with_nothing_free_is_unavailable(self, database_url: str):
        engine = connect(database_url, pool_size=1, overflow=0, patience=0.05)
        with engine.connect(), pytest.raises(StoreUnavailable, match="did not answer"):
            Store(engine).journal.head("g")
        engine.dispose()


class TestSettings:
    @pytest.mark.parametrize("of", ["the database", "the environment"])
    def test_what_is_set_otherwise_changes_nothing(
        self, new_database: Callable[..., str], monkeypatch: pytest.MonkeyPatch, of: str
    ):
        """Given settings of a session that are not the usual ones, then a game is written and read as ever."""
        url = new_database()
        if of == "the environment":
            for name, value in (
                ("PGDATESTYLE", "SQL, DMY"),
                ("PGTZ", "Asia/Tokyo"),
                ("PGCLIENTENCODING", "LATIN1"),
            ):
                monkeypatch.setenv(name, value)
        else:
            change = sql.SQL("ALTER DATABASE {} SET {} = {}")
            with psycopg.connect(url, autocommit=True) as owner:
                for name, value in OTHERWISE.items():
                    owner.execute(
                        change.format(sql.Identifier(owner.info.dbname), sql.SQL(name), sql.Literal(value))
                    )
        engine = connect(url)
        try:
            store = Store(engine)
            at = datetime(2026, 2, 3, 20, 0, 1, 234_000, tzinfo=UTC)
            record = replace(game(f"g{secrets.token_hex(6)}"), title="Łukasz ₦", created_at=at)
            store.games.create(record, [])
            store.journal.append(record.game_id, action(1))
            assert store.games.get(record.game_id) == record
            assert store.games.newest(cursor=None, limit=10) == [record]
            assert store.journal.entry(record.game_id, 1) == action(1).canonical
        finally:
            engine.dispose()

    def test_a_database_that_cannot_hold_every_name_is_refused(self, new_database: Callable[..., str]):
        narrow = sql.Identifier(f"narrow_{secrets.token_hex(4)}")
        create = sql.SQL("CREATE DATABASE {} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        with psycopg.connect(new_database(), autocommit=True) as owner:
            owner.execute(create.format(narrow))
            given = owner.info.get_parameters() | {"dbname": narrow.as_string(owner).strip('"')}
            engine = connect(url_of(given | {"password": owner.info.password}))
            try:
                with pytest.raises(StoreUnavailable, match="stores texts in SQL_ASCII"):
                    Store(engine).games.newest(cursor=None, limit=1)
            finally:
                engine.dispose()
                owner.execute(sql.SQL("DROP DATABASE {}").format(narrow))
