"""III.B. The effects of a dose on the player's turn."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.kernel.facts.refusals import RuleBroken
from tests.tables.negopoly import CHECKPOINT, HOPITAL, PAY, PRISON, SPAWN, Table, kinds, moved, turn


def on_a_trip(die: int, *, start: int = SPAWN) -> Table:
    """Ana, with three doses, has taken one; the drug die shows this value."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", start)
    table.play("ana", "consume_dose", dice=[die])
    return table


# Taking a dose --------------------------------------------------------------------------------------


@pytest.mark.rule("III.B.1")
def test_a_dose_is_used_up() -> None:
    """One of Ana's three doses moves to the used goods, publicly."""
    table = on_a_trip(5)
    assert (table.holds("ana", "dose"), table.holds("used", "dose")) == (2, 1)
    assert table.last is not None
    assert table.seen_by("bob") == table.seen_by(None) == list(table.last.events)


@pytest.mark.rule("III.B.1")
def test_who_has_no_dose_takes_none() -> None:
    table = Table("ana", "bob")
    assert table.refused("ana", "consume_dose", "III.B.1", dice=[5]).values["held"] == 0


@pytest.mark.rule("III.B.1")
def test_one_dose_a_turn() -> None:
    """Two results could not both be obeyed; in her next turn Ana may take another."""
    table = on_a_trip(5)
    table.refused("ana", "consume_dose", "III.B.1", dice=[6])
    assert (table.holds("ana", "dose"), turn(table).drug_die) == (2, 5)
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    table.play("ana", "consume_dose", dice=[6])
    assert table.holds("ana", "dose") == 1


@pytest.mark.rule("III.B.1")
def test_a_dose_is_taken_in_one_s_own_turn() -> None:
    table = Table("ana", "bob", perks={"bob": "doses"})
    table.refused("bob", "consume_dose", "III.B.1", dice=[5])
    assert table.holds("bob", "dose") == 3


@pytest.mark.rule("III.B.1", "III.A.3")
def test_after_the_roll_a_dose_is_refused_for_that_turn() -> None:
    """And accepted in the next."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "consume_dose", "III.B.1", dice=[5])
    assert table.holds("ana", "dose") == 3
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.play("ana", "consume_dose", dice=[5])
    assert table.holds("ana", "dose") == 2


# The drug die ---------------------------------------------------------------------------------------


@pytest.mark.rule("III.B.2")
def test_a_dose_throws_one_drug_die_at_once_and_stores_it() -> None:
    """It is a die of its own: the two movement dice are still to be thrown."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    (consumed,) = table.play("ana", "consume_dose", dice=[4])
    assert (kind_of(consumed), consumed.die) == ("dose_consumed", 4)  # type: ignore[attr-defined]
    assert table.last is not None
    assert table.last.draws == {"drug die": [4]}
    assert (turn(table).drug_die, turn(table).roll, turn(table).dice) == (4, "due", ())


@pytest.mark.rule("III.B.2")
def test_the_drug_die_has_six_sides() -> None:
    table = Table("ana", "bob", perks={"ana": "doses"})
    for die in (0, 7, -1):
        table.malformed("ana", "consume_dose", dice=[die])
    assert "drug die (1)" in table.malformed("ana", "consume_dose").en
    assert table.holds("ana", "dose") == 3
    table.play("ana", "consume_dose", dice=[6])
    assert turn(table).drug_die == 6


@pytest.mark.rule("III.B.2")
def test_the_service_throws_the_drug_die_where_the_table_does_not() -> None:
    table = Table("ana", "bob", perks={"ana": "doses"}, dice="service")
    table.malformed("ana", "consume_dose", dice=[6])
    table.play("ana", "consume_dose")
    assert table.last is not None
    (die,) = table.last.draws["drug die"]
    assert die in range(1, 7)


@pytest.mark.rule("III.B.2")
def test_a_result_holds_for_the_turn_it_was_thrown_in_only() -> None:
    """Ana's 6 adds to her move of round 1 and not to that of round 2."""
    table = on_a_trip(6)
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    assert turn(table).drug_die is None
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.state.positions["ana"] == 9 + 3


# 1: overdose ----------------------------------------------------------------------------------------


