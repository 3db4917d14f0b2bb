"""III, II.B.5, II.B.6 and II.D.4. Movement: square by square, by teleport, or by force."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly import RULEBOOK
from tests.tables.negopoly import CHECKPOINT, HOPITAL, PAY, PRISON, SPAWN, Table, kinds, moved, say, turn


def with_prescription(**settings: int) -> Table:
    """Ana holds a forged prescription."""
    table = Table("ana", "bob", settings=settings)
    table.give("ana", "ordonnance")
    return table


def k9_round() -> Table:
    """A K9 round: crossing a checkpoint leads to a check."""
    table = Table("ana", "bob")
    with table.arranged() as state:
        state.k9_rounds.add(1)
    return table


# The roll -------------------------------------------------------------------------------------------


@pytest.mark.rule("III.1")
def test_a_roll_advances_the_token_by_its_total() -> None:
    """Ana throws 2 and 4 and goes from Spawn to the sixth square, passing each on the way."""
    table = Table("ana", "bob")
    events = table.play("ana", "roll_dice", dice=[2, 4])
    assert moved(events) == [((1, 2, 3, 4, 5, 6), True, True)]
    assert events[-1].rule == "III.1"
    assert table.state.positions == {"ana": 6, "bob": SPAWN}
    assert say(events[-1], "en", RULEBOOK.language.speakers(table.state)) == "Ana moves to 17 rue des patates."


@pytest.mark.rule("III.1")
@pytest.mark.parametrize(("start", "dice", "end"), [(38, (1, 2), 1), (39, (6, 6), 11), (28, (6, 6), SPAWN)])
def test_the_track_closes_after_its_last_square(start: int, dice: tuple[int, int], end: int) -> None:
    table = Table("ana", "bob")
    table.place("ana", start)
    table.play("ana", "roll_dice", dice=list(dice))
    assert table.state.positions["ana"] == end


@pytest.mark.rule("III.1")
def test_a_long_roll_goes_round_the_board_more_than_once() -> None:
    """Ten dice of 6 from square 30: over Spawn at 40 and at 80, to square 10, and paid twice."""
    table = Table("ana", "bob", settings={"movement_dice": 10})
    table.place("ana", 30)
    table.play("ana", "roll_dice", dice=[6] * 10)
    assert table.state.positions["ana"] == 10
    assert table.holds("ana") == 1650 + 2 * PAY


# Square by square -----------------------------------------------------------------------------------


@pytest.mark.rule("II.B.6", "VI.A.1")
def test_what_is_crossed_acts_in_travel_order() -> None:
    """Ana goes from 38 over Spawn to Négotown: she is paid on Spawn, before she reaches Négotown."""
    table = Table("ana", "bob")
    table.place("ana", 38)
    events = table.play("ana", "roll_dice", dice=[1, 2])
    assert moved(events) == [((39, SPAWN), True, False), ((1,), True, True)]
    assert kinds(events)[:2] == ["dice_thrown", "token_moved"]
    assert kinds(events)[-1] == "token_moved"
    (paid,) = [event for event in events if event.postings]
    assert (paid.rule, table.holds("ana")) == ("VI.A.1", 1650 + PAY)


@pytest.mark.rule("II.B.6")
def test_passing_covers_crossing_and_stopping() -> None:
    table = Table("ana", "bob")
    table.play("ana", "roll_dice", dice=[1, 2])
    assert [(passage.square, passage.stop) for passage in turn(table).passages] == [
        (1, False),
        (2, False),
        (3, True),
    ]
    assert (turn(table).stop, turn(table).unresolved) == (3, True)


@pytest.mark.rule("II.B.6", "VII.B.1")
def test_what_passing_allows_lasts_until_the_stop_square_is_resolved() -> None:
    """Ana crosses Prison with three doses: she may sell there, and no more once her stop is resolved."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", 9)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "sell_doses", corner="prison", dice=[1])
    table.play("ana", "resolve_square")
    table.refused("ana", "sell_doses", "VII.B.1", corner="prison", dice=[1])


