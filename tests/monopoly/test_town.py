"""The classic game in the made-up small town: setting up, turns, titles, rents and building.

Titles cost less than 400 shells there, and everybody starts with 1200. Rents are claimed, and paid at once.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.monopoly.table import SEATS, Table

GATE, LOCK_UP, GREEN = 0, 6, 12


def town(until: str = "play", **settings: Any) -> Table:
    """A game in the town: laid out, or with Ana about to throw."""
    return Table("monopoly", until=until, settings=settings)


def on_hill(**settings: Any) -> Table:
    """Ana owns the three streets of the hill, on which a cottage costs 60."""
    table = town(**settings)
    table.give("ana", "hill")
    return table


# Setting up ----------------------------------------------------------------------------------------


@pytest.mark.rule("own:general.1", "own:setup.1", "own:setup.3", "own:bank.1")
def test_a_table_is_laid_out_with_everything_at_the_bank() -> None:
    table = town("setup")
    assert {table.owner(title) for title in table.state.edition.pieces.titles} == {None}
    assert table.stock() == (20, 6)
    table.refused("ana", "roll_and_move", "own:setup.1", dice=[1, 2])


@pytest.mark.rule("own:setup.2", "own:setup.4")
def test_each_player_has_a_token_of_their_own_on_the_start() -> None:
    table = town("setup")
    table.play("ana", "join_table", token="Kite")
    table.refused("bob", "join_table", "own:setup.4", token="Kite")
    table.refused("bob", "join_table", "own:setup.4", token="Piano")
    table.refused(None, "start_game", "own:setup.4")
    table.play("bob", "join_table", token="Snail")
    assert table.state.tokens == {"ana": "Kite", "bob": "Snail"}


@pytest.mark.rule("own:setup.5")
def test_the_decks_are_shuffled_before_the_start() -> None:
    table = town("setup", tokens_chosen=False, throw_for_order=False)
    table.refused(None, "start_game", "own:setup.5")
    table.banker("shuffle_deck", deck="letters")
    table.banker("shuffle_deck", deck="tides")
    table.banker("start_game")


@pytest.mark.rule("own:setup.6", "own:setup.7", "own:setup.8")
def test_the_highest_throw_begins_and_everybody_receives_the_same() -> None:
    table = town("setup", tokens_chosen=False)
    for deck in ("letters", "tides"):
        table.banker("shuffle_deck", deck=deck)
    table.refused(None, "start_game", "own:setup.6")
    for seat, dice in (("ana", [1, 2]), ("bob", [6, 5]), ("cid", [2, 2])):
        table.banker("roll_for_order", seat=seat, dice=dice)
    table.banker("start_game")
    assert table.state.turn == "bob"
    assert [table.cash(seat) for seat in SEATS] == [1200] * 3
    assert table.bank() == -3600
    table.malformed("bob", "roll_and_move", dice=[0, 7])


@pytest.mark.rule("own:banker.2")
def test_a_table_may_elect_its_banker() -> None:
    table = town("setup", elected_banker=True, tokens_chosen=False, throw_for_order=False)
    for deck in ("letters", "tides"):
        table.banker("shuffle_deck", deck=deck)
    table.refused(None, "start_game", "own:banker.2")
    (elected,) = table.elect("bob")
    assert elected.rule == "own:banker.2"
    assert table.cash("bob") == 0
    table.banker("start_game")


# Turns ---------------------------------------------------------------------------------------------


@pytest.mark.rule("own:turn.1", "own:turn.3", "own:turn.7")
def test_players_throw_move_and_pass_the_turn_on() -> None:
    table = town()
    table.refused("bob", "roll_and_move", "own:turn.1", dice=[1, 2])
    table.refused("ana", "end_turn", "own:turn.7")
    table.roll("ana", 2, 4)
    assert table.state.positions["ana"] == LOCK_UP
    table.play("ana", "end_turn")
    assert table.state.turn == "bob"


@pytest.mark.rule("own:turn.2")
def test_a_throw_may_name_a_post() -> None:
    events = town().play("ana", "roll_and_move", dice=[2, 4], post="topic 7, post 12")
    assert "own:turn.2" in [one.rule for one in events]


@pytest.mark.rule("own:turn.4", "own:turn.5", "own:tax.1")
def test_a_tax_is_paid_before_the_throw_that_a_double_gives() -> None:
    table = town()
    table.roll("ana", 2, 2)
    table.refused("ana", "roll_and_move", "own:turn.4", dice=[1, 2])
    table.play("ana", "pay_tax")
    assert table.cash("ana") == 1200 - 90
    table.refused("ana", "end_turn", "own:turn.5")
    table.roll("ana", 3, 5)
    assert table.state.positions["ana"] == GREEN


@pytest.mark.rule("own:turn.6", "own:jail.3")
def test_the_third_double_goes_straight_to_prison() -> None:
    table = town()
    table.roll("ana", 3, 3)
    table.roll("ana", 3, 3)
    table.roll("ana", 6, 6)
    assert (table.state.positions["ana"], table.state.jailed) == (LOCK_UP, {"ana": 0})
    assert (table.cash("ana"), table.state.turn) == (1200, "bob")


@pytest.mark.rule("own:turn.8", "own:turn.9")
def test_the_salary_is_for_passing_and_more_is_for_staying() -> None:
    table = town(salary_for_staying=30)
    table.arrive("ana", "town_gate")
    assert table.cash("ana") == 1300
    table.play("ana", "end_turn")
    assert table.cash("ana") == 1330
    table.stand("bob", "observatory_terrace")
    table.roll("bob", 3, 4)
    assert table.cash("bob") == 1300


@pytest.mark.rule("own:turn.10", "own:turn.11", "own:jail.9")
def test_resting_visiting_and_coming_home_cost_nothing() -> None:
    table = town()
    table.give("ana", "tansy_row")
    for square in ("lime_tree_bench", "lock_up", "tansy_row"):
        table.stand("ana", "town_gate")
        events = table.arrive("ana", square)
        assert (table.state.landing, table.state.rents, table.state.jailed) == (None, [], {}), square
        assert "own:turn.4" not in [one.rule for one in events]


# Titles and auctions -------------------------------------------------------------------------------


@pytest.mark.rule("own:buy.1")
def test_a_free_title_is_bought_where_one_stands() -> None:
    table = town()
    table.refused("ana", "buy_property", "own:buy.1")
    table.arrive("ana", "copper_wharf")
    table.purse("ana", 189)
    table.refused("ana", "buy_property", "own:buy.1")
    table.purse("ana", 190)
    table.play("ana", "buy_property")
    assert (table.owner("copper_wharf"), table.cash("ana")) == ("ana", 0)


@pytest.mark.rule("own:buy.2", "own:auction.1", "own:auction.2", "own:auction.3", "own:auction.4", "own:auction.5")
def test_a_declined_title_goes_to_the_highest_bidder() -> None:
    table = town()
    table.jail("cid")
    table.arrive("ana", "copper_wharf")
    table.play("ana", "decline_property")
    table.refused("ana", "end_turn", "own:auction.1")
    table.refused("bob", "bid", "own:auction.3", amount=0)
    table.play("bob", "bid", amount=5)
    table.refused("ana", "bid", "own:auction.2", amount=1201)
    table.play("cid", "bid", amount=40)
    assert (table.cash("bob"), table.cash("cid"), table.escrow()) == (1200, 1160, 40)
    table.play("ana", "bid", amount=41)
    table.refused(None, "close_auction", "own:auction.4")
    table.play("bob", "pass_bid")
    table.play("cid", "pass_bid")
    table.banker("close_auction")
    assert (table.owner("copper_wharf"), table.cash("ana"), table.cash("cid")) == ("ana", 1159, 1200)


# Rents ---------------------------------------------------------------------------------------------


def paid(table: Table, title: str, dice: tuple[int, int] = (1, 2)) -> int:
    """What Bob pays for a stop on a title of Ana's."""
    before = table.cash("bob")
    table.arrive("bob", title, dice)
    table.play("ana", "claim_rent")
    return before - table.cash("bob")