@pytest.mark.rule("III.B.3", "VI.C.1")
def test_on_1_the_turn_is_cancelled_in_hopital() -> None:
    """Ana goes to Hôpital without rolling, her dose is used, and it is Bob's turn."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    events = table.play("ana", "consume_dose", dice=[1])
    assert kinds(events) == ["dose_consumed", "overdosed", "token_sent", "turn_ended", "turn_started"]
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (HOPITAL, 2)
    assert turn(table).seat == "bob"


@pytest.mark.rule("III.B.3", "II.D.4")
def test_after_an_overdose_nothing_more_can_be_done_this_turn() -> None:
    table = on_a_trip(1)
    table.refused("ana", "roll_dice", "II.D.4", dice=[1, 2])
    table.refused("ana", "consume_dose", "III.B.1", dice=[5])
    table.refused("ana", "buy_prescription", "II.2")
    table.refused("ana", "end_turn", "II.2")


@pytest.mark.rule("III.B.3")
def test_what_was_done_before_an_overdose_stands() -> None:
    """Ana has sent a dose to Bob before she takes one herself: it stays on its way."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "send_delivery", to="bob", commodity="dose", amount=1)
    delivery = str(table.state.version)
    table.play("ana", "consume_dose", dice=[1])
    assert (table.holds("ana", "dose"), table.holds(f"transit:{delivery}", "dose")) == (1, 1)


@pytest.mark.rule("III.B.3", "VI.C.1")
def test_the_way_to_hopital_crosses_nothing() -> None:
    """From 38 to Hôpital with no pay on Spawn."""
    table = on_a_trip(1, start=38)
    assert (table.state.positions["ana"], table.holds("ana")) == (HOPITAL, 1500)


# 2, 3 or 4: there and back --------------------------------------------------------------------------


@pytest.mark.rule("III.B.4")
@pytest.mark.parametrize("die", [2, 3, 4])
def test_on_2_3_or_4_the_token_goes_there_and_back(die: int) -> None:
    """Ana walks from 13 to 18 and back to 13, where she stops; the turning point is only crossed."""
    table = on_a_trip(die, start=13)
    events = table.play("ana", "roll_dice", dice=[1, 4])
    assert moved(events) == [((14, 15, 16, 17, 18), True, False), ((17, 16, 15, 14, 13), False, True)]
    assert {event.rule for event in events[1:]} == {"III.B.4"}
    assert (table.state.positions["ana"], turn(table).stop, turn(table).unresolved) == (13, 13, True)


@pytest.mark.rule("III.B.4", "V.A.6")
def test_only_the_final_square_is_a_stop() -> None:
    """The turning point is Bob's Négotown with five houses: no rent there, but where Ana ends, 4 ₦."""
    table = on_a_trip(3, start=3)
    table.own("bob", "negotown", houses=5)
    table.own("bob", "black_arretxea")
    table.play("ana", "roll_dice", dice=[6, 6])
    table.play("ana", "resolve_square")
    assert (table.state.positions["ana"], table.holds("ana"), table.holds("bob")) == (3, 1496, 1654)


@pytest.mark.rule("III.B.4", "VI.A.3")
def test_spawn_pays_on_the_way_there_and_not_on_the_way_back() -> None:
    """From 38 over Spawn to 2 and back over Spawn to 38: 250 ₦ once."""
    table = on_a_trip(2, start=38)
    events = table.play("ana", "roll_dice", dice=[1, 3])
    assert moved(events) == [
        ((39, SPAWN), True, False),
        ((1, 2), True, False),
        ((1, SPAWN, 39, 38), False, True),
    ]
    assert (table.state.positions["ana"], table.holds("ana")) == (38, 1500 + PAY)


@pytest.mark.rule("III.B.4", "VI.A.3")
def test_a_turning_point_on_spawn_is_passed() -> None:
    table = on_a_trip(4, start=35)
    table.play("ana", "roll_dice", dice=[1, 4])
    assert (table.state.positions["ana"], table.holds("ana")) == (35, 1500 + PAY)


@pytest.mark.rule("III.B.4", "VII.A.1")
def test_coming_back_to_spawn_is_no_passage() -> None:
    """Ana starts from Spawn and ends on it, backwards: no pay, and no dose is sold to her there."""
    table = on_a_trip(4)
    table.play("ana", "roll_dice", dice=[1, 4])
    assert (table.state.positions["ana"], table.holds("ana")) == (SPAWN, 1500)
    table.refused("ana", "buy_doses", "VII.A.1", amount=1)


