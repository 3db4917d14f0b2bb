"""Exports: games in formats for other programs, limited to the view of the viewer.

A file is written in pieces while the game is read, so memory does not grow with the length of the game.
`FORMATS` is the table of all formats.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from ledger.moving.exporting import Export
from replays import report
from replays.exports import beancount, bookkeeping, hledger, journal, log, statements, tables
from replays.exports.columns import ABOUT, HISTORY, TABLES
from replays.exports.rows import TablesFailed

__all__ = [
    "ABOUT",
    "FORMATS",
    "HISTORY",
    "TABLES",
    "Format",
    "Progress",
    "TablesFailed",
    "file_name",
    "file_name_of_all",
    "pieces",
    "pieces_of_all",
]

Progress = Callable[[int, int], None]
"""A function called with the number of processed actions of the game, and the total."""

Write = Callable[[Export, str | None, Progress], Generator[bytes, None, None]]
"""A function that writes a game as a file. Takes the export, the name of one table or None, and a `Progress`."""

LeaveOut = Callable[[str, Exception], None]
"""A function called for an unreadable game left out of a file, with the game's id and the failure."""

WriteAll = Callable[[Iterable[Export], str | None, Callable[[int], None], LeaveOut], Generator[bytes, None, None]]
"""A function that writes many games as one file.

Takes the exports, the name of one table or None, a function called with the number of finished games, and a
`LeaveOut`.
"""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of exports: a name, a media type, a suffix for file names, and a description.

    A format with tables also writes a single table, as a file of `table_media_type`.
    """

    name: str
    media_type: str
    suffix: str
    about: str
    write: Write
    write_all: WriteAll | None = None
    """For a format with tables."""
    table_media_type: str | None = None
    last_line: bytes | None = None
    """The beginning of the last line of a complete text file."""

    @property
    def has_tables(self) -> bool:
        """True if the format has several tables."""
        return self.table_media_type is not None

    def media_type_of(self, table: str | None) -> str:
        """Return the media type of the file, or of a single table."""
        if table == ABOUT:
            return "application/json"
        return self.media_type if table is None or self.table_media_type is None else self.table_media_type


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
            "log",
            "application/zip",
            "log.zip",
            "the signed log with what you may see of it, to be verified without the service (a ZIP file)",
            log.write,
        ),
        Format(
            "csv",
            "application/zip",
            "zip",
            "the tables as CSV, together in a ZIP file",
            partial(tables.write, kind="csv"),
            partial(tables.write_all, kind="csv"),
            table_media_type="text/csv; charset=utf-8; header=present",
        ),
        Format(
            "parquet",
            "application/zip",
            "zip",
            "the tables as Apache Parquet, together in a ZIP file",
            partial(tables.write, kind="parquet"),
            partial(tables.write_all, kind="parquet"),
            table_media_type="application/vnd.apache.parquet",
        ),
        Format(
            "statements",
            "application/zip",
            "statements.zip",
            "the statement of every account as CSV, together in a ZIP file",
            statements.write,
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
    """Do nothing: the default `Progress`."""


def _ignore_games(done: int) -> None:
    """Do nothing: the default for the progress over many games."""


def pieces(
    form: Format, export: Export, *, table: str | None = None, progress: Progress = _ignore_progress
) -> Generator[bytes, None, None]:
    """Write the file, piece by piece. With `table`, write only this table of a format with several, or `ABOUT`.

    A caller that stops early must close the iterator to clean up. Raises ValueError for a table unknown to the
    format, and StoreError if the database fails.
    """
    _require_table(form, table)
    return form.write(export, table, progress)


def _stop(game: str, fault: Exception) -> None:
    raise fault


def pieces_of_all(
    form: Format,
    games: Iterable[Export],
    *,
    leave_out: LeaveOut = _stop,
    table: str | None = None,
    progress: Callable[[int], None] = _ignore_games,
) -> Generator[bytes, None, None]:
    """Write many games as one file, piece by piece. `progress` is called with the number of finished games.

    An unreadable game is left out and passed to `leave_out`. By default its failure is raised. Raises
    ValueError for a format without tables or without this table, and StoreError if the database fails.
    """
    _require_table(form, table)
    if form.write_all is None:
        raise ValueError(f"{form.name} holds one game only")
    return form.write_all(games, table, progress, leave_out)


def _require_table(form: Format, table: str | None) -> None:
    if table is not None and not (form.has_tables and table in {*TABLES, ABOUT}):
        raise ValueError(f"{form.name} has no table {table!r}")


def file_name(form: Format, export: Export, table: str | None = None) -> str:
    """Return the file name: the game's id, the viewer if the file is a view, and the table, if any."""
    parts = [export.record.game_id]
    if not export.whole:
        parts.append(f"view-{export.viewer.seat or export.viewer.role}")
    return _file_name(form, parts, table)


def file_name_of_all(form: Format, table: str | None = None) -> str:
    """Return the file name for many games."""
    return _file_name(form, ["games"], table)


def _file_name(form: Format, parts: list[str], table: str | None) -> str:
    if table is not None:
        return "-".join([*parts, table]) + (".json" if table == ABOUT else f".{form.name}")
    return "-".join(parts) + (f".{form.name}" if form.has_tables else "") + f".{form.suffix}"
