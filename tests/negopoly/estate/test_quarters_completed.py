"""V.E.1. A quarter completed after the stop counts from the next stop on."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS, holder_of
from tests.tables.negopoly import LAST_STREET, NEXT_STREET, STREET, Table, kinds, quiet_turns, sold, stop_on


@pytest.mark.rule("V.E.1", "V.E.6")
@pytest.mark.parametrize("how", ["buy_property", "force_buyback"])
def test_who_completes_cyan_where_they_stand_gets_a_dose_for_the_next_stop_and_none_for_this_one(how: str) -> None:
    """Ana stops on the one street she lacks and takes it: Cyan was not complete when she stopped, so no dose.

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

    She owes the rent of 26 ₦ and is not checked, for Orange was not complete when she stopped. The next player who
    stops there is checked.
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
    """Ana stops on Chance and buys her third Rouge title before she draws: one card, as when she stopped."""
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
