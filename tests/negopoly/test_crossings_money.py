"""Stock, surcharges and loans (VIII.A, IX.C.3, IX.C.4, X.C) where pay, quarters and corrections meet them."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.table.terms import Loan
from tests.tables.negopoly import BAR, HOPITAL, Table, dropping, kinds, touched

# Stock and 25 % -------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.4", "IX.C.3", "VIII.D.6", "V.E.11", "P.4")
def test_the_last_copy_as_a_gift_with_a_quarter_up_and_one_down() -> None:
    """Ana, who holds Jaune, buys Bob both Glocks: 150 and 188 ₦. Cleo finds none, and nobody learns who has them.

    Without Ana's purchase the shop would have both again; Cleo's first, at 200 ₦, takes no quarter off.
    """
    table = Table("ana", "bob", "cleo")
    table.own("ana", *QUARTERS["jaune"])
    for seat in ("ana", "cleo"):
        table.place(seat, BAR - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_for_player", to="bob", item="glock26", quantity=2)
    bought = table.number
    assert (table.holds("ana"), table.holds("bob", "glock26")) == (1650 - 150 - 188, 2)
    assert (table.seen_by("cleo"), len(table.seen_by("bob"))) == ([], 1)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.refused("cleo", "buy_weapon", "IX.C.3", weapon="glock26")
    table.banker("correct", edits=[dropping(bought)], cascade="refuse", reason="a word misheard")
    table.play("cleo", "buy_weapon", weapon="glock26")
    assert (table.holds("ana"), table.holds("cleo")) == (1650, 1650 - 200)
    assert shops.left(table.state, "glock26") == 1


@pytest.mark.rule("P.4", "IX.C.4", "IX.C.18", "IX.C.19")
def test_without_the_first_copy_the_last_one_was_no_last_one_and_no_duel_was_fought_over_it() -> None:
    """Ana buys a Glock for 200 ₦, Bob beside her the last one for 250 ₦; he draws it and wins the duel with a 5.

    The dry run without her purchase: his cost 200 ₦, and she, unarmed, pays the same 300 ₦ but is not sent to
    Hôpital. Without his: his racket falls, her 300 ₦ come back, and the last copy is on the shelf at 250 ₦.
    """
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "buy_weapon", weapon="glock26")
    hers = table.number
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[2, 3])
    table.play("bob", "buy_weapon", weapon="glock26")
    his = table.number
    table.play("bob", "use_glock", target="ana", die=5)
    racket = table.number
    assert [table.holds(seat) for seat in ("ana", "bob")] == [1650 - 200 - 300, 1650 - 250 + 300]
    assert table.state.positions["ana"] == HOPITAL
    plan = table.what_if(dropping(his))
    assert (touched(plan.voided), plan.restated) == ([str(racket)], ())
    assert plan.after.holdings.of("player:ana", "NGD") == 1650 - 200
    assert shops.price_of(plan.after, "bob", "glock26") == 250
    plan = table.what_if(dropping(hers))
    assert (plan.voided, touched(plan.restated)) == ((), [str(his), str(racket)])
    table.banker("correct", edits=[dropping(hers)], cascade="restate", reason="she never paid")
    assert [table.holds(seat) for seat in ("ana", "bob")] == [1650 - 300, 1650 - 200 + 300]
    assert table.state.positions["ana"] == BAR
    assert shops.left(table.state, "glock26") == 1


@pytest.mark.rule("VIII.A.3", "VIII.A.2", "VIII.2", "V.E.8", "V.E.2")
def test_a_used_copy_that_comes_back_takes_the_surcharge_away_again() -> None:
    """Where used copies return, Ana with Vert buys both automobiles from afar, at 250 and 313 ₦, and drives one.

    It is in the shop again as its only copy: the next costs 313 ₦. Once Bob has driven the other, 250 ₦.
    """
    table = Table("ana", "bob", settings={"restock_used": True})
    table.own("ana", *QUARTERS["vert"])
    table.play("ana", "buy_vehicle", vehicle="automobile")
    table.play("ana", "buy_vehicle", vehicle="automobile")
    assert table.holds("ana") == 1650 - 250 - 313
    table.play("ana", "send_delivery", to="bob", commodity="automobile", amount=1, express=True)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "use_vehicle", vehicle="automobile")
    assert shops.price_of(table.state, "ana", "automobile") == 313
    table.play("ana", "mortgage_property", title=QUARTERS["vert"][0])
    table.refused("ana", "buy_vehicle", "VIII.A.1", vehicle="automobile")
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "use_vehicle", vehicle="automobile")
    assert (shops.left(table.state, "automobile"), shops.price_of(table.state, "bob", "automobile")) == (2, 250)


# Loans on the passage that also pays ----------------------------------------------------------------------


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

    The second time the bank collects: 270 ₦ are left. The dry run without the loan: two passages come out
    otherwise, and all five houses fall for want of money; she would have 520 ₦ and a bare title.
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
    table.play("ana", "use_vehicle", vehicle="teleporteur", square=0)
    passages = [str(table.number)]
    table.play("ana", "end_turn")
    table.turn("bob", 3, 4)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "use_vehicle", vehicle="teleporteur", square=0)
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
    table.play("ana", "consume_dose", die=3)
    table.play("ana", "roll_dice", dice=[2, 2])
    assert (table.state.positions["ana"], table.holds("ana")) == (38, 1650 + 500 + 250)
    assert table.state.open[loan].status == "open"
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    assert "loan_collected" in kinds(table.play("ana", "roll_dice", dice=[2, 2]))
    assert table.holds("ana") == 1650 + 500 + 250 + 250 - 500
    assert table.state.open == {}
