"""V.B.6 and V.B.7. Forced buy-backs: what the title brings, its cost, and who learns what."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.journal.sight import redact_for_dry_run
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from tests.tables.negopoly import (
    LAST_STREET,
    NEXT_STREET,
    STREET,
    Table,
    at_the_bar,
    kinds,
    quiet_turns,
    sold,
    stop_on,
)


@pytest.mark.rule("V.B.6", "V.B.7", "V.E.1", "V.E.5", "V.E.6", "IX.B.8", "V.A.7")
def test_a_squatted_street_taken_by_force_completes_a_quarter_that_works_but_for_its_square() -> None:
    """Ana, with two Cyan streets, takes Bob's third, mortgaged and squatted, for 200 ₦: Cyan is hers at once.

    Bob's next stop on it is worth nothing to anybody, neither rent nor dose, and one on her 420 pays 8 ₦ for a
    dose. Ana's doses at Spawn cost 40 ₦ anyway. Once the squatters are evicted the street works again.
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
    table.play("ana", "buy_doses", amount=2)
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
    assert RULEBOOK.screen.view(table.state, Viewer("player", "ana"))["you"]["defences"] == {STREET: 1}
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


@pytest.mark.rule("P.4", "V.B.6", "V.D.2", "V.C.1", "V.E.2", "V.A.6")
def test_without_the_mortgage_nobody_could_have_taken_the_title_and_the_rent_is_another_ones() -> None:
    """Ana mortgages a Marron title; Bob crosses it, takes it for 120 ₦ and builds; Cleo pays him 10 ₦ of rent.

    A dry run without the mortgage voids the buy-back and the house; Cleo owes Ana 2 ₦; Marron was never lost, and
    Ana does not have the 30 ₦ of the mortgage.
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
    assert [one.timeline_entry.name for one in plan.voided] == fallen
    assert paid in [one.timeline_entry.name for one in plan.restated]
    assert plan.new_state.quarters == {"marron": "ana"}
    table.banker("correct", edits=[drop], cascade="restate", reason="a word misheard")
    assert [table.holds(seat) for seat in ("ana", "bob", "cleo")] == [1652, 1900, 1898]
    assert (table.owner("negotown"), table.holds("property:negotown", "house")) == ("ana", 0)


@pytest.mark.rule("I.C.6", "V.B.6", "V.B.10", "V.D.3")
def test_nobody_learns_of_a_defence_by_asking_what_a_title_would_come_with() -> None:
    """A defended street is sold, taken by force and reset: a viewer sees the same as without a defence.

    A dry run does not reveal the defence to Ana, who takes the street; nor to Cleo when she has it.
    """
    told = []
    for defended in (False, True):
        table = Table("ana", "bob", "cleo")
        table.own("bob", STREET, mortgaged=True)
        if defended:
            table.attach(STREET, "defence", 2)
        stop_on(table, "ana", 6)
        (taken,) = table.play("ana", "force_buyback", title=STREET)
        seen = [redact_for_dry_run(taken, Viewer("player", "ana")), *table.seen_by("cleo"), *table.seen_by(None)]
        sold(table, "ana", "cleo", STREET, 7)
        seen += [*table.seen_by("bob"), *table.seen_by(None)]
        (reset,) = table.banker("reset_property", title=STREET, reason="expropriated")
        seen += [
            redact_for_dry_run(reset, Viewer("player", "bob")),
            redact_for_dry_run(reset, Viewer("spectator")),
        ]
        told.append((kinds([one for one in seen if one]), seen))
        assert table.holds(f"property:{STREET}", "defence") == 0
    assert told[0] == told[1]
    assert told[0][0].count("title_transferred") == 2
    assert "deal_paid" not in told[0][0]
