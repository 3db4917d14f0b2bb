"""The installation under examination: the data folder, the database, and the service at its address."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import httpx
import psycopg
import sqlalchemy

from api.command.doctor.findings import Needs
from api.command.running.database import database_in_use
from api.command.terminal.client import SHORT_WAIT, client_of
from api.command.terminal.failures import NoAnswer, capital
from ledger.store.database.connection import connect
from ledger.store.database.database_url import driver_parameters
from ledger.store.database.driver_errors import translated_driver
from ledger.store.database.errors import StoreError
from ledger.store.database.examining import revisions
from ledger.store.database.limits import LimitedConnection, Limits
from ledger.store.database.revisions import newest_revision
from ledger.store.postgres.embedded import HomeBusy, PostgresUnavailable, url_of_running
from ledger.store.store import Store
from replays.recorded import API

_CONNECT_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answers of the address: of its first page, of its readiness, and of the list of games without a key."""

    index: httpx.Response
    ready: httpx.Response
    games: httpx.Response

    @property
    def is_mabligop(self) -> bool:
        """True for the first page of this service."""
        try:
            return bool(self.index.json()["service"] == "mabligop")
        except (ValueError, LookupError, TypeError):
            return False


@dataclass
class Installation:
    """An installation: the data folder, the address of the service, and the options of the command.

    `connection` is of the owner, or of the service's own login if the owner is unknown; None without a database,
    and then `trouble` has the reason. `served` is True if a running service uses the data folder.
    """

    home: Path
    url: str
    named: bool = False
    """True if the operator named the address: a service must then answer."""
    token: str | None = None
    backups: Path | None = None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    served: bool = False
    connection: psycopg.Connection[Any] | None = None
    database_url: str = ""
    trouble: Exception | None = None

    @property
    def embedded(self) -> bool:
        """True if the database is in the data folder."""
        return not os.environ.get("DATABASE_URL")

    @cached_property
    def engine(self) -> sqlalchemy.Engine:
        """The pool of the service's login. Raises StoreError on use."""
        return connect(self.database_url, pool_size=2, overflow=2)

    @cached_property
    def store(self) -> Store:
        """The store of the service's login."""
        return Store(self.engine)

    @cached_property
    def is_migrated(self) -> bool:
        """True if the tables are those of this version."""
        try:
            return self.connection is not None and revisions(self.connection) == {newest_revision()}
        except StoreError:
            return False

    @cached_property
    def is_listening(self) -> bool:
        """True if a program listens at the address."""
        try:
            parts = urlsplit(self.url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
            socket.create_connection((parts.hostname or "", port), _CONNECT_SECONDS).close()
        except (OSError, ValueError):
            return False
        return True

    @cached_property
    def answer(self) -> Answer | None:
        """The answers at the address; None if nothing listens. Raises NoAnswer."""
        if not self.is_listening:
            return None
        with client_of(self.url, wait=SHORT_WAIT) as client:
            index = client.get("/", headers={"Accept": "application/json"})
            return Answer(index, client.get("/readyz"), client.get(f"{API}/games", params={"limit": 1}))

    def lacks(self, needs: Needs) -> str | None:
        """Return the reason for leaving a check out, or None."""
        match needs:
            case "database" | "tables" if self.connection is None:
                return "not tried: there is no database"
            case "tables" if not self.is_migrated:
                return "not tried: the tables are not those of this version"
            case "service" if not self.is_answering:
                return "not tried: no service answers"
        return None

    @property
    def is_answering(self) -> bool:
        """True if this service answers at the address."""
        try:
            return self.answer is not None and self.answer.is_mabligop
        except NoAnswer:
            return False


@contextmanager
def opened(installation: Installation) -> Iterator[Installation]:
    """Open the database of an installation for the block. A failure to open becomes its `trouble`."""
    with ExitStack() as running:
        try:
            if installation.embedded:
                installation.served = url_of_running(installation.home) is not None
            url = running.enter_context(database_in_use(installation.home))
            installation.database_url = os.environ.get("DATABASE_URL") or url
            with translated_driver():
                connection = LimitedConnection.connect(**driver_parameters(url), autocommit=True)
                running.callback(connection.close)
                connection.limit(Limits())
            installation.connection = connection
        except (click.ClickException, StoreError, HomeBusy, PostgresUnavailable, OSError) as trouble:
            installation.trouble = trouble
        try:
            yield installation
        finally:
            if "engine" in installation.__dict__:
                installation.engine.dispose()


def reason_of(trouble: Exception) -> str:
    """Return the sentence of a failure."""
    return capital(trouble.message if isinstance(trouble, click.ClickException) else str(trouble))
