"""Journal files: a game as a file for verification, and for import into another database.

A journal file is a JSON Lines file (UTF-8, one JSON object per line). The first line is the header with the
game's record and setup. Then come the entries of the journal in order, each as the exact bytes stored and hashed
by the service, with its leaf hash. The last line is the end::
    {"journal": {"version": 1, "about": "…", "game": "abc", "rulebook": "negopoly", "title": "…",
                 "created_at": "…", "setup": {…}, "entries": 57, "events": 130, "checkpoint": "…"}}
    {"entry": {"by": "system", "number": 1, …}, "leaf": "…"}
    …
    {"end": {"entries": 57, "header": "…", "root": "…"}}

`leaf` is the SHA-256 of a zero byte and the bytes of `entry`, `root` the Merkle tree hash over all leaves (RFC
9162, 2.1.1), and `header` the SHA-256 of the first line without its line feed, all in hexadecimal. So a cut
file or a changed byte is detected. Line endings and a byte order mark, added by other programs on saving,
change nothing; a file packed with gzip is unpacked. `checkpoint` is the service's signature over the root (C2SP
tlog-checkpoint), and proves the author of the file; files of earlier versions have no checkpoint.

A viewer with a partial view exports a view. A view has a similar form, but its first line has `view` instead of
`journal` and names the viewer. A view holds the visible history, and cannot be imported.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from ledger.kernel.journal.merkle import Tree
from ledger.kernel.journal.stored import leaf
from ledger.moving.importing import ExportedGame
from ledger.store.backups.archive import most_bytes

VERSION = 1
"""The version of the file format, for writing and reading."""

ABOUT = (
    "One JSON object a line: this header; the entries of the journal in order, each with the SHA-256 of a zero"
    " byte and its own bytes (an RFC 9162 leaf); the end, with the SHA-256 of this line and the Merkle root over"
    " the leaves."
)

_LONGEST_HEADER = 1_000_000
GZIP = b"\x1f\x8b"
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class BadJournalFile(ValueError):  # noqa: N818 - it names a condition
    """The file is not a complete and unaltered journal: the wrong line (counted from 1), and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line: the game's record and setup, and the numbers of entries and events."""

    version: int = VERSION
    about: str = ABOUT
    game: str
    rulebook: str
    title: str
    created_at: datetime
    setup: msgspec.Raw
    entries: int
    events: int
    checkpoint: str | msgspec.UnsetType = msgspec.UNSET

    @property
    def exported_game(self) -> ExportedGame:
        """The game in the form for an import."""
        return ExportedGame(
            game=self.game,
            rulebook=self.rulebook,
            title=self.title,
            created_at=self.created_at,
            setup=self.setup,
            actions=self.entries,
            events=self.events,
        )


