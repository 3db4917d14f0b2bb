"""Cards by which titles and buildings are taken, bought, given, exchanged, lost and put up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.monopoly.boards import drawn, kept, town_with
from tests.monopoly.table import Table


def card(op: str, **members: Any) -> Table:
    """The town with a card of one effect; nobody has drawn it yet."""
    return town_with({"op": op, **members})


def titles(table: Table, seat: str) -> list[str]:
    """The titles that a seat is offered to choose from."""
    return [one["title"] for one in table.offers(seat, "choose") if "title" in one]


# Taking and buying --------------------------------------------------------------------------------


@pytest.mark.rule("own:card.8")
def test_take_a_title_from_another_player_with_their_consent_at_a_price() -> None:
    table = card("take_title", price=150, consent=True)
    table.give("bob", "kettle_street", "north_ferry")
    table.give("cid", "windmill")
    drawn(table)
    assert titles(table, "ana") == ["kettle_street", "windmill", "north_ferry"]
    table.refused("ana", "choose", "own:card.8", title="cork_wharf")
    table.play("ana", "choose", title="north_ferry")
    table.refused("ana", "choose", "own:card.13", option="yes")
    table.play("bob", "choose", option="yes")
    assert table.owner("north_ferry") == "ana"
    assert (table.cash("ana"), table.cash("bob")) == (1050, 1350)


@pytest.mark.rule("own:card.8")
def test_an_owner_who_does_not_agree_keeps_the_title() -> None:
    table = card("take_title", price=150, consent=True)
    table.give("bob", "north_ferry")
    drawn(table)
    table.play("ana", "choose", title="north_ferry")
    table.play("bob", "choose", option="no")
    assert (table.owner("north_ferry"), table.cash("ana")) == ("bob", 1200)
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.8")
def test_a_title_is_taken_without_asking_and_its_mortgage_stays_on_it() -> None:
    table = card("take_title", of="hill")
    table.give("bob", "kettle_street", "north_ferry")
    table.mortgaged("kettle_street")
    drawn(table)
    table.play("ana", "choose", title="kettle_street")
    assert (table.owner("kettle_street"), table.held("property:kettle_street", "mortgage")) == ("ana", 1)


@pytest.mark.rule("own:card.8")
def test_no_title_is_taken_out_of_a_group_with_buildings() -> None:
    table = card("take_title")
    table.give("bob", "hill")
    table.build(kettle_street=1)
    drawn(table)
    table.refused("ana", "choose", "own:card.13", title="ladder_street")
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.8")
def test_buy_any_free_title_at_half_price_or_leave_it() -> None:
    table = card("buy_title", share=[1, 2])
    table.give("bob", "tansy_row")
    drawn(table)
    assert "tansy_row" not in titles(table, "ana")
    assert titles(table, "ana")[0] == "thimble_row"
    table.play("ana", "choose", title="north_ferry")
    assert (table.owner("north_ferry"), table.cash("ana")) == ("ana", 1125)
    table = card("buy_title", share=[1, 2])
    drawn(table)
    table.play("ana", "choose", option="none")
    assert table.cash("ana") == 1200


@pytest.mark.rule("own:card.8")
def test_a_title_beyond_the_players_money_is_not_for_sale() -> None:
    table = card("buy_title")
    table.purse("ana", 65)
    drawn(table)
    assert titles(table, "ana") == ["tansy_row"]


# Giving, exchanging, losing -------------------------------------------------------------------------


@pytest.mark.rule("own:card.8")
def test_give_a_title_to_a_player_of_ones_choice_or_to_the_next() -> None:
    table = card("give_title")
    table.give("ana", "kettle_street", "north_ferry")
    drawn(table)
    table.play("ana", "choose", title="kettle_street")
    table.play("ana", "choose", player="cid")
    assert table.owner("kettle_street") == "cid"
    table = card("give_title", to="next")
    table.give("ana", "north_ferry")
    drawn(table)
    assert table.owner("north_ferry") == "bob"


@pytest.mark.rule("own:card.8")
def test_swap_titles_with_another_player() -> None:
    table = card("swap_titles", consent=True)
    table.give("ana", "tansy_row", "windmill")
    table.give("bob", "north_ferry")
    drawn(table)
    table.play("ana", "choose", title="north_ferry")
    table.play("ana", "choose", title="tansy_row")
    table.play("bob", "choose", option="yes")
    assert (table.owner("north_ferry"), table.owner("tansy_row")) == ("ana", "bob")


@pytest.mark.rule("own:card.8")
def test_who_has_nothing_to_give_swaps_nothing() -> None:
    table = card("swap_titles")
    table.give("bob", "north_ferry")
    told = table.told(drawn(table))
    assert "There is nothing on the table for Ana to choose: nothing happens." in told
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.8")
def test_lose_the_cheapest_title_to_the_bank_free_of_its_mortgage() -> None:
    table = card("lose_title", which="cheapest", share=[1, 2])
    table.give("ana", "north_ferry", "tansy_row")
    table.mortgaged("tansy_row")
    drawn(table)
    assert (table.owner("tansy_row"), table.held("property:tansy_row", "mortgage")) == (None, 0)
    assert table.cash("ana") == 1230


@pytest.mark.rule("own:card.8")
def test_each_of_the_others_loses_a_title_that_the_drawer_chooses() -> None:
    table = card("lose_title", who="others", chooser="drawer")
    table.give("bob", "north_ferry", "tansy_row")
    table.give("cid", "windmill", "kettle_street")
    drawn(table)
    table.play("ana", "choose", title="north_ferry")
    table.play("ana", "choose", title="windmill")
    assert [table.owner(one) for one in ("north_ferry", "tansy_row", "windmill", "kettle_street")] == [
        None, "bob", None, "cid",
    ]  # fmt: skip


@pytest.mark.rule("own:card.8")
def test_a_title_of_the_bank_is_auctioned() -> None:
    table = card("auction_title", of="station", which="dearest")
    drawn(table)
    assert table.state.auction is not None
    table.play("bob", "bid", amount=20)
    for seat in ("ana", "cid"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    ferry = table.last_events()[0]
    assert getattr(ferry, "seat", "") == "bob"


# Passing time, corrections ---------------------------------------------------------------------------


@pytest.mark.rule("own:card.13")
def test_time_passes_over_an_open_choice_and_the_owner_keeps_the_title() -> None:
    """Bob's throw comes while Ana's choice and then Bob's consent are open: the game settles both."""
    table = card("take_title", consent=True)
    table.give("bob", "north_ferry")
    drawn(table)
    table.play("ana", "choose", title="north_ferry")
    taken = table.number
    table.play("bob", "choose", option="yes")
    consent = table.number
    table.play("ana", "end_turn")
    table.banker("correct", edits=[{"op": "drop", "action": consent}], cascade="restate", reason="Bob said no")
    assert (table.owner("north_ferry"), table.state.turn) == ("bob", "bob")
    table.banker("correct", edits=[{"op": "drop", "action": taken}], cascade="restate", reason="Ana left it")
    assert (table.owner("north_ferry"), table.state.turn, table.state.choosing) == ("bob", "bob", None)


