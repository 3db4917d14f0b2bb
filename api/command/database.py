"""The database of a command: the one of DATABASE_URL, or the embedded one in the data folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

import click
import sqlalchemy

from api.command.failures import BadInput, HomeInUse, NoDatabase, NoGame, capital
from api.command.options import default_home, user_home
from api.command.progress import patience
from ledger import rulebooks
from ledger.games.games import UnknownGame
from ledger.service import Ledger
from ledger.store.connection import connect, service_url
from ledger.store.database_url import driver_parameters
from ledger.store.migration import migrate as apply_migrations
from ledger.store.postgres.embedded import EmbeddedPostgres, HomeBusy, has_data, url_of_running
from ledger.store.records import GameRecord
from ledger.store.service_role import OWNER_VARIABLE
from ledger.store.store import Store
from ledger.trust.keys import BadKeys, Keys

_PAGE = 100

ASK_THE_SERVICE = "To ask the service that runs there, name a --token."
KEYS_VARIABLE = "MABLIGOP_SIGNING_KEYS"
"""The variable that names the file of the keys with which logs are signed."""
KEYS = "signing-keys"
"""The name of this file in the data folder."""
END_THE_SERVICE = "End it first, or name a database of yours."


@contextmanager
def database(home: Path, *, made: bool = True) -> Iterator[tuple[str, bool]]:
    """The owner's URL of the database, and whether it is the embedded one, which runs as long as the block.

    With `made` the embedded database is created in the data folder when it is missing. Raises BadInput, HomeBusy,
    PostgresUnavailable; without `made` NoDatabase when the data folder has no database, and creates nothing.
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
    if not made:
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
    """The URL of a database that exists, also of a data folder that a service uses: its server is asked then.

    Only for reading. Raises the same as `database`; HomeBusy when the service has no server that is ready.
    """
    with ExitStack() as running:
        try:
            url, _ = running.enter_context(database(home, made=False))
        except HomeBusy:
            of_service = url_of_running(home)
            if of_service is None:
                raise
            url = of_service
        yield url


def require_data(home: Path) -> None:
    """Raise NoDatabase when the data folder has no database. The message says where there is one."""
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
    """The URL with which the service logs in to the database with this URL of its owner.

    Raises StoreUnavailable, with what to do when the login is refused.
    """
    return service_url(os.environ.get("DATABASE_URL") or url)


@contextmanager
def ledger_in(home: Path, *, migrated: bool, when_busy: str) -> Iterator[Ledger]:
    """The ledger of the database.

    With `migrated` the database is created and its tables are migrated first; otherwise both must exist. Raises
    HomeInUse, with the advice `when_busy`, when a service uses the data folder; NoDatabase; and NoGame, with the
    place that was searched, for a game that the block does not find.
    """
    place = "the database of DATABASE_URL"
    try:
        with database(home, made=migrated) as (url, embedded):
            if embedded:
                place = f"the data folder {home.absolute()}"
            if migrated:
                with patience("Migrating …"):
                    migrate_database(url)
            with ledger_on(url, home, migrated=migrated) as ledger:
                yield ledger
    except HomeBusy as fault:
        raise HomeInUse(f"{capital(str(fault))}.\n{when_busy}") from fault
    except UnknownGame as fault:
        raise NoGame(f"There is no game {fault} in {place}") from fault


@contextmanager
def ledger_on(url: str, home: Path, *, migrated: bool = False) -> Iterator[Ledger]:
    """The ledger of the database with this URL of its owner, and of the keys in the data folder, if it has any.

    Raises NotMigrated for other tables than those of this version, unless they have just been `migrated`.
    """
    engine = _engine(os.environ.get("DATABASE_URL") or url)
    try:
        store = Store(engine)
        if not migrated:
            store.ready()
        yield Ledger(store, rulebooks.known(), keys=keys_in(home))
    finally:
        engine.dispose()


def keys_in(home: Path) -> Callable[[], Keys] | None:
    """The keys that sign the games' logs: those that the environment names, or those of the data folder.

    None where there are none: a key is derived from the secret of the database then. Raises BadInput.
    """
    path = Path(os.environ.get(KEYS_VARIABLE) or home / KEYS)
    if not path.exists():
        return None
    try:
        read = Keys.read(path)
    except BadKeys as fault:
        raise BadInput(str(fault)) from fault
    return lambda: read


def _engine(url: str) -> sqlalchemy.Engine:
    try:
        return connect(url)
    except ValueError as fault:
        raise BadInput(str(fault)) from fault


def games_of(ledger: Ledger) -> list[str]:
    """The ids of all games of the database whose rulebooks are known, newest first."""
    known = rulebooks.known()
    return [one.game_id for one in _records(ledger) if one.rulebook in known]


def all_games(ledger: Ledger) -> list[str]:
    """The ids of all games of the database, newest first."""
    return [one.game_id for one in _records(ledger)]


def _records(ledger: Ledger) -> Iterator[GameRecord]:
    after: tuple[datetime, str] | None = None
    while page := ledger.store.games(after=after, limit=_PAGE):
        yield from page
        after = page[-1].created_at, page[-1].game_id
