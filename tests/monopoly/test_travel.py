"""From station to station: after a stop on one's own station, or with its rent paid, to another one."""

from __future__ import annotations

import msgspec
import pytest

from tests.monopoly.streets import changed, happened, simulated
from tests.monopoly.table import Table, naruto, town


def ferries() -> Table:
    """Ana owns the ferry in the north, and travels are allowed."""
    table = town(station_travel=True)
    table.give("ana", "north_ferry")
    return table


def place(table: Table, seat: str) -> str:
    """The square of a seat's token."""
    return table.state.edition.pieces.squares[table.state.positions[seat]].id


@pytest.mark.rule("own:rent.11")
def test_the_owner_travels_on_and_stops_there() -> None:
    """Past the start and without a salary; the other ferry is free, and may be bought. Once for a throw."""
    table = ferries()
    table.give("ana", "south_ferry")
    table.give("bob", "north_ferry")
    table.arrive("ana", "south_ferry", (1, 1))
    assert table.offers("ana", "travel") == [{"title": "north_ferry"}]
    told = table.told(table.play("ana", "travel", title="north_ferry"))
    assert told[:2] == ["Ana travels on from South Ferry to North Ferry.", "Ana goes to North Ferry."]
    assert place(table, "ana") == "north_ferry"
    table.play("bob", "claim_rent")
    assert (table.cash("ana"), table.cash("bob")) == (1200 - 30, 1200 + 30)
    table.refused("ana", "travel", "own:rent.11", title="south_ferry")
    assert table.offers("ana", "travel") == []
    table.roll("ana", 6, 6)
    assert place(table, "ana") == "south_ferry"
    table.play("ana", "travel", title="north_ferry")


@pytest.mark.rule("own:rent.11")
def test_a_visitor_travels_once_the_rent_is_paid() -> None:
    table = ferries()
    table.arrive("bob", "north_ferry")
    table.refused("bob", "travel", "own:rent.11", title="south_ferry")
    table.play("ana", "claim_rent")
    table.play("bob", "travel", title="south_ferry")
    assert table.state.landing is not None
    table.refused("bob", "end_turn", "own:buy.2")
    table.play("bob", "buy_property")
    assert (table.owner("south_ferry"), table.cash("bob")) == ("bob", 1200 - 30 - 150)
    table.play("bob", "end_turn")


@pytest.mark.rule("own:rent.11")
def test_nobody_travels_elsewhere_or_from_elsewhere() -> None:
    table = ferries()
    table.turn("ana")
    table.stand("ana", "north_ferry")
    table.refused("ana", "travel", "own:rent.11", title="south_ferry")
    table.arrive("ana", "north_ferry")
    table.refused("ana", "travel", "own:rent.11", title="windmill")
    table.refused("ana", "travel", "own:rent.11", title="north_ferry")
    table.mortgaged("north_ferry")
    table.refused("ana", "travel", "own:rent.11", title="south_ferry")
    table.stand("ana", "town_gate")
    table.refused("ana", "travel", "own:rent.11", title="south_ferry")
    still = town()
    still.give("ana", "north_ferry")
    still.arrive("ana", "north_ferry")
    assert still.offers("ana", "travel") == []
    still.refused("ana", "travel", "own:rent.11", title="south_ferry")


@pytest.mark.parametrize(("dice", "square"), [([1, 3], "toll_booth"), ([2, 3], "south_ferry")])
def test_a_corrected_throw_takes_the_journey_along(dice: list[int], square: str) -> None:
    """Ana threw 4 and not 5, so she never stopped at the ferry."""
    table = ferries()
    table.stand("ana", "town_gate")
    table.roll("ana", 3, 2)
    throw = table.number
    table.play("ana", "travel", title="south_ferry")
    edits = [{"op": "replace", "action": throw, "params": {"dice": dice}}]
    table.banker("correct", edits=edits, cascade="restate", reason="a mistyped throw")
    assert place(table, "ana") == square


def test_a_journey_dropped_leaves_the_stop() -> None:
    table = ferries()
    table.arrive("ana", "north_ferry")
    table.play("ana", "travel", title="south_ferry")
    edits = [{"op": "drop", "action": table.number}]
    table.banker("correct", edits=edits, cascade="restate", reason="she stayed")
    assert (place(table, "ana"), table.state.landing) == ("north_ferry", None)
    table.play("ana", "end_turn")


def test_editions_without_such_a_rule_refuse_it() -> None:
    with pytest.raises(msgspec.ValidationError, match="station_travel"):
        naruto(station_travel=True)
    assert "travel" not in naruto().rulebook.actions


@pytest.mark.parametrize("claimed", [True, False])
def test_simulated_players_travel(claimed: bool) -> None:
    game = simulated(changed(), seed=4, station_travel=True, rents_are_claimed=claimed)
    assert happened(game, "travel") > 0
