"""Mortgages: for a debt only, after the buildings, at the value of the deed; lifted with interest."""

from __future__ import annotations

import pytest

from ledger.rulebooks.monopoly.table.terms import MORTGAGE, Debt, Received
from tests.monopoly.table import Table, monopolys, naruto


def owes_tax(edition: str = "naruto", *, cash: int = 10) -> Table:
    """Ana stands on a tax square, and has too little money to pay."""
    table = naruto() if edition == "naruto" else monopolys()
    table.purse("ana", cash)
    table.arrive("ana", "barbecue" if edition == "naruto" else "douane_2")
    table.play("ana", "pay_tax")
    return table


# ----------------------------------------------------------------------------------------------
# Naruto
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("naruto:bank.6")
def test_the_bank_lends_only_on_a_title_of_the_borrower() -> None:
    table = owes_tax()
    table.give("bob", "orange_1")
    table.refused("ana", "mortgage", "naruto:mortgage.3", title="orange_1")
    table.refused("ana", "mortgage", "naruto:mortgage.3", title="parc_gratuit")
    table.give("ana", "orange_2")
    table.play("ana", "mortgage", title="orange_2")
    assert table.cash("ana") == 10 + 90


@pytest.mark.rule("naruto:mortgage.1")
def test_a_mortgage_needs_a_debt_above_the_money_in_hand() -> None:
    table = naruto()
    table.give("ana", "orange_1", "orange_2", "kisame")
    table.refused("ana", "mortgage", "naruto:mortgage.1", title="orange_1")
    assert table.offers("ana", "mortgage") == []
    table.purse("ana", 115)
    table.arrive("ana", "barbecue")
    table.refused("ana", "mortgage", "naruto:mortgage.1", title="orange_1")
    table.play("ana", "pay_tax")
    table.purse("ana", 200)
    table.refused("ana", "mortgage", "naruto:mortgage.1", title="orange_1")
    assert table.offers("ana", "mortgage") == []
    table.purse("ana", 115)
    assert {one["title"] for one in table.offers("ana", "mortgage")} == {"orange_1", "orange_2", "kisame"}
    table.play("ana", "mortgage", title="orange_1")
    assert table.cash("ana") == 205
    table.refused("ana", "mortgage", "naruto:mortgage.1", title="orange_2")
    table.play("ana", "pay_debt")
    assert table.cash("ana") == 5


@pytest.mark.rule("naruto:mortgage.1")
def test_an_unclaimed_rent_is_no_debt_to_mortgage_for() -> None:
    table = naruto()
    table.give("bob", "vert_1")
    table.give("ana", "orange_1")
    table.purse("ana", 5)
    table.arrive("ana", "vert_1")
    table.refused("ana", "mortgage", "naruto:mortgage.1", title="orange_1")
    table.play("bob", "claim_rent")
    table.play("ana", "mortgage", title="orange_1")


@pytest.mark.rule("naruto:mortgage.1")
def test_a_table_may_let_players_mortgage_at_any_time() -> None:
    table = naruto(mortgage_needs_debt=False)
    table.give("bob", "orange_1")
    table.play("bob", "mortgage", title="orange_1")
    assert table.cash("bob") == 1590


@pytest.mark.rule("naruto:mortgage.2")
def test_the_food_of_the_group_is_sold_first() -> None:
    table = owes_tax()
    table.give("ana", "orange", "kisame")
    table.build(orange_3=1)
    table.refused("ana", "mortgage", "naruto:mortgage.2", title="orange_1")
    assert {one["title"] for one in table.offers("ana", "mortgage")} == {"kisame"}
    table.play("ana", "sell_building", title="orange_3")
    table.play("ana", "mortgage", title="orange_1")


