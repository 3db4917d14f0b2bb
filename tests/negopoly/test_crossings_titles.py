"""Titles between players (V.B.6, V.D.3) and quarters that come and go (V.E.1, V.E.2) where other rules wait."""

from __future__ import annotations

import pytest

from ledger.kernel.audience import Viewer
from ledger.kernel.seeing import foreseen, seen_account
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS, holder_of
from ledger.rulebooks.negopoly.table.terms import deed
from tests.tables.negopoly import Table, at_the_bar, kinds, quiet_turns, sold, stop_on

STREET, NEXT_STREET, LAST_STREET = CYAN = QUARTERS["cyan"]
"""On squares 6, 8 and 9."""


# Forced buy-backs -----------------------------------------------------------------------------------------


@pytest.mark.rule("V.B.6", "V.B.7", "V.E.1", "V.E.5", "V.E.6", "IX.B.8", "V.A.7")
def test_a_squatted_street_taken_by_force_completes_a_quarter_that_works_but_for_its_square() -> None:
    """Ana, with two Cyan streets, takes Bob's third, mortgaged and squatted, for 200 ₦: Cyan is hers at once.

    Bob's next stop on it is worth nothing to anybody, neither rent nor dose, and one on her 420 pays 8 ₦ for a
    dose. Ana's doses at Spawn cost 40 ₦ all the same. Once the squatters are chased away the street works again.
    """
    table = Table("ana", "bob")
    table.own("ana", NEXT_STREET, LAST_STREET)
    table.own("bob", STREET, mortgaged=True)
    table.attach(STREET, "squat")
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[4, 3])
    events = kinds(table.play("ana", "force_buyback", title=STREET))
    assert events == ["title_bought_back", "quarter_gained"]
    assert table.holds("ana") == 1650 - 200
    table.play("ana", "end_turn")
    stop_on(table, "bob", 6)
    assert kinds(table.play("bob", "resolve_square")) == ["square_resolved"]
    table.play("bob", "end_turn")
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_doses", quantity=2)
    assert table.holds("ana") == 1450 + 250 - 30 - 80
    table.play("ana", "end_turn")
    stop_on(table, "bob", 9)
    table.play("bob", "resolve_square")
    assert (table.holds("bob"), table.holds("bob", "dose")) == (1650 - 8, 1)
    table.play("bob", "end_turn")
    stop_on(table, "ana", 6)
    table.play("ana", "evict_squatters", title=STREET)
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    stop_on(table, "bob", 6)
    table.play("bob", "resolve_square")
    assert (table.holds("bob"), table.holds("bob", "dose")) == (1650 - 8 - 6, 2)


@pytest.mark.rule("V.B.6", "IX.B.5", "IX.B.3")
def test_who_takes_a_defended_title_by_force_has_its_defence_against_who_lost_it() -> None:
    """Bob's mortgaged street has a defence: Ana takes it by force and learns of it only then.

    At the bar Bob has it attacked for 150 ₦: the defence that he once paid for stops him, and the second attack
    mortgages it, for nothing to anybody.
    """
    table = Table("ana", "bob", "cleo")
    table.own("bob", STREET, mortgaged=True)
    table.attach(STREET, "defence")
    stop_on(table, "ana", 6)
    table.play("ana", "force_buyback", title=STREET)
    table.play("ana", "end_turn")
    assert RULEBOOK.view(table.state, Viewer("player", "ana"))["you"]["defences"] == {STREET: 1}
    at_the_bar(table, "bob")
    table.play("bob", "attack_property", title=STREET)
    assert (table.holds("bob"), table.holds(f"property:{STREET}", "mortgage")) == (1650 - 150, 0)
    table.play("bob", "end_turn")
    quiet_turns(table, "cleo", "ana")
    at_the_bar(table, "bob")
    table.play("bob", "attack_property", title=STREET)
    assert (table.holds("bob"), table.holds(f"property:{STREET}", "mortgage")) == (1650 - 300, 1)
    assert table.holds("ana") == 1650 - 200


