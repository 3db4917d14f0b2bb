"""A game of Ana and Bob with a purchase, and the same game after a correction."""

from __future__ import annotations

import pytest

from ledger.service import Ledger
from ledger.store.store import Store
from tests.reading.purchase import BOUGHT, CORRECTION, GIFT, RENT, correct
from tests.tables.ledgers import ANA, BOB, Clock, a_ledger, do, started


@pytest.fixture
def ledger(store: Store) -> Ledger:
    """A ledger whose clock advances by a second at every reading."""
    return a_ledger(store, Clock(step=1))


@pytest.fixture
def game(ledger: Ledger) -> str:
    """Ana buys Black Arretxea for 60 (9), Bob pays 4 of rent for it (12), Ana gives Bob 40 in private (13)."""
    found = started(ledger, "ana", "bob")
    do(ledger, found, ANA, "roll_dice", dice=[1, 2])
    do(ledger, found, ANA, "resolve_square")
    assert do(ledger, found, ANA, "buy_property").entry.number == BOUGHT
    do(ledger, found, ANA, "end_turn")
    do(ledger, found, BOB, "roll_dice", dice=[1, 2])
    assert do(ledger, found, BOB, "resolve_square").entry.number == RENT
    assert do(ledger, found, ANA, "transfer_money", to="bob", amount=40).entry.number == GIFT
    return found


@pytest.fixture
def undone(ledger: Ledger, game: str) -> str:
    """The banker drops the purchase (action 14), so no rent was due."""
    assert correct(ledger, game, {"op": "drop", "action": BOUGHT}).entry.number == CORRECTION
    return game
