"""Trades: what may change hands between two players, and what a mortgaged title costs its new owner."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rulebooks.monopoly.table.terms import MORTGAGE, PASS
from tests.monopoly.table import Table, monopolys, naruto


def things(*named: str | int, money: str = "M") -> list[dict[str, Any]]:
    """Things of a trade: amounts of money, titles by their ids, other things as they are written."""
    return [
        {"commodity": money, "amount": one}
        if isinstance(one, int)
        else {"commodity": one if ":" in one or one in {PASS, "house", "hotel"} else f"title:{one}"}
        for one in named
    ]


def trade(
    table: Table, by: str, to: str, give: list[dict[str, Any]], ask: list[dict[str, Any]], **more: Any
) -> str:
    """Propose a trade; its id."""
    table.play(by, "propose_trade", to=to, give=give, ask=ask, **more)
    return str(table.number)


# ----------------------------------------------------------------------------------------------
# Naruto
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:trade.1")
def test_unfed_ninjas_change_hands_at_any_time() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    table.give("cid", "rose_1")
    table.jail("cid")
    deal = trade(table, "bob", "cid", things("orange_1"), things("rose_1"))
    table.play("cid", "accept_trade", trade=deal)
    assert (table.owner("orange_1"), table.owner("rose_1")) == ("cid", "bob")


@pytest.mark.rule("naruto:trade.1", "naruto:trade.2")
def test_no_ninja_of_a_fed_group_changes_hands() -> None:
    table = naruto()
    table.give("bob", "orange")
    table.build(orange_3=1)
    table.refused("bob", "propose_trade", "naruto:trade.1", to="ana", give=things("orange_3"), ask=things(10))
    table.refused("bob", "propose_trade", "naruto:trade.2", to="ana", give=things("orange_1"), ask=things(10))
    table.build(orange_3=0)
    deal = trade(table, "bob", "ana", things("orange_1"), things(10))
    table.build(orange_3=1)
    table.refused("ana", "accept_trade", "naruto:trade.2", trade=deal)
    table.play("bob", "sell_building", title="orange_3")
    table.play("ana", "accept_trade", trade=deal)
    assert table.owner("orange_1") == "ana"


@pytest.mark.rule("naruto:trade.3")
def test_money_ninjas_and_cards_may_be_exchanged_and_nothing_else() -> None:
    table = naruto()
    table.give("bob", "orange_1", "card:mission_09")
    table.give("ana", "rose_1")
    for thing in ("house", "hotel", "card:mission_01", "title:parc_gratuit", "rent:orange_1", "mortgage:rose_1"):
        table.refused("bob", "propose_trade", "naruto:trade.3", to="ana", give=things(thing), ask=things(10))
    twice = [{"commodity": "title:orange_1", "amount": 2}]
    table.refused("bob", "propose_trade", "naruto:trade.3", to="ana", give=twice, ask=things(10))
    deal = trade(table, "bob", "ana", things("orange_1", "card:mission_09"), things("rose_1", 75))
    table.play("ana", "accept_trade", trade=deal)
    assert (table.cash("ana"), table.cash("bob")) == (1425, 1575)
    assert table.held("player:ana", "card:mission_09") == 1


@pytest.mark.rule("naruto:trade.4")
def test_only_the_two_parties_decide_and_holdings_count_at_the_acceptance() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    deal = trade(table, "ana", "bob", things(2000), things("orange_1"))
    assert table.cash("ana") == 1500
    table.refused("cid", "accept_trade", "naruto:trade.4", trade=deal)
    table.refused("ana", "accept_trade", "naruto:trade.4", trade=deal)
    table.refused("cid", "reject_trade", "naruto:trade.4", trade=deal)
    table.refused("bob", "accept_trade", "naruto:trade.4", trade=deal)
    table.purse("ana", 2000)
    accepted, *others = table.play("bob", "accept_trade", trade=deal)
    assert len(accepted.postings) == 2
    assert others == []
    assert (table.cash("ana"), table.owner("orange_1")) == (0, "ana")
    table.refused("bob", "accept_trade", "naruto:trade.4", trade=deal)
    table.refused("bob", "accept_trade", "naruto:trade.4", trade="999")


@pytest.mark.rule("naruto:trade.4")
def test_a_title_sold_elsewhere_meanwhile_is_not_delivered() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    first = trade(table, "ana", "bob", things(100), things("orange_1"))
    second = trade(table, "cid", "bob", things(120), things("orange_1"))
    table.play("bob", "accept_trade", trade=second)
    table.refused("bob", "accept_trade", "naruto:trade.4", trade=first)


@pytest.mark.rule("naruto:trade.4")
def test_a_trade_is_refused_or_taken_back() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    for seat in ("bob", "ana"):
        deal = trade(table, "ana", "bob", things(100), things("orange_1"))
        assert table.offers(seat, "reject_trade") == [{"trade": deal}]
        table.play(seat, "reject_trade", trade=deal)
        table.refused("bob", "accept_trade", "naruto:trade.4", trade=deal)
    assert [one.status for one in table.state.past] == ["refused", "withdrawn"]


@pytest.mark.rule("naruto:trade.4")
def test_a_trade_needs_another_player_and_a_content() -> None:
    table = naruto()
    for to in ("ana", "dan"):
        table.refused("ana", "propose_trade", "naruto:trade.4", to=to, give=things(10))
    table.refused("ana", "propose_trade", "naruto:trade.4", to="bob")
    table.refused("ana", "propose_trade", "naruto:trade.4", to="bob", give=things(10), ask=things(20))
    with table.arranged() as state:
        state.out = ("bob",)
    table.refused("ana", "propose_trade", "naruto:bankruptcy.9", to="bob", give=things(10))
    table.refused("bob", "propose_trade", "naruto:bankruptcy.9", to="ana", give=things(10))


@pytest.mark.rule("naruto:bank.8")
def test_amounts_of_a_trade_are_whole_and_positive() -> None:
    table = naruto()
    for amount in (0, -5, 1.5):
        table.malformed("ana", "propose_trade", to="bob", give=[{"commodity": "M", "amount": amount}])
    trade(table, "ana", "bob", things(1), [])


@pytest.mark.rule("naruto:trade.5", "naruto:trade.7")
def test_a_mortgaged_ninja_arrives_mortgaged_and_its_buyer_pays_a_tenth() -> None:
    table = naruto()
    table.give("bob", "kabuto")
    table.mortgaged("kabuto")
    deal = trade(table, "bob", "ana", things("kabuto"), things(20))
    table.refused("ana", "accept_trade", "naruto:trade.7", trade=deal)
    assert {tuple(one["lift"]) for one in table.offers("ana", "accept_trade")} == {("kabuto",), ()}
    before = table.bank()
    events = table.play("ana", "accept_trade", trade=deal, lift=[])
    assert (table.cash("ana"), table.cash("bob"), table.bank()) == (1500 - 20 - 8, 1520, before + 8)
    assert table.held("property:kabuto", MORTGAGE) == 1
    assert events[0].rule == "naruto:trade.5"


@pytest.mark.rule("naruto:trade.6")
def test_a_buyer_may_lift_at_once_for_the_value_alone() -> None:
    table = naruto()
    table.give("bob", "kabuto")
    table.mortgaged("kabuto")
    deal = trade(table, "bob", "ana", things("kabuto"), things(20))
    table.refused("ana", "accept_trade", "naruto:trade.6", trade=deal, lift=["orange_1"])
    table.play("ana", "accept_trade", trade=deal, lift=["title:kabuto"])
    assert table.cash("ana") == 1500 - 20 - 75
    assert table.held("property:kabuto", MORTGAGE) == 0


@pytest.mark.rule("naruto:trade.6")
def test_a_table_may_ask_for_the_classic_tenth_there_too() -> None:
    table = naruto(buyer_lifts_with_interest=True)
    table.give("bob", "kabuto")
    table.mortgaged("kabuto")
    deal = trade(table, "bob", "ana", things("kabuto"), [])
    table.play("ana", "accept_trade", trade=deal, lift=["kabuto"])
    assert table.cash("ana") == 1500 - 75 - 8


@pytest.mark.rule("naruto:trade.7")
def test_the_money_for_it_has_to_be_there_after_the_exchange() -> None:
    table = naruto()
    table.give("bob", "kabuto")
    table.mortgaged("kabuto")
    table.purse("ana", 27)
    deal = trade(table, "bob", "ana", things("kabuto"), things(20))
    table.refused("ana", "accept_trade", "naruto:trade.6", trade=deal, lift=["kabuto"])
    table.refused("ana", "accept_trade", "naruto:trade.7", trade=deal, lift=[])
    table.purse("ana", 28)
    table.play("ana", "accept_trade", trade=deal, lift=[])
    assert table.cash("ana") == 0


@pytest.mark.rule("naruto:trade.7")
def test_money_received_in_the_exchange_counts() -> None:
    table = naruto()
    table.give("bob", "kabuto")
    table.mortgaged("kabuto")
    table.purse("ana", 0)
    deal = trade(table, "bob", "ana", things("kabuto", 8), [])
    table.play("ana", "accept_trade", trade=deal, lift=[])
    assert table.cash("ana") == 0


@pytest.mark.rule("naruto:trade.6", "naruto:trade.7")
def test_mortgaged_ninjas_go_both_ways_each_taker_choosing() -> None:
    table = naruto()
    table.give("ana", "vert_1", "pain")
    table.give("bob", "kabuto", "orange_1")
    table.mortgaged("vert_1", "pain", "kabuto", "orange_1")
    ask, give = things("kabuto", "orange_1"), things("vert_1", "pain")
    table.refused("ana", "propose_trade", "naruto:trade.7", to="bob", give=give, ask=ask)
    deal = trade(table, "ana", "bob", give, ask, lift=["orange_1"])
    table.play("bob", "accept_trade", trade=deal, lift=["vert_1"])
    assert table.cash("ana") == 1500 - 90 - 8
    assert table.cash("bob") == 1500 - 150 - 10
    left = [one for one in ("vert_1", "pain", "kabuto", "orange_1") if table.held(f"property:{one}", MORTGAGE)]
    assert left == ["pain", "kabuto"]


@pytest.mark.rule("naruto:trade.7")
def test_a_mortgage_made_after_the_proposal_needs_a_new_one() -> None:
    table = naruto(mortgage_needs_debt=False)
    table.give("bob", "kabuto")
    deal = trade(table, "ana", "bob", things(50), things("kabuto"))
    table.play("bob", "mortgage", title="kabuto")
    table.refused("bob", "accept_trade", "naruto:trade.7", trade=deal)


@pytest.mark.rule("naruto:trade.8")
def test_lifting_later_costs_the_tenth_again() -> None:
    table = naruto()
    table.give("bob", "kabuto")
    table.mortgaged("kabuto")
    deal = trade(table, "bob", "ana", things("kabuto"), [])
    table.play("ana", "accept_trade", trade=deal, lift=[])
    table.play("ana", "unmortgage", title="kabuto")
    assert table.cash("ana") == 1500 - 8 - 83


@pytest.mark.rule("naruto:fairplay.1")
def test_no_repayment_may_be_promised_but_a_gift_is_none() -> None:
    table = naruto()
    table.refused(
        "ana", "propose_trade", "naruto:fairplay.1", to="bob", give=things(100), terms=["repaid with 20 more"]
    )
    deal = trade(table, "ana", "bob", things(100), [])
    table.play("bob", "accept_trade", trade=deal)
    assert (table.cash("ana"), table.cash("bob")) == (1400, 1600)


@pytest.mark.rule("naruto:fairplay.2")
def test_no_rent_may_be_waived_by_a_trade_but_none_has_to_be_claimed() -> None:
    table = naruto()
    table.give("bob", "vert_1")
    table.refused(
        "ana", "propose_trade", "naruto:fairplay.2", to="bob", give=things(100), terms=["no rent on vert 1"]
    )
    waived = [{"commodity": "rent:vert_1", "amount": 1}]
    table.refused("ana", "propose_trade", "naruto:fairplay.2", to="bob", give=things(100), ask=waived)
    table.arrive("ana", "vert_1")
    table.play("ana", "end_turn")
    table.arrive("bob", "parc_gratuit")
    assert table.cash("ana") == 1500


def test_moves_offer_titles_of_others_and_trades_to_answer() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    offered = table.offers("ana", "propose_trade")
    assert {one["to"] for one in offered} == {"bob", "cid"}
    table.play("ana", "propose_trade", **offered[0])
    assert table.offers("bob", "accept_trade") == [{"trade": str(table.number)}]
    assert table.offers("ana", "accept_trade") == []


def test_a_trade_is_told_in_words() -> None:
    table = naruto()
    table.give("bob", "orange_1")
    deal = trade(table, "ana", "bob", things(100), things("orange_1"))
    assert table.told(table.last_events()) == [
        f"Ana proposes trade {deal} to Bob: gives 100 M, asks for Shinobi orange 1."
    ]
    (found,) = table.rulebook.agreements.of(table.state, "trades")
    terms = table.rulebook.agreements.terms(table.state, found, "fr")
    assert (terms.status, terms.parties, terms.agreed) == ("proposé", ("ana", "bob"), ("ana",))
    assert terms.title == "Ana donne 100 M\u00a0; Bob donne Shinobi orange 1"
    assert [(one.source, one.commodity, one.amount) for one in terms.gives] == [
        ("ana", "M", 100),
        ("bob", "title:orange_1", 1),
    ]


# ----------------------------------------------------------------------------------------------
# Monopolys
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:sale.1")
def test_merchants_sell_comptoirs_ports_and_immunities_at_their_price() -> None:
    table = monopolys()
    table.give("bob", "phenys", "avarys", "charybde", PASS)
    give = things("phenys", "avarys", "charybde", PASS)
    deal = trade(table, "bob", "ana", give, things(90_000, money="YRIS"))
    table.refused("bob", "accept_trade", "monopolys:sale.1", trade=deal)
    assert table.owner("phenys") == "bob"
    table.play("ana", "accept_trade", trade=deal)
    assert table.owner("phenys") == "ana"
    assert table.cash("bob") == 240_000
    assert table.held("player:ana", PASS) == 1
    deal = trade(table, "ana", "bob", things("phenys"), [])
    table.play("bob", "reject_trade", trade=deal)
    assert table.owner("phenys") == "ana"


@pytest.mark.rule("monopolys:sale.2", "monopolys:sale.3")
def test_no_sale_while_the_region_has_ateliers() -> None:
    table = monopolys()
    table.give("bob", "orange")
    table.give("ana", "bryst")
    table.build(phenys=1)
    price = things(10_000, money="YRIS")
    table.refused("bob", "propose_trade", "monopolys:sale.2", to="ana", give=things("odyssa"), ask=price)
    table.refused("ana", "propose_trade", "monopolys:sale.2", to="bob", give=things("bryst"), ask=things("phenys"))
    table.refused("bob", "propose_trade", "monopolys:sale.3", to="ana", give=things("house"), ask=price)
    table.play("bob", "sell_building", title="phenys")
    deal = trade(table, "bob", "ana", things("odyssa"), price)
    table.play("ana", "accept_trade", trade=deal)


@pytest.mark.rule("monopolys:mortgage.4")
def test_the_buyer_of_a_mortgaged_comptoir_redeems_it_at_the_printed_price() -> None:
    table = monopolys()
    table.give("bob", "phenys")
    table.mortgaged("phenys")
    table.purse("ana", 22_999)
    deal = trade(table, "bob", "ana", things("phenys"), things(3_000, money="YRIS"))
    table.refused("ana", "accept_trade", "monopolys:mortgage.4", trade=deal)
    table.purse("ana", 23_000)
    table.refused("ana", "accept_trade", "monopolys:mortgage.4", trade=deal, lift=[])
    assert table.offers("ana", "accept_trade") == [{"trade": deal, "lift": ["phenys"]}]
    before = table.bank()
    table.play("ana", "accept_trade", trade=deal)
    assert (table.cash("ana"), table.bank()) == (0, before + 20_000)
    assert table.held("property:phenys", MORTGAGE) == 0


@pytest.mark.rule("monopolys:loan.2", "monopolys:loan.1")
def test_only_the_bank_lends_and_only_on_mortgages() -> None:
    table = monopolys()
    lent = things(10_000, money="YRIS")
    table.refused("ana", "propose_trade", "monopolys:loan.2", to="bob", give=lent, terms=["back next round"])
    deal = trade(table, "ana", "bob", lent, [])
    table.play("bob", "accept_trade", trade=deal)
    assert table.cash("bob") == 160_000
    table.give("bob", "phenys")
    table.refused("bob", "mortgage", "monopolys:mortgage.1", title="phenys")
    table.purse("bob", 15_000)
    table.arrive("bob", "douane_2")
    table.play("bob", "pay_tax")
    table.play("bob", "mortgage", title="phenys")


@pytest.mark.rule("naruto:trade.4")
def test_a_player_has_at_most_twenty_offers_open() -> None:
    table = naruto()
    for amount in range(1, 21):
        table.play("ana", "propose_trade", to="bob", give=[{"commodity": "M", "amount": amount}])
    first = next(iter(table.state.open))
    table.refused("ana", "propose_trade", "naruto:trade.4", to="bob", give=[{"commodity": "M", "amount": 21}])
    table.play("ana", "reject_trade", trade=first)
    table.play("ana", "propose_trade", to="bob", give=[{"commodity": "M", "amount": 21}])
