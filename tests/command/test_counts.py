"""Counts in the sentences of commands agree with their nouns."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from api.command.backup import contents
from ledger.store.backups.archive import Manifest, TableRows


@pytest.mark.parametrize(
    ("rows", "words"),
    [((1, 1, 1), "1 game, 1 action, 1 event"), ((0, 2, 3), "0 games, 2 actions, 3 events")],
)
def test_a_backup_says_what_it_holds(rows: tuple[int, int, int], words: str) -> None:
    names = ("games", "actions", "events")
    tables = [TableRows(name, [], number, 0, "") for name, number in zip(names, rows, strict=True)]
    made_at = datetime(2026, 11, 20, tzinfo=UTC)
    assert contents(Manifest("backup", 1, "1", made_at, "1", "16", tables)) == words
