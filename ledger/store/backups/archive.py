"""The file of a backup: a zip archive with the rows of every table, and a manifest.

The members are ``tables/NAME.copy``, the rows of a table in the text format of COPY; ``keys.sealed``, the keys of
the service under a passphrase (`sealing`), if the backup has keys; and ``manifest.json``, a `Manifest`. The
manifest comes last, because it has the count and the hash of the rows; so a file that was cut has none. The hashes
show damage. They do not show forgery: whoever can change the file can change the hashes.
"""

from __future__ import annotations

import hashlib
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import msgspec

FORMAT = "mabligop-backup"
VERSION = 2
"""The format of a backup with keys."""
WITHOUT_KEYS = 1
"""The format of a backup without keys, readable by earlier versions of the program too."""

_MANIFEST, _KEYS = "manifest.json", "keys.sealed"
_MEMBER = re.compile(r"tables/([a-z_]{1,63})\.copy")
_PIECE_BYTES = 256 * 1024
_LONGEST_MANIFEST_BYTES = 1024 * 1024
_MOST_MEMBERS = 100
# Journals shrink 3 to 30 times. A much higher ratio marks a file made to fill a disk.
_MOST_SHRINKING = 300
_SMALL_BYTES = 1024 * 1024


def most_bytes(packed: int) -> int:
    """Return the largest credible size of contents packed into this number of bytes."""
    return _SMALL_BYTES + _MOST_SHRINKING * packed


SIGNS_OF_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    ValueError,
    RuntimeError,
    OSError,  # A position in the archive may lie outside of every file.
    OverflowError,
)
"""The exceptions of reading a damaged zip archive."""


class BadBackup(Exception):  # noqa: N818 - it names a condition
    """The file is no backup, or a damaged backup. The message describes the fault."""


class TableRows(msgspec.Struct, frozen=True):
    """The rows of a table: their number, and the size and the SHA-256 of their text."""

    name: str
    columns: list[str]
    rows: int
    bytes: int
    sha256: str


class SealedKeys(msgspec.Struct, frozen=True):
    """The sealed keys: the names of the files, and the size and the SHA-256 of the seal."""

    names: list[str]
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """The manifest of a backup.

    `revision` is the revision of the tables, a migration's number. `made_at` is the time of the snapshot.
    `made_by` and `postgres` (versions of the program and of the server) are only for people.
    """

    format: str
    version: int
    revision: str
    made_at: datetime
    made_by: str
    postgres: str
    tables: list[TableRows]
    keys: SealedKeys | None = None


Progress = Callable[[int, int], None]
"""A function called with the number of finished items, and the total number; 0 for an unknown total."""


def no_progress(done: int, total: int) -> None:
    """Ignore the progress."""


class NewBackup:
    """A backup during writing, to a file that need not be seekable."""

    def __init__(self, file: IO[bytes]) -> None:
        self._archive = zipfile.ZipFile(_Stream(file), "w", zipfile.ZIP_DEFLATED)

    def __enter__(self) -> NewBackup:
        return self

    def __exit__(self, *_: object) -> None:
        # An unfinished archive gets its end, but no manifest: it is no backup, and nothing waits for the file
        # any more.
        with suppress(OSError, ValueError):
            self._archive.close()

    def write_table(self, name: str, columns: list[str], rows: Iterator[bytes]) -> TableRows:
        """Write a table. `rows` has the text of the rows in pieces of any size."""
        digest, count, size = hashlib.sha256(), 0, 0
        with self._archive.open(_member(f"tables/{name}.copy"), "w", force_zip64=True) as member:
            waiting = bytearray()
            for row in rows:
                waiting += row
                count += row.count(b"\n")  # A line end inside a value is written as a backslash and an n.
                if len(waiting) >= _PIECE_BYTES:
                    digest.update(waiting)
                    size += member.write(waiting)
                    waiting.clear()
            digest.update(waiting)
            size += member.write(waiting)
        return TableRows(name, columns, count, size, digest.hexdigest())

    def write_keys(self, names: list[str], sealed: bytes) -> SealedKeys:
        """Write the sealed keys."""
        with self._archive.open(_member(_KEYS), "w") as member:
            member.write(sealed)
        return SealedKeys(names, len(sealed), hashlib.sha256(sealed).hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest. Without a manifest the file is no backup."""
        with self._archive.open(_member(_MANIFEST), "w") as member:
            member.write(msgspec.json.format(msgspec.json.encode(manifest), indent=2))
        self._archive.close()


class _Stream:
    """A file for sequential writing only.

    Zip archives are otherwise patched afterwards: pipes and files opened for appending do not allow this.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, data: bytes, /) -> int:
        """Write all of the data."""
        self._file.write(data)
        return len(data)

    def flush(self) -> None:
        """Write the content of the file's buffer."""
        self._file.flush()

    def close(self) -> None:
        """Leave the file open: the file belongs to the caller."""


def _member(name: str) -> zipfile.ZipInfo:
    # A fixed time: equal rows give equal bytes.
    member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o600 << 16
    return member