@pytest.mark.rule("II.B.6", "VI.F.2")
def test_a_stop_forced_on_the_way_cancels_the_rest_of_the_move() -> None:
    """Ana crosses a guarded checkpoint with doses: she is arrested there and never reaches her square."""
    table = k9_round()
    table.give("ana", "dose", 2)
    events = table.play("ana", "roll_dice", dice=[3, 4])
    assert moved(events) == [((1, 2, 3, CHECKPOINT), True, False)]
    assert table.state.positions["ana"] == PRISON
    assert (turn(table).passages, turn(table).stop, turn(table).unresolved) == ((), None, False)
    table.refused("ana", "buy_property", "V.D.1", title="black_arretxea")
    table.play("ana", "end_turn")


@pytest.mark.rule("II.B.6", "VI.F.2")
def test_a_check_on_the_way_that_finds_nothing_lets_the_move_go_on() -> None:
    """Ana carries nothing: checked on square 4, she walks on to 7."""
    table = k9_round()
    events = table.play("ana", "roll_dice", dice=[3, 4])
    assert moved(events) == [((1, 2, 3, CHECKPOINT), True, False), ((5, 6, 7), True, True)]
    assert table.state.positions["ana"] == 7


@pytest.mark.rule("II.B.6")
def test_squares_that_are_only_crossed_ask_for_nothing() -> None:
    """Ana crosses Bob's Négotown with five houses and an unguarded checkpoint: neither rent nor check."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.own("bob", "negotown", houses=5)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("bob"), table.holds("ana", "dose")) == (1500, 1650, 3)


@pytest.mark.rule("II.B.5", "III.B.5")
def test_movement_effects_apply_in_one_order_at_every_replay() -> None:
    """The dose is counted on the original dice, whatever was thrown first; twice played, twice the same."""
    ends = []
    for _ in range(2):
        table = Table("ana", "bob", perks={"ana": "doses"})
        table.play("ana", "consume_dose", dice=[6])
        events = table.play("ana", "roll_dice", dice=[1, 4])
        ends.append((table.state.positions["ana"], kinds(events)))
    assert ends == [(1 + 4 + 6, ["dice_thrown", "token_moved"])] * 2


@pytest.mark.rule("III.B.6", "III.C.1")
def test_a_teleport_before_the_roll_replaces_whatever_the_dose_would_have_done() -> None:
    """First the teleport, then nothing is left that the 6 of the drug die could be added to."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.give("ana", "ordonnance")
    table.play("ana", "consume_dose", dice=[6])
    table.play("ana", "use_prescription")
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 4])
    assert table.state.positions["ana"] == HOPITAL


# Out of turn ----------------------------------------------------------------------------------------


@pytest.mark.rule("II.D.4")
def test_nobody_moves_or_opens_a_square_in_another_s_turn() -> None:
    """Bob stands on Négotown in Ana's turn: he can neither roll nor buy it."""
    table = Table("ana", "bob")
    table.place("bob", 1)
    table.refused("bob", "roll_dice", "II.D.4", dice=[1, 2])
    table.refused("bob", "buy_property", "II.D.4", title="negotown")
    assert table.state.positions["bob"] == 1


@pytest.mark.rule("II.D.4", "VI.C.4")
def test_a_token_moved_out_of_turn_opens_nothing() -> None:
    """In Ana's turn Bob teleports to Hôpital, as his prescription allows: it sells him nothing there."""
    table = Table("ana", "bob")
    table.give("bob", "ordonnance")
    before = turn(table)
    table.play("bob", "use_prescription")
    assert table.state.positions["bob"] == HOPITAL
    assert turn(table) == before
    table.refused("bob", "buy_prescription", "II.2")
    table.turn("ana", 1, 2)
    table.refused("bob", "buy_prescription", "II.B.3")
    table.play("bob", "roll_dice", dice=[1, 2])
    assert table.state.positions["bob"] == HOPITAL + 3


# Before the roll, and after -------------------------------------------------------------------------


@pytest.mark.rule("III.A.1", "III.A.2")
def test_what_bends_the_movement_comes_before_the_roll() -> None:
    """Ana's dose, taken before the roll, bends the roll that follows it."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "consume_dose", dice=[5])
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.state.positions["ana"] == 8


@pytest.mark.rule("III.A.1", "III.A.2", "III.A.3", "III.B.1")
def test_after_the_roll_a_dose_is_refused_and_not_consumed() -> None:
    """Ana has moved: no dose, neither before nor after her square is resolved, and she keeps all three."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "consume_dose", dice=[5])
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "consume_dose", "III.B.1", dice=[5])
    table.play("ana", "resolve_square")
    table.refused("ana", "consume_dose", "III.B.1", dice=[5])
    assert (table.holds("ana", "dose"), table.state.positions["ana"]) == (2, 8)