@pytest.mark.rule("V.B.6", "V.D.2", "V.B.5")
def test_a_title_taken_by_force_and_mortgaged_again_is_open_to_being_taken_back() -> None:
    """Bob takes Ana's street for 200 ₦ and mortgages it on the spot for 50 ₦: it costs Ana 200 ₦ to have it back.

    The price of the table counts each time, whoever paid what; she has it free, and each has lost 150 ₦ in all.
    """
    table = Table("ana", "bob")
    table.own("ana", STREET)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "mortgage_property", title=STREET)
    table.play("ana", "end_turn")
    stop_on(table, "bob", 6)
    table.play("bob", "force_buyback", title=STREET)
    table.play("bob", "mortgage_property", title=STREET)
    table.play("bob", "end_turn")
    stop_on(table, "ana", 6)
    table.refused("ana", "unmortgage_property", "V.B.5", title=STREET)
    table.play("ana", "force_buyback", title=STREET)
    assert (table.holds("ana"), table.holds("bob")) == (1650 + 50 - 200, 1650 - 200 + 50)
    assert table.owner(STREET) == "ana"
    assert table.holds(f"property:{STREET}", "mortgage") == 0


# A quarter completed after the stop -----------------------------------------------------------------------


@pytest.mark.rule("V.E.1", "V.E.6")
@pytest.mark.parametrize("how", ["buy_property", "force_buyback"])
def test_who_completes_cyan_where_they_stand_gets_a_dose_for_the_next_stop_and_none_for_this_one(how: str) -> None:
    """Ana stops on the one street she lacks and takes it: when she fell on it, Cyan was not complete, so no dose.

    Whether she resolves before she buys or after makes no difference. On her next stop there she gets one.
    """
    for first in ("resolve", "buy"):
        table = Table("ana", "bob")
        table.own("ana", NEXT_STREET, LAST_STREET)
        if how == "force_buyback":
            table.own("bob", STREET, mortgaged=True)
        stop_on(table, "ana", 6)
        if first == "resolve":
            table.play("ana", "resolve_square")
        table.play("ana", how, title=STREET)
        if first == "buy":
            assert kinds(table.play("ana", "resolve_square")) == ["square_resolved"]
        table.play("ana", "end_turn")
        assert (table.holds("ana", "dose"), holder_of(table.state, "cyan")) == (0, "ana")
        quiet_turns(table, "bob")
        stop_on(table, "ana", 6)
        assert kinds(table.play("ana", "resolve_square")) == ["free_dose_received", "square_resolved"]
        assert table.holds("ana", "dose") == 1


@pytest.mark.rule("V.E.1", "V.E.15", "V.A.7", "I.A.1.1")
def test_no_police_are_put_under_the_feet_of_who_has_already_stopped() -> None:
    """Ana stops on one of Bob's two Orange titles with a dose; before her rent is paid Cleo sells him the third.

    She owes the rent of 26 ₦ and is not checked, for she fell on no Orange quarter. The next one who stops is.
    """
    one, two, three = QUARTERS["orange"]
    table = Table("ana", "bob", "cleo")
    table.own("bob", one, two)
    table.own("cleo", three)
    table.give("ana", "dose")
    table.give("cleo", "dose")
    stop_on(table, "ana", 32)
    assert kinds(sold(table, "cleo", "bob", three, 300))[-1] == "quarter_gained"
    assert kinds(table.play("ana", "resolve_square")) == ["rent_paid", "square_resolved"]
    table.play("ana", "end_turn")
    assert (table.holds("ana", "dose"), table.holds("ana"), table.holds("bob")) == (1, 1624, 1650 - 300 + 26)
    quiet_turns(table, "bob")
    stop_on(table, "cleo", 32)
    assert "arrested" in kinds(table.play("cleo", "resolve_square"))
    assert (table.holds("cleo", "dose"), table.holds("bob", "dose")) == (0, 1)


@pytest.mark.rule("V.E.1", "V.E.16", "VI.E.2")
def test_the_trainer_comes_home_to_who_falls_there_as_its_owner_and_not_to_who_has_just_bought() -> None:
    """Ana stops on the Orange title that she lacks and buys it: her next stop there lets her bribe for 170 ₦."""
    one, *others = QUARTERS["orange"]
    table = Table("ana", "bob")
    table.own("ana", *others)
    stop_on(table, "ana", 31)
    table.play("ana", "buy_property")
    table.refused("ana", "bribe_k9", "VI.E.2")
    table.play("ana", "end_turn")
    quiet_turns(table, "bob")
    stop_on(table, "ana", 31)
    table.play("ana", "bribe_k9")
    assert (table.owner(one), table.holds("ana")) == ("ana", 1650 - 300 - 170)


