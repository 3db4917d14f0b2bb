"""What a corrected history decides by itself: default answers, stops, lost rolls, the ends and order of turns."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.deciding.plan import Plan
from tests.tables.negopoly import KAMTAR, Table, dropping, touched


def replacing(number: int, **params: Any) -> dict[str, Any]:
    """An edit that replaces the parameters of an action."""
    return {"op": "replace", "action": number, "params": params}


def steps(plan: Plan) -> list[tuple[str, str | None, str]]:
    """The default steps of a plan: the kind, the seat, and the action before which each is taken."""
    inserted = plan.event.insertions
    return [
        (inserted[one.index - 1].action.kind, inserted[one.index - 1].action.seat, one.next_action)
        for one in plan.steps
    ]


@pytest.mark.rule("II.B.13", "VI.B.1")
def test_a_roll_that_crosses_the_kamtar_after_all_is_answered_with_no() -> None:
    """Ana rolled 1 and 2, typed for 2 and 4: she crosses the Kamtar, and nobody answers for her."""
    table = Table("ana", "bob", "cleo", decks=True)
    table.place("ana", KAMTAR - 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    roll = table.number
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.play("cleo", "roll_dice", dice=[1, 2])
    plan = table.what_if(replacing(roll, dice=[2, 4]))
    assert steps(plan) == [("lapse_question", "ana", str(roll + 1))]
    assert plan.voided == ()
    assert plan.new_state.positions["ana"] == KAMTAR + 2
    assert (plan.gained, plan.lost) == ((), ())


@pytest.mark.rule("II.B.7", "V.A.2")
def test_a_stop_that_now_costs_rent_is_resolved_before_the_turn_ends() -> None:
    table = Table("ana", "bob")
    table.turn("ana", 1, 2, then=(("buy_property", {}),))
    table.play("bob", "roll_dice", dice=[2, 3])
    roll = table.number
    table.play("bob", "end_turn")
    table.turn("ana", 1, 1)
    plan = table.what_if(replacing(roll, dice=[1, 2]))
    assert steps(plan) == [("resolve_square", "bob", str(roll + 1))]
    assert plan.voided == ()
    rent = table.holds("bob") - plan.new_state.holdings.of("player:bob", "NGD")
    assert rent == plan.new_state.holdings.of("player:ana", "NGD") - table.holds("ana") > 0


@pytest.mark.rule("II.2", "II.B.12")
def test_a_forgotten_end_of_turn_is_made_up_for() -> None:
    """Without Ana's `end_turn`, her turn ends by itself before Bob's roll: his turn stays his."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "end_turn")
    ended = table.number
    table.turn("bob", 1, 2)
    table.turn("ana", 1, 3)
    plan = table.what_if(dropping(ended))
    assert steps(plan) == [("end_turn", "ana", str(ended + 1))]
    assert (plan.voided, plan.restated) == ((), ())


@pytest.mark.rule("II.B.13")
def test_a_roll_that_did_not_happen_is_lost_and_the_turn_ends_all_the_same() -> None:
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[2, 3])
    roll = table.number
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    plan = table.what_if(dropping(roll))
    assert steps(plan) == [("forgo_roll", "ana", str(roll + 1))]
    assert plan.voided == ()
    assert plan.new_state.positions["ana"] == 0