@pytest.mark.rule("own:rent.1", "own:rent.2", "own:rent.3")
def test_a_rent_is_claimed_before_the_next_throw() -> None:
    table = town()
    table.give("ana", "tansy_row")
    table.arrive("bob", "tansy_row", (4, 6))
    table.refused("cid", "claim_rent", "own:rent.1", title="tansy_row")
    table.play("ana", "claim_rent")
    assert (table.cash("ana"), table.cash("bob")) == (1204, 1296)
    table.arrive("bob", "tansy_row", (1, 2))
    table.play("bob", "end_turn")
    table.roll("cid", 2, 4)
    table.refused("ana", "claim_rent", "own:rent.3", title="tansy_row")


@pytest.mark.rule("own:rent.4", "own:rent.5", "own:rent.6")
def test_the_rent_of_a_street_grows_with_the_group_and_its_houses() -> None:
    table = town()
    table.give("ana", "kettle_street")
    assert paid(table, "kettle_street") == 9
    table.give("ana", "hill")
    assert paid(table, "kettle_street") == 18
    table.mortgaged("ladder_street")
    assert paid(table, "kettle_street") == 9
    table.arrive("bob", "ladder_street")
    table.refused("ana", "claim_rent", "own:rent.6", title="ladder_street")
    built = on_hill()
    built.build(kettle_street=2, ladder_street=5, lantern_street=2)
    assert (paid(built, "kettle_street"), paid(built, "ladder_street")) == (130, 680)


@pytest.mark.rule("own:rent.7", "own:rent.8")
def test_stations_and_utilities_earn_by_the_number_owned() -> None:
    table = town()
    table.give("ana", "north_ferry", "windmill")
    assert (paid(table, "north_ferry"), paid(table, "windmill", (3, 4))) == (30, 5 * 7)
    table.give("ana", "ferries", "works")
    assert (paid(table, "south_ferry"), paid(table, "cistern", (3, 4))) == (80, 12 * 7)


