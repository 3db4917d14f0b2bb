"""Rows as CSV (RFC 4180) that a spreadsheet opens without taking a text for a formula.

Characters that no text may hold, in games from before that rule, become U+FFFD.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ledger.kernel.facts.texts import legible

FORMULA = tuple(
    "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}"
    "\N{FULLWIDTH COMMERCIAL AT}\t\r\n"
)
"""The first characters of a cell that a spreadsheet takes for a formula, or skips before one."""


def csv_of(columns: Sequence[str], stretches: Iterable[Iterable[Mapping[str, Any]]]) -> Iterator[str]:
    """The header row, then the rows of each stretch as one piece. Rows end with CR LF.

    A column that a row does not have is empty.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    yield _flushed(text)
    for rows in stretches:
        for row in rows:
            writer.writerow([_guarded(row.get(column)) for column in columns])
        yield _flushed(text)


def _flushed(text: io.StringIO) -> str:
    """What was written so far; the buffer is empty afterwards."""
    written = text.getvalue()
    text.seek(0)
    text.truncate()
    return written


def _guarded(cell: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would take for a formula. Numbers stay as they are."""
    if not isinstance(cell, str):
        return cell
    text = legible(cell)
    return f"'{text}" if text.startswith(FORMULA) else text
