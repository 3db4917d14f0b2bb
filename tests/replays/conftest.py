"""A ledger with every rulebook, and the mended game on it."""

from __future__ import annotations

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