class Backup:
    """A backup for reading. The structure is checked at opening, the rows during reading.

    Close the backup, or use it as a context manager. Every method raises BadBackup for a damaged file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._blaming():
            if not zipfile.is_zipfile(path):
                raise BadBackup(f"{path} is no backup, or its end is missing")
            self._archive = zipfile.ZipFile(path)
            try:
                self.manifest = self._manifest()
                self._check_members()
            except BaseException:
                self._archive.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._archive.close()

    def __enter__(self) -> Backup:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, table: TableRows) -> Iterator[bytes]:
        """Yield the text of the table's rows, in pieces of bounded size.

        BadBackup may be raised after the last piece.
        """
        digest, size = hashlib.sha256(), 0
        with self._blaming(), self._archive.open(f"tables/{table.name}.copy") as member:
            while piece := member.read(_PIECE_BYTES):
                digest.update(piece)
                size += len(piece)
                yield piece
        if size != table.bytes or digest.hexdigest() != table.sha256:
            raise BadBackup(f"{self._path} is damaged: the rows of {table.name} are not those that were written")

    def sealed_keys(self) -> bytes:
        """Return the sealed keys. The backup must have keys (`manifest.keys`)."""
        keys = self.manifest.keys
        with self._blaming():
            sealed = self._archive.read(_KEYS)
        if keys is None or hashlib.sha256(sealed).hexdigest() != keys.sha256:
            raise BadBackup(f"{self._path} is damaged: its keys are not those that were written")
        return sealed

    def check(self) -> None:
        """Read the whole file. Raises BadBackup if a table or the sealed keys have changed."""
        for table in self.manifest.tables:
            for _ in self.rows(table):
                pass
        if self.manifest.keys is not None:
            self.sealed_keys()

    def _manifest(self) -> Manifest:
        try:
            info = self._archive.getinfo(_MANIFEST)
        except KeyError:
            raise BadBackup(f"{self._path} is no backup: it has no {_MANIFEST}") from None
        if info.file_size > _LONGEST_MANIFEST_BYTES:
            raise BadBackup(f"{self._path} is no backup: its {_MANIFEST} is {info.file_size} bytes long")
        text = self._archive.read(info)
        try:
            # In a later version, only these two fields are certain to keep their meaning.
            versioned = msgspec.json.decode(text, type=_Versioned)
            if versioned.format != FORMAT:
                raise BadBackup(f"{self._path} is no backup: its format is {versioned.format!r}")
            if versioned.version not in {WITHOUT_KEYS, VERSION}:
                raise BadBackup(
                    f"{self._path} is a backup of format {versioned.version}, and this version reads"
                    f" formats up to {VERSION}: restore it with the version that made it"
                )
            manifest = msgspec.json.decode(text, type=Manifest)
            # Both texts are shown on terminals.
            if not (manifest.made_by + manifest.postgres).isprintable():
                raise BadBackup(f"{self._path} is no backup: its versions are no text")
            return manifest
        except msgspec.DecodeError as fault:
            raise BadBackup(f"{self._path} is no backup: its {_MANIFEST} cannot be read: {fault}") from fault

    def _check_members(self) -> None:
        """Check that the archive has exactly the tables of the manifest, of credible sizes, and nothing else."""
        members = self._archive.infolist()
        tables = {f"tables/{table.name}.copy": table for table in self.manifest.tables}
        keys = self.manifest.keys
        expected: dict[str, TableRows | SealedKeys] = {**tables} if keys is None else {**tables, _KEYS: keys}
        names = sorted(info.filename for info in members)
        if len(members) > _MOST_MEMBERS or names != sorted([_MANIFEST, *expected]):
            raise BadBackup(f"{self._path} is no backup: its members are not the tables of its {_MANIFEST}")
        if len(tables) != len(self.manifest.tables) or not all(_MEMBER.fullmatch(name) for name in tables):
            raise BadBackup(f"{self._path} is no backup: its {_MANIFEST} has tables of wrong names")
        for info in members:
            if info.flag_bits & 1 or info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise BadBackup(
                    f"{self._path} is no backup: {info.filename} is encrypted or of another compression"
                )
            if info.filename in expected and info.file_size != expected[info.filename].bytes:
                raise BadBackup(f"{self._path} is damaged: {info.filename} has another size than was written")
            if info.file_size > most_bytes(min(info.compress_size, self._path.stat().st_size)):
                raise BadBackup(
                    f"{self._path} is no backup: {info.file_size} bytes of rows do not come from"
                    f" {info.compress_size} bytes"
                )

    @contextmanager
    def _blaming(self) -> Iterator[None]:
        """Raise BadBackup for the errors of reading the file."""
        try:
            yield
        except SIGNS_OF_DAMAGE as fault:
            raise BadBackup(f"{self._path} is damaged: {fault}") from fault


class _Versioned(msgspec.Struct):
    format: str
    version: int


def utc(moment: datetime) -> str:
    """Format a moment for people, to the minute."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