class End(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line: the number of entries, and the hashes that verify the file."""

    entries: int
    header: str
    root: str


class _First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    journal: Header


class _Version(msgspec.Struct, frozen=True):
    version: Any = None


class _Beginning(msgspec.Struct, frozen=True):
    """The common part of the first line in all versions."""

    journal: _Version | msgspec.UnsetType = msgspec.UNSET
    view: Any | msgspec.UnsetType = msgspec.UNSET


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entry: msgspec.Raw
    leaf: str


class _Last(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    end: End


_beginning = msgspec.json.Decoder(_Beginning)
_first = msgspec.json.Decoder(_First)
_line = msgspec.json.Decoder(_Line)
_last = msgspec.json.Decoder(_Last)
_encode = msgspec.json.Encoder().encode


def first_line(header: Header) -> bytes:
    """Encode the first line of a journal file, without its line feed."""
    return _encode(_First(header))


class Closing:
    """Computes the last line of a journal file from the first line and the entries."""

    def __init__(self, first: bytes) -> None:
        self._header = hashlib.sha256(first).hexdigest()
        self._tree = Tree()

    def entry(self, hashed: bytes) -> None:
        """Add an entry with this leaf hash."""
        self._tree.add(hashed)

    def end(self) -> End:
        """Return the end after all added entries."""
        return End(entries=self._tree.size, header=self._header, root=self._tree.root().hex())

    def last_line(self) -> bytes:
        """Encode the last line, without its line feed."""
        return _encode(_Last(self.end()))


class JournalFile:
    """A journal file, readable several times. Raises BadJournalFile for a wrong first line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _opened(path) as file:
            self._first = _first_of(file)
        self.header = _read_header(self._first)

    def entries(self) -> Iterator[bytes]:
        """Yield the canonical bytes of every entry, in order.

        Raises BadJournalFile at the first wrong line, or at the end of an incomplete file. Do not use entries
        before the whole file has been read.
        """
        closing = Closing(self._first)
        number = 1
        with _opened(self._path) as file:
            if _first_of(file) != self._first:
                raise BadJournalFile(1, "the file changes while it is read")
            longest = most_bytes(self._path.stat().st_size)
            for number, text in enumerate(iter(lambda: file.readline(longest), b""), start=2):
                if len(text) == longest:
                    raise BadJournalFile(number, "no line of a file of this size is as long")
                if not text.endswith(b"\n"):
                    raise BadJournalFile(number, "the file is cut: the line has no end")
                if text.startswith(b'{"end":'):
                    self._require_end(number, text, closing)
                    if file.read(1):
                        raise BadJournalFile(number + 1, "the file goes on behind its end")
                    return
                yield self._entry(number, text, closing)
        raise BadJournalFile(number + 1, "the file is cut: it has no end")

    @property
    def checkpoint(self) -> str | None:
        """The signed checkpoint over the entries, or None in a file of an earlier version."""
        return None if self.header.checkpoint is msgspec.UNSET else self.header.checkpoint

    def root(self, size: int | None = None) -> bytes | None:
        """Return the Merkle root over the first `size` entries, or over all; None if the file has fewer.

        Raises like `entries`.
        """
        tree = Tree()
        for stored in self.entries():
            if tree.size == size:
                break
            tree.add(leaf(stored))
        return tree.root() if size in {None, tree.size} else None

    def _entry(self, number: int, text: bytes, closing: Closing) -> bytes:
        try:
            line = _line.decode(text)
        except _UNREADABLE as fault:
            raise BadJournalFile(number, f"it is no entry of a journal: {fault}") from fault
        stored = bytes(line.entry)
        hashed = leaf(stored)
        if hashed.hex() != line.leaf:
            raise BadJournalFile(number, "the entry was altered: it does not have the hash that stands beside it")
        closing.entry(hashed)
        return stored

    def _require_end(self, number: int, text: bytes, closing: Closing) -> None:
        end = _end_in(number, text)
        computed = closing.end()
        if end.header != computed.header:
            raise BadJournalFile(
                1, "the first line was altered: it does not have the hash that the last one gives"
            )
        if not computed.entries == end.entries == self.header.entries:
            raise BadJournalFile(number, f"there are {computed.entries} entries, not {self.header.entries}")
        if end.root != computed.root:
            raise BadJournalFile(number, "the entries are not those that the file was closed with")


def _end_in(number: int, text: bytes) -> End:
    try:
        return _last.decode(text).end
    except _UNREADABLE as fault:
        raise BadJournalFile(number, f"it is no end of a journal: {fault}") from fault


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open the file, and unpack gzip. Raises BadJournalFile for a damaged packed file."""
    with path.open("rb") as file:
        packed = file.peek(2)[:2] == GZIP
        try:
            yield cast("BinaryIO", gzip.GzipFile(fileobj=file)) if packed else file
        except (EOFError, gzip.BadGzipFile, zlib.error) as fault:
            raise BadJournalFile(1, f"it is packed with gzip, and damaged: {fault}") from fault


def _first_of(file: BinaryIO) -> bytes:
    """Read the first line, without a byte order mark or changed line endings."""
    text = file.readline(_LONGEST_HEADER)
    if not text.endswith(b"\n"):
        raise BadJournalFile(1, "it is no journal file: the first line has no end")
    return text.removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n")


def _read_header(first: bytes) -> Header:
    try:
        beginning = _beginning.decode(first)
    except _UNREADABLE as fault:
        raise BadJournalFile(1, f"it is no journal file: {fault}") from fault
    if beginning.view is not msgspec.UNSET:
        raise BadJournalFile(1, "it is a view, what one seat saw of a game: only a whole journal can be imported")
    if beginning.journal is msgspec.UNSET:
        raise BadJournalFile(1, "it is no journal file: it does not begin with a header")
    if beginning.journal.version != VERSION:
        raise BadJournalFile(
            1, f"the file is of version {beginning.journal.version!r}; this service reads version {VERSION}"
        )
    try:
        return _first.decode(first).journal
    except _UNREADABLE as fault:
        raise BadJournalFile(1, f"it is no header of a journal: {fault}") from fault
