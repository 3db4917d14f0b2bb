"""The command `backup`: write the whole database to a file, even while a service runs."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import click

from api.command.running.database import database_in_use
from api.command.running.signals import interruptible
from api.command.terminal.counts import count
from api.command.terminal.failures import Command
from api.command.terminal.options import home_option
from api.command.terminal.output_file import STANDARD_OUTPUT, output_file
from api.command.terminal.progress import progress
from ledger.store.backups.archive import Manifest
from ledger.store.backups.writing import write_backup


@click.command(cls=Command)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("-f", "--force", is_flag=True, help="Replace a file that is there already.")
@home_option
def backup(file: str, force: bool, home: Path) -> None:
    """Write a backup of the database to a FILE, or to standard output (-).

    The database is that of DATABASE_URL, or the one in the data folder. The service may go on: all games are
    backed up as they are at one moment. `mabligop restore` makes the same database of it, on any version of
    Postgres.

    The file appears only when it is complete, and only its owner can read it. Keep it secret: it has all that is
    hidden in the games, and the secret of the installation.
    """
    with (
        interruptible(),
        database_in_use(home) as url,
        output_file(file, replace=force, private=True) as output,
        progress("Backing up (rows)") as tell,
    ):
        manifest = write_backup(url, output, made_by=version("mabligop"), progress=tell)
    to = "" if file == STANDARD_OUTPUT else f" to {file}"
    click.echo(f"Backed up {contents(manifest)}{to}", err=True)


def contents(manifest: Manifest) -> str:
    """Describe the contents of a backup, in words."""
    rows = {table.name: table.rows for table in manifest.tables}
    games, actions, events = (rows.get(name, 0) for name in ("games", "actions", "events"))
    return f"{count(games, 'game')}, {count(actions, 'action')}, {count(events, 'event')}"
