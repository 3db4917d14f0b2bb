"""Debts that cannot be paid, and bankruptcy to a player, to several, and to the bank."""

from __future__ import annotations

import pytest

from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts.opening import stored_settings
from tests.monopoly.table import Table, monopolys, naruto


def broke(*titles: str, cash: int = 10, rent: str = "bleu_fonce_2", hotel: bool = True) -> Table:
    """Ana, with little money, owes Bob the rent of a bowl: M2000."""
    table = naruto()
    table.give("ana", *titles)
    table.give("bob", "dark_blue")
    table.build(**{rent: 5 if hotel else 0})
    table.purse("ana", cash)
    table.arrive("ana", rent)
    table.play("bob", "claim_rent")
    return table


@pytest.mark.rule("naruto:debt.1")
def test_a_debtor_sells_food_and_mortgages_ninjas_to_pay() -> None:
    table = broke("orange", cash=1_300)
    table.build(orange_1=4, orange_2=4, orange_3=4)
    table.refused("ana", "end_turn", "naruto:rent.2")
    table.refused("ana", "pay_debt", "naruto:debt.1")
    table.refused("ana", "declare_bankruptcy", "naruto:debt.2")
    assert table.offers("ana", "sell_building")
    for _ in range(4):
        for title in ("orange_1", "orange_2", "orange_3"):
            table.play("ana", "sell_building", title=title)
    assert table.cash("ana") == 1_300 + 12 * 50
    table.refused("ana", "pay_debt", "naruto:debt.1")
    table.refused("ana", "declare_bankruptcy", "naruto:debt.2")
    table.play("ana", "mortgage", title="orange_3")
    table.play("ana", "pay_debt")
    assert table.cash("ana") == 1_300 + 12 * 50 + 100 - 2_000


@pytest.mark.rule("naruto:debt.2")
def test_nobody_is_bankrupt_who_owes_nothing_or_could_still_pay() -> None:
    table = naruto()
    table.refused("ana", "declare_bankruptcy", "naruto:debt.2")
    table = broke("orange", cash=1_900)
    table.refused("ana", "declare_bankruptcy", "naruto:debt.2")
    table.play("ana", "mortgage", title="orange_1")
    table.play("ana", "mortgage", title="orange_2")
    table.play("ana", "pay_debt")
    assert table.state.debts == []
    assert table.cash("ana") == 1_900 + 90 + 90 - 2_000


@pytest.mark.rule("naruto:bankruptcy.1")
@pytest.mark.rule("naruto:bankruptcy.2")
@pytest.mark.rule("naruto:bankruptcy.3")
@pytest.mark.rule("naruto:bankruptcy.9")
def test_a_player_who_is_ruined_by_another_leaves_everything_to_them() -> None:
    table = broke("orange_1", "deidara", "card:mission_09")
    events = table.play("ana", "declare_bankruptcy")
    assert [table.owner(one) for one in ("orange_1", "deidara")] == ["bob", "bob"]
    assert table.held("player:bob", "card:mission_09") == 1
    assert table.held("property:orange_1", "mortgage") == 1
    assert table.cash("ana") == 0
    assert table.state.out == ("ana",)
    assert table.state.turn == "bob"
    assert {"naruto:bankruptcy.1", "naruto:bankruptcy.2", "naruto:bankruptcy.3"} <= {one.rule for one in events}
    for kind, params in (("roll_and_move", {"dice": [1, 2]}), ("end_turn", {}), ("declare_bankruptcy", {})):
        table.refused("ana", kind, "naruto:bankruptcy.9", **params)
    assert {one.kind for one in table.moves("ana")} <= {"open_dispute", "elect_banker"}


@pytest.mark.rule("naruto:bankruptcy.4")
@pytest.mark.rule("naruto:bankruptcy.5")
def test_the_creditor_pays_ten_percent_and_may_lift_at_once() -> None:
    """The mortgage of Obito is 75: 8 of interest; that of Deidara 100: 10."""
    table = broke("obito", "deidara", cash=0)
    table.purse("bob", 500)
    table.play("ana", "declare_bankruptcy")
    assert table.cash("bob") == 500 + 75 + 100 - 8 - 10
    before = table.cash("bob")
    table.play("bob", "settle_mortgage_transfer", title="deidara", lift=True)
    assert table.cash("bob") == before - 100
    assert table.held("property:deidara", "mortgage") == 0
    table.play("bob", "settle_mortgage_transfer", title="obito", lift=False)
    table.play("bob", "unmortgage", title="obito")
    assert table.cash("bob") == before - 100 - 75 - 8


