"""Exports: a game in forms that other programs read, as far as whoever takes it away may see it.

Every form is written in pieces as the game is read, so that neither its length nor the reader's patience costs
memory. `FORMATS` is the table of all there are.
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
"""Told how many of the game's actions are done, of how many."""

Write = Callable[[Export, str | None, Progress], Generator[bytes, None, None]]
"""Gives the bytes of a game as a file; takes besides the one table that is wanted, and who is told of progress."""


@dataclass(frozen=True, slots=True)
class Format:
    """A form in which a game can be taken away: its media type, the end of its files' names, and what it is.

    Of a form that has `tables` one can be asked for by itself, which is then a file of its own kind.
    """

    name: str
    media_type: str
    suffix: str
    about: str
    write: Write
    table_media_type: str | None = None
    last_line: bytes | None = None
    """How the last line of a text begins: one that ends otherwise was cut."""

    @property
    def has_tables(self) -> bool:
        """Whether it comes as several tables."""
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
"""Every form there is, by name."""


def _unheard(done: int, total: int) -> None:
    """Nobody is told of progress."""


def pieces(
    wanted: Format, export: Export, *, table: str | None = None, progress: Progress = _unheard
) -> Generator[bytes, None, None]:
    """The file, piece by piece; `table` asks for one table of a form that has several.

    Whoever does not take all of it closes the iterator, and nothing is left behind. Raises ValueError for a table
    that the form does not have, and StoreError when the database fails.
    """
    if table is not None and (not wanted.has_tables or table not in TABLES):
        raise ValueError(f"{wanted.name} has no table {table!r}")
    return wanted.write(export, table, progress)


def file_name(wanted: Format, export: Export, table: str | None = None) -> str:
    """A name for the file: the game, who looked if they do not see the whole of it, and the table if it is one."""
    parts = [export.record.game_id]
    if not export.whole:
        parts.append(f"view-{export.viewer.seat or export.viewer.role}")
    if table is not None:
        return "-".join([*parts, table]) + f".{wanted.name}"
    return "-".join(parts) + (f".{wanted.name}" if wanted.has_tables else "") + f".{wanted.suffix}"