@pytest.mark.rule("V.E.1", "V.E.9", "II.B.7")
def test_rouge_bought_on_the_chance_square_draws_three_cards_from_the_next_one_on() -> None:
    """Ana stops on Chance and buys her third Rouge title from Bob before she draws: one card, as when she fell."""
    table = Table("ana", "bob", decks=True)
    table.own("ana", *QUARTERS["rouge"][:2])
    table.own("bob", QUARTERS["rouge"][2])
    stop_on(table, "ana", 7)
    sold(table, "bob", "ana", QUARTERS["rouge"][2], 240)
    events = kinds(table.play("ana", "resolve_square", draws=["chance_01"]))
    assert "cards_drawn" not in events
    assert [one.kind for one in table.state.questions] == []
    table.play("ana", "end_turn")
    quiet_turns(table, "bob")
    stop_on(table, "ana", 7)
    table.play("ana", "resolve_square", draws=["chance_04", "chance_05", "chance_06"])
    assert [one.kind for one in table.state.questions] == ["chance_choice"]


# A quarter lent, a title sold under a visitor -------------------------------------------------------------


@pytest.mark.rule("V.E.1", "V.E.2", "V.E.11", "IX.C.4", "I.A.1.1", "I.C.6")
def test_a_quarter_lent_for_one_purchase_is_complete_for_it_and_lost_with_the_title() -> None:
    """At the bar Bob lends Ana the Jaune title she lacks, for 10 ₦, and has it back after one purchase.

    Her first Glock costs 150 ₦; the title returned, the last one costs 250 ₦, a quarter up and none down. Cleo
    reads that a title went to and fro, and Jaune with it, and nothing of the 10 ₦ or of the Glocks.
    """
    jaune = QUARTERS["jaune"]
    table = Table("ana", "bob", "cleo")
    table.own("ana", *jaune[:2])
    table.own("bob", jaune[2])
    at_the_bar(table, "ana")
    sold(table, "bob", "ana", jaune[2], 10)
    assert kinds(table.seen_by("cleo")) == ["title_transferred", "quarter_gained"]
    table.play("ana", "buy_weapon", weapon="glock26")
    assert table.seen_by("cleo") == []
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 10 - 150, 1650 + 10)
    sold(table, "ana", "bob", jaune[2])
    assert kinds(table.seen_by("cleo")) == ["title_transferred", "quarter_lost"]
    table.play("ana", "buy_weapon", weapon="glock26")
    assert (table.holds("ana"), table.holds("ana", "glock26")) == (1650 - 10 - 150 - 250, 2)
    assert seen_account(RULEBOOK, table.state, "player:ana", Viewer("player", "cleo")) == {
        deed(title): 1 for title in jaune[:2]
    }


@pytest.mark.rule("V.A.6", "V.E.2", "V.E.6", "I.A.1.1", "V.D.3")
def test_a_street_sold_under_a_visitor_pays_its_new_owner_and_gives_no_dose_any_more() -> None:
    """Bob stops on Ana's complete Cyan; before the rent is paid she sells that street to Cleo for 90 ₦.

    The rent of 6 ₦ is Cleo's, whose street it is when it is paid, and the quarter's dose is gone with the quarter.
    Had she sold it to Bob himself, as both may agree, there would be no rent at all.
    """
    for buyer, bobs, cleos in (("cleo", 1650 - 6, 1650 - 90 + 6), ("bob", 1650 - 90, 1650)):
        table = Table("ana", "bob", "cleo")
        table.own("ana", *CYAN)
        with table.arranged() as state:
            state.quarters["cyan"] = "ana"
        quiet_turns(table, "ana")
        stop_on(table, "bob", 6)
        assert kinds(sold(table, "ana", buyer, STREET, 90))[-1] == "quarter_lost"
        table.play("bob", "resolve_square")
        assert [table.holds(seat) for seat in ("ana", "bob", "cleo")] == [1740, bobs, cleos]
        assert table.holds("bob", "dose") == 0


