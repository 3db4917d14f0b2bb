"""Buying and declining titles."""

from __future__ import annotations

import pytest

from tests.monopoly.table import monopolys, naruto


@pytest.mark.rule("naruto:recruit.2")
@pytest.mark.rule("naruto:recruit.3")
@pytest.mark.rule("naruto:bank.4")
def test_ana_recruits_the_ninja_on_which_she_stops() -> None:
    table = naruto()
    table.arrive("ana", "orange_1")
    assert table.offers("ana", "buy_property") == [{}]
    told = table.told(table.play("ana", "buy_property"))
    assert (table.owner("orange_1"), table.cash("ana"), table.bank()) == ("ana", 1320, -4320)
    assert "180" in told[0]
    assert table.seen_by(None) == table.seen_by("bob") == table.last_events()
    refused = table.refused("ana", "buy_property", "naruto:recruit.2")
    assert "Ana" in refused.en


@pytest.mark.rule("naruto:recruit.2")
def test_a_ninja_is_not_bought_by_who_does_not_stand_there_or_lacks_the_money() -> None:
    table = naruto()
    table.refused("ana", "buy_property", "naruto:recruit.2")
    table.give("bob", "orange_2")
    table.arrive("ana", "orange_2")
    table.refused("ana", "buy_property", "naruto:recruit.2")
    table.arrive("ana", "orange_1")
    table.purse("ana", 179)
    table.refused("ana", "buy_property", "naruto:recruit.2")
    assert table.offers("ana", "buy_property") == []
    table.refused("bob", "buy_property", "naruto:turn.1")
    table.purse("ana", 180)
    table.play("ana", "buy_property")
    assert (table.owner("orange_1"), table.cash("ana")) == ("ana", 0)


@pytest.mark.rule("naruto:recruit.4")
def test_the_whole_group_opens_building() -> None:
    table = naruto()
    table.give("ana", "orange_1", "orange_2")
    table.arrive("ana", "orange_3")
    table.refused("ana", "build", "naruto:food.1", title="orange_1")
    assert table.offers("ana", "build") == []
    table.play("ana", "buy_property")
    assert table.offers("ana", "build") == [{"title": one} for one in ("orange_1", "orange_2", "orange_3")]


@pytest.mark.rule("naruto:recruit.1")
def test_there_are_28_ninjas_of_three_kinds_each_with_a_rent_of_its_own() -> None:
    table = naruto()
    found = list(table.rulebook.blank().edition.pieces.titles.values())
    kinds = [sum(one.kind == kind for one in found) for kind in ("street", "station", "utility")]
    assert (len(found), kinds) == (28, [22, 4, 2])
    assert len({one.group for one in found if one.kind == "street"}) == 8
    table.give("bob", "orange_1", "kisame", "obito")
    asked = {}
    for title in ("orange_1", "kisame", "obito"):
        table.arrive("ana", title)
        asked[title] = (table.state.rents[-1].amount, table.state.rents[-1].multiplier)
    assert asked == {"orange_1": (14, 0), "kisame": (25, 0), "obito": (0, 4)}
    table.play("bob", "claim_rent", title="obito")


@pytest.mark.rule("naruto:auction.1")
def test_nothing_goes_on_before_ana_has_bought_or_declined_and_the_auction_is_closed() -> None:
    table = naruto()
    table.arrive("ana", "orange_1", (2, 2))
    table.refused("ana", "end_turn", "naruto:turn.4")
    table.refused("ana", "roll_and_move", "naruto:auction.1", dice=[1, 2])
    events = table.play("ana", "decline_property")
    assert [type(one).__name__ for one in events] == ["TitleDeclined", "AuctionOpened"]
    table.refused("ana", "roll_and_move", "naruto:auction.1", dice=[1, 2])
    table.banker("close_auction", override="the table is in a hurry")
    table.roll("ana", 4, 6)
    assert table.state.positions["ana"] == 26
    table.refused("ana", "end_turn", "naruto:auction.1")


@pytest.mark.rule("naruto:auction.1")
def test_without_auctions_a_declined_title_stays_with_the_bank() -> None:
    table = naruto(auctions=False)
    table.arrive("ana", "orange_1")
    table.play("ana", "decline_property")
    table.play("ana", "end_turn")
    assert table.owner("orange_1") is None
    table.arrive("bob", "orange_1")
    table.play("bob", "buy_property")


@pytest.mark.rule("monopolys:buy.1")
@pytest.mark.rule("monopolys:buy.2")
def test_a_comptoir_of_nobody_is_bought_from_the_bank() -> None:
    table = monopolys()
    table.refused("ana", "buy_property", "monopolys:buy.1")
    table.give("bob", "phenys")
    table.arrive("ana", "phenys")
    table.refused("ana", "buy_property", "monopolys:buy.1")
    table.arrive("ana", "odyssa")
    table.purse("ana", 17999)
    table.refused("ana", "buy_property", "monopolys:buy.2")
    table.purse("ana", 18000)
    (bought,) = table.play("ana", "buy_property")
    assert bought.rule == "monopolys:buy.2"
    assert (table.owner("odyssa"), table.cash("ana")) == ("ana", 0)


@pytest.mark.rule("monopolys:guetapens.1")
def test_mercenaries_are_bought_or_auctioned() -> None:
    table = monopolys()
    table.arrive("ana", "charybde")
    (bought,) = table.play("ana", "buy_property")
    assert (bought.rule, table.cash("ana")) == ("monopolys:guetapens.1", 135_000)
    table.arrive("bob", "zcygulla")
    declined, opened = table.play("bob", "decline_property")
    assert declined.rule == opened.rule == "monopolys:guetapens.1"
    assert table.state.auction is not None


@pytest.mark.rule("monopolys:port.1")
@pytest.mark.rule("monopolys:port.3")
@pytest.mark.rule("monopolys:port.4")
def test_a_port_is_for_who_stops_there_first_then_for_the_next_and_otherwise_auctioned() -> None:
    table = monopolys()
    table.arrive("ana", "avarys")
    table.play("ana", "decline_property")
    for seat in ("ana", "bob", "cid"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    assert table.owner("avarys") is None
    table.arrive("bob", "avarys")
    (bought,) = table.play("bob", "buy_property")
    assert (bought.rule, table.cash("bob")) == ("monopolys:port.3", 130_000)
    table.arrive("cid", "krasstadt")
    declined, opened = table.play("cid", "decline_property")
    assert declined.rule == opened.rule == "monopolys:port.4"
    (bid,) = table.play("cid", "bid", amount=1)
    assert bid.rule == "monopolys:port.4"
    for seat in ("ana", "bob"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    assert (table.owner("krasstadt"), table.cash("cid")) == ("cid", 149_999)
