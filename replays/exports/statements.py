"""`statements`: the statement of every account as CSV, as from a bank, together in a ZIP file."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from ledger.moving.exporting import Export
from ledger.reading.money.statements import file_stem
from replays.exports.zipped import zipped


def write(export: Export, table: str | None, progress: Callable[[int, int], None]) -> Generator[bytes, None, None]:
    """Write a file for each account with a visible posting that counts."""
    yield from zipped(_files(export, progress))


def _files(export: Export, progress: Callable[[int, int], None]) -> Iterator[tuple[str, Iterator[bytes]]]:
    accounts = _accounts(export)
    for done, account in enumerate(accounts, start=1):
        yield f"{file_stem(account)}.csv", (piece.encode() for piece in export.statement_csv(account))
        progress(done, len(accounts))


def _accounts(export: Export) -> list[str]:
    return sorted(
        {
            account
            for action in export.actions()
            for event in action.counting
            for posting in event.postings
            for account in (posting.source, posting.target)
        }
    )
