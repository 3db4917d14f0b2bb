"""X.C. Loans: the bank lends up to 500 ₦, due at the second passage by Spawn."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.agreements.loans import LoanTaken
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.terms import Loan
from tests.tables.negopoly import Table, agreement, dropping, idle, kinds, say, touched


def borrow(table: Table, seat: str, amount: int) -> str:
    """The seat borrows; return the id of the loan."""
    event = table.play(seat, "take_loan", amount=amount)[0]
    assert isinstance(event, LoanTaken)
    return event.loan.id


def lap(table: Table, seat: str) -> None:
    """A turn of the seat that passes by Spawn once, without titles: 250 ₦ of pay."""
    table.place(seat, 38)
    table.turn(seat, 1, 2)


@pytest.mark.rule("X.C.1")
def test_the_bank_lends_at_any_moment_in_or_out_of_turn_and_in_debt() -> None:
    table = Table("ana", "bob")
    bank = table.holds("bank")
    borrow(table, "ana", 200)
    assert table.holds("ana") == 1850
    table.take("bob", "NGD", 2000)
    loan = borrow(table, "bob", 300)
    assert table.holds("bob") == -50
    assert table.holds("bank") == bank + 2000 - 500
    assert agreement(table, loan, Loan).outstanding == 300


@pytest.mark.rule("X.C.1", "II.1", "I.B.5")
def test_nobody_borrows_before_the_game_or_once_out_of_it() -> None:
    setting_up = Table("ana", "bob", started=False)
    setting_up.refused("ana", "take_loan", "II.1", amount=100)
    table = Table("ana", "bob", "cid")
    borrow(table, "ana", 100)
    with table.arranged() as state:
        state.eliminated["cid"] = "bankruptcy"
    table.refused("cid", "take_loan", "I.B.5", amount=100)


@pytest.mark.rule("X.C.2")
def test_all_loans_together_reach_500_of_principal_and_no_more() -> None:
    """300 and 200 make 500; after paying back 120, Ana may borrow 120 again, not 121."""
    table = Table("ana", "bob")
    table.refused("ana", "take_loan", "X.C.2", amount=501)
    first = borrow(table, "ana", 300)
    borrow(table, "ana", 200)
    over = table.refused("ana", "take_loan", "X.C.2", amount=1)
    assert over.en.startswith("Ana owes ₦500 of principal and cannot borrow ₦1 more")
    table.play("ana", "repay_loan", loan=first, amount=120)
    table.refused("ana", "take_loan", "X.C.2", amount=121)
    borrow(table, "ana", 120)
    borrow(table, "bob", 500)


@pytest.mark.rule("X.C.2")
def test_a_table_sets_its_own_cap() -> None:
    table = Table("ana", "bob", settings={"loan_cap_total": 800})
    table.refused("ana", "take_loan", "X.C.2", amount=801)
    borrow(table, "ana", 800)
    assert table.holds("ana") == 2450


@pytest.mark.rule("X.C.3", "X.C.4")
def test_a_loan_is_collected_at_the_second_passage_by_spawn_after_the_pay() -> None:
    """Ana borrows 500 ₦ and passes Spawn twice: 250 ₦ each time, and the second time 500 ₦ go back."""
    table = Table("ana", "bob")
    loan = borrow(table, "ana", 500)
    lap(table, "ana")
    assert (table.holds("ana"), agreement(table, loan, Loan).passages) == (2400, 1)
    idle(table, "bob")
    table.place("ana", 38)
    kinds = [kind_of(event) for event in table.play("ana", "roll_dice", dice=[1, 2])]
    assert kinds.index("salary_paid") < kinds.index("loan_collected")
    assert table.holds("ana") == 2400 + 250 - 500
    assert (agreement(table, loan, Loan).status, agreement(table, loan, Loan).outstanding) == ("collected", 0)


@pytest.mark.rule("X.C.3", "VI.A.3")
def test_passages_count_whatever_the_route_and_going_back_is_none() -> None:
    """Teleported to Spawn, back onto it by helicopter, then over it: two passages, the second collects."""
    table = Table("ana", "bob")
    loan = borrow(table, "ana", 500)
    table.give("ana", "teleporteur")
    table.play("ana", "use_vehicle", commodity="teleporteur", square=0)
    table.play("ana", "end_turn")
    assert agreement(table, loan, Loan).passages == 1
    idle(table, "bob")
    table.place("ana", 1)
    table.give("ana", "helicoptere")
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "use_vehicle", commodity="helicoptere", steps=-3)
    assert (table.state.positions["ana"], agreement(table, loan, Loan).passages) == (0, 1)
    table.play("ana", "end_turn")
    idle(table, "bob")
    lap(table, "ana")
    assert (agreement(table, loan, Loan).status, agreement(table, loan, Loan).outstanding) == ("collected", 0)


@pytest.mark.rule("X.C.3")
def test_each_loan_counts_its_own_passages() -> None:
    table = Table("ana", "bob")
    first = borrow(table, "ana", 100)
    lap(table, "ana")
    second = borrow(table, "ana", 50)
    idle(table, "bob")
    lap(table, "ana")
    assert (agreement(table, first, Loan).status, agreement(table, second, Loan).status) == ("collected", "open")
    assert agreement(table, second, Loan).passages == 1
    idle(table, "bob")
    lap(table, "ana")
    assert agreement(table, second, Loan).status == "collected"
    assert table.holds("ana") == 1650 + 3 * 250


@pytest.mark.rule("X.C.3", "X.C.4")
def test_what_is_paid_back_in_time_is_not_collected() -> None:
    table = Table("ana", "bob")
    loan = borrow(table, "ana", 400)
    bank = table.holds("bank")
    table.play("ana", "repay_loan", loan=loan, amount=150)
    assert (table.holds("ana"), table.holds("bank"), agreement(table, loan, Loan).outstanding) == (
        1900,
        bank + 150,
        250,
    )
    table.refused("ana", "repay_loan", "X.C.4", loan=loan, amount=251)
    lap(table, "ana")
    table.play("ana", "repay_loan", loan=loan)
    assert (table.holds("ana"), agreement(table, loan, Loan).status) == (1900 + 250 - 250, "repaid")
    ended = table.refused("ana", "repay_loan", "X.C.4", loan=loan)
    assert "repaid" in ended.en
    idle(table, "bob")
    lap(table, "ana")
    assert table.holds("ana") == 2150


@pytest.mark.rule("X.C.4")
def test_the_deadline_makes_debt_and_a_repayment_does_not() -> None:
    """Ana has 10 ₦: she cannot pay back 11, but the deadline, after her 250 ₦ of pay, takes 500 ₦ from 260."""
    table = Table("ana", "bob")
    loan = borrow(table, "ana", 500)
    lap(table, "ana")
    idle(table, "bob")
    table.take("ana", "NGD", table.holds("ana") - 10)
    table.refused("ana", "repay_loan", "X.C.4", loan=loan, amount=11)
    lap(table, "ana")
    assert table.holds("ana") == -240
    assert agreement(table, loan, Loan).status == "collected"


def test_a_repayment_tells_what_remains_and_that_nothing_does() -> None:
    table = Table("ana", "bob")
    loan = borrow(table, "ana", 500)
    speakers = table.rulebook.language.speakers(table.state)
    part = table.play("ana", "repay_loan", loan=loan, amount=300)[-1]
    assert say(part, "en", speakers) == "Ana pays back ₦300; ₦200 remain."
    whole = table.play("ana", "repay_loan", loan=loan)[-1]
    assert say(whole, "en", speakers) == "Ana pays back ₦200; nothing remains."
    assert say(whole, "fr", speakers) == "Ana rembourse 200 ₦\N{NO-BREAK SPACE}; il ne reste rien."


@pytest.mark.rule("X.C.4")
def test_a_table_that_sets_an_interest_collects_it_on_top_rounded_up_once() -> None:
    """7 % of 333 ₦ is 23.31, so 24: paying back 100, then 233, leaves 24, which the last payment brings."""
    table = Table("ana", "bob", settings={"loan_interest_percent": 7})
    loan = borrow(table, "ana", 333)
    assert table.holds("ana") == 1983
    assert (agreement(table, loan, Loan).interest, agreement(table, loan, Loan).outstanding) == (24, 357)
    table.play("ana", "repay_loan", loan=loan, amount=100)
    table.play("ana", "repay_loan", loan=loan, amount=233)
    assert (agreement(table, loan, Loan).status, agreement(table, loan, Loan).outstanding) == ("open", 24)
    table.refused("ana", "repay_loan", "X.C.4", loan=loan, amount=25)
    table.play("ana", "repay_loan", loan=loan)
    assert (agreement(table, loan, Loan).status, table.holds("ana")) == ("repaid", 1650 - 24)


@pytest.mark.rule("X.C.2", "X.C.4")
def test_interest_is_collected_at_the_deadline_and_leaves_the_cap_alone() -> None:
    """500 ₦ at 10 %: once they are back, Ana owes 50 of interest and may borrow 500 again: 600 are collected."""
    table = Table("ana", "bob", settings={"loan_interest_percent": 10})
    loan = borrow(table, "ana", 500)
    table.refused("ana", "take_loan", "X.C.2", amount=1)
    table.play("ana", "repay_loan", loan=loan, amount=500)
    borrow(table, "ana", 500)
    lap(table, "ana")
    idle(table, "bob")
    lap(table, "ana")
    assert table.holds("ana") == 1650 + 500 + 2 * 250 - 50 - 550


@pytest.mark.rule("X.C.1", "X.C.4", "I.C.6")
def test_a_loan_is_its_borrowers_secret() -> None:
    table = Table("ana", "bob")
    loan = borrow(table, "ana", 250)
    assert len(table.seen_by("ana")) == 1
    assert table.seen_by("bob") == table.seen_by(None) == []
    hidden = table.refused("bob", "repay_loan", "X.C.4", loan=loan, amount=1).en
    assert hidden == f"Bob has no loan {loan!r}"
    table.play("ana", "repay_loan", loan=loan, amount=1)
    assert table.seen_by("bob") == []
    assert hidden == table.refused("bob", "repay_loan", "X.C.4", loan="999", amount=1).en.replace("999", loan)
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert "loan_passage_counted" in [kind_of(event) for event in table.seen_by("ana")]
    assert "loan_passage_counted" not in [kind_of(event) for event in table.seen_by("bob")]


# A passage with pay -------------------------------------------------------------------------------------


@pytest.mark.rule("X.C.2", "X.C.3", "X.C.4", "VI.A.2", "V.E.4", "VI.A.4", "VI.A.5", "VII.A.2")
def test_one_passage_pays_collects_one_loan_counts_another_and_lends_again() -> None:
    """Ana holds Marron, 10 ₦ and two loans: 400 ₦ due at this passage, 100 ₦ at the next one.

    She is paid 230 ₦ and 150 ₦, then the 400 ₦ are taken: 10 ₦ short, and her licence has ended too. In debt she
    buys neither licence nor dose; but 400 ₦ of the bank's 500 are free again, so she borrows them on the spot, for
    both. The new loan has not passed Spawn yet.
    """
    table = Table("ana", "bob")
    table.own("ana", *QUARTERS["marron"])
    table.give("ana", "licence")
    with table.arranged() as state:
        state.open["900"] = Loan(id="900", borrower="ana", principal=400, outstanding=400, passages=1)
        state.open["901"] = Loan(id="901", borrower="ana", principal=100, outstanding=100)
    table.take("ana", "NGD", 1640)
    table.place("ana", 38)
    events = kinds(table.play("ana", "roll_dice", dice=[1, 3]))
    assert events[2:8] == [
        "spawn_passed",
        "salary_paid",
        "allowance_paid",
        "loan_collected",
        "loan_passage_counted",
        "licence_expired",
    ]
    assert table.holds("ana") == 10 + 230 + 150 - 400
    assert kinds(table.seen_by("bob")) == [
        one for one in events if not one.startswith("loan") and not one.startswith("licence")
    ]
    table.refused("ana", "buy_licence", "VI.A.4")
    table.refused("ana", "buy_doses", "VII.A.2")
    table.refused("ana", "take_loan", "X.C.2", amount=401)
    table.play("ana", "take_loan", amount=400)
    new = str(table.number)
    table.play("ana", "buy_licence")
    table.play("ana", "buy_doses")
    assert table.holds("ana") == -10 + 400 - 70 - 50
    loan = table.state.open[new]
    assert isinstance(loan, Loan)
    assert loan.passages == 0


@pytest.mark.rule("P.4", "X.C.1", "X.C.4", "V.C.1", "VI.A.2")
def test_a_loan_that_was_never_taken_is_not_collected_on_the_passage_that_did() -> None:
    """Ana, with 100 ₦, borrows 500, buys a title of 60 ₦, builds five houses, and teleports onto Spawn twice.

    The second time the bank collects, and she has 270 ₦ left. A dry run without the loan changes two passages and
    voids all five houses for lack of money; she would have 520 ₦ and a title without houses.
    """
    table = Table("ana", "bob")
    table.take("ana", "NGD", 1550)
    table.give("ana", "teleporteur", 2)
    table.play("ana", "take_loan", amount=500)
    loan = table.number
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_property")
    built = []
    for _ in range(5):
        table.play("ana", "build_house", title="black_arretxea")
        built.append(str(table.number))
    table.play("ana", "use_vehicle", commodity="teleporteur", square=0)
    passages = [str(table.number)]
    table.play("ana", "end_turn")
    table.turn("bob", 3, 4)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "use_vehicle", commodity="teleporteur", square=0)
    passages.append(str(table.number))
    assert kinds(table.seen_by("ana"))[-1:] == ["loan_collected"]
    assert "loan_collected" not in kinds(table.seen_by("bob"))
    assert table.holds("ana") == 100 + 500 - 60 - 250 + 240 + 240 - 500
    plan = table.what_if(dropping(loan))
    assert touched(plan.voided) == built
    assert touched(plan.restated) == passages
    table.banker("correct", edits=[dropping(loan)], cascade="restate", reason="she had not asked for it")
    assert table.holds("ana") == 100 - 60 + 240 + 240
    assert table.holds("property:black_arretxea", "house") == 0
    assert table.state.open == {}


@pytest.mark.rule("III.B.3", "VI.A.3", "VI.A.1", "X.C.3", "X.C.4")
def test_two_passages_without_a_lap_in_between_are_two_and_bring_a_loan_to_its_end() -> None:
    """Ana borrows 500 ₦ on square 38; a dose takes her over Spawn and back again, and the next roll over it anew.

    Going back is no passage, but each way forward is one: she is paid 250 ₦ twice, and with the second the loan is
    collected, although she has not been round the board once.
    """
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.place("ana", 38)
    table.play("ana", "take_loan", amount=500)
    loan = str(table.number)
    table.play("ana", "consume_dose", dice=[3])
    table.play("ana", "roll_dice", dice=[2, 2])
    assert (table.state.positions["ana"], table.holds("ana")) == (38, 1650 + 500 + 250)
    assert table.state.open[loan].status == "open"
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    assert "loan_collected" in kinds(table.play("ana", "roll_dice", dice=[2, 2]))
    assert table.holds("ana") == 1650 + 500 + 250 + 250 - 500
    assert table.state.open == {}
