"""The command `migrate`: migrate a database to the shape of this version."""

from __future__ import annotations

from pathlib import Path

import click

from api.command.running.database import database, migrate_database, service_side
from api.command.terminal.failures import Command, HomeInUse, capital
from api.command.terminal.options import home_option
from api.command.terminal.progress import patience
from ledger.store.postgres.embedded import HomeBusy


@click.command(cls=Command)
@home_option
def migrate(home: Path) -> None:
    """Bring the tables of the database to this version's shape.

    The database is that of DATABASE_URL, or the one in the data folder. `mabligop serve` does this by itself when
    it starts. Use this command when DATABASE_URL names the service's own login, which may not change tables:
    MABLIGOP_OWNER_URL then names the owner's.
    """
    try:
        with database(home) as (url, _), patience("Migrating …"):
            applied = migrate_database(url)
            service_side(url)
    except HomeBusy as fault:
        raise HomeInUse(
            f"{capital(str(fault))}.\nThere is nothing to do: `mabligop serve` migrates when it starts."
        ) from fault
    if not applied:
        click.echo("The database is up to date.")
    for revision in applied:
        click.echo(f"Applied {revision}")
