"""What players owe one another and the bank: rents, taxes, throws, debts, mortgages received, the highest bid."""

from __future__ import annotations

from ledger.kernel.facts.obligations import Obligation
from tests.monopoly.table import Table, monopolys, naruto


def owed(table: Table) -> list[Obligation]:
    """The obligations of the table."""
    return [*table.rulebook.agreements.obligations(table.state)]


def told(table: Table) -> list[tuple[str, str | None, str | None, int | None]]:
    """The kind, the debtor, the creditor and the amount of each obligation."""
    return [(one.kind, one.debtor, one.creditor, one.amount) for one in owed(table)]


def test_ana_owes_bob_a_rent_until_she_has_paid_or_the_game_is_over() -> None:
    """He may claim 550; then she owes 550 since the claim, and nothing once she has paid."""
    table = naruto()
    table.give("bob", "orange")
    table.build(orange_1=3, orange_2=3, orange_3=3)
    table.purse("ana", 540)
    table.arrive("ana", "orange_1")
    (rent,) = owed(table)
    assert (rent.kind, rent.debtor, rent.creditor, rent.amount) == ("rent", "ana", "player:bob", 550)
    assert (rent.about, rent.since, rent.follows.en) == ("orange_1", None, "lapses unclaimed at the next throw")
    table.play("bob", "claim_rent")
    (debt,) = owed(table)
    assert (debt.kind, debt.debtor, debt.creditor, debt.amount) == ("debt", "ana", "player:bob", 550)
    assert (debt.rule, debt.since, debt.commodity) == (
        rent.rule,
        table.requested,
        table.rulebook.accounts.currency,
    )
    assert debt.follows.fr == "personne ne lance les dés avant le paiement"
    assert (rent.release, debt.release) == (None, f"debt:{debt.about}")
    table.purse("ana", 560)
    over = table.state.copy()
    over.ended = True
    assert [*table.rulebook.agreements.obligations(over)] == []
    table.play("ana", "pay_debt")
    assert owed(table) == []


def test_a_tax_is_owed_from_the_stop_on() -> None:
    table = naruto()
    table.arrive("ana", "barbecue")
    ((kind, debtor, creditor, amount),) = told(table)
    table.purse("ana", 10)
    table.play("ana", "pay_tax")
    assert told(table) == [("debt", debtor, creditor, amount)]
    assert [obligation.release for obligation in owed(table)] == [None]
    assert (kind, debtor, creditor) == ("tax", "ana", "bank")


def test_a_rent_that_depends_on_a_throw_has_no_amount_yet() -> None:
    """Claimed in Naruto, taken at once in Monopolys."""
    table = naruto()
    table.give("bob", "obito")
    table.arrive("ana", "obito")
    assert told(table) == [("rent", "ana", "player:bob", None)]
    table.play("bob", "claim_rent")
    assert told(table) == [("throw", "ana", "player:bob", None)]
    table.play("ana", "roll_for_rent", dice=[3, 3])
    assert told(table) == [("debt", "ana", "player:bob", 24)]
    other = monopolys()
    other.give("bob", "zcygulla")
    other.arrive("ana", "ocean_3")
    other.play("ana", "roll_chance_die", dice=[2])
    assert told(other) == [("throw", "ana", "player:bob", None)]
    assert owed(other)[0].rule == "monopolys:guetapens.4"


def test_the_heir_of_a_bankrupt_owes_interest_and_a_choice() -> None:
    table = naruto()
    table.give("bob", "orange")
    table.build(orange_1=3, orange_2=3, orange_3=3)
    table.give("ana", "obito")
    table.mortgaged("obito")
    table.purse("ana", 0)
    table.arrive("ana", "orange_1")
    table.play("bob", "claim_rent")
    table.purse("bob", 0)
    table.play("ana", "declare_bankruptcy")
    debt, choice = owed(table)
    assert (debt.kind, debt.debtor, debt.creditor, debt.amount) == ("debt", "bob", "bank", 8)
    assert (debt.rule, debt.follows.en) == ("naruto:bankruptcy.4", "the debtor pays before the next throw")
    assert (choice.kind, choice.debtor, choice.amount, choice.about) == ("mortgage", "bob", None, "obito")
    table.purse("bob", 8)
    table.play("bob", "pay_debt")
    table.play("bob", "settle_mortgage_transfer", title="obito", lift=False)
    assert owed(table) == []


def test_the_highest_bid_lies_apart_until_the_auction_closes() -> None:
    table = naruto(auction_seconds=60)
    table.roll("ana", 1, 2)
    table.play("ana", "decline_property")
    assert owed(table) == []
    table.play("bob", "bid", amount=70)
    (bid,) = owed(table)
    assert (bid.kind, bid.debtor, bid.creditor, bid.amount, bid.laid) == ("bid", "bob", "bank", 70, True)
    assert bid.about == "brun_2"
    assert [bid.due] == list(table.rulebook.progress.deadlines(table.state) or ())
    for seat in ("ana", "cid"):
        table.play(seat, "pass_bid")
    table.banker("close_auction")
    assert owed(table) == []
