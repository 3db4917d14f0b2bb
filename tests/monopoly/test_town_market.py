"""The small town, played by the classic rules of own boards: buying, auctions, building and selling."""

from __future__ import annotations

import pytest

from tests.monopoly.table import Table, town

HILL = ("kettle_street", "ladder_street", "lantern_street")


def hill(*levels: int) -> Table:
    """A game in which ana owns the hill, built so far, and bob the harbour."""
    table = town()
    table.give("ana", "hill")
    table.give("bob", "harbour")
    table.build(**dict(zip(HILL, levels, strict=False)))
    return table


@pytest.mark.rule("own:buy.1")
def test_a_title_of_the_bank_is_bought_where_one_stops() -> None:
    table = town()
    table.refused("ana", "buy_property", "own:buy.1")
    table.give("bob", "windmill")
    table.arrive("ana", "windmill")
    table.refused("ana", "buy_property", "own:buy.1")
    table.arrive("ana", "kettle_street")
    table.purse("ana", 109)
    table.refused("ana", "buy_property", "own:buy.1")
    table.purse("ana", 110)
    table.play("ana", "buy_property")
    assert (table.owner("kettle_street"), table.cash("ana")) == ("ana", 0)


@pytest.mark.rule("own:buy.2", "own:auction.1", "own:auction.4", "own:auction.5", "own:banker.1")
def test_a_title_that_is_declined_is_auctioned_before_the_dice_go_on() -> None:
    table = town()
    table.jail("cid")
    table.arrive("ana", "south_ferry", (2, 2))
    table.refused("ana", "roll_and_move", "own:buy.2", dice=[1, 2])
    table.play("ana", "decline_property")
    table.refused("ana", "roll_and_move", "own:auction.1", dice=[1, 2])
    table.play("cid", "bid", amount=30)
    table.play("ana", "bid", amount=31)
    table.refused(None, "close_auction", "own:auction.4")
    for seat in ("bob", "cid"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    assert (table.owner("south_ferry"), table.cash("ana"), table.cash("cid")) == ("ana", 1169, 1200)
    table.roll("ana", 1, 2)


@pytest.mark.rule("own:auction.2", "own:auction.3")
def test_bids_are_money_that_one_has_and_rise_by_one_at_least() -> None:
    table = town()
    table.arrive("ana", "south_ferry")
    table.play("ana", "decline_property")
    table.refused("bob", "bid", "own:auction.3", amount=0)
    table.refused("bob", "bid", "own:auction.2", amount=1201)
    table.play("bob", "bid", amount=1)
    assert (table.cash("bob"), table.escrow()) == (1199, 1)
    table.refused("cid", "bid", "own:auction.3", amount=1)
    table.play("cid", "bid", amount=2)
    assert (table.cash("bob"), table.escrow()) == (1200, 2)


@pytest.mark.rule("own:build.1", "own:build.2", "own:build.3", "own:build.6", "own:build.7")
def test_cottages_stand_on_streets_of_a_whole_group() -> None:
    table = hill()
    table.give("ana", "ferries", "works", "tansy_row")
    for title in ("south_ferry", "cistern"):
        table.refused("ana", "build", "own:build.2", title=title)
    table.refused("ana", "build", "own:build.1", title="tansy_row")
    table.purse("ana", 59)
    table.refused("ana", "build", "own:build.3", title="kettle_street")
    table.purse("ana", 60)
    table.turn("bob")
    table.jail("ana")
    (built,) = table.play("ana", "build", title="kettle_street")
    assert (built.rule, table.cash("ana"), table.stock()) == ("own:build.3", 0, (19, 6))
    idle = hill()
    idle.mortgaged("ladder_street")
    idle.refused("ana", "build", "own:build.6", title="kettle_street")


@pytest.mark.rule("own:build.4", "own:build.5", "own:build.8", "own:build.9")
def test_streets_are_built_evenly_up_to_four_cottages_and_an_inn() -> None:
    table = hill(4, 4, 3)
    table.refused("ana", "build", "own:build.5", title="kettle_street", piece="house")
    table.refused("ana", "build", "own:build.8", title="kettle_street")
    table.play("ana", "build", title="lantern_street")
    (built,) = table.play("ana", "build", title="kettle_street")
    assert (built.rule, table.stock()) == ("own:build.8", (12, 5))
    table.refused("ana", "build", "own:build.9", title="kettle_street")
    uneven = hill(1, 0, 1)
    uneven.refused("ana", "build", "own:build.4", title="kettle_street")


@pytest.mark.rule("own:stock.1", "own:stock.2")
def test_the_last_cottage_is_auctioned_when_two_want_it() -> None:
    table = hill()
    table.left(houses=0)
    table.refused("ana", "build", "own:stock.1", title="kettle_street")
    table.left(houses=1)
    for seat in ("ana", "bob"):
        table.play(seat, "request_building", piece="house")
    table.refused("ana", "build", "own:stock.2", title="kettle_street")
    (opened,) = table.banker("open_auction")
    table.play("bob", "bid", amount=75, title="cork_wharf")
    table.play("ana", "pass_bid")
    table.banker("close_auction")
    assert (opened.rule, table.houses("cork_wharf"), table.cash("bob")) == ("own:stock.2", [1], 1125)


@pytest.mark.rule("own:sell.1", "own:sell.2", "own:sell.3")
def test_buildings_go_back_to_the_bank_at_half_price_and_evenly() -> None:
    table = hill(5, 4, 4)
    table.refused("ana", "sell_building", "own:sell.2", title="ladder_street")
    (sold,) = table.play("ana", "sell_building", title="kettle_street")
    assert (sold.rule, table.cash("ana"), table.houses(*HILL)) == ("own:sell.3", 1230, [4, 4, 4])
    table.play("ana", "sell_building", title="kettle_street", amount=1)
    table.refused("ana", "propose_trade", "own:sell.1", to="bob", give=[{"commodity": "house", "amount": 1}])
    assert (table.cash("ana"), table.houses(*HILL)) == (1260, [3, 4, 4])
    short = hill(5, 5, 5)
    short.left(houses=1)
    short.play("ana", "sell_building", title="kettle_street", keep=["ladder_street"])
    assert (short.houses(*HILL), short.cash("ana")) == ([0, 1, 0], 1200 + 14 * 30)
