"""What players owe: loans, deposits, goods due and in transit, rackets, and the bank an overdrawn purse."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import EVERYONE, only
from ledger.kernel.facts.obligations import Obligation
from tests.negopoly.agreements.test_bounties import opened
from tests.negopoly.agreements.test_contracts import propose
from tests.negopoly.agreements.test_loans import borrow, lap
from tests.negopoly.goods.test_deliveries import deal_of
from tests.negopoly.mercenaries.test_reactions import NUKETOWN, attack, served
from tests.negopoly.squares.test_prison import arrest, plant
from tests.tables.negopoly import (
    STREET,
    Table,
    answer,
    drives,
    idle,
    in_a_tank,
    question_to,
    ruin,
    ruled,
    sold,
    stop_on,
)


def owed(table: Table) -> list[Obligation]:
    """The obligations of the table."""
    return [*table.rulebook.agreements.obligations(table.state)]


def test_a_loan_is_owed_to_the_bank_until_it_is_paid_or_collected_or_the_game_is_over() -> None:
    table = Table("ana", "bob")
    loan = borrow(table, "ana", 200)
    table.play("ana", "repay_loan", loan=loan, amount=50)
    (debt,) = owed(table)
    assert (debt.kind, debt.debtor, debt.creditor, debt.amount) == ("loan", "ana", "bank", 150)
    assert (debt.rule, debt.since, debt.about, debt.audience) == ("X.C.4", int(loan), loan, only("ana"))
    assert debt.follows.en == "collected in 2 passages by Spawn"
    lap(table, "ana")
    assert owed(table)[0].follows.fr == "recouvré au prochain passage par le Spawn"
    over = table.state.copy()
    over.ended = True
    assert [*table.rulebook.agreements.obligations(over)] == []
    idle(table, "bob")
    lap(table, "ana")
    assert owed(table) == []


def test_a_bounty_is_owed_to_nobody_known_until_it_is_won() -> None:
    table = Table("ana", "bob")
    bounty = opened(table, "ana", 100)
    (deposit,) = owed(table)
    assert (deposit.kind, deposit.debtor, deposit.creditor, deposit.amount) == ("bounty", "ana", None, 100)
    assert (deposit.about, deposit.laid, deposit.audience) == (bounty, True, EVERYONE)
    table.banker("award_bounty", bounty=bounty, winner="bob")
    assert owed(table) == []


def test_the_escrow_and_the_clauses_of_a_contract_are_owed_once_it_is_in_force() -> None:
    """The parties alone know; what the banker has paid out is owed no more, and nothing once the contract ends."""
    table = Table("ana", "bob", "cid")
    contract = propose(table, "ana", "bob", escrow={"ana": 200, "bob": 50})
    assert owed(table) == []
    table.play("bob", "agree_contract", contract=contract)
    assert [(one.kind, one.debtor, one.amount, one.audience) for one in owed(table)] == [
        ("contract", "ana", 200, only("ana", "bob")),
        ("contract", "bob", 50, only("ana", "bob")),
        ("contract", "ana", None, only("ana", "bob")),
        ("contract", "bob", None, only("ana", "bob")),
    ]
    assert owed(table)[2].follows.en == "the banker may establish a breach"
    table.banker(
        "release_escrow", contract=contract, depositor="bob", to="ana", amount=50, reason="the clause is met"
    )
    assert [(one.debtor, one.amount) for one in owed(table)] == [("ana", 200), ("ana", None), ("bob", None)]
    ruled(table, {"op": "end_contract", "contract": contract})
    assert owed(table) == []


def test_goods_of_a_deal_are_due_then_in_transit_then_there() -> None:
    """Only the parties may know of them (I.C.5)."""
    table = Table("ana", "bob", "cid")
    table.give("bob", "dose", 2)
    deal = deal_of(table, "ana", "bob", {"giver": "bob", "taker": "ana", "commodity": "dose", "amount": 2})
    (due,) = owed(table)
    assert (due.kind, due.debtor, due.creditor, due.commodity, due.amount) == (
        "deal",
        "bob",
        "player:ana",
        "dose",
        2,
    )
    assert (due.rule, due.since, due.laid, due.audience) == ("II.D.1", int(deal), False, only("ana", "bob"))
    idle(table, "ana")
    table.play("bob", "send_delivery", deal=deal, leg=0)
    (sent,) = owed(table)
    assert (sent.kind, sent.debtor, sent.creditor, sent.amount) == ("delivery", "bob", "player:ana", 2)
    assert (sent.rule, sent.since, sent.laid, sent.audience) == (
        "VIII.D.3",
        table.requested,
        True,
        only("ana", "bob"),
    )
    assert sent.follows.en == "arrives in round 2"
    for seat in ("bob", "cid", "ana"):
        idle(table, seat)
    assert owed(table) == []


def test_the_next_prisoner_owes_for_rackets_and_an_overdrawn_purse_is_owed_to_the_bank() -> None:
    """The player alone knows about the purse (I.C.6)."""
    table = Table("ana", "bob")
    plant(table, "ana")
    (racket,) = owed(table)
    assert (racket.kind, racket.debtor, racket.creditor, racket.amount) == ("racket", None, "player:ana", 150)
    table.take("bob", "NGD", 1650)
    arrest(table, "bob")
    (overdrawn,) = owed(table)
    assert (overdrawn.kind, overdrawn.debtor, overdrawn.creditor) == ("overdraft", "bob", "bank")
    assert (overdrawn.rule, overdrawn.amount, overdrawn.audience) == ("I.B.3", 150, only("bob"))


def test_the_rent_of_a_stop_is_owed_until_the_stop_is_resolved() -> None:
    """Public like the stop; nothing is owed on one's own title, in a Tank, or under a Bombe IEM."""
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=2)
    stop_on(table, "ana", 6)
    (rent,) = owed(table)
    assert (rent.kind, rent.debtor, rent.creditor, rent.about) == ("rent", "ana", "player:bob", STREET)
    assert (rent.rule, rent.audience) == ("V.A.6", EVERYONE)
    assert rent.due in (table.rulebook.progress.deadlines(table.state) or ())
    money = table.holds("ana")
    table.play("ana", "resolve_square")
    assert (money - table.holds("ana"), owed(table)) == (rent.amount, [])
    spared = in_a_tank("ana", "bob", onto=6 - 2)
    spared.own("bob", STREET)
    drives(spared)
    assert owed(spared) == []
    bombed = Table("ana", "bob")
    bombed.own("bob", STREET)
    stop_on(bombed, "ana", 6)
    assert [one.rule for one in owed(bombed)] == ["V.A.7"]
    with bombed.arranged() as state:
        state.blackouts = {"bob"}
    assert owed(bombed) == []


