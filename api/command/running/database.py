"""The database of a command: from DATABASE_URL, or embedded in the data folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from api.command.terminal.failures import BadInput, NoDatabase, capital
from api.command.terminal.options import default_home, user_home
from api.command.terminal.progress import patience
from api.settings import KEYS_VARIABLE
from ledger.store.database.database_url import driver_parameters
from ledger.store.database.login import service_url
from ledger.store.database.migration import migrate as apply_migrations
from ledger.store.database.service_role import OWNER_VARIABLE
from ledger.store.postgres.embedded import EmbeddedPostgres, HomeBusy, has_data, url_of_running

KEYS = "signing-keys"
"""The name of the file in the data folder with the keys that sign logs."""


def keys_file(home: Path) -> Path:
    """Return the file with the keys that sign logs: of the environment, or in the data folder."""
    return Path(os.environ.get(KEYS_VARIABLE) or home / KEYS)


@contextmanager
def database(home: Path, *, create: bool = True) -> Iterator[tuple[str, bool]]:
    """Yield the owner's URL of the database, and whether the database is embedded; an embedded server runs
    during the block.

    With `create` a missing embedded database is created in the data folder. Raises BadInput, HomeBusy,
    PostgresUnavailable; without `create` also NoDatabase for a data folder without a database, and creates
    nothing.
    """
    configured = {name: os.environ.get(name) for name in ("DATABASE_URL", OWNER_VARIABLE)}
    for name, url in configured.items():
        try:
            if url:
                driver_parameters(url)
        except ValueError as fault:
            raise BadInput(f"{name}: {fault}") from fault
    of_service, of_owner = configured.values()
    if of_owner and not of_service:
        raise BadInput(f"{OWNER_VARIABLE} is set: then DATABASE_URL must name the service's own login")
    if of_service:
        yield of_owner or of_service, False
        return
    if not create:
        require_data(home)
    embedded = EmbeddedPostgres(home)
    with patience(f"Starting Postgres in {home} (the first time this takes a few seconds) …"):
        url = embedded.start()
    try:
        yield url, True
    finally:
        embedded.stop()


@contextmanager
def database_in_use(home: Path) -> Iterator[str]:
    """Yield the URL of an existing database, even in a data folder in use: then of the running service's
    server.

    Only for the work of a service: the tables stay as they are. Raises like `database`; HomeBusy if the running
    service has no ready server.
    """
    with ExitStack() as running:
        try:
            url, _ = running.enter_context(database(home, create=False))
        except HomeBusy:
            of_service = url_of_running(home)
            if of_service is None:
                raise
            url = of_service
        yield url


def require_data(home: Path) -> None:
    """Raise NoDatabase if the data folder has no database. The message names folders with a database."""
    if _has_data(home):
        return
    others = [other for other in dict.fromkeys((default_home(), user_home())) if _has_data(other)]
    raise NoDatabase(
        f"There is no database in the data folder {home.absolute()}.\n"
        + "".join(f"There is one in {other}.\n" for other in others)
        + "Name a data folder with --home, or a database with DATABASE_URL."
    )


def _has_data(home: Path) -> bool:
    try:
        return has_data(home)
    except OSError:
        return False


def migrate_database(url: str) -> list[str]:
    """Migrate the tables to this version's shape and print every step. Returns the applied steps."""
    return apply_migrations(url, progress=lambda step: click.echo(capital(step), err=True))


def service_side(url: str) -> str:
    """Return the URL with which the service logs in, for the owner's URL of a database.

    Raises StoreUnavailable, with advice if the login is refused.
    """
    return service_url(os.environ.get("DATABASE_URL") or url)
