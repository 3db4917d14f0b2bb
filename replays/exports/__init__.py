"""Exports: a game in formats that other programs read, with what the viewer may see.

A file is written in pieces while the game is read, so that memory does not grow with the length of the game.
`FORMATS` is the table of all formats.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass

from ledger.moving.exporting import Export
from replays import report
from replays.exports import beancount, bookkeeping, hledger, journal, tables
from replays.exports.columns import TABLES
from replays.exports.rows import TablesFailed

__all__ = ["FORMATS", "TABLES", "Format", "Progress", "TablesFailed", "file_name", "pieces"]

Progress = Callable[[int, int], None]
"""A function that takes how many of the game's actions are done, and their total."""

Write = Callable[[Export, str | None, Progress], Generator[bytes, None, None]]
"""A function that writes a game as a file. Takes the export, the name of one table or None, and a `Progress`."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of exports: its name, its media type, the suffix of its file names, and a description.

    A format with tables also writes a single table, as a file with the `table_media_type`.
    """

    name: str
    media_type: str
    suffix: str
    about: str
    write: Write
    table_media_type: str | None = None
    last_line: bytes | None = None
    """The beginning of the last line of a complete text file."""

    @property
    def has_tables(self) -> bool:
        """Whether the format has several tables."""
        return self.table_media_type is not None


FORMATS: Mapping[str, Format] = {
    one.name: one
    for one in (
        Format(
            "jsonl",
            "application/jsonl",
            "jsonl",
            "the whole journal, byte for byte, which can be imported again",
            journal.write,
            last_line=b'{"end":',
        ),
        Format(
            "csv",
            "application/zip",
            "zip",
            "the tables as CSV, together in a ZIP file",
            tables.write_csv,
            table_media_type="text/csv; charset=utf-8; header=present",
        ),
        Format(
            "parquet",
            "application/zip",
            "zip",
            "the tables as Apache Parquet, together in a ZIP file",
            tables.write_parquet,
            table_media_type="application/vnd.apache.parquet",
        ),
        Format(
            "beancount",
            "text/plain; charset=utf-8",
            "beancount",
            "a book of accounts for Beancount",
            beancount.write,
            last_line=bookkeeping.LAST_LINE.encode(),
        ),
        Format(
            "hledger",
            "text/plain; charset=utf-8",
            "journal",
            "a book of accounts for hledger",
            hledger.write,
            last_line=bookkeeping.LAST_LINE.encode(),
        ),
        Format(
            "html",
            "text/html; charset=utf-8",
            "html",
            "the report of the game, a page to read and to share",
            report.write,
            last_line=report.LAST_LINE.encode(),
        ),
    )
}
"""All formats by name."""


def _ignore_progress(done: int, total: int) -> None:
    """The default `Progress`, which does nothing."""


def pieces(
    wanted: Format, export: Export, *, table: str | None = None, progress: Progress = _ignore_progress
) -> Generator[bytes, None, None]:
    """Write the file, piece by piece. With `table`, only that table of a format that has several.

    A caller who stops early closes the iterator, which cleans up. Raises ValueError for a table that the format
    does not have, and StoreError when the database fails.
    """
    if table is not None and (not wanted.has_tables or table not in TABLES):
        raise ValueError(f"{wanted.name} has no table {table!r}")
    return wanted.write(export, table, progress)


def file_name(wanted: Format, export: Export, table: str | None = None) -> str:
    """The name of the file: the game's id, the viewer if the file is a view, and the table if there is one."""
    parts = [export.record.game_id]
    if not export.whole:
        parts.append(f"view-{export.viewer.seat or export.viewer.role}")
    if table is not None:
        return "-".join([*parts, table]) + f".{wanted.name}"
    return "-".join(parts) + (f".{wanted.name}" if wanted.has_tables else "") + f".{wanted.suffix}"
