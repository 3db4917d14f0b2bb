"""Rows as CSV (RFC 4180), safe against spreadsheets that mistake a text for a formula.

Characters that are forbidden in texts today, but occur in old games, become U+FFFD.
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
"""First characters that turn a cell into a formula in a spreadsheet, or are skipped before a formula."""


def csv_of(columns: Sequence[str], stretches: Iterable[Iterable[Mapping[str, Any]]]) -> Iterator[str]:
    """Yield the header row, then the rows of each stretch as a single piece. Rows end with CR LF.

    Missing columns of a row are empty.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    yield _flush(text)
    for rows in stretches:
        for row in rows:
            writer.writerow([_guard(row.get(column)) for column in columns])
        yield _flush(text)


def _flush(text: io.StringIO) -> str:
    """Return the text written so far, and empty the buffer."""
    written = text.getvalue()
    text.seek(0)
    text.truncate()
    return written


def _guard(cell: Any) -> Any:
    """Put an apostrophe before a text that looks like a formula to a spreadsheet. Numbers stay unchanged."""
    if not isinstance(cell, str):
        return cell
    text = legible(cell)
    return f"'{text}" if text.startswith(FORMULA) else text
