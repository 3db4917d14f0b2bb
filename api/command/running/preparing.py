"""Preparing a service: the database, and the keys that sign the games' logs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import LiteralString

import click
import psycopg

from api import settings
from api.command.running.database import KEYS, database, keys_file, migrate_database, service_side
from api.command.terminal.failures import BadInput
from ledger.store.database.database_url import driver_parameters
from ledger.store.database.limits import Limits
from ledger.store.database.service_role import OWNER_VARIABLE
from ledger.store.postgres.embedded import version_of_data, version_to_upgrade_to
from ledger.trust.keys import BadKeys, Keys

_MISSED = (
    "There are games, but no {files} in {home}: {consequences}. If the games come from another machine, stop the"
    " service and copy {files} from its data folder"
)

_OTHERS = (
    "Logs of the database were signed by {names} before, without a key in {path}. Now {service} signs, and whoever"
    " holds the old key or a receipt is warned. If you have the old file of keys, stop the service and put it back"
)

# The index of the checkpoints gives the first and the last origin of each game at once.
_OTHER_NAMES: LiteralString = """
SELECT DISTINCT split_part(other.origin, '/', 1) FROM games, LATERAL (
  (SELECT origin FROM checkpoints WHERE checkpoints.game_id = games.game_id
      AND origin < %(service)s || '/' || games.game_id ORDER BY origin LIMIT 1)
  UNION ALL
  (SELECT origin FROM checkpoints WHERE checkpoints.game_id = games.game_id
      AND origin > %(service)s || '/' || games.game_id ORDER BY origin DESC LIMIT 1)
) AS other ORDER BY 1
"""


def prepare(home: Path, running: ExitStack, *, new_authority: bool = False) -> Mapping[str, str]:
    """Start the database for the life of the stack, and migrate it. Create the keys at the first start.

    If games exist, missing files beside the database are reported: the keys, and, with `new_authority`, the
    authority trusted by phones.

    Returns the environment variables for the workers. Removes the owner's URL, because workers need not know
    it. Raises BadInput for a wrong setting, and all exceptions of `database`.
    """
    try:
        Limits.configured()
    except ValueError as fault:
        raise BadInput(str(fault)) from fault
    url, embedded = running.enter_context(database(home))
    if embedded and (newer := version_to_upgrade_to(home)) is not None:
        click.echo(
            f"The data is of Postgres {version_of_data(home)}: `mabligop upgrade` moves it to {newer}", err=True
        )
    migrate_database(url)
    path, keys, new_keys = _make_keys(home)
    if (new_keys or new_authority) and _has_games(url):
        missed = {KEYS: "their logs are signed with a new key"} if new_keys else {}
        missed |= {"tls/": "phones have to trust the service anew"} if new_authority else {}
        files, consequences = (" and ".join(names) for names in (missed, missed.values()))
        click.echo(_MISSED.format(files=files, home=home.absolute(), consequences=consequences), err=True)
    if others := _other_names(url, keys.service):
        click.echo(_OTHERS.format(path=path, names=", ".join(others), service=keys.service), err=True)
    service = service_side(url)
    os.environ.pop(OWNER_VARIABLE, None)
    return {"DATABASE_URL": service, settings.KEYS_VARIABLE: str(path)}


def _has_games(url: str) -> bool:
    with psycopg.connect(**driver_parameters(url)) as connection:
        return connection.execute("SELECT 1 FROM games LIMIT 1").fetchone() is not None


def _other_names(url: str, service: str) -> list[str]:
    """Return names under which a service without these keys signed logs of the database: at most two of a game."""
    with psycopg.connect(**driver_parameters(url)) as connection:
        rows = connection.execute(_OTHER_NAMES, {"service": service}).fetchall()
    return [str(row[0]) for row in rows]


def _make_keys(home: Path) -> tuple[Path, Keys, bool]:
    """Create the keys that sign the games' logs at the first start.

    Returns the file, the keys, and True if the file is new. Raises BadInput for an unusable file.
    """
    path = keys_file(home)
    try:
        home.mkdir(parents=True, exist_ok=True)
        new = not path.exists()
        return path, Keys.ensure(path), new
    except BadKeys as fault:
        raise BadInput(str(fault)) from fault
    except OSError as fault:
        raise BadInput(
            f"the data folder {home.absolute()} cannot be made ({fault.strerror}): name a folder of the service's"
            " user with --home or MABLIGOP_HOME"
        ) from fault
