"""House rules of building: without the whole group, three in a row, unevenly, only where one stands."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.rulebooks.monopoly.turns.rents import rent_now
from tests.monopoly.own import row
from tests.monopoly.streets import changed, happened, of, simulated
from tests.monopoly.table import Table, monopolys, naruto, town

HILL = ("kettle_street", "ladder_street", "lantern_street")


def rent(table: Table, title: str, owner: str = "ana") -> int:
    """The rent of a stop on a title now."""
    return rent_now(table.state, owner, table.state.edition.pieces.titles[title])[0]


def rich(*owned: str, **settings: Any) -> Table:
    """Ana has these titles and much money."""
    table = town(**settings)
    table.give("ana", *owned)
    table.purse("ana", 5000)
    return table


# Without the whole group -------------------------------------------------------------------------


@pytest.mark.rule("own:build.12", "own:build.1", "own:build.4")
def test_one_street_of_a_group_is_built_on() -> None:
    """Ana has two of three streets of the hill, evenly built; Bob mortgages and sells his as he likes."""
    table = rich("kettle_street", "ladder_street", build_without_group=True)
    table.give("bob", "lantern_street")
    (house,) = table.play("ana", "build", title="kettle_street")
    assert (house.rule, rent(table, "kettle_street"), rent(table, "ladder_street")) == ("own:build.12", 45, 9)
    table.refused("ana", "build", "own:build.4", title="kettle_street")
    table.refused("ana", "mortgage", "own:mortgage.3", title="ladder_street")
    table.play("bob", "mortgage", title="lantern_street")
    table.play("ana", "build", title="ladder_street")
    table.refused("ana", "build", "own:build.1", title="lantern_street")
    thing = {"commodity": "title:lantern_street", "amount": 1}
    price = {"commodity": "COIN", "amount": 10}
    table.play("bob", "propose_trade", to="ana", give=[thing], ask=[price])
    table.play("ana", "accept_trade", trade=next(iter(table.state.open)), lift=["lantern_street"])
    table.play("ana", "build", title="lantern_street")
    assert table.houses(*HILL) == [1, 1, 1]
    assert rich("kettle_street").offers("ana", "build") == []


@pytest.mark.rule("own:build.12", "own:sell.3")
def test_a_hotel_on_one_street_is_sold_without_houses_in_the_bank() -> None:
    """Only the streets as high share the houses left; the new street gets none."""
    table = rich("kettle_street", "ladder_street", build_without_group=True)
    table.build(kettle_street=5)
    table.left(houses=1)
    table.play("ana", "sell_building", title="kettle_street")
    assert (table.houses(*HILL), table.stock()) == ([1, 0, 0], (0, 6))


@pytest.mark.rule("own:bankrupt.2")
def test_a_bankrupt_sells_what_stands_on_parts_of_groups() -> None:
    table = rich("kettle_street", build_without_group=True)
    table.play("ana", "build", title="kettle_street")
    table.purse("ana", 0)
    table.give("bob", "terrace")
    table.build(orchard_terrace=5, observatory_terrace=5)
    table.arrive("ana", "observatory_terrace")
    table.play("bob", "claim_rent")
    table.play("ana", "declare_bankruptcy")
    assert (table.houses("kettle_street"), table.owner("kettle_street"), table.stock()[0]) == ([0], "bob", 20)


def test_a_corrected_purchase_takes_the_house_along() -> None:
    """Ana never bought Kettle Street, so she never built there."""
    table = town(build_without_group=True)
    table.stand("ana", "kettle_street", before=3)
    table.roll("ana", 1, 2)
    table.play("ana", "buy_property")
    bought = table.number
    table.play("ana", "build", title="kettle_street")
    edits = [{"op": "drop", "action": bought}]
    table.banker("correct", edits=edits, cascade="restate", reason="she never did")
    assert (table.owner("kettle_street"), table.houses("kettle_street")) == (None, [0])


# Three in a row ----------------------------------------------------------------------------------


@pytest.mark.rule("own:rent.10", "own:build.12")
def test_three_neighbouring_streets_count_as_a_whole_group() -> None:
    """Ladder Street, Lantern Street and Copper Wharf follow one another; Kettle Street is Bob's."""
    table = rich("ladder_street", "lantern_street", three_in_a_row=True)
    table.give("bob", "kettle_street")
    assert (rent(table, "ladder_street"), table.offers("ana", "build")) == (9, [])
    table.give("ana", "copper_wharf")
    assert [rent(table, title) for title in ("ladder_street", "copper_wharf")] == [18, 32]
    table.arrive("bob", "copper_wharf")
    table.play("ana", "claim_rent")
    assert table.cash("bob") == 1200 - 32
    table.play("ana", "build", title="copper_wharf")
    table.play("ana", "build", title="ladder_street")
    table.refused("ana", "build", "own:build.4", title="ladder_street")
    assert rent(table, "lantern_street") == 22
    table.play("ana", "sell_building", title="ladder_street")
    table.play("ana", "mortgage", title="lantern_street")
    assert rent(table, "ladder_street") == 9
    table.refused("ana", "build", "own:build.1", title="ladder_street")
    assert (table.houses("copper_wharf"), rent(table, "kettle_street", "bob")) == ([1], 9)


