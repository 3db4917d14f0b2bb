"""Two ledgers with every rulebook, and the mended game on the first of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.rulebooks import known
from ledger.service import Ledger
from ledger.store.store import Store
from tests.replays import shelf


@pytest.fixture(scope="module")
def ledger(store: Store) -> Ledger:
    """A ledger on this module's database."""
    return Ledger(store, known())


@pytest.fixture(scope="module")
def mended(ledger: Ledger) -> str:
    """The game whose past was mended in every way; nobody acts in it any more."""
    return shelf.mended(ledger)


@pytest.fixture(scope="module")
def elsewhere(new_database: Callable[..., str]) -> Iterator[Ledger]:
    """A ledger on another database."""
    with shelf.ledger_on(new_database()) as ledger:
        yield ledger


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the journal file is to be."""
    return tmp_path / "game.jsonl"