@pytest.mark.rule("naruto:bankruptcy.4")
def test_a_creditor_without_the_money_owes_the_interest_and_does_not_throw() -> None:
    table = broke("obito", cash=0)
    table.purse("bob", 0)
    table.mortgaged("obito")
    table.play("ana", "declare_bankruptcy")
    assert [(one.debtor, one.amount, one.rule) for one in table.state.debts] == [("bob", 8, "naruto:bankruptcy.4")]
    table.refused("bob", "roll_and_move", "naruto:debt.1", dice=[1, 2])


@pytest.mark.rule("naruto:bankruptcy.6")
@pytest.mark.rule("naruto:bankruptcy.7")
@pytest.mark.rule("naruto:bankruptcy.8")
def test_what_is_left_to_the_bank_is_auctioned_one_by_one_without_mortgages() -> None:
    table = naruto()
    table.give("ana", "obito", "rose_1")
    table.give("ana", "card:mission_09")
    table.mortgaged("obito")
    table.purse("ana", 0)
    table.arrive("ana", "barbecue")
    table.play("ana", "pay_tax")
    table.play("ana", "declare_bankruptcy")
    assert table.state.under["mission"][-1] == "mission_09"
    assert table.held("property:obito", "mortgage") == 0
    assert table.owner("obito") is None
    lots = [one.title for one in table.state.lots]
    assert len(lots) == 2
    table.refused("bob", "roll_and_move", "naruto:auction.1", dice=[1, 2])
    for title in lots:
        table.banker("open_auction")
        assert table.state.auction is not None
        assert table.state.auction.lot.title == title
        table.play("cid", "bid", amount=3)
        table.play("bob", "pass_bid")
        table.banker("close_auction")
        assert table.owner(title) == "cid"
    table.roll("bob", 4, 6)


def bidding(*seats: str, rent: int = 5) -> Table:
    """Ana stops at Bob's, throws again, declines a ninja and bids 1400 of her 1700; then Bob claims his rent."""
    table = naruto(seats=("ana", "bob", "cid", *seats))
    table.give("bob", "dark_blue")
    table.build(bleu_fonce_2=rent)
    table.arrive("ana", "bleu_fonce_2", (1, 1))
    table.roll("ana", 1, 1)
    table.play("ana", "decline_property")
    table.play("ana", "bid", amount=20)
    table.play("cid", "pass_bid")
    table.play("ana", "bid", amount=1_400)
    table.play("bob", "claim_rent")
    return table


@pytest.mark.rule("naruto:bankruptcy.9")
@pytest.mark.rule("naruto:auction.5")
def test_the_highest_bidder_goes_bankrupt_and_the_others_bid_anew() -> None:
    """The bid is money like any other: Bob gets it, and Cid, who had withdrawn, bids again."""
    table = bidding()
    assert table.offers("ana", "declare_bankruptcy") == [{}]
    events = table.play("ana", "declare_bankruptcy")
    assert table.told(events)[0] == "The bid of 1400 M goes back to Ana (Shinobi brun 1)."
    assert (table.escrow(), table.cash("ana"), table.cash("bob")) == (0, 0, 1_500 + 1_700)
    assert table.state.auction is not None
    assert (table.state.auction.bid, table.state.auction.passed) == (0, ())
    table.refused("bob", "roll_and_move", "naruto:auction.1", dice=[1, 2])
    table.refused("ana", "bid", "naruto:bankruptcy.9", amount=1)
    table.play("cid", "bid", amount=1)
    table.play("bob", "pass_bid")
    table.banker("close_auction")
    assert (table.owner("brun_1"), table.cash("cid"), table.escrow()) == ("cid", 1_499, 0)
    table.roll("bob", 1, 2)


