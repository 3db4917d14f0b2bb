"""Checks of the machine: settings, versions, files, disk, keys, backups."""

from __future__ import annotations

import ipaddress
import os
import platform
import resource
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from api import settings
from api.command.doctor.findings import Finding, fault, note, warning, well
from api.command.doctor.installation import Installation
from api.command.running import addresses
from api.command.running.certificates import FOLDER as TLS
from api.command.running.database import KEYS
from api.front.doorkeeper import places_within
from api.rest.admission.hostnames import LOOPBACK
from api.rest.running import logs
from api.rest.service.console import BUILT
from ledger.store.backups.archive import Backup, BadBackup, utc
from ledger.store.database.errors import StoreError
from ledger.store.database.examining import data_folder
from ledger.store.database.limits import Limits
from ledger.store.records import GameRecord
from ledger.store.selecting import LARGEST
from ledger.trust.checkpoints import Checkpoint, verified
from ledger.trust.keys import BadKeys, Keys

_LITTLE, _TOO_LITTLE = 1024**3, 200 * 1024**2
"""The free bytes of a disk below which the doctor warns, or reports a fault: Postgres stops on a full disk."""
_FEW_NAMES = 10_000
"""The number of further files below which the doctor warns."""
_FEW_CLIENTS = 1024
_SHORTEST_KEY = 16
"""The characters of a creation key that cannot be guessed."""
_OLDEST_BACKUP = timedelta(hours=48)
"""The age of the newest backup from which the doctor warns: one night was missed."""
_LOOKED_AT = 20
"""The number of newest games in search of a signed log."""


def examine_settings(installation: Installation) -> Iterator[Finding]:
    """Read the settings by the code of the service."""
    readers = (
        settings.configured,
        settings.connections,
        settings.trusted_proxies,
        addresses.configured_url,
        logs.configuration,
        Limits.configured,
    )
    good = True
    for reader in readers:
        try:
            reader()
        except ValueError as refusal:
            good = False
            yield fault(str(refusal), "Mend the setting: the service does not start with it")
    if good:
        yield well("the settings can be read")


def examine_program(installation: Installation) -> Iterator[Finding]:
    """Look at the program, Python, and the pages of the console."""
    program = f"Mabligop {version('mabligop')}, Python {platform.python_version()}"
    if not (BUILT / "index.html").exists():
        yield fault(f"{program}: the pages of the console are not built", "Run `make console`, then start again")
    elif _has_older_pages():
        yield warning(
            f"{program}: the pages of the console are older than their source",
            "Run `make console`, then start again",
        )
    else:
        yield well(f"{program}, pages of the console built")


def _has_older_pages() -> bool:
    """Return True if the pages are older than their source. An installed program has no source."""
    if find_spec("api.console.pages") is None:
        return False
    from api.console import pages

    return not pages.current()


def examine_proxies(installation: Installation) -> Iterator[Finding]:
    """Compare the public address with the trusted proxies."""
    proxies, public = settings.trusted_proxies(), addresses.configured_url()
    everybody = [proxy for proxy in proxies if ipaddress.ip_network(proxy).prefixlen == 0]
    if everybody:
        yield warning(
            f"MABLIGOP_TRUSTED_PROXIES has {', '.join(everybody)}: every caller may claim any address",
            "Name the addresses of your proxies only",
        )
    if public is not None and not proxies and _port(public) != _port(installation.url):
        yield warning(
            f"the public address {public} is not the port of the service, so a proxy stands in front, and no proxy"
            " is trusted: all callers count as one address",
            "Name the proxy in MABLIGOP_TRUSTED_PROXIES",
        )
    if proxies and public is None and not settings.configured().hosts and not _is_exposed_at(installation.url):
        yield warning(
            "a proxy is trusted, and the service knows no name for itself but those of this machine: requests by"
            " the public name get 421",
            "Name the public name in MABLIGOP_HOSTS or MABLIGOP_PUBLIC_URL",
        )
    elif not everybody and (proxies or public is None or _port(public) == _port(installation.url)):
        yield well(f"trusted proxies: {', '.join(proxies) or 'none'}; public address: {public or 'none'}")


def examine_open_files(installation: Installation) -> Iterator[Finding]:
    """Look at the number of connections that the limit of open files allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    clients = places_within(hard)
    if clients < _FEW_CLIENTS:
        yield warning(
            f"the limit of open files ({hard}) allows {clients} connections of a worker",
            "Raise the limit (`ulimit -Hn`; systemd: LimitNOFILE=16384)",
        )
    else:
        yield well(f"the limit of open files allows {clients} connections of a worker")


def examine_disk(installation: Installation) -> Iterator[Finding]:
    """Look at the free space of the data folder and of the database's folder, and write a file."""
    connection = installation.connection
    of_database = None if connection is None else data_folder(connection)
    folders = [folder for folder in (installation.home, of_database) if folder is not None and folder.is_dir()]
    # Two folders of one disk are one disk.
    for folder in {folder.stat().st_dev: folder for folder in reversed(folders)}.values():
        yield _space(folder)
    if not installation.home.is_dir():
        yield note(f"the data folder {installation.home.absolute()} does not exist yet")
        return
    try:
        with tempfile.TemporaryFile(dir=installation.home) as file:
            file.write(b"0" * 4096)
            file.flush()
            os.fsync(file.fileno())
    except OSError as refusal:
        yield fault(
            f"the data folder {installation.home.absolute()} cannot be written: {refusal.strerror}",
            "Give the folder to the user of the service, and look for a full disk or a read-only mount",
        )