@pytest.mark.rule("naruto:mortgage.3")
def test_the_bank_pays_the_mortgage_value_once() -> None:
    table = owes_tax(cash=0)
    table.give("ana", "bleu_fonce_1")
    before = table.bank()
    (lent,) = table.play("ana", "mortgage", title="bleu_fonce_1")
    assert table.cash("ana") == 175
    assert table.bank() == before - 175
    assert table.held("property:bleu_fonce_1", MORTGAGE) == 1
    assert table.told([lent]) == ["Ana mortgages Shinobi bleu foncé 1 and receives 175 M."]
    table.refused("ana", "mortgage", "naruto:mortgage.3", title="bleu_fonce_1")


@pytest.mark.rule("naruto:mortgage.4")
def test_lifting_costs_the_value_and_a_tenth_rounded_up() -> None:
    table = naruto()
    table.give("bob", "orange_1", "kabuto", "bleu_fonce_1", "rose_1")
    table.mortgaged("orange_1", "kabuto", "bleu_fonce_1")
    for title, cost in (("orange_1", 99), ("kabuto", 83), ("bleu_fonce_1", 193)):
        table.purse("bob", cost - 1)
        table.refused("bob", "unmortgage", "naruto:mortgage.4", title=title)
        table.purse("bob", cost)
        table.play("bob", "unmortgage", title=title)
        assert table.cash("bob") == 0
        assert table.held(f"property:{title}", MORTGAGE) == 0
    table.refused("bob", "unmortgage", "naruto:mortgage.4", title="rose_1")
    table.refused("ana", "unmortgage", "naruto:mortgage.4", title="rose_1")


@pytest.mark.rule("naruto:mortgage.4")
def test_a_table_may_round_the_interest_down() -> None:
    table = naruto(interest_rounding="down")
    table.give("bob", "kabuto")
    table.mortgaged("kabuto")
    table.play("bob", "unmortgage", title="kabuto")
    assert table.cash("bob") == 1500 - 82


@pytest.mark.rule("naruto:mortgage.5")
def test_a_mortgaged_ninja_earns_no_rent() -> None:
    table = naruto()
    table.give("bob", "vert_1", "orange_1")
    table.mortgaged("vert_1")
    table.arrive("ana", "vert_1")
    table.refused("bob", "claim_rent", "naruto:mortgage.5", title="vert_1")
    table.play("bob", "unmortgage", title="vert_1")
    table.refused("bob", "claim_rent", "naruto:rent.4", title="vert_1")


@pytest.mark.rule("naruto:mortgage.5")
def test_a_mortgage_after_the_landing_leaves_its_rent() -> None:
    table = naruto(mortgage_needs_debt=False)
    table.give("bob", "vert_1")
    table.arrive("ana", "vert_1")
    table.play("bob", "mortgage", title="vert_1")
    table.play("bob", "claim_rent", title="vert_1")
    table.play("ana", "pay_debt")
    assert table.cash("ana") == 1500 - 26


# ----------------------------------------------------------------------------------------------
# Titles of a bankrupt
# ----------------------------------------------------------------------------------------------


def received(*titles: str) -> Table:
    """Bob has received these mortgaged titles of a bankrupt, and has paid the interest."""
    table = naruto()
    table.give("bob", *titles)
    table.mortgaged(*titles)
    with table.arranged() as state:
        state.received = [Received(seat="bob", title=title) for title in titles]
    return table


@pytest.mark.rule("naruto:bankruptcy.5")
def test_the_creditor_lifts_or_keeps_deed_by_deed() -> None:
    table = received("orange_1", "orange_2")
    offered = {(one["title"], one["lift"]) for one in table.offers("bob", "settle_mortgage_transfer")}
    assert offered == {("orange_1", True), ("orange_1", False), ("orange_2", True), ("orange_2", False)}
    table.refused("ana", "settle_mortgage_transfer", "naruto:bankruptcy.5", title="orange_1", lift=True)
    table.play("bob", "settle_mortgage_transfer", title="orange_1", lift=True)
    assert table.cash("bob") == 1500 - 90
    table.play("bob", "settle_mortgage_transfer", title="orange_2", lift=False)
    table.refused("bob", "settle_mortgage_transfer", "naruto:bankruptcy.5", title="orange_2", lift=True)
    table.play("bob", "unmortgage", title="orange_2")
    assert table.cash("bob") == 1500 - 90 - 99