@pytest.mark.rule("III.B.3")
def test_an_overdose_voids_the_roll_but_no_end_of_a_turn() -> None:
    """The drug die showed 1: Ana's turn was over at once. Her roll falls, her `end_turn` has nothing to do."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "consume_dose", dice=[3])
    dose = table.number
    table.play("ana", "roll_dice", dice=[2, 3])
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    bobs = table.number
    plan = table.what_if(replacing(dose, die=1))
    assert touched(plan.voided) == [str(dose + 1)]
    emptied = {one.timeline_entry.name for one in plan.restated if not one.new_events}
    assert {str(dose + 2), str(dose + 3)} <= emptied
    table.banker("correct", edits=[replacing(dose, die=1)], cascade="restate", reason="it was a 1")
    assert table.standing(bobs).status == "effective"
    table.banker("correct", edits=[dropping(table.number)], cascade="restate", reason="it was not")
    assert {table.standing(one).status for one in range(dose, bobs + 1)} == {"effective"}


@pytest.mark.rule("II.3")
def test_a_round_stays_in_the_order_in_which_the_table_played_it() -> None:
    """The banker inserts another order of players. What was played stays; the next round has the new order."""
    table = Table("ana", "bob", "cleo")
    for seat in ("ana", "bob", "cleo", "ana", "bob"):
        table.turn(seat, 1, 2)
    edit = {
        "op": "insert",
        "after": 2,
        "action": {"kind": "set_turn_order", "params": {"order": ["cleo", "bob", "ana"]}},
    }
    plan = table.what_if(edit)
    assert plan.voided == ()
    assert {kind for kind, _, _ in steps(plan)} == {"yield_turn"}
    assert plan.new_state.turn.seat == "cleo"
    assert plan.new_state.next_order == ("cleo", "bob", "ana")


@pytest.mark.rule("II.3")
def test_a_turn_in_the_middle_of_a_round_is_exchanged_with_a_later_one() -> None:
    """Bob lets Dan go first, after Ana; then Cleo, then Bob."""
    table = Table("ana", "bob", "cleo", "dan")
    table.turn("ana", 1, 2)
    table.system("yield_turn", seat="bob", to="dan")
    assert table.state.order == ("ana", "dan", "cleo", "bob")
    for seat in ("dan", "cleo", "bob"):
        assert table.state.turn is not None
        assert table.state.turn.seat == seat
        table.turn(seat, 1, 2)
    assert table.state.order == ("ana", "bob", "cleo", "dan")


@pytest.mark.rule("II.B.13")
def test_the_clock_refuses_nothing_again() -> None:
    """Ana's turn ends earlier than it did, so Bob's starts earlier. What he did in time stays in time."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[2, 3])
    roll = table.number
    table.wait(290)
    table.play("ana", "end_turn")
    table.wait(200)
    table.turn("bob", 1, 2)
    early = {"op": "insert", "after": roll, "action": {"kind": "end_turn", "seat": "ana", "params": {}}}
    plan = table.what_if(early)
    assert plan.voided == ()
    assert [one.timeline_entry.name for one in plan.restated if not one.new_events] == [str(roll + 1)]


@pytest.mark.rule("V.D.1")
def test_an_action_falls_for_what_it_truly_lacks_and_nothing_else_does() -> None:
    """Ana stopped at the checkpoint, not on Black Arretxea: she has nothing there to mortgage."""
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 2])
    roll = table.number
    table.play("ana", "buy_property")
    table.play("ana", "end_turn")
    table.turn("bob", 2, 3)
    table.play("ana", "mortgage_property", title="black_arretxea")
    mortgage = table.number
    table.turn("ana", 2, 3)
    plan = table.what_if(replacing(roll, dice=[2, 2]))
    assert touched(plan.voided) == [str(roll + 1), str(mortgage)]
    links = [plan.links[one.timeline_entry.label] for one in plan.voided]
    assert [(one.edit, one.because) for one in links] == [(0, str(roll)), (0, str(roll + 1))]


def test_a_step_of_the_game_is_taken_only_where_it_fits() -> None:
    """Only the system takes steps; none of these fits a turn that has just begun, or another player's turn."""
    table = Table("ana", "bob")
    table.refused("ana", "lapse_question", "II.B.13", question="7-ana")
    table.refused("ana", "yield_turn", "II.3", to="ana")
    table.refused("bob", "forgo_roll", "II.B.13")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "forgo_roll", "II.B.13")
    table.refused("ana", "yield_turn", "II.3", to="bob")


@pytest.mark.rule("II.B.13")
def test_a_step_falls_with_the_correction_that_needed_it_and_hits_no_other_turn() -> None:
    """Ana's roll is dropped, then Bob's; then the first correction is taken back. Bob's is lost, Ana's counts."""
    table = Table("ana", "bob", "cleo")
    rolls = {}
    for seat in ("ana", "bob", "cleo", "ana"):
        table.play(seat, "roll_dice", dice=[2, 3])
        rolls.setdefault(seat, table.number)
        table.play(seat, "end_turn")
    table.banker("correct", edits=[dropping(rolls["ana"])], cascade="restate", reason="she did not")
    first = table.number
    table.banker("correct", edits=[dropping(rolls["bob"])], cascade="restate", reason="nor did he")
    table.banker("correct", edits=[dropping(first)], cascade="restate", reason="she did")
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (10, 0)
    assert table.standing(rolls["cleo"]).status == "effective"
