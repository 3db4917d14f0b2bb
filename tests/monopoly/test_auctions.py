"""Auctions: declined titles, bids in escrow, passing, the clock, and a bankrupt's titles one by one."""

from __future__ import annotations

import pytest

from ledger.rulebooks.monopoly.trading import auctions
from ledger.rulebooks.monopoly.trading.auctions import CloseAuction
from tests.harness.playing import NOON
from tests.monopoly.table import Table, monopolys, naruto


def declined(table: Table, title: str) -> None:
    """Ana stops on a title and declines it."""
    table.arrive("ana", title)
    table.play("ana", "decline_property")


def closed(table: Table, *others: str) -> list[str]:
    """These seats pass, and the banker closes the auction; the sentences."""
    for seat in others:
        table.play(seat, "pass_bid")
    return table.told(table.banker("close_auction"))


# Bids ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:auction.1", "naruto:auction.5", "naruto:auction.6")
def test_who_declined_may_win_below_the_printed_price() -> None:
    table = naruto()
    declined(table, "orange_1")
    table.play("bob", "bid", amount=40)
    (bid,) = table.play("ana", "bid", amount=41)
    assert bid.rule == "naruto:auction.6"
    told = closed(table, "bob", "cid")
    assert (table.owner("orange_1"), table.cash("ana"), table.cash("bob")) == ("ana", 1459, 1500)
    assert (table.escrow(), table.bank()) == (0, -4459)
    assert "41" in told[0]
    table.play("ana", "end_turn")


@pytest.mark.rule("naruto:auction.3")
def test_a_bid_is_money_that_one_has_and_lies_in_escrow_until_outbid() -> None:
    table = naruto()
    declined(table, "orange_1")
    table.purse("bob", 50)
    table.refused("bob", "bid", "naruto:auction.3", amount=51)
    table.play("bob", "bid", amount=50)
    assert (table.cash("bob"), table.escrow()) == (0, 50)
    table.play("cid", "bid", amount=51)
    assert (table.cash("bob"), table.cash("cid"), table.escrow()) == (50, 1449, 51)
    table.play("cid", "bid", amount=60)
    assert (table.cash("cid"), table.escrow()) == (1440, 60)
    table.refused("cid", "bid", "naruto:auction.3", amount=1501)
    assert table.offers("bob", "bid") == []
    table.malformed("bob", "bid", amount=60, cards=["kisame"])


@pytest.mark.rule("naruto:auction.3", "naruto:debt.1")
def test_notes_that_are_owed_are_not_bid() -> None:
    """Ana owes Bob 200 and has 250 when the ninja that she declined is auctioned: she bids 50 at most."""
    table = naruto()
    table.give("bob", "station")
    table.arrive("ana", "pain", (2, 2))
    table.stand("ana", "orange_1", before=4)
    table.roll("ana", 2, 2)
    table.play("ana", "decline_property")
    table.purse("ana", 250)
    table.play("bob", "claim_rent")
    assert [debt.amount for debt in table.state.debts] == [200]
    assert table.offers("ana", "bid") == [{"amount": 1}]
    table.refused("ana", "bid", "naruto:debt.1", amount=51)
    table.play("ana", "bid", amount=50)
    table.play("ana", "pay_debt")
    assert (table.cash("ana"), table.escrow()) == (0, 50)


@pytest.mark.rule("naruto:auction.4", "naruto:bank.8")
def test_a_bid_is_at_least_one_and_more_than_the_best() -> None:
    table = naruto()
    declined(table, "orange_1")
    table.refused("bob", "bid", "naruto:auction.4", amount=0)
    table.malformed("bob", "bid", amount=-1)
    table.malformed("bob", "bid", amount=1.5)
    assert table.offers("bob", "bid") == [{"amount": 1}]
    table.play("bob", "bid", amount=1)
    table.refused("cid", "bid", "naruto:auction.4", amount=1)
    table.play("cid", "bid", amount=2)


@pytest.mark.rule("naruto:auction.5")
def test_the_banker_closes_when_all_others_have_passed() -> None:
    table = naruto()
    declined(table, "orange_1")
    table.play("bob", "bid", amount=10)
    table.refused(None, "close_auction", "naruto:auction.5")
    table.refused("bob", "pass_bid", "naruto:auction.5")
    table.play("ana", "pass_bid")
    table.refused("ana", "pass_bid", "naruto:auction.5")
    table.refused("ana", "bid", "naruto:auction.5", amount=20)
    table.refused(None, "close_auction", "naruto:auction.5")
    table.play("cid", "pass_bid")
    assert table.offers("cid", "bid") == table.offers("cid", "pass_bid") == []
    table.banker("close_auction")
    assert (table.owner("orange_1"), table.cash("bob")) == ("bob", 1490)