@pytest.mark.rule("III.B.4", "VII.B.1")
def test_squares_crossed_backwards_count_as_passed() -> None:
    """From 8 to 11 and back Ana passes Prison twice, and may sell there."""
    table = on_a_trip(2, start=8)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert [(one.square, one.forward) for one in turn(table).passages if one.square == PRISON] == [
        (PRISON, True),
        (PRISON, False),
    ]
    table.play("ana", "sell_doses", corner="prison", dice=[1])
    assert table.holds("ana") == 1500 + 100


@pytest.mark.rule("III.B.4", "VI.F.2")
def test_an_arrest_on_the_way_there_cancels_the_way_back() -> None:
    """K9: crossing the checkpoint with doses, Ana is arrested and stays in Prison."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    with table.arranged() as state:
        state.k9_rounds.add(1)
    table.play("ana", "consume_dose", dice=[3])
    events = table.play("ana", "roll_dice", dice=[3, 3])
    assert moved(events) == [((1, 2, 3, CHECKPOINT), True, False)]
    assert table.state.positions["ana"] == PRISON


@pytest.mark.rule("III.B.4", "VI.F.2")
def test_both_ways_cross_a_guarded_checkpoint() -> None:
    """Ana's only dose is used up, so neither check finds anything, and she comes back to where she was."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    with table.arranged() as state:
        state.k9_rounds.add(1)
    table.play("ana", "consume_dose", dice=[3])
    events = table.play("ana", "roll_dice", dice=[2, 3])
    assert moved(events) == [
        ((1, 2, 3, CHECKPOINT), True, False),
        ((5,), True, False),
        ((CHECKPOINT,), False, False),
        ((3, 2, 1, SPAWN), False, True),
    ]


# 5 or 6: further ------------------------------------------------------------------------------------


@pytest.mark.rule("III.B.5")
@pytest.mark.parametrize("die", [5, 6])
def test_on_5_or_6_the_drug_die_is_added(die: int) -> None:
    table = on_a_trip(die)
    events = table.play("ana", "roll_dice", dice=[1, 2])
    assert table.state.positions["ana"] == 3 + die
    assert events[-1].rule == "III.B.5"
    assert turn(table).stop == 3 + die


# Compulsory -----------------------------------------------------------------------------------------


@pytest.mark.rule("III.B.6", "II.B.12")
def test_a_result_is_not_escaped_by_staying() -> None:
    """Ana cannot avoid the result: she cannot end her turn before she has rolled."""
    table = on_a_trip(2)
    table.refused("ana", "end_turn", "II.B.12")
    table.play("ana", "roll_dice", dice=[3, 4])
    assert table.state.positions["ana"] == SPAWN
    table.refused("ana", "roll_dice", "II.B.4", dice=[3, 4])


@pytest.mark.rule("III.B.6")
@pytest.mark.parametrize(("die", "end"), [(2, SPAWN), (3, SPAWN), (4, SPAWN), (5, 12), (6, 13)])
def test_a_result_applies_whole(die: int, end: int) -> None:
    table = on_a_trip(die)
    table.play("ana", "roll_dice", dice=[3, 4])
    assert table.state.positions["ana"] == end


@pytest.mark.rule("III.B.6")
def test_no_waiver_gives_a_dose_to_who_is_not_in_turn() -> None:
    """Bob's dose would have bent Ana's move."""
    table = Table("ana", "bob", perks={"ana": "doses", "bob": "doses"})
    with pytest.raises(RuleBroken, match="it is Ana's turn, not Bob's"):
        table.banker("consume_dose", seat="bob", override="he insists", dice=[5])
    table.play("ana", "consume_dose", dice=[5])
    assert table.holds("bob", "dose") == 3


@pytest.mark.rule("III.B.6", "VI.C.4")
def test_a_prescription_remains_possible_after_a_dose() -> None:
    """Its text ignores dice and timing: Ana is in Hôpital and her roll is gone."""
    table = on_a_trip(2)
    table.give("ana", "ordonnance")
    table.play("ana", "use_prescription")
    assert (table.state.positions["ana"], turn(table).roll) == (HOPITAL, "gone")
    table.play("ana", "end_turn")