@pytest.mark.rule("naruto:auction.1")
def test_who_could_pay_with_the_bid_waits_for_the_end_of_the_auction() -> None:
    """Ana owes 1700, has 300 and bids 1400: outbid, she pays."""
    table = bidding(rent=4)
    assert table.offers("ana", "declare_bankruptcy") == []
    table.refused("ana", "declare_bankruptcy", "naruto:auction.1")
    table.purse("bob", 1_500)
    table.play("bob", "bid", amount=1_401)
    table.play("ana", "pay_debt")
    assert (table.cash("ana"), table.escrow()) == (0, 1_401)


@pytest.mark.rule("naruto:bankruptcy.9")
def test_a_bidder_without_the_highest_bid_goes_bankrupt_and_the_auction_goes_on() -> None:
    table = bidding("dan")
    table.play("dan", "bid", amount=1_450)
    table.purse("ana", 0)
    table.play("ana", "declare_bankruptcy")
    assert table.state.auction is not None
    assert (table.state.auction.bid, table.state.auction.bidder, table.escrow()) == (1_450, "dan", 1_450)
    table.play("bob", "pass_bid")
    table.banker("close_auction")
    assert table.owner("brun_1") == "dan"


def test_the_bid_comes_back_when_only_one_player_is_left() -> None:
    table = Table("monopoly_naruto", seats=("ana", "bob"))
    table.give("bob", "dark_blue")
    table.build(bleu_fonce_2=5)
    table.arrive("ana", "bleu_fonce_2", (1, 1))
    table.roll("ana", 1, 1)
    table.play("ana", "decline_property")
    table.play("ana", "bid", amount=1_400)
    table.play("bob", "claim_rent")
    table.play("ana", "declare_bankruptcy")
    assert (table.state.winners, table.escrow(), table.cash("bob")) == (("bob",), 0, 1_500 + 1_700)


def test_a_bidder_who_leaves_takes_the_bid_back() -> None:
    """The banker lets Ana go: everything is the bank's, and the auction goes on."""
    table = bidding()
    with table.arranged() as state:
        state.debts = []
    table.refused("ana", "declare_bankruptcy", "naruto:debt.2")
    table.play("ana", "declare_bankruptcy", override="Ana has to leave")
    assert (table.escrow(), table.cash("ana")) == (0, 0)
    table.play("bob", "bid", amount=2)


@pytest.mark.rule("naruto:bankruptcy.1")
@pytest.mark.rule("naruto:bankruptcy.2")
def test_several_creditors_are_paid_in_their_order_and_the_one_left_with_most_takes_the_titles() -> None:
    """Ana owes Bob and Cid 50 each, and has 60: Bob gets 50, Cid 10 and the ninja."""
    table = naruto()
    table.give("ana", "orange_1")
    table.mortgaged("orange_1")
    table.purse("ana", 60)
    table.arrive("ana", "mission_1")
    table.play("ana", "draw_card", card="mission_15")
    table.purse("ana", 10)
    assert [(one.debtor, one.amount) for one in table.state.debts] == [("ana", 50)]
    table.play("ana", "declare_bankruptcy")
    assert (table.cash("bob"), table.owner("orange_1")) == (1_550, "cid")
    assert table.cash("cid") == 1_500 + 10 - 9


@pytest.mark.rule("naruto:debt.2")
def test_the_banker_lets_a_player_go_who_leaves_the_table() -> None:
    table = naruto()
    table.give("ana", "orange_1")
    table.play("ana", "declare_bankruptcy", override="Ana has to leave")
    assert table.state.out == ("ana",)
    assert table.cash("ana") == 0
    assert [one.title for one in table.state.lots] == ["orange_1"]


# ----------------------------------------------------------------------------------------------
# Monopolys
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:bankruptcy.1")
@pytest.mark.rule("monopolys:bankruptcy.2")
@pytest.mark.rule("monopolys:bankruptcy.5")
@pytest.mark.rule("monopolys:bankruptcy.6")
def test_a_merchant_ruined_by_another_leaves_money_comptoirs_and_immunity() -> None:
    """Ana's two ateliers bring 5,000; her comptoirs stay as they are, mortgaged or not."""
    table = monopolys()
    table.give("ana", "brown", "avarys", "pass")
    table.build(iumee=1, balnea=1)
    table.mortgaged("avarys")
    table.give("bob", "dark_blue")
    table.build(bryst=5)
    table.purse("ana", 1_000)
    table.arrive("ana", "bryst")
    events = table.play("ana", "declare_bankruptcy")
    assert [table.owner(one) for one in ("iumee", "balnea", "avarys")] == ["bob", "bob", "bob"]
    assert table.held("player:bob", "pass") == 1
    assert table.stock() == (32, 11)
    assert table.held("property:avarys", "mortgage") == 1
    assert table.held("property:iumee", "mortgage") == 0
    assert table.cash("bob") == 150_000 + 1_000 + 5_000 - 1_000
    assert {"monopolys:bankruptcy.5", "monopolys:bankruptcy.6"} <= {one.rule for one in events}
    table.refused("ana", "roll_and_move", "monopolys:bankruptcy.2", dice=[1, 2])


