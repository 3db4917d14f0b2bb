"""A game whose journal is tampered with: what Ana and Bob pay each other, by numbers that the tests know."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.service import Ledger
from ledger.store.store import Store
from tests.tables.ledgers import ANA, BOB, a_ledger, do, started
from tests.trust.tampering import Owner


@pytest.fixture
def ledger(store: Store) -> Ledger:
    """A service that runs: what it has read, it has in memory."""
    return a_ledger(store)


@pytest.fixture
def game(ledger: Ledger) -> str:
    """Ana pays 150 with action 7, Bob 20 with action 8, Ana 30 with action 9."""
    game = started(ledger, "ana", "bob")
    for number, (viewer, other, amount) in enumerate([(ANA, "bob", 150), (BOB, "ana", 20), (ANA, "bob", 30)], 7):
        assert do(ledger, game, viewer, "transfer_money", to=other, amount=amount).version == number
    return game


@pytest.fixture
def owner(database_url: str) -> Iterator[Owner]:
    """The owner of the database, who can change everything."""
    owner = Owner(database_url)
    yield owner
    owner.close()
