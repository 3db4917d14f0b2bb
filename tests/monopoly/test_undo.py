"""Players take back what they have just done, while nobody has acted after it and no die was thrown."""

from __future__ import annotations

import pytest

from ledger.kernel.deciding.undo import require_may_undo
from ledger.kernel.facts.refusals import NotYours
from tests.monopoly.table import Table, naruto


def undo(table: Table, seat: str) -> None:
    """The seat takes back the last action; raises a refusal when it may not."""
    past = table.past
    require_may_undo(table.rulebook, table.timeline(), lambda one: past.state_after(one - 1), seat, table.number)
    edits = [{"op": "drop", "action": table.number}]
    table.play(seat, "correct", edits=edits, cascade="refuse", reason="a slip of the finger")


def test_ana_takes_back_that_she_declined() -> None:
    table = naruto()
    table.arrive("ana", "orange_1")
    table.play("ana", "decline_property")
    undo(table, "ana")
    assert table.state.auction is None
    table.play("ana", "buy_property")


def test_a_throw_is_not_taken_back_by_who_made_it() -> None:
    table = naruto()
    table.arrive("ana", "orange_1")
    with pytest.raises(NotYours):
        undo(table, "ana")
