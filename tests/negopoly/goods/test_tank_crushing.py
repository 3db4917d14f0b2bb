"""VIII.B.7. The Tank: the players that it crushes, and players who leave before."""

from __future__ import annotations

import pytest

from tests.tables.negopoly import (
    CHECKPOINT,
    HOPITAL,
    PRISON,
    STREET,
    Table,
    answer,
    asked,
    drives,
    in_a_tank,
    kinds,
    stop_on,
)


@pytest.mark.rule("VIII.B.7", "VII.B.4")
def test_a_crowded_hopital_is_not_billed_a_second_time() -> None:
    """Bob and Cleo lie in a Hôpital that bills 40 ₦ and keeps patients a turn; Ana's tank stops among them.

    They are where it would send them: no bill, no turn. Ana may sell a dose there like anybody who passes.
    """
    table = in_a_tank("ana", "bob", "cleo", onto=18, settings={"hospital_bill": 40, "hospital_missed_turns": 1})
    for seat in ("bob", "cleo"):
        table.place(seat, HOPITAL)
        table.give(seat, "security_team")
    table.give("ana", "dose")
    assert drives(table) == ["vehicle_used", "stop_left", "token_moved"]
    assert (table.holds("bob"), table.holds("cleo"), table.state.missed, asked(table)) == (1650, 1650, {}, [])
    table.play("ana", "sell_doses", corner="hopital", dice=[1])
    assert table.holds("ana") == 1650 + 150


@pytest.mark.rule("VIII.B.7", "VI.D.1")
def test_a_prisoner_under_a_tank_is_in_hopital_and_has_the_turns_of_both_to_miss() -> None:
    """Bob sits out two turns in Prison, with a bail of 80 ₦, when Ana's tank ends there.

    Hôpital adds its own turn and its bill of 40 ₦; the arrest is not undone, and out of Prison no bail is taken.
    """
    stays = {"prison_missed_turns": 2, "prison_bail": 80, "hospital_missed_turns": 1, "hospital_bill": 40}
    table = in_a_tank("ana", "bob", onto=8, settings=stays)
    table.place("bob", PRISON)
    with table.arranged() as state:
        state.missed = {"bob": 2}
    drives(table)
    assert (table.state.positions["bob"], table.holds("bob"), table.state.missed) == (HOPITAL, 1610, {"bob": 3})
    table.refused("bob", "pay_bail", "VI.D.1")


@pytest.mark.rule("VIII.B.7", "IX.B.15")
def test_nobody_flees_from_under_a_tank_while_another_one_answers() -> None:
    """Bob may hold a team and is asked; Cleo, beside him, has a prescription and is not.

    The Hôpital bills 40 ₦ to whoever is sent there: Cleo cannot teleport ahead of it while Bob takes his time.
    """
    table = in_a_tank("ana", "bob", "cleo", onto=16, settings={"hospital_bill": 40})
    table.give("bob", "security_team")
    table.give("cleo", "ordonnance")
    for seat in ("bob", "cleo"):
        table.place(seat, 18)
    drives(table)
    assert asked(table) == ["bob"]
    table.refused("cleo", "use_prescription", "IX.B.15")
    assert table.offers("cleo", "use_prescription") == []
    answer(table, "bob", "use")
    assert (table.state.positions["bob"], table.state.positions["cleo"]) == (18, HOPITAL)
    assert (table.holds("cleo"), table.holds("cleo", "ordonnance")) == (1610, 1)


@pytest.mark.rule("IX.B.12", "IX.B.15", "VIII.B.7")
@pytest.mark.parametrize(("said", "square", "teams"), [("no", 25, 1), ("use", HOPITAL, 0)])
def test_a_victim_of_kidnappers_is_gone_before_the_tank_arrives_unless_a_team_keeps_them(
    said: str, square: int, teams: int
) -> None:
    """Bob, with one team, is asked about Cleo's kidnapping when Ana's tank ends on his square.

    The kidnapping came first: taken to the bar he is not crushed. Kept by his team he is, for it was his only one.
    """
    table = in_a_tank("ana", "bob", "cleo", onto=16)
    table.give("bob", "security_team")
    table.give("cleo", "kidnapping")
    table.place("bob", 18)
    table.play("cleo", "use_kidnapping", target="bob", towards="next")
    drives(table)
    answer(table, "bob", said)
    assert asked(table) == (["bob"] if teams else [])
    if teams:
        answer(table, "bob", "no")
    assert (table.state.positions["bob"], table.holds("bob", "security_team")) == (square, teams)


@pytest.mark.rule("VIII.B.7", "VIII.B.6", "IX.B.15", "II.B.13")
def test_who_is_silent_under_a_tank_is_crushed_when_its_driver_runs_out_of_time() -> None:
    """Ana's tank ends on Bob's street of 30 ₦, upon Bob, who is asked about his team and says nothing.

    After five minutes he is in Hôpital with his team; then her square is applied: the tank spares her the rent.
    """
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=1)
    table.give("ana", "tank")
    table.give("bob", "security_team")
    table.place("bob", 6)
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "use_vehicle", commodity="tank", steps=2)
    table.wait(301)
    events = kinds(table.banker("expire_turn"))
    assert events[:5] == ["question_lapsed", "strike_closed", "token_sent", "tank_spared", "square_resolved"]
    assert (table.state.positions["bob"], table.holds("bob", "security_team")) == (HOPITAL, 1)
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)


@pytest.mark.rule("IX.C.24", "II.B.10", "VIII.B.7", "VIII.B.5")
def test_a_bomb_and_a_tank_in_one_turn() -> None:
    """K9 is active. Ana, with a dose, sets off her bomb on a checkpoint and drives on to Bob's street, upon Cleo.

    Nothing is spared, since nothing is due; whom she crushes is not billed.
    """
    table = in_a_tank("ana", "bob", "cleo", onto=4, settings={"hospital_bill": 40})
    table.own("bob", STREET, houses=1)
    table.give("ana", "bombe_iem")
    table.give("ana", "dose")
    table.place("cleo", 6)
    with table.arranged() as state:
        state.k9_rounds = {1}
    table.play("ana", "use_emp")
    assert drives(table) == ["vehicle_used", "stop_left", "token_moved", "token_sent"]
    assert kinds(table.play("ana", "resolve_square")) == ["square_resolved"]
    assert (table.holds("ana"), table.holds("ana", "dose"), table.holds("cleo")) == (1650, 1, 1650)
    assert (table.state.positions["ana"], table.state.positions["cleo"]) == (6, HOPITAL)