@pytest.mark.rule("III.A.3", "VI.C.4")
def test_a_prescription_whose_text_says_so_is_used_after_the_roll() -> None:
    """Ana has walked to 3; her prescription still takes her to Hôpital, which is her stop now."""
    table = with_prescription()
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_prescription")
    assert (table.state.positions["ana"], turn(table).stop, turn(table).roll) == (HOPITAL, HOPITAL, "thrown")
    assert table.holds("ana", "ordonnance") == 0


# Teleports and forced displacements -----------------------------------------------------------------


@pytest.mark.rule("III.C.1")
def test_a_teleport_in_one_s_turn_cancels_the_roll() -> None:
    table = with_prescription()
    table.play("ana", "use_prescription")
    assert turn(table).roll == "gone"
    refusal = table.refused("ana", "roll_dice", "II.B.4", dice=[1, 2])
    assert refusal.en == "Ana has no roll left this turn (it is gone)"
    assert refusal.fr == "Ana n'a plus de lancer ce tour-ci (annulé)"
    table.play("ana", "end_turn")
    assert turn(table).seat == "bob"


@pytest.mark.rule("III.C.1", "III.C.2")
def test_a_teleport_in_one_s_turn_is_a_stop_with_its_services() -> None:
    """Ana arrives on Hôpital and buys another prescription for 140 ₦."""
    table = with_prescription()
    table.play("ana", "use_prescription")
    assert [(passage.square, passage.stop) for passage in turn(table).passages] == [(HOPITAL, True)]
    table.play("ana", "buy_prescription")
    assert table.holds("ana") == 1650 - 140


@pytest.mark.rule("III.C.2", "VI.C.4")
def test_a_teleport_crosses_nothing() -> None:
    """From 38 Ana teleports over Spawn and two guarded checkpoints: no pay, no check, no sale on the way."""
    table = with_prescription()
    table.give("ana", "dose", 2)
    with table.arranged() as state:
        state.k9_rounds.add(1)
    table.place("ana", 38)
    events = table.play("ana", "use_prescription")
    assert kinds(events) == ["prescription_used", "token_teleported"]
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650, 2)
    table.refused("ana", "sell_doses", "VII.B.1", corner="prison", dice=[1])
    table.refused("ana", "buy_doses", "VII.A.1", amount=1)


@pytest.mark.rule("III.C.2", "VI.D.1")
def test_a_forced_displacement_crosses_nothing_and_opens_nothing() -> None:
    """Arrested on square 38, Ana is in Prison without passing Spawn, and cannot sell doses to the guards."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", 35)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    assert (table.state.positions["ana"], table.holds("ana")) == (PRISON, 1500)
    table.give("ana", "dose")
    table.refused("ana", "sell_doses", "VII.B.1", corner="prison", dice=[1])
    assert turn(table).stop is None


@pytest.mark.rule("III.C.2")
def test_a_player_sent_away_in_another_s_turn_keeps_the_roll_of_their_own() -> None:
    """Bob is moved in Ana's turn, before his own: at his turn he rolls as always, from where he was put."""
    table = Table("ana", "bob")
    table.give("bob", "ordonnance")
    table.play("bob", "use_prescription")
    table.turn("ana", 1, 2)
    assert turn(table).roll == "due"
    table.play("bob", "roll_dice", dice=[1, 1])
    assert table.state.positions["bob"] == HOPITAL + 2
    assert table.state.positions["ana"] == 3


@pytest.mark.rule("II.B.6", "VII.B.1")
def test_to_resolve_the_stop_closes_what_passing_allows() -> None:
    """Ana passes by Hôpital with a dose and resolves her stop two squares on: now it is too late to sell."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", HOPITAL - 2)
    table.play("ana", "roll_dice", dice=[2, 2])
    table.play("ana", "resolve_square")
    refusal = table.refused("ana", "sell_doses", "VII.B.1", corner="hopital", dice=[1])
    assert refusal.en == (
        "Ana passed by Hôpital, but the stop is already resolved, which closes what passing allows"
    )
    assert (
        "has not passed by Prison" in table.refused("ana", "sell_doses", "VII.B.1", corner="prison", dice=[1]).en
    )
