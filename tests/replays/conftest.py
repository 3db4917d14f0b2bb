"""Two ledgers with every rulebook, and the corrected game on the first one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.rulebooks import rulebooks_by_id
from ledger.service import Ledger
from ledger.store.store import Store
from tests.replays import shelf


@pytest.fixture(scope="module")
def ledger(store: Store) -> Ledger:
    """A ledger on this module's database."""
    return Ledger(store, rulebooks_by_id())


@pytest.fixture(scope="module")
def mended(ledger: Ledger) -> str:
    """The game with every kind of correction. The tests only read it."""
    return shelf.mended(ledger)


@pytest.fixture(scope="module")
def elsewhere(new_database: Callable[..., str]) -> Iterator[Ledger]:
    """A ledger on another database."""
    with shelf.ledger_on(new_database()) as ledger:
        yield ledger


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path for a journal file."""
    return tmp_path / "game.jsonl"