@pytest.mark.rule("own:rent.10")
def test_a_row_goes_round_the_start_and_does_not_raise_what_the_board_forbids() -> None:
    board = changed(tansy_row={"group": None})
    row(board, "groups", "meadow")["doubles"] = False
    table = of(board, three_in_a_row=True)
    table.give("ana", "observatory_terrace", "tansy_row", "thimble_row")
    assert [rent(table, title) for title in ("observatory_terrace", "tansy_row", "thimble_row")] == [88, 8, 5]
    table.arrive("bob", "observatory_terrace")
    table.play("ana", "claim_rent")
    assert table.cash("bob") == 1200 - 88


# Unevenly, where one stands ----------------------------------------------------------------------


@pytest.mark.rule("own:build.12", "own:build.4", "own:sell.2")
def test_buildings_may_lie_unevenly() -> None:
    table = rich("hill", build_unevenly=True)
    for _ in range(5):
        table.play("ana", "build", title="kettle_street")
    assert table.hotels(*HILL) == [True, False, False]
    table.play("ana", "build", title="ladder_street")
    table.play("ana", "sell_building", title="ladder_street")
    table.left(houses=2)
    table.play("ana", "sell_building", title="kettle_street")
    assert table.houses(*HILL) == [2, 0, 0]
    table.give("bob", "meadow")
    table.refused("bob", "build", "own:build.1", title="kettle_street")
    table.give("bob", "copper_wharf")
    table.refused("bob", "build", "own:build.1", title="copper_wharf")


@pytest.mark.rule("own:build.11")
def test_one_builds_only_where_one_stands() -> None:
    table = rich("hill", build_where_standing=True)
    table.stand("ana", "ladder_street")
    refusal = table.refused("ana", "build", "own:build.11", title="kettle_street")
    assert "stand" in refusal.en
    assert table.offers("ana", "build") == [{"title": "ladder_street"}]
    table.play("ana", "build", title="ladder_street")
    table.refused("ana", "build", "own:build.4", title="ladder_street")


@pytest.mark.parametrize(
    "name", ["build_without_group", "three_in_a_row", "build_unevenly", "build_where_standing"]
)
def test_editions_without_such_a_rule_refuse_it(name: str) -> None:
    for table in (naruto, monopolys):
        with pytest.raises(msgspec.ValidationError, match=name):
            table(**{name: True})


@pytest.mark.parametrize(
    "settings",
    [
        {"build_without_group": True, "build_unevenly": True},
        {"build_without_group": True, "houses_stock": 5},
        {"three_in_a_row": True, "houses_stock": 8},
        {"build_where_standing": True},
    ],
)
def test_simulated_players_build_freely(settings: dict[str, Any]) -> None:
    game = simulated(changed(), seed=5, starting_cash=4000, **settings)
    assert happened(game, "build") > 0