def test_a_question_is_owed_an_answer_until_the_turn_is_over() -> None:
    table = served("ana", "bob", bob="security_team")
    attack(table)
    (answer_due,) = owed(table)
    assert (answer_due.kind, answer_due.debtor, answer_due.creditor) == ("answer", "bob", None)
    assert (answer_due.rule, answer_due.about) == ("IX.B.15", question_to(table, "bob").id)
    assert [answer_due.due] == list(table.rulebook.progress.deadlines(table.state) or ())
    answer(table, "bob", "use")
    assert owed(table) == []


@pytest.mark.rule("X.C.4", "I.B.6")
def test_money_beyond_a_loan_is_refused_and_money_for_another_player_settles_nothing() -> None:
    """Ana owes the bank 200: Bob cannot repay the loan for her, and what she sends him is his."""
    table = Table("ana", "bob")
    loan = borrow(table, "ana", 200)
    assert "200" in table.refused("ana", "repay_loan", "X.C.4", loan=loan, amount=201).en
    table.refused("bob", "repay_loan", "X.C.4", loan=loan)
    money = table.holds("bob")
    table.play("ana", "transfer_money", to="bob", amount=200)
    assert ([one.amount for one in owed(table)], table.holds("bob")) == ([200], money + 200)


@pytest.mark.rule("II.D.1")
def test_goods_sent_outside_the_deal_leave_its_leg_due() -> None:
    """Bob owes Ana 2 doses: one sent as a gift is a gift; the leg is sent whole, in the name of the deal."""
    table = Table("ana", "bob", "cid")
    table.give("bob", "dose", 3)
    deal = deal_of(table, "ana", "bob", {"giver": "bob", "taker": "ana", "commodity": "dose", "amount": 2})
    idle(table, "ana")
    table.play("bob", "send_delivery", to="ana", commodity="dose", amount=1)
    assert [(one.kind, one.amount) for one in owed(table)] == [("deal", 2), ("delivery", 1)]
    table.play("bob", "send_delivery", deal=deal, leg=0)
    assert [(one.kind, one.amount) for one in owed(table)] == [("delivery", 1), ("delivery", 2)]


@pytest.mark.rule("I.B.6", "V.D.3")
def test_a_player_in_debt_may_give_titles_away_but_no_money() -> None:
    """Bob owes the bank 10: he may give Nuketown to Ana, of which the banker is warned, and not a single ₦."""
    table = Table("ana", "bob")
    table.own("bob", NUKETOWN)
    ruin(table, "bob", 10)
    table.refused("bob", "transfer_money", "I.B.6", to="ana", amount=1)
    sold(table, "bob", "ana", NUKETOWN)
    assert table.last is not None
    (warning,) = table.last.warnings
    assert (warning.rule, warning.told) == ("I.B.4", ())
    assert warning.en == "Bob gives Nuketown away and is left owing the bank ₦10"
    assert (table.owner(NUKETOWN), [one.amount for one in owed(table)]) == ("ana", [10])
