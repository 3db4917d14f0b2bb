"""An effect of cards that a reader has added to Negopoly: on a card of a table's own deck."""

from __future__ import annotations

from ledger.rulebooks.negopoly.cards.vocabulary import OPERATIONS
from ledger.rulebooks.negopoly.table import pieces
from tests.negopoly.cards.test_effects import balances, draw, own_chance
from tests.tables.negopoly import kinds

if __name__ == "__main__":
    table = own_chance({"op": "toll", "amount": 5})
    before = balances(table)
    assert "card_paid" in kinds(draw(table, "own"))
    assert balances(table) == [before[0] - 7 * 5, *before[1:]]
    assert pieces.OPERATIONS.keys() == OPERATIONS.keys()