@pytest.mark.rule("naruto:bankruptcy.5")
def test_who_lifts_at_once_by_the_other_action_pays_no_more_interest_either() -> None:
    table = received("orange_1")
    table.play("bob", "unmortgage", title="orange_1")
    assert table.cash("bob") == 1500 - 90
    assert table.state.received == []


@pytest.mark.rule("naruto:bankruptcy.5")
def test_the_choice_is_over_when_the_next_player_throws() -> None:
    table = received("orange_1")
    table.arrive("ana", "parc_gratuit")
    assert table.state.received == []
    table.refused("bob", "settle_mortgage_transfer", "naruto:bankruptcy.5", title="orange_1", lift=True)


@pytest.mark.rule("naruto:bankruptcy.4")
def test_the_interest_is_paid_before_the_choice() -> None:
    table = received("orange_1")
    with table.arranged() as state:
        state.debts = [
            Debt(
                id="1",
                debtor="bob",
                creditor="bank",
                amount=9,
                rule="naruto:bankruptcy.4",
                cause="interest",
                title="orange_1",
            )
        ]
    table.refused("bob", "settle_mortgage_transfer", "naruto:bankruptcy.4", title="orange_1", lift=False)
    table.refused("bob", "unmortgage", "naruto:bankruptcy.4", title="orange_1")
    table.play("bob", "pay_debt")
    table.play("bob", "settle_mortgage_transfer", title="orange_1", lift=False)


# ----------------------------------------------------------------------------------------------
# Monopolys
# ----------------------------------------------------------------------------------------------


@pytest.mark.rule("monopolys:mortgage.1")
def test_a_merchant_mortgages_only_when_out_of_money_with_a_debt() -> None:
    table = owes_tax("monopolys", cash=25_000)
    table.give("ana", "phenys")
    table.refused("ana", "mortgage", "monopolys:mortgage.1", title="phenys")
    table = owes_tax("monopolys", cash=15_000)
    table.give("ana", "phenys", "charybde")
    table.play("ana", "mortgage", title="phenys")
    table.refused("ana", "mortgage", "monopolys:mortgage.1", title="charybde")
    table.play("ana", "pay_debt")
    assert table.cash("ana") == 5_000


@pytest.mark.rule("monopolys:mortgage.2", "monopolys:loan.1")
def test_the_bank_lends_half_of_the_printed_price() -> None:
    table = owes_tax("monopolys", cash=0)
    table.give("ana", "orange", "charybde", "avarys")
    table.give("bob", "bryst")
    table.build(phenys=1)
    table.refused("ana", "mortgage", "monopolys:mortgage.2", title="odyssa")
    table.refused("ana", "mortgage", "monopolys:mortgage.2", title="bryst")
    table.play("ana", "mortgage", title="charybde")
    table.play("ana", "mortgage", title="avarys")
    assert table.cash("ana") == 7_500 + 10_000
    table.refused("ana", "mortgage", "monopolys:mortgage.2", title="avarys")


@pytest.mark.rule("monopolys:mortgage.3")
def test_an_owner_lifts_with_a_tenth_at_any_time_and_draws_rent_again() -> None:
    table = monopolys()
    table.give("bob", "phenys")
    table.mortgaged("phenys")
    table.jail("bob")
    table.arrive("ana", "phenys")
    assert table.cash("ana") == 150_000
    table.play("bob", "unmortgage", title="phenys")
    assert table.cash("bob") == 150_000 - 11_000
    table.arrive("cid", "phenys")
    assert table.cash("cid") == 150_000 - 1_600
    table.purse("bob", 0)
    table.give("bob", "bryst")
    table.mortgaged("bryst")
    table.refused("bob", "unmortgage", "monopolys:mortgage.3", title="bryst")
