"""The command `restore`: make a database from a backup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import sqlalchemy

from api.command.backup import contents
from api.command.running.carrying import (
    CONSEQUENCES,
    in_place,
    keys_in_backup,
    passphrase_option,
    require_room,
)
from api.command.running.database import KEYS, database, keys_file
from api.command.running.ledgers import END_THE_SERVICE, all_games
from api.command.running.signals import interruptible
from api.command.terminal.failures import BadInput, Command, FindingsThere, GameThere, HomeInUse, capital
from api.command.terminal.options import home_option
from api.command.terminal.progress import patience, progress
from ledger import rulebooks
from ledger.service import Ledger
from ledger.store.backups import restoring
from ledger.store.backups.archive import Backup, BadBackup, utc
from ledger.store.postgres.embedded import HomeBusy
from ledger.store.store import Store
from ledger.trust.verifying import verify

_MOST_LINES = 20


@click.command(cls=Command)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--despite-findings", is_flag=True, help="Restore it even if journals are damaged.")
@passphrase_option
@click.option("--without-keys", is_flag=True, help="Leave the keys of the backup in the file.")
@home_option
def restore(
    file: Path, despite_findings: bool, passphrase_file: Path | None, without_keys: bool, home: Path
) -> None:
    """Restore a backup from a FILE into an empty database.

    The database is that of DATABASE_URL, whose user must own it, or the one in the data folder, which is created
    when it is missing. A database with games is refused; no service may use it.

    The whole file is checked first. Its tables are brought to this version's shape, and its journals are verified.
    Only then they appear in the database, all at once. After a failure or a kill the database is as empty as
    before. Keys in the backup come back to their places in the data folder, with the passphrase. A different key
    there is never replaced: such a restoration is refused.
    """
    try:
        with interruptible(), blaming("nothing was restored"), Backup(file) as backup:
            with patience("Checking the file …"):
                backup.check()
            keys = {} if without_keys else keys_in_backup(backup, file, passphrase_file)
            require_room(home, keys)
            with database(home) as (url, _):
                restoring.require_empty(url)
                with in_place(home, keys), progress("Restoring (bytes)") as tell:
                    findings = restoring.restore(
                        url, backup, findings_in, despite_findings=despite_findings, progress=tell
                    )
    except HomeBusy as fault:
        raise HomeInUse(f"{capital(str(fault))}.\n{END_THE_SERVICE}") from fault
    except OSError as fault:
        raise BadInput(f"{file} cannot be read: {fault.strerror}") from fault
    if findings:
        click.echo(listed(findings), err=True)
    manifest = backup.manifest
    click.echo(
        f"Restored {contents(manifest)}, backed up at {utc(manifest.made_at)} by version {manifest.made_by}."
    )
    click.echo(f"Findings in the journals: {len(findings)}.")
    if keys:
        click.echo(f"The keys are back in {home}: {', '.join(keys)}. The service signs with them as before.")
    elif missing := [
        name for name, path in {KEYS: keys_file(home), "tls/": home / "tls"}.items() if not path.exists()
    ]:
        click.echo(
            f"{'The keys stay in the file' if manifest.keys else 'The backup has no keys'}."
            f" Missing in {home}: {'; '.join(f'{name} ({CONSEQUENCES[name]})' for name in missing)}."
            " To prevent this, copy them from the earlier data folder before the service starts."
        )


@contextmanager
def blaming(consequence: str) -> Iterator[None]:
    """Turn obstacles to a restoration into failures that name the consequence for the data."""
    try:
        yield
    except BadBackup as fault:
        raise BadInput(f"{capital(str(fault))}; {consequence}") from fault
    except restoring.DatabaseNotEmpty as fault:
        raise GameThere(f"{capital(str(fault))}; {consequence}") from fault
    except restoring.FindingsError as fault:
        raise FindingsThere(
            f"{listed(fault.findings)}\n{capital(str(fault))}; {consequence}. "
            "To go on all the same, add --despite-findings"
        ) from fault


def findings_in(engine: sqlalchemy.Engine) -> Sequence[str]:
    """Verify all games of a database. Returns a sentence for each finding."""
    ledger = Ledger(Store(engine), rulebooks.rulebooks_by_id())
    findings: list[str] = []
    games = all_games(ledger)
    with progress("Verifying games") as tell:
        for done, game in enumerate(games, start=1):
            findings += (capital(str(finding)) for finding in verify(ledger.games, game))
            tell(done, len(games))
    return findings


def listed(findings: Sequence[str]) -> str:
    """Write the first findings, one per line."""
    extra = len(findings) - _MOST_LINES
    return "\n".join([*findings[:_MOST_LINES], *([f"… and {extra} more"] if extra > 0 else [])])
