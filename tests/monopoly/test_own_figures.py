"""A table fills the gaps of a document otherwise: other names, prices, amounts and cards for the same box."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.kernel.facts.refusals import Malformed
from tests.monopoly.table import Table, naruto


def figures() -> dict[str, Any]:
    """The pieces of Naruto as plain data."""
    found: dict[str, Any] = msgspec.to_builtins(naruto().rulebook.blank().edition.pieces)
    return found


@pytest.mark.rule("naruto:tax.1")
def test_a_table_knows_what_its_barbecue_costs() -> None:
    """The amount is not in the document: this table's deed says 150, and calls the square otherwise."""
    board = figures()
    tax = next(one for one in board["squares"] if one["id"] == "barbecue")
    tax["amount"], tax["name"] = 150, "Grill"
    table = naruto(board=board)
    table.arrive("ana", "barbecue")
    table.play("ana", "pay_tax")
    assert table.cash("ana") == 1_350


@pytest.mark.rule("naruto:setup.1")
def test_a_box_with_another_number_of_deeds_or_cards_is_refused() -> None:
    for part in ("squares", "cards"):
        board = figures()
        board[part] = board[part][:-1]
        with pytest.raises(Malformed) as refused:
            Table("monopoly_naruto", settings={"board": board})
        assert "naruto:setup.1" in refused.value.en
