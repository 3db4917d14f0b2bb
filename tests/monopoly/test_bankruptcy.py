"""Debts that cannot be paid, and bankruptcy to a player, to several, and to the bank."""

from __future__ import annotations

import pytest

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
    assert [one.title for one in table.state.lots] == ["iumee", "avarys"]
    table.banker("open_auction")
    table.refused(None, "open_auction", "monopolys:bankruptcy.4")
    table.play("bob", "bid", amount=1)
    table.play("cid", "pass_bid")
    table.banker("close_auction")
    assert (table.owner("iumee"), table.held("pot", "YRIS")) == ("bob", 0)


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
