"""Players take back what they have just done, while nobody has acted after it and no die was thrown."""

from __future__ import annotations

import pytest

from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.facts.refusals import NotYours
from tests.monopoly.table import Table, naruto


def undo(table: Table, seat: str, number: int | None = None) -> None:
    """The seat takes back this action, by default the last one; raises a refusal when it may not."""
    past, action = table.past, number or table.number
    require_may_undo(table.rulebook, table.timeline(), lambda one: past.state_after(one - 1), seat, action)
    edits = [{"op": "drop", "action": action}]
    table.play(seat, "correct", edits=edits, cascade="refuse", reason="a slip of the finger")


def test_ana_takes_back_that_she_declined() -> None:
    table = naruto()
    table.arrive("ana", "orange_1")
    table.play("ana", "decline_property")
    undo(table, "ana")
    assert table.state.auction is None
    table.play("ana", "buy_property")


def test_ana_takes_back_what_bob_contests() -> None:
    """A dispute is nothing played: Ana may set right what Bob says was wrong, while the game has not gone on."""
    table = naruto()
    table.arrive("ana", "orange_1")
    table.play("ana", "decline_property")
    declined = table.number
    table.play("bob", "open_dispute", claim="she meant to buy it", actions=[declined])
    undo(table, "ana", declined)
    table.play("ana", "buy_property")


def test_a_throw_is_not_taken_back_by_who_made_it() -> None:
    table = naruto()
    table.arrive("ana", "orange_1")
    with pytest.raises(NotYours):
        undo(table, "ana")
