"""The keys beside the database, for backups: those that sign logs, and the authority trusted by phones."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

import click

from api.command.running.database import KEYS, keys_file
from api.command.terminal.failures import BadInput
from ledger.store.backups.archive import Backup, BadBackup
from ledger.store.backups.sealing import WrongPassphrase, unseal

AUTHORITY = ("tls/authority.pem", "tls/authority-key.pem")
"""The files of the authority. The certificate of the service is made anew for another machine."""
PASSPHRASE = "MABLIGOP_BACKUP_PASSPHRASE"  # noqa: S105 - the name of the variable
_SHORTEST = 8

passphrase_option = click.option(
    "--passphrase-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help=f"The file with the passphrase of the keys, in its first line.  [default: {PASSPHRASE}, or it is asked]",
)

CONSEQUENCES = {
    KEYS: "the service makes a new key when it starts, and whoever holds the old key or a receipt is warned",
    "tls/": "with --https, phones have to trust the service anew",
}
"""The consequences of missing keys."""


def keys_beside(home: Path) -> dict[str, bytes]:
    """Return the contents of the keys that are there, by their names in backups. Raises BadInput."""
    try:
        return {name: path.read_bytes() for name, path in _places(home).items() if path.exists()}
    except OSError as fault:
        raise BadInput(f"The keys of the service cannot be read: {fault}") from fault


def passphrase(file: Path | None, *, new: bool) -> str | None:
    """Return the passphrase in a file or in the environment, or ask for it on a terminal; else None.

    A `new` passphrase is asked for twice. Raises BadInput.
    """
    text = os.environ.get(PASSPHRASE)
    if file is not None:
        try:
            text = file.read_text().partition("\n")[0]
        except (OSError, UnicodeDecodeError) as fault:
            raise BadInput(f"{file} cannot be read: {fault}") from fault
    elif text is None and sys.stdin.isatty():
        text = click.prompt("Passphrase of the keys", hide_input=True, confirmation_prompt=new, err=True)
    if new and text is not None and len(text) < _SHORTEST:
        raise BadInput(f"The passphrase has {len(text)} letters, and needs at least {_SHORTEST}")
    return text


def keys_in_backup(backup: Backup, file: Path, passphrase_file: Path | None) -> dict[str, bytes]:
    """Return the keys in a backup by their names; none for a backup without keys. Raises BadInput, BadBackup."""
    if backup.manifest.keys is None:
        return {}
    secret = passphrase(passphrase_file, new=False)
    if secret is None:
        raise BadInput(
            f"{file} has keys ({', '.join(backup.manifest.keys.names)}), sealed by a passphrase. Name its file"
            f" with --passphrase-file, or set {PASSPHRASE}. To restore without them, add --without-keys:"
            f" then {CONSEQUENCES[KEYS]}"
        )
    try:
        files = unseal(backup.sealed_keys(), secret)
    except WrongPassphrase as fault:
        raise BadInput(f"{file}: {fault}; nothing was restored") from fault
    if not files.keys() <= {KEYS, *AUTHORITY}:
        raise BadBackup(f"{file} is no backup: it has keys of wrong names")
    return files


def require_room(home: Path, files: Mapping[str, bytes]) -> None:
    """Raise BadInput for a key in the place of a different key."""
    for name, path in _places(home).items():
        if name in files and path.exists() and path.read_bytes() != files[name]:
            raise BadInput(
                f"{path} is there already, and is not the one of the backup; nothing was restored."
                " Move it away, or keep it and add --without-keys"
            )


@contextmanager
def in_place(home: Path, files: Mapping[str, bytes]) -> Iterator[None]:
    """Write the keys to their places, each file whole or not at all. An exception in the block removes the new
    files again.
    """
    new: list[Path] = []
    try:
        for name, path in _places(home).items():
            if name in files and not path.exists():
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                mode = 0o600 if b"PRIVATE" in files[name] else 0o644
                with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as file:
                    file.write(files[name])
                    file.flush()
                    os.fchmod(file.fileno(), mode)
                    os.fsync(file.fileno())
                    os.link(file.name, path)
                    new.append(path)
        yield
    except BaseException:
        for path in new:
            path.unlink(missing_ok=True)
        raise


def _places(home: Path) -> dict[str, Path]:
    return {KEYS: keys_file(home), **{name: home / name for name in AUTHORITY}}