@pytest.mark.rule("monopolys:bankruptcy.1")
def test_a_merchant_who_can_gather_the_money_is_not_bankrupt() -> None:
    table = monopolys()
    table.give("ana", "brown")
    table.purse("ana", 16_000)
    table.arrive("ana", "douane_2")
    table.play("ana", "pay_tax")
    table.refused("ana", "declare_bankruptcy", "monopolys:bankruptcy.1")
    table.play("ana", "mortgage", title="iumee")
    table.refused("ana", "declare_bankruptcy", "monopolys:bankruptcy.1")
    table.play("ana", "mortgage", title="balnea")
    table.play("ana", "pay_debt")
    assert table.cash("ana") == 2_000


@pytest.mark.rule("monopolys:bankruptcy.3")
@pytest.mark.rule("monopolys:bankruptcy.4")
def test_what_falls_to_the_bank_is_auctioned_one_by_one() -> None:
    table = monopolys()
    table.give("ana", "iumee", "avarys", "pass")
    table.mortgaged("avarys", "iumee")
    table.purse("ana", 7_000)
    table.arrive("ana", "douane_2")
    table.play("ana", "pay_tax")
    table.play("ana", "declare_bankruptcy")
    assert table.cash("ana") == 0
    assert table.held("bank", "pass") == 2
    assert table.state.auction is not None
    assert (table.state.auction.lot.title, [one.title for one in table.state.lots]) == ("iumee", ["avarys"])
    table.refused(None, "open_auction", "monopolys:bankruptcy.4")
    table.play("bob", "bid", amount=1)
    table.play("cid", "pass_bid")
    table.banker("close_auction")
    assert (table.owner("iumee"), table.held("pot", "YRIS")) == ("bob", 0)
    assert (table.state.auction.lot.title, table.state.lots) == ("avarys", ())


@pytest.mark.rule("monopolys:bankruptcy.4")
@pytest.mark.rule("naruto:bankruptcy.6")
@pytest.mark.parametrize("alone", [True, False])
def test_the_lots_of_a_bankrupt_wait_for_a_banker_who_plays_or_by_agreement(alone: bool) -> None:
    """A table of Naruto that elects no banker needs none; nor do merchants, unless they want one."""
    table = naruto(elected_banker=not alone)
    table.give("ana", "obito", "rose_1")
    table.mortgaged("obito", "rose_1")
    table.purse("ana", 0)
    table.arrive("ana", "barbecue")
    table.play("ana", "pay_tax")
    table.play("ana", "declare_bankruptcy")
    assert (table.state.auction is None, len(table.state.lots)) == ((False, 1) if alone else (True, 2))
    asked = monopolys(lots_open_at_once=alone)
    asked.give("ana", "iumee")
    asked.mortgaged("iumee")
    asked.purse("ana", 7_000)
    asked.arrive("ana", "douane_2")
    asked.play("ana", "pay_tax")
    asked.play("ana", "declare_bankruptcy")
    assert (asked.state.auction is None, len(asked.state.lots)) == ((False, 0) if alone else (True, 1))
    assert stored_settings(Settings, {}).lots_open_at_once is False


@pytest.mark.rule("monopolys:bankruptcy.3")
@pytest.mark.rule("monopolys:ystarys.2")
def test_money_that_a_chance_die_took_goes_to_the_pot_up_to_the_debt() -> None:
    table = monopolys()
    table.give("ana", "iumee")
    table.mortgaged("iumee")
    table.purse("ana", 7_000)
    table.arrive("ana", "ocean_3")
    table.play("ana", "roll_chance_die", dice=[4])
    table.play("ana", "declare_bankruptcy")
    assert table.held("pot", "YRIS") == 7_000
