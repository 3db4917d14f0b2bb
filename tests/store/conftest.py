"""The fixtures of the store's tests."""

import secrets
from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg import sql

from ledger.store.store import Store
from tests.store.journals import new_game
from tests.store.roles import logins_of


@pytest.fixture
def table(store: Store) -> str:
    """The id of a new game with an empty journal."""
    return new_game(store)


@pytest.fixture
def owner(database_url: str) -> Iterator[psycopg.Connection]:
    """A connection of the user who owns the tables."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def new_role(postgres: str) -> Iterator[Callable[[], str]]:
    """A function that invents the name of a role, which is dropped after the test."""
    names: list[str] = []

    def invent() -> str:
        names.append(f"mabligop test {secrets.token_hex(4)}")
        return names[-1]

    yield invent
    with psycopg.connect(postgres, autocommit=True) as server:
        for name in names + logins_of(server, names):
            found = server.execute("SELECT FROM pg_roles WHERE rolname = %s", (name,)).fetchone()
            if found is None:
                continue
            for (database,) in server.execute(
                "SELECT DISTINCT datname FROM pg_shdepend JOIN pg_database ON pg_database.oid IN (dbid, objid)"
                " WHERE refobjid = (SELECT oid FROM pg_roles WHERE rolname = %s)",
                (name,),
            ).fetchall():
                server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(database)))
            server.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))
