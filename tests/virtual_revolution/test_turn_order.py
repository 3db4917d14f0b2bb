"""The turn order of the next round, chosen one after the other, and the income."""

from __future__ import annotations

import pytest

from ledger.rulebooks.virtual_revolution.rounds.turn_order import IncomePaid
from tests.virtual_revolution.ending import attack, events_of, stage
from tests.virtual_revolution.table import Table


def choosing(**settings: object) -> Table:
    """A table at which nobody has Immunity."""
    table = Table(settings=dict(settings))
    for seat in table.seats:
        table.give(seat, immunity=0)
    return table


@pytest.mark.rule("vr:order.1")
def test_who_has_most_influence_on_the_board_chooses_first() -> None:
    """Tokens on the map and in the recycling zone do not count; any free place may be chosen."""
    table = choosing()
    table.put("ana", influence={5: 3}, recycled=1)
    table.put("bob", influence={6: 1})
    attack(table, "insurrections")
    assert table.state.choosers == ("cid", "bob", "ana")
    table.refused("bob", "choose_turn_order", "vr:order.1", place=1)
    table.refused("cid", "choose_turn_order", "vr:order.1", place=4)
    table.play("cid", "choose_turn_order", place=3)
    table.refused("bob", "choose_turn_order", "vr:order.1", place=3)
    assert table.offers("bob", "choose_turn_order") == [{"place": 1}, {"place": 2}]
    table.play("bob", "choose_turn_order", place=2)
    assert table.state.order == ("ana", "bob", "cid")
    table.refused("ana", "choose_turn_order", "vr:order.1", place=1)


def test_the_table_sits_in_its_seating_until_there_is_an_order() -> None:
    """While the table is prepared everybody sits where they sat down."""
    table = choosing()
    rulebook = table.rulebook
    assert not rulebook.screen.in_setup(table.state)
    with table.arranged() as state:
        state.order, state.seating = ("cid", "ana", "bob"), ("ana", "bob", "cid")
    assert rulebook.screen.turn_order(table.state) == ("cid", "ana", "bob")
    with table.arranged() as state:
        state.order, state.stage = (), "setup"
    assert rulebook.screen.in_setup(table.state)
    assert rulebook.screen.turn_order(table.state) == ("ana", "bob", "cid")


@pytest.mark.rule("vr:order.2")
def test_among_equals_the_lower_revenue_chooses_first() -> None:
    """All have the same number of tokens."""
    table = choosing()
    for seat, revenue in (("ana", 7), ("bob", 5), ("cid", 6)):
        table.give(seat, revenue=revenue)
    attack(table, "insurrections")
    assert table.state.choosers == ("bob", "cid", "ana")


@pytest.mark.rule("vr:order.3")
def test_then_the_fewer_eurocredits_then_the_present_order() -> None:
    """A remaining tie follows the turn order of the round just ended."""
    table = choosing()
    table.give("bob", eurocredit=4)
    with table.arranged() as state:
        state.order = ("cid", "ana", "bob")
    attack(table, "insurrections")
    assert table.state.choosers == ("bob", "cid", "ana")


@pytest.mark.rule("vr:order.3")
def test_a_table_may_compare_immunity_instead() -> None:
    """The pictogram is lost: it is a setting."""
    table = choosing(order_tie="immunity")
    table.give("ana", immunity=1)
    table.give("cid", immunity=1)
    attack(table, "insurrections")
    table.play("ana", "avoid_necro", tokens=0)
    table.play("cid", "avoid_necro", tokens=0)
    assert table.state.choosers == ("bob", "ana", "cid")


@pytest.mark.rule("vr:order.4")
def test_the_chosen_order_holds_for_the_next_round() -> None:
    """The markers move when all have chosen; the last place needs no choice."""
    table = choosing()
    attack(table, "insurrections")
    table.play("ana", "choose_turn_order", place=2)
    assert table.state.order == ("ana", "bob", "cid")
    table.play("bob", "choose_turn_order", place=3)
    assert table.state.order == ("cid", "ana", "bob")
    assert stage(table) == "upkeep"


@pytest.mark.rule("vr:income.1")
def test_everybody_receives_the_revenue_in_eurocredits() -> None:
    """After the turn order is fixed."""
    table = choosing()
    table.give("bob", revenue=9)
    table.give("cid", revenue=0)
    attack(table, "insurrections")
    assert table.cash("bob") == 10
    table.play("cid", "choose_turn_order", place=1)
    table.play("ana", "choose_turn_order", place=2)
    assert [(event.seat, event.amount) for event in events_of(table, IncomePaid)] == [("ana", 5), ("bob", 9)]
    assert [table.cash(seat) for seat in table.seats] == [15, 19, 10]
