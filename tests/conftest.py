"""The Postgres of the tests, which is always a real server.

With `DATABASE_URL` set, databases are created on that server (its user must be allowed to create databases and
roles). Otherwise each test process starts a private server in a temporary folder. The fixtures:

- `database_url`: a freshly migrated database, shared by the tests of one module;
- `store`: a `Store` on it;
- `service`: `mabligop serve` on a database of its own, `served`, both shared by all tests of a process;
- `ledger`: a `Ledger` of Negopoly on that store, with nothing in memory; its time is that of `clock`;
- `lay_home`: a function that lays out a data folder as a first start leaves it;
- `new_database`: a function that creates another database, migrated or empty, and returns its URL.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
import sqlalchemy
from psycopg import sql

from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.database.migration import migrate
from ledger.store.postgres.embedded import EmbeddedPostgres
from ledger.store.store import Store
from tests.tables.ledgers import Clock, a_ledger

if TYPE_CHECKING:
    from tests.command.service import Service


def _url_of(server: str, database: str) -> str:
    url = sqlalchemy.make_url(server.replace("postgres://", "postgresql://", 1))
    return url.set(database=database).render_as_string(hide_password=False)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that need the server; leave out those that run only in a soak; say which share a process."""
    for item in items:
        if "postgres" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.stored)
    if not os.environ.get("MABLIGOP_SOAK"):
        long = [item for item in items if item.get_closest_marker("soak") is not None]
        if long:
            config.hook.pytest_deselected(items=long)
            items[:] = [item for item in items if item.get_closest_marker("soak") is None]
    if hasattr(config, "workerinput"):
        _share_processes(items)


def _share_processes(items: list[pytest.Item]) -> None:
    """Give the tests of a module to one process, which prepares once what they share.

    The named groups begin first: they are the longest, and nothing else should wait for the end of one of them.
    """
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server on which databases may be created. Each test process has its own."""
    configured = os.environ.get("DATABASE_URL")
    if configured:
        yield configured
        return
    home = tmp_path_factory.mktemp("postgres")
    with EmbeddedPostgres(home) as server:
        _spare_the_disk(server.url)
        yield server.url
    # Hundreds of databases: nobody waits for their files to be gone.
    subprocess.Popen(["rm", "-rf", str(home)], start_new_session=True)


def _spare_the_disk(url: str) -> None:
    """Switch off waiting for the disk: nobody reads this server after a crash."""
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        connection.execute("SELECT pg_reload_conf()")


@pytest.fixture(scope="session")
def _create_database(postgres: str) -> Iterator[Callable[[str | None], str]]:
    created: list[str] = []

    def create(template: str | None) -> str:
        name = f"mabligop_test_{secrets.token_hex(6)}"
        statement = sql.SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(template or "template0")
        )
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(statement)
        created.append(name)
        return name

    yield create
    if not os.environ.get("DATABASE_URL"):
        return  # The whole server is thrown away, which takes less time than to drop one database.
    with psycopg.connect(postgres, autocommit=True) as connection:
        for name in created:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def _migrated_template(postgres: str, _create_database: Callable[[str | None], str]) -> str:
    name = _create_database(None)
    migrate(_url_of(postgres, name))
    return name


@pytest.fixture(scope="session")
def new_database(
    postgres: str, _create_database: Callable[[str | None], str], request: pytest.FixtureRequest
) -> Callable[..., str]:
    """A function `(migrated=True) -> url` that creates another database. All are gone at the end."""

    def create(*, migrated: bool = True) -> str:
        template = request.getfixturevalue("_migrated_template") if migrated else None
        return _url_of(postgres, _create_database(template))

    return create


@pytest.fixture(scope="session")
def _made_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("made") / "home"
    with EmbeddedPostgres(home) as server:
        migrate(server.url)
    # What was committed outlives a killed process without it. Only a loss of power would need it.
    with (home / "postgres/data/postgresql.conf").open("a") as configuration:
        configuration.write("\nfsync = off\n")
    return home


@pytest.fixture(scope="session")
def lay_home(_made_home: Path) -> Callable[[Path], Path]:
    """A function that lays out a data folder as a first start leaves it: a copy, which takes less time."""

    def lay(home: Path) -> Path:
        return Path(shutil.copytree(_made_home, home, symlinks=True))

    return lay


@pytest.fixture(scope="module")
def database_url(new_database: Callable[..., str]) -> str:
    """The URL of a migrated database for this module's tests."""
    return new_database()


@pytest.fixture(scope="module")
def store(database_url: str) -> Iterator[Store]:
    """The store on this module's database, working as the service's role."""
    engine = connect(database_url)
    yield Store(engine)
    engine.dispose()


@pytest.fixture(scope="session")
def served(new_database: Callable[..., str]) -> str:
    """The URL of the database that the service serves."""
    return new_database()


@pytest.fixture(scope="session")
def service(served: str) -> Iterator[Service]:
    """The service with its demo, in a process of its own. Tests that use it are in the xdist group "command"."""
    from tests.command.service import Service  # only where it is used: it imports the whole command line

    running = Service(DATABASE_URL=served)
    running.wait_for(r"`(mabligop demo --tokens)`")
    yield running
    assert running.stop() == 0


@pytest.fixture
def clock() -> Clock:
    """A time that changes only when a test moves it."""
    return Clock()


@pytest.fixture
def ledger(store: Store, clock: Clock) -> Ledger:
    """A ledger of Negopoly with nothing in memory yet, on this module's database."""
    return a_ledger(store, clock)