def _space(folder: Path) -> Finding:
    disk = os.statvfs(folder)
    free = disk.f_bavail * disk.f_frsize
    text = f"{free / 1024**3:.1f} GiB free in {folder.absolute()}"
    if free < _TOO_LITTLE:
        return fault(text, "Make room now: a full disk stops every game")
    if free < _LITTLE:
        return warning(text, "Make room soon: a full disk stops every game")
    # Some file systems do not count their files.
    if disk.f_files and disk.f_favail < _FEW_NAMES:
        return warning(f"{text}, but room for {disk.f_favail} more files only", "Remove small files")
    return well(text)


def examine_keys(installation: Installation) -> Iterator[Finding]:
    """Look at the files with secrets, and sign with the keys of the logs."""
    path = Path(os.environ.get(settings.KEYS_VARIABLE) or installation.home / KEYS)
    tls = installation.home / TLS
    secrets = [file for file in (path, tls / "key.pem", tls / "authority-key.pem") if file.exists()]
    open_files = [file for file in secrets if stat.S_IMODE(file.stat().st_mode) & 0o077]
    for file in open_files:
        yield fault(
            f"{file} can be read by other users (mode {stat.S_IMODE(file.stat().st_mode):o})", f"chmod 600 {file}"
        )
    if not path.exists():
        if _newest(installation):
            yield warning(
                f"there are games, but no {path}: the next start makes a new key for their logs",
                "Copy the file from the earlier data folder, or keep the new file from then on",
            )
        else:
            yield note(f"no {path} yet: the first start makes the file")
        return
    try:
        keys = Keys.read(path)
    except BadKeys as refusal:
        yield fault(str(refusal), "Restore the file from your copy")
        return
    signed = keys.sign(Checkpoint(keys.origin("doctor"), 0, bytes(32)), "doctor")
    for verifier in keys.verifiers("doctor"):
        verified(signed, verifier)
    stranger = _stranger(installation, keys)
    if stranger is not None:
        yield warning(
            f"{path} has the key of {keys.service}, but the newest signed log is of {stranger}",
            "If a copy of the earlier file exists, put its lines below the first line of this file",
        )
    elif not open_files:
        yield well(f"{path} signs as {keys.service}")


def _stranger(installation: Installation, keys: Keys) -> str | None:
    """Return the name of the service that signed the newest signed log, unless the name is that of the keys."""
    for record in _newest(installation):
        signed = installation.store.logs
        if signed.checkpoints(record.game_id, keys.origin(record.game_id), LARGEST, 1):
            return None
        if origins := signed.origins(record.game_id):
            return origins[0].removesuffix(f"/{record.game_id}")
    return None


def _newest(installation: Installation) -> list[GameRecord]:
    """Return the newest games; none for a database that cannot be read, which is a fault of another check."""
    with suppress(StoreError):
        return installation.store.games.newest(limit=_LOOKED_AT) if installation.is_migrated else []
    return []


def examine_creation_key(installation: Installation) -> Iterator[Finding]:
    """Look at the key for creating games, for a service beyond this machine."""
    key = settings.configured().creation_key
    shortest = min((len(each.strip()) for each in (key or "").split(",")), default=0)
    is_open = key is None
    if installation.is_answering and installation.answer is not None:
        is_open = installation.answer.games.status_code != 401
    exposed = _is_exposed_at(installation.url) or bool(addresses.configured_url() or settings.trusted_proxies())
    if is_open and key is not None:
        yield warning(
            "MABLIGOP_CREATION_KEY is set here, but the running service asks for no key",
            "Start the service with the setting",
        )
    elif is_open and exposed:
        yield warning(
            "everybody who reaches the service may create and list games",
            "Set MABLIGOP_CREATION_KEY to a key from `mabligop keys new --creation`",
        )
    elif key is not None and shortest < _SHORTEST_KEY:
        yield warning(
            f"a key of MABLIGOP_CREATION_KEY has {shortest} characters, and can be guessed",
            f"Take at least {_SHORTEST_KEY}, for example from `mabligop keys new --creation`",
        )
    else:
        yield well("creating games is open on this machine" if is_open else "creating games needs the key")


def _is_exposed_at(url: str) -> bool:
    return addresses.host_of(url) not in LOOPBACK


def _port(url: str) -> int:
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def examine_backups(installation: Installation) -> Iterator[Finding]:
    """Look at the age of the newest file in the folder of backups."""
    folder = installation.backups
    if folder is None:
        yield note("not tried: name the folder of your backups with --backups")
        return
    files = [file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")]
    if not files:
        yield fault(f"there is no backup in {folder}", "Run `mabligop backup` every night")
        return
    newest = max(files, key=lambda file: file.stat().st_mtime)
    made_at = datetime.fromtimestamp(newest.stat().st_mtime, UTC)
    if zipfile.is_zipfile(newest) or newest.suffix == ".zip":
        try:
            with Backup(newest) as backup:
                made_at = backup.manifest.made_at
        except BadBackup as refusal:
            yield fault(str(refusal), "Run `mabligop backup`, and look why the last run failed")
            return
    # A file that is no zip archive may be an encrypted backup, and has only its date.
    if installation.clock() - made_at > _OLDEST_BACKUP:
        yield warning(
            f"the newest backup is of {utc(made_at)}: {newest}", "Run `mabligop backup` every night (cron)"
        )
    else:
        yield well(f"the newest backup is of {utc(made_at)}: {newest}")