@pytest.mark.rule("naruto:auction.5")
def test_a_lot_on_which_nobody_bids_stays_with_the_bank() -> None:
    table = naruto()
    declined(table, "orange_1")
    told = closed(table, "ana", "bob", "cid")
    assert table.owner("orange_1") is None
    assert len(told) == 1
    table.play("ana", "end_turn")
    table.arrive("bob", "orange_1")
    table.play("bob", "buy_property")
    assert table.cash("bob") == 1320


@pytest.mark.rule("naruto:auction.7")
def test_everybody_bids_prisoners_and_the_banker_too_but_no_bankrupt() -> None:
    table = naruto(seats=("ana", "bob", "cid", "dan"))
    table.jail("bob")
    with table.arranged() as state:
        state.out = ("dan",)
    declined(table, "orange_1")
    table.play("bob", "bid", amount=5)
    table.play("ana", "bid", amount=6)
    table.refused("dan", "bid", "naruto:bankruptcy.9", amount=7)
    table.refused("dan", "pass_bid", "naruto:bankruptcy.9")
    closed(table, "bob", "cid")
    assert table.owner("orange_1") == "ana"


@pytest.mark.rule("naruto:auction.1")
def test_without_an_auction_there_is_nothing_to_bid_for() -> None:
    table = naruto()
    table.refused("ana", "bid", "naruto:auction.1", amount=5)
    table.refused("ana", "pass_bid", "naruto:auction.1")
    table.refused(None, "close_auction", "naruto:auction.1")
    table.refused(None, "open_auction", "naruto:auction.1")


@pytest.mark.rule("naruto:banker.2", "monopolys:banker.1")
def test_only_the_banker_opens_and_closes_auctions() -> None:
    for table, title in ((naruto(), "orange_1"), (monopolys(), "odyssa")):
        declined(table, title)
        for kind in ("open_auction", "close_auction"):
            assert table.rulebook.actions[kind].by == ("banker", "system")
            assert kind not in {one.kind for one in table.moves("ana")}
        table.refused(None, "open_auction", table.state.edition.rules.roles["auction"])
        closed(table, "ana", "bob", "cid")


@pytest.mark.rule("naruto:auction.5")
def test_a_lot_that_a_ruling_has_given_away_is_not_sold_and_the_bid_goes_back() -> None:
    table = naruto()
    declined(table, "orange_1")
    table.play("bob", "bid", amount=10)
    table.give("cid", "orange_1")
    closed(table, "ana", "cid")
    assert (table.owner("orange_1"), table.cash("bob"), table.escrow()) == ("cid", 1500, 0)


# The clock -----------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:auction.5")
def test_the_auction_is_closed_when_its_time_is_over() -> None:
    """A minute at the table, unless the table says otherwise."""
    table = naruto(auction_seconds=60)
    assert auctions.deadlines(table.state) == ()
    assert table.rulebook.progress.due(table.state, NOON) is None
    declined(table, "orange_1")
    table.play("bob", "bid", amount=10)
    (ends,) = auctions.deadlines(table.state)
    assert (ends - NOON).seconds == 60
    table.wait(59)
    assert auctions.due(table.state, table.now) is None
    table.refused(None, "close_auction", "naruto:auction.5")
    table.wait(1)
    assert auctions.due(table.state, table.now) == CloseAuction()
    table.banker("close_auction")
    assert table.owner("orange_1") == "bob"


@pytest.mark.rule("monopolys:auction.3")
def test_two_days_on_the_forum_or_no_clock() -> None:
    table = monopolys()
    declined(table, "odyssa")
    table.play("bob", "bid", amount=100)
    table.wait(172_799)
    table.refused(None, "close_auction", "monopolys:auction.3")
    table.wait(1)
    table.banker("close_auction")
    assert (table.owner("odyssa"), table.cash("bob")) == ("bob", 149_900)
    unhurried = monopolys(auction_seconds=0)
    declined(unhurried, "odyssa")
    unhurried.wait(1_000_000)
    assert auctions.deadlines(unhurried.state) == ()
    unhurried.refused(None, "close_auction", "monopolys:auction.3")


