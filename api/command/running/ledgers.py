"""The ledger of a command, on the database of the command."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from pathlib import Path

import sqlalchemy

from api.command.running.database import database, database_in_use, keys_file, migrate_database
from api.command.terminal.failures import BadInput, HomeInUse, NoGame, capital
from api.command.terminal.progress import patience
from ledger import rulebooks
from ledger.games.games import UnknownGame
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.postgres.embedded import HomeBusy
from ledger.store.records import GameRecord
from ledger.store.store import Store
from ledger.trust.keys import BadKeys, Keys

_PAGE = 100

END_THE_SERVICE = "End it first, or name a database of yours."


@contextmanager
def ledger_in(home: Path, *, migrated: bool) -> Iterator[Ledger]:
    """Open the ledger of the command's database.

    With `migrated` the database is created and its tables are migrated first; no service may use the data folder
    (HomeInUse). Otherwise both must exist, and a service may go on beside the command. Raises NoDatabase; and
    NoGame, with the name of the database, for a game unknown to the block.
    """
    try:
        if migrated:
            with database(home) as (url, _):
                with patience("Migrating …"):
                    migrate_database(url)
                with ledger_on(url, home, migrated=True) as ledger:
                    yield ledger
        else:
            with database_in_use(home) as url, ledger_on(url, home) as ledger:
                yield ledger
    except HomeBusy as fault:
        raise HomeInUse(f"{capital(str(fault))}.\n{END_THE_SERVICE}") from fault
    except UnknownGame as fault:
        of_url = os.environ.get("DATABASE_URL")
        location = "the database of DATABASE_URL" if of_url else f"the data folder {home.absolute()}"
        raise NoGame(f"There is no game {fault} in {location}") from fault


@contextmanager
def ledger_on(url: str, home: Path, *, migrated: bool = False) -> Iterator[Ledger]:
    """Open the ledger of the database at the owner's URL, with the keys in the data folder, if any.

    Raises NotMigrated for tables of another version, unless just `migrated`.
    """
    engine = _engine(os.environ.get("DATABASE_URL") or url)
    try:
        store = Store(engine)
        if not migrated:
            store.ready()
        yield Ledger(store, rulebooks.rulebooks_by_id(), keys=keys_in(home))
    finally:
        engine.dispose()


def keys_in(home: Path) -> Callable[[], Keys] | None:
    """Return the keys that sign the games' logs, from the environment or from the data folder.

    None without keys: a key is then derived from the secret of the database. Raises BadInput.
    """
    path = keys_file(home)
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
    """Return the ids of all games in the database with known rulebooks, newest first."""
    books = rulebooks.rulebooks_by_id()
    return [record.game_id for record in _records(ledger) if record.rulebook in books]


def all_games(ledger: Ledger) -> list[str]:
    """Return the ids of all games in the database, newest first."""
    return [record.game_id for record in _records(ledger)]


def record_pages(ledger: Ledger) -> Iterator[list[GameRecord]]:
    """Yield the records of all games in the database, newest first, a hundred at a time."""
    position: tuple[datetime, str] | None = None
    while page := ledger.store.games.newest(cursor=position, limit=_PAGE):
        yield page
        position = page[-1].created_at, page[-1].game_id


def _records(ledger: Ledger) -> Iterator[GameRecord]:
    return chain.from_iterable(record_pages(ledger))