@pytest.mark.rule("own:rent.9")
def test_a_card_may_ask_for_a_throw_for_the_rent() -> None:
    table = town()
    table.give("ana", "cistern")
    table.arrive("bob", "tide_bell")
    table.refused("bob", "roll_for_rent", "own:rent.9", dice=[6, 6])
    with table.arranged() as state:
        state.positions["bob"] = 10
    table.play("bob", "draw_card", card="tide_works")
    assert table.state.positions["bob"] == 20
    table.play("ana", "claim_rent")
    table.play("bob", "roll_for_rent", dice=[6, 6])
    assert (table.cash("bob"), table.cash("ana")) == (1200 - 120, 1320)
    assert table.state.turn == "bob"


@pytest.mark.rule("own:rent.9")
def test_who_is_sent_to_a_utility_throws_for_its_rent() -> None:
    """The storm drives Bob from 21 back to the cistern. No dice have led there: he throws, 5 times 7."""
    table = town()
    table.give("ana", "cistern")
    table.arrive("bob", "weather_vane", (6, 5))
    table.play("bob", "roll_chance_die", dice=[6])
    assert table.state.positions["bob"] == 20
    table.play("ana", "claim_rent")
    table.play("bob", "roll_for_rent", dice=[3, 4])
    assert (table.cash("bob"), table.cash("ana")) == (1200 - 35, 1200 + 35)


# Building ------------------------------------------------------------------------------------------


@pytest.mark.rule("own:build.1", "own:build.2", "own:build.3", "own:build.7")
def test_cottages_are_for_whole_groups_of_streets_at_any_time() -> None:
    table = on_hill()
    table.give("bob", "tansy_row", "north_ferry", "south_ferry")
    table.refused("bob", "build", "own:build.1", title="tansy_row")
    table.refused("bob", "build", "own:build.2", title="north_ferry")
    table.turn("bob")
    table.play("ana", "build", title="kettle_street")
    assert (table.cash("ana"), table.stock()) == (1140, (19, 6))
    table.purse("ana", 59)
    table.refused("ana", "build", "own:build.3", title="ladder_street")


@pytest.mark.rule("own:build.4", "own:build.5", "own:build.8", "own:build.9")
def test_streets_grow_evenly_up_to_one_inn_each() -> None:
    table = on_hill()
    table.play("ana", "build", title="kettle_street")
    table.refused("ana", "build", "own:build.4", title="kettle_street")
    table.build(kettle_street=4, ladder_street=4, lantern_street=3)
    table.refused("ana", "build", "own:build.5", title="kettle_street", piece="house")
    table.refused("ana", "build", "own:build.8", title="kettle_street", piece="hotel")
    table.play("ana", "build", title="lantern_street")
    table.play("ana", "build", title="kettle_street")
    assert (table.hotels("kettle_street"), table.stock()) == ([True], (12, 5))
    table.refused("ana", "build", "own:build.9", title="kettle_street")


@pytest.mark.rule("own:build.6", "own:mortgage.3")
def test_buildings_and_mortgages_do_not_stand_in_one_group() -> None:
    table = on_hill()
    table.play("ana", "build", title="kettle_street")
    table.refused("ana", "mortgage", "own:mortgage.3", title="lantern_street")
    table.play("ana", "sell_building", title="kettle_street")
    table.play("ana", "mortgage", title="lantern_street")
    table.refused("ana", "build", "own:build.6", title="kettle_street")


@pytest.mark.rule("own:stock.1", "own:stock.2", "own:banker.1")
def test_the_last_cottage_is_auctioned_among_those_who_can_place_it() -> None:
    table = on_hill()
    table.give("bob", "terrace")
    table.left(houses=0)
    table.refused("ana", "build", "own:stock.1", title="kettle_street")
    table.left(houses=1)
    table.play("ana", "request_building", piece="house")
    table.play("bob", "request_building", piece="house")
    table.refused("ana", "build", "own:stock.2", title="kettle_street")
    assert table.offers("ana", "open_auction") == table.offers("bob", "open_auction") == []
    table.banker("open_auction")
    table.play("ana", "bid", amount=25, title="kettle_street")
    table.play("bob", "pass_bid")
    table.banker("close_auction")
    assert (table.houses("kettle_street"), table.cash("ana"), table.stock()) == ([1], 1175, (0, 6))


@pytest.mark.rule("own:sell.1", "own:sell.2", "own:sell.3")
def test_buildings_go_back_evenly_at_half_price() -> None:
    table = on_hill()
    table.build(kettle_street=5, ladder_street=5, lantern_street=4)
    table.refused("ana", "sell_building", "own:sell.2", title="lantern_street")
    table.play("ana", "sell_building", title="kettle_street")
    assert (table.houses("kettle_street"), table.cash("ana")) == ([4], 1230)
    table.refused("ana", "sell_building", "own:sell.2", title="kettle_street")
    table.refused("bob", "sell_building", "own:sell.1", title="kettle_street")