@pytest.mark.rule("V.A.6", "II.B.7")
@pytest.mark.parametrize(
    ("how", "bobs"), [("home", 1650), ("ruling", 1650), ("buy_property", 1550), ("force_buyback", 1450)]
)
def test_nobody_owes_rent_for_a_stop_on_what_was_theirs_or_nobodys(how: str, bobs: int) -> None:
    """Bob stops at home, or on the bank's street and buys it, or on Ana's mortgaged one and takes it by force.

    On the spot he, or the banker, sells it to Cleo for 500 ₦: he fell on no street of hers and owes her nothing.
    On his next stop he does: 270 ₦ where three houses stand, 6 ₦ on the bare street.
    """
    table = Table("ana", "bob", "cleo")
    if how in {"home", "ruling"}:
        table.own("bob", STREET, houses=3)
    elif how == "force_buyback":
        table.own("ana", STREET, houses=3, mortgaged=True)
    quiet_turns(table, "ana")
    stop_on(table, "bob", 6)
    if how in {"buy_property", "force_buyback"}:
        table.play("bob", how, title=STREET)
    if how == "ruling":
        sale = {"op": "forced_sale", "title": STREET, "buyer": "cleo", "price": 500}
        table.banker("rule", finding="so agreed", remedies=[sale])
    else:
        sold(table, "bob", "cleo", STREET, 500)
    assert kinds(table.play("bob", "resolve_square")) == ["square_resolved"]
    assert (table.holds("bob"), table.holds("cleo")) == (bobs + 500, 1150)
    table.play("bob", "end_turn")
    quiet_turns(table, "cleo", "ana")
    stop_on(table, "bob", 6)
    table.play("bob", "resolve_square")
    rent = 6 if how == "buy_property" else 270
    assert (table.holds("bob"), table.holds("cleo")) == (bobs + 500 - rent, 1150 + rent)


# Corrections and secrets ----------------------------------------------------------------------------------


@pytest.mark.rule("P.4", "V.B.6", "V.D.2", "V.C.1", "V.E.2", "V.A.6")
def test_without_the_mortgage_nobody_could_have_taken_the_title_and_the_rent_is_another_ones() -> None:
    """Ana mortgages a Marron title, Bob, crossing it, takes it for 120 ₦ and builds there, Cleo pays him 10 ₦.

    The dry run without the mortgage: the buy-back and the house fall, Cleo owed Ana 2 ₦; Marron was never lost,
    and Ana has not got the 30 ₦ of the mortgage.
    """
    table = Table("ana", "bob", "cleo")
    table.own("ana", *QUARTERS["marron"])
    with table.arranged() as state:
        state.quarters["marron"] = "ana"
    for seat in ("bob", "cleo"):
        table.place(seat, 38)
    table.play("ana", "mortgage_property", title="negotown")
    mortgaged = table.number
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[2, 2])
    table.play("bob", "force_buyback", title="negotown")
    table.play("bob", "build_house", title="negotown")
    fallen = [str(table.number - 1), str(table.number)]
    table.play("bob", "end_turn")
    table.play("cleo", "roll_dice", dice=[1, 2])
    table.play("cleo", "resolve_square")
    paid = str(table.number)
    bobs = 1650 + 250 - 120 - 50 + 10
    assert [table.holds(seat) for seat in ("ana", "bob", "cleo")] == [1680, bobs, 1890]
    drop = {"op": "drop", "action": mortgaged}
    plan = table.what_if(drop)
    assert [one.standing.name for one in plan.voided] == fallen
    assert paid in [one.standing.name for one in plan.restated]
    assert plan.after.quarters == {"marron": "ana"}
    table.banker("correct", edits=[drop], cascade="restate", reason="a word misheard")
    assert [table.holds(seat) for seat in ("ana", "bob", "cleo")] == [1652, 1900, 1898]
    assert (table.owner("negotown"), table.holds("property:negotown", "house")) == ("ana", 0)


@pytest.mark.rule("I.C.6", "V.B.6", "V.B.10", "V.D.3")
def test_nobody_learns_of_a_defence_by_asking_what_a_title_would_come_with() -> None:
    """A defended street is sold, taken by force and reset: who looks on sees the same as of one without a defence.

    Ana, who takes it, does not learn by asking what she would take; nor does Cleo when she has it.
    """
    told = []
    for defended in (False, True):
        table = Table("ana", "bob", "cleo")
        table.own("bob", STREET, mortgaged=True)
        if defended:
            table.attach(STREET, "defence", 2)
        stop_on(table, "ana", 6)
        (taken,) = table.play("ana", "force_buyback", title=STREET)
        seen = [foreseen(taken, Viewer("player", "ana")), *table.seen_by("cleo"), *table.seen_by(None)]
        sold(table, "ana", "cleo", STREET, 7)
        seen += [*table.seen_by("bob"), *table.seen_by(None)]
        (reset,) = table.banker("reset_property", title=STREET, reason="expropriated")
        seen += [foreseen(reset, Viewer("player", "bob")), foreseen(reset, Viewer("spectator"))]
        told.append((kinds([one for one in seen if one]), seen))
        assert table.holds(f"property:{STREET}", "defence") == 0
    assert told[0] == told[1]
    assert told[0][0].count("title_transferred") == 2
    assert "deal_paid" not in told[0][0]