# Buildings ---------------------------------------------------------------------------------------------


@pytest.mark.rule("own:card.9")
def test_build_a_house_free_where_one_may_build() -> None:
    table = card("build")
    table.give("ana", "hill")
    table.build(kettle_street=1)
    drawn(table)
    assert titles(table, "ana") == ["ladder_street", "lantern_street"]
    table.play("ana", "choose", title="lantern_street")
    assert table.houses("kettle_street", "ladder_street", "lantern_street") == [1, 0, 1]
    assert (table.cash("ana"), table.stock()[0]) == (1200, 18)


@pytest.mark.rule("own:card.9")
def test_two_houses_at_half_price_and_the_second_is_left() -> None:
    table = card("build", count=2, share=[1, 2])
    table.give("ana", "hill")
    drawn(table)
    table.play("ana", "choose", title="kettle_street")
    table.play("ana", "choose", option="none")
    assert (table.houses("kettle_street"), table.cash("ana")) == ([1], 1170)


@pytest.mark.rule("own:card.9")
def test_nothing_is_built_without_a_whole_group_or_a_house_at_the_bank() -> None:
    table = card("build")
    table.give("ana", "kettle_street")
    drawn(table)
    table.play("ana", "end_turn")
    table = card("build")
    table.give("ana", "hill")
    table.left(houses=0)
    drawn(table)
    table.play("ana", "end_turn")


@pytest.mark.rule("own:card.9")
def test_lose_a_house_chosen_by_the_drawer() -> None:
    table = card("lose_building", who="others", chooser="drawer")
    table.give("bob", "hill")
    table.build(kettle_street=2, ladder_street=2, lantern_street=1)
    drawn(table)
    assert titles(table, "ana") == ["kettle_street", "ladder_street"]
    table.play("ana", "choose", title="ladder_street")
    assert table.houses("kettle_street", "ladder_street") == [2, 1]
    assert table.cash("bob") == 1200


@pytest.mark.rule("own:card.9")
def test_a_hotel_that_is_lost_becomes_houses_again() -> None:
    table = card("lose_building")
    table.give("ana", "hill")
    table.build(kettle_street=5, ladder_street=4, lantern_street=4)
    drawn(table)
    assert (table.houses("kettle_street"), table.hotels("kettle_street")) == ([4], [False])
    assert table.stock() == (8, 6)


@pytest.mark.rule("own:card.11")
def test_say_no_to_a_card_by_which_ones_title_would_be_taken() -> None:
    table = town_with({"op": "take_title"}, shield=[kept("say_no")])
    table.give("bob", "north_ferry", "card:shield")
    drawn(table)
    table.play("ana", "choose", title="north_ferry")
    assert table.offers("bob", "choose") == [{"option": "no"}, {"option": "yes"}]
    table.play("bob", "choose", option="yes")
    assert (table.owner("north_ferry"), table.held("deck:letters", "card:shield")) == ("bob", 1)
    table.play("ana", "end_turn")