# Monopolys -----------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:auction.1", "monopolys:auction.2", "monopolys:auction.3", "monopolys:auction.4")
def test_a_declined_comptoir_goes_to_the_highest_bidder() -> None:
    table = monopolys()
    table.arrive("ana", "odyssa", (2, 2))
    table.refused("ana", "roll_and_move", "monopolys:auction.1", dice=[1, 2])
    table.play("ana", "decline_property")
    table.refused("ana", "roll_and_move", "monopolys:auction.1", dice=[1, 2])
    table.refused("bob", "bid", "monopolys:auction.2", amount=0)
    table.play("bob", "bid", amount=1)
    (bid,) = table.play("ana", "bid", amount=2)
    assert bid.rule == "monopolys:auction.4"
    table.refused("cid", "bid", "monopolys:auction.2", amount=2)
    table.refused("cid", "bid", "monopolys:auction.2", amount=150_001)
    table.play("cid", "bid", amount=9000)
    assert table.escrow() == 9000
    for seat in ("ana", "bob"):
        table.play(seat, "pass_bid")
    (won,) = table.banker("close_auction")
    assert won.rule == "monopolys:auction.3"
    assert [table.cash(seat) for seat in ("ana", "bob", "cid")] == [150_000, 150_000, 141_000]
    assert table.owner("odyssa") == "cid"


# A bankrupt's titles -------------------------------------------------------------------------------


@pytest.mark.rule("naruto:bankruptcy.6", "naruto:bankruptcy.7")
def test_the_titles_of_a_bankrupt_are_sold_one_by_one_and_unmortgaged_before_the_next_throw() -> None:
    """Dan cannot pay the bank for the barbecue: his three ninjas are auctioned in the order of the board."""
    table = naruto(seats=("ana", "bob", "cid", "dan"))
    table.give("dan", "pain", "orange_1", "kisame")
    table.mortgaged("pain", "orange_1", "kisame")
    table.purse("dan", 10)
    table.arrive("dan", "barbecue")
    table.play("dan", "pay_tax")
    table.play("dan", "declare_bankruptcy")
    assert [lot.title for lot in table.state.lots] == ["kisame", "orange_1", "pain"]
    table.refused("ana", "roll_and_move", "naruto:auction.1", dice=[1, 2])
    (opened,) = table.banker("open_auction")
    assert (opened.rule, len(table.state.lots)) == ("naruto:bankruptcy.6", 2)
    table.refused(None, "open_auction", "naruto:bankruptcy.6")
    table.refused("dan", "bid", "naruto:bankruptcy.9", amount=5)
    table.play("cid", "bid", amount=7)
    closed(table, "ana", "bob")
    assert table.state.auction is None
    table.refused("ana", "roll_and_move", "naruto:auction.1", dice=[1, 2])
    table.banker("open_auction")
    table.play("bob", "bid", amount=20)
    closed(table, "ana", "cid")
    table.banker("open_auction")
    closed(table, "ana", "bob", "cid")
    assert [table.owner(one) for one in ("kisame", "orange_1", "pain")] == ["cid", "bob", None]
    assert [table.held(f"property:{one}", "mortgage") for one in ("kisame", "orange_1", "pain")] == [0, 0, 0]
    assert (table.cash("cid"), table.cash("bob")) == (1493, 1480)
    table.roll("ana", 1, 2)


@pytest.mark.rule("monopolys:bankruptcy.4")
def test_the_comptoirs_of_a_bankrupt_are_sold_one_by_one() -> None:
    """Dan cannot pay the customs."""
    table = monopolys(seats=("ana", "bob", "cid", "dan"))
    table.give("dan", "odyssa", "phenys")
    table.mortgaged("odyssa", "phenys")
    table.purse("dan", 10)
    table.arrive("dan", "douane_1", (1, 1))
    table.play("dan", "pay_tax")
    (*_, opened) = table.play("dan", "declare_bankruptcy")
    assert (opened.rule, table.state.auction is None) == ("monopolys:bankruptcy.4", False)
    table.refused(None, "open_auction", "monopolys:bankruptcy.4")
    table.play("bob", "bid", amount=5)
    closed(table, "ana", "cid")
    table.play("cid", "bid", amount=5)
    closed(table, "ana", "bob")
    assert (table.owner("odyssa"), table.owner("phenys"), table.state.lots) == ("bob", "cid", ())
    assert (table.held("property:odyssa", "mortgage"), table.cash("bob")) == (0, 149_995)
    table.refused(None, "open_auction", "monopolys:auction.1")


def test_a_bid_is_part_of_what_its_bidder_is_worth() -> None:
    """It lies in escrow, and comes back unless the lot does instead."""
    table = naruto()
    table.arrive("ana", "orange_1")
    table.play("ana", "decline_property")
    table.play("bob", "bid", amount=120)
    assert table.cash("bob") == 1380
    assert sum(asset.value for asset in table.rulebook.score.wealth(table.state, "bob")) == 1500
