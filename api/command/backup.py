"""The command `backup`: write the whole database to a file, even while a service runs."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import click

from api.command.running.carrying import (
    CONSEQUENCES,
    PASSPHRASE,
    keys_beside,
    passphrase,
    passphrase_option,
)
from api.command.running.database import KEYS, database_in_use
from api.command.running.signals import interruptible
from api.command.terminal.counts import count
from api.command.terminal.failures import BadInput, Command
from api.command.terminal.options import home_option
from api.command.terminal.output_file import STANDARD_OUTPUT, output_file
from api.command.terminal.progress import progress
from ledger.store.backups.archive import Manifest
from ledger.store.backups.writing import write_backup


@click.command(cls=Command)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("-f", "--force", is_flag=True, help="Replace a file that is there already.")
@passphrase_option
@click.option("--without-keys", is_flag=True, help="Leave out the keys beside the database.")
@home_option
def backup(file: str, force: bool, passphrase_file: Path | None, without_keys: bool, home: Path) -> None:
    """Write a backup of the database to a FILE, or to standard output (-).

    The database is that of DATABASE_URL, or the one in the data folder. The service may go on: all games are
    backed up as they are at one moment. `mabligop restore` makes the same database of it, on any version of
    Postgres.

    The keys beside the database come along, sealed by a passphrase: those that sign logs (signing-keys), and the
    authority that phones trust (tls/). The passphrase is in a file or in MABLIGOP_BACKUP_PASSPHRASE, or it is
    asked on the terminal. Keep it elsewhere: without it the keys are lost.

    The file appears only when it is complete, and only its owner can read it. Keep it secret: it has all that is
    hidden in the games, and the secret of the installation. Only the keys in it are sealed.
    """
    keys = {} if without_keys else keys_beside(home)
    secret = passphrase(passphrase_file, new=True) if keys else ""
    if secret is None:
        raise BadInput(
            f"The backup carries the keys of the service ({', '.join(keys)}), sealed by a passphrase. Name a file"
            f" that has one with --passphrase-file, or set {PASSPHRASE}. To leave the keys out, add"
            f" --without-keys: after a restoration without them {CONSEQUENCES[KEYS]}"
        )
    with (
        interruptible(),
        database_in_use(home) as url,
        output_file(file, replace=force, private=True) as output,
        progress("Backing up (rows)") as tell,
    ):
        manifest = write_backup(
            url, output, made_by=version("mabligop"), keys=keys, passphrase=secret, progress=tell
        )
    to = "" if file == STANDARD_OUTPUT else f" to {file}"
    click.echo(f"Backed up {contents(manifest)}{to}", err=True)
    if keys:
        click.echo(f"The keys are in it, sealed by the passphrase: {', '.join(keys)}", err=True)
    else:
        why = "as asked" if without_keys else f"there are none in {home.absolute()}"
        click.echo(f"It has no keys, {why}: keep a copy of {KEYS} and tls/ elsewhere", err=True)


def contents(manifest: Manifest) -> str:
    """Describe the contents of a backup, in words."""
    rows = {table.name: table.rows for table in manifest.tables}
    games, actions, events = (rows.get(name, 0) for name in ("games", "actions", "events"))
    return f"{count(games, 'game')}, {count(actions, 'action')}, {count(events, 'event')}"
