"""Moving the data of an embedded Postgres to a later version of Postgres: by a backup into a new cluster."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ledger.store.backups.archive import Backup, Manifest, Progress, no_progress
from ledger.store.backups.restoring import Check, restore
from ledger.store.backups.writing import write_backup
from ledger.store.postgres.embedded import (
    EmbeddedPostgres,
    PostgresUnavailable,
    version_of_data,
    version_to_upgrade_to,
)
from ledger.store.postgres.watchdog import try_lock

FOLDER = "upgrade"
"""The folder in a home for the new cluster."""

_STOP_SECONDS = 90.0
_POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Upgraded:
    """The result of moving the data to another version of Postgres. `old_data` is the folder with the old data."""

    old: int
    new: int
    old_data: Path
    contents: Manifest
    findings: Sequence[str]


def upgrade(
    home: Path, check: Check, *, made_by: str, despite_findings: bool = False, progress: Progress = no_progress
) -> Upgraded | None:
    """Move the data of the embedded Postgres in this home to the latest version.

    None if the version is the latest already. The old server makes a backup. The backup is restored into a new
    cluster, and checked. Then the clusters change places; the old cluster is kept. A failure or a kill leaves
    the home unchanged. Takes the arguments of `restore`. Raises the errors of `restore`, `write_backup` and
    `EmbeddedPostgres.start`.
    """
    old, new = version_of_data(home), version_to_upgrade_to(home)
    if old is None or new is None:
        return None
    folder = home.expanduser().absolute() / FOLDER
    with EmbeddedPostgres(home) as old_server:
        _clear(folder)  # Leftovers of a killed upgrade. The home is locked, so no parallel upgrade runs.
        try:
            file = folder / "backup.zip"
            with EmbeddedPostgres(folder, major=new) as new_server:
                with file.open("xb") as output:
                    file.chmod(0o600)
                    write_backup(old_server.url, output, made_by=made_by)
                with Backup(file) as backup:
                    contents = backup.manifest
                    findings = restore(
                        new_server.url, backup, check, despite_findings=despite_findings, progress=progress
                    )
            old_data = old_server.exchange_data(folder / "postgres" / "data")
        finally:
            _clear(folder)
    return Upgraded(old, new, old_data, contents, findings)


def _clear(folder: Path) -> None:
    """Remove the folder of a new cluster after the end of all server processes in the folder."""
    lock = folder / "postgres" / "lock"
    deadline = time.monotonic() + _STOP_SECONDS
    while lock.exists():
        with lock.open("rb") as lock_file:
            if try_lock(lock_file.fileno()):
                break
        if time.monotonic() > deadline:
            raise PostgresUnavailable(f"the server of an interrupted upgrade in {folder} does not stop")
        time.sleep(_POLL_SECONDS)
    if folder.exists():
        shutil.rmtree(folder)
