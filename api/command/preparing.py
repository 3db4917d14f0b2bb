"""Preparing a service: its database, and the keys that sign the games' logs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import click

from api import settings
from api.command.database import KEYS, database, migrate_database, service_side
from api.command.failures import BadInput
from ledger.store.limits import Limits
from ledger.store.postgres.embedded import version_of_data, version_to_upgrade_to
from ledger.store.service_role import OWNER_VARIABLE
from ledger.trust.keys import BadKeys, Keys


def prepare(home: Path, running: ExitStack) -> Mapping[str, str]:
    """Start the database, which runs as long as the stack, and migrate it. Make the keys at the first start.

    Returns the variables that the workers need for both, and removes from the environment the URL of the owner,
    which they need not know. Raises BadInput for a wrong setting, and what `database` raises.
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
    keys = _make_keys(home)
    service = service_side(url)
    os.environ.pop(OWNER_VARIABLE, None)
    return {"DATABASE_URL": service, settings.KEYS_VARIABLE: keys}


def _make_keys(home: Path) -> str:
    """Make the keys that sign the games' logs at the first start. Returns the name of their file.

    Raises BadInput for a file that is no such.
    """
    named = os.environ.get(settings.KEYS_VARIABLE) or str(home / KEYS)
    try:
        home.mkdir(parents=True, exist_ok=True)
        Keys.kept(Path(named))
    except (BadKeys, OSError) as fault:
        raise BadInput(str(fault)) from fault
    return named
