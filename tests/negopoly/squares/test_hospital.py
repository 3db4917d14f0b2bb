"""VI.C. Hôpital: sending players there, the forged prescription, and the stay that a table may set."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from tests.tables.negopoly import HOPITAL, PRISON, Table


def at_hopital(**settings: int) -> Table:
    """Ana has just stopped on Hôpital."""
    table = Table("ana", "bob", settings=settings)
    table.place("ana", 17)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


@pytest.mark.rule("VI.C.1")
def test_an_overdose_ends_in_hopital_without_bill_or_stay() -> None:
    """Ana overdoses: her token is on Hôpital, her turn over, her money untouched, and she plays the next round."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.play("ana", "consume_dose", dice=[1])
    assert table.state.positions["ana"] == HOPITAL
    assert table.holds("ana") == 1500
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"
    table.turn("bob", 1, 1)
    assert table.state.turn.seat == "ana"
    table.refused("ana", "buy_prescription", "II.B.3")
    table.refused("ana", "sell_doses", "II.B.3", dice=[1])


@pytest.mark.rule("VI.C.1")
def test_a_table_may_bill_a_patient_into_debt_and_keep_them() -> None:
    """With a bill of 2000 ₦ and one turn missed, Ana ends 500 ₦ in debt and sits out round 2."""
    table = Table(
        "ana", "bob", perks={"ana": "doses"}, settings={"hospital_bill": 2000, "hospital_missed_turns": 1}
    )
    table.play("ana", "consume_dose", dice=[1])
    assert table.holds("ana") == 1500 - 2000
    assert table.state.missed == {"ana": 1}
    table.play("bob", "roll_dice", dice=[1, 1])
    events = table.play("bob", "end_turn")
    assert [kind_of(event) for event in events] == [
        "turn_ended",
        "round_started",
        "turn_skipped",
        "turn_started",
    ]
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.round, table.state.missed) == ("bob", 2, {})
    table.turn("bob", 1, 1)
    assert (table.state.turn.seat, table.state.round) == ("ana", 3)


@pytest.mark.rule("VI.C.2")
def test_doses_can_be_sold_in_passing_by_hopital() -> None:
    """Ana crosses Hôpital with three doses: a die of 3 brings 150 ₦, a die of 4 nothing."""
    table = Table("ana", "bob", perks={"ana": "doses"})
    table.place("ana", 19)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "sell_doses", corner="hopital", dice=[3])
    table.play("ana", "sell_doses", corner="hopital", dice=[4])
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1500 + 150, 2)


@pytest.mark.rule("VI.C.3")
def test_prescriptions_cost_140_on_a_stop_and_can_be_collected() -> None:
    """Ana stops on Hôpital and buys two prescriptions for 280 ₦; only she sees them."""
    table = at_hopital()
    table.play("ana", "buy_prescription")
    table.play("ana", "buy_prescription")
    assert (table.holds("ana"), table.holds("ana", "ordonnance")) == (1650 - 280, 2)
    assert [kind_of(event) for event in table.seen_by("ana")] == ["prescription_bought"]
    assert table.seen_by("bob") == []


@pytest.mark.rule("VI.C.3", "II.B.3")
def test_prescriptions_are_not_sold_in_passing_nor_without_money() -> None:
    """Crossing Hôpital is not enough, nor is standing there since an earlier turn, nor 139 ₦."""
    table = Table("ana", "bob")
    table.place("ana", 19)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_prescription", "VI.C.3")
    table.play("ana", "end_turn")
    table.place("bob", HOPITAL)
    table.refused("bob", "buy_prescription", "II.B.3")
    table = at_hopital()
    table.take("ana", "NGD", 1650 - 139)
    table.refused("ana", "buy_prescription", "VI.C.3")


@pytest.mark.rule("VI.C.3")
def test_a_prescription_is_nothing_illicit() -> None:
    """Ana buys a prescription; checked on square 28 in the next round, she keeps it and goes on."""
    table = at_hopital()
    table.play("ana", "buy_prescription")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    table.play("ana", "roll_dice", dice=[4, 4])
    events = table.play("ana", "resolve_square")
    assert [kind_of(event) for event in events][:2] == ["police_checked", "nothing_found"]
    assert (table.state.positions["ana"], table.holds("ana", "ordonnance")) == (28, 1)


@pytest.mark.rule("VI.C.4", "III.C.1", "III.C.2")
def test_a_prescription_in_ones_own_turn_is_a_stop_instead_of_the_roll() -> None:
    """Ana teleports from 39 before rolling: no pay at Spawn, no roll left, the services of Hôpital are open."""
    table = Table("ana", "bob")
    table.give("ana", "ordonnance")
    table.place("ana", 39)
    table.play("ana", "use_prescription")
    assert table.state.positions["ana"] == HOPITAL
    assert (table.holds("ana", "ordonnance"), table.holds("used", "ordonnance")) == (0, 1)
    assert table.holds("ana") == 1650
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 1])
    table.refused("ana", "sell_doses", "VII.B.1", corner="prison", dice=[1])
    table.play("ana", "buy_prescription")
    table.play("ana", "end_turn")
    assert table.holds("ana") == 1650 - 140


@pytest.mark.rule("VI.C.4", "III.C.1", "VI.F.1")
def test_a_prescription_after_the_move_does_not_spare_the_check_already_reached() -> None:
    """Ana stops on a checkpoint with a dose and teleports: it is taken, she is arrested, and she leaves Prison."""
    table = Table("ana", "bob")
    table.give("ana", "ordonnance")
    table.give("ana", "dose")
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[1, 2])
    events = table.play("ana", "use_prescription")
    assert [kind_of(event) for event in events] == [
        "prescription_used",
        "police_checked",
        "confiscated",
        "arrested",
        "token_sent",
        "token_teleported",
    ]
    assert (table.state.positions["ana"], table.holds("police", "dose")) == (HOPITAL, 1)


@pytest.mark.rule("VI.C.4", "II.D.2", "II.D.4")
def test_a_prescription_in_anothers_turn_opens_nothing() -> None:
    """Bob leaves Prison for Hôpital in Ana's turn: he can buy nothing there, and rolls from there in his own."""
    table = Table("ana", "bob")
    table.give("bob", "ordonnance")
    table.place("bob", PRISON)
    events = table.play("bob", "use_prescription")
    assert [event.rule for event in events] == ["VI.C.4", "II.D.4"]
    assert table.state.positions["bob"] == HOPITAL
    table.refused("bob", "buy_prescription", "II.2")
    table.turn("ana", 1, 1)
    table.refused("bob", "buy_prescription", "II.B.3")
    table.play("bob", "roll_dice", dice=[1, 1])
    assert table.state.positions["bob"] == HOPITAL + 2


@pytest.mark.rule("VI.C.4", "II.D.2")
def test_without_a_prescription_nobody_teleports() -> None:
    """Ana holds none, in or out of turn; Bob's single one serves once."""
    table = Table("ana", "bob")
    table.refused("ana", "use_prescription", "VI.C.4")
    table.give("bob", "ordonnance")
    table.play("bob", "use_prescription")
    table.refused("bob", "use_prescription", "VI.C.4")


@pytest.mark.rule("III.C.1")
def test_a_teleport_cancels_only_the_roll_of_who_teleports() -> None:
    """Bob teleports in Ana's turn: she still rolls, and so does he in his own."""
    table = Table("ana", "bob")
    table.give("bob", "ordonnance")
    table.play("bob", "use_prescription")
    table.turn("ana", 1, 1)
    table.play("bob", "roll_dice", dice=[1, 2])
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (2, HOPITAL + 3)


@pytest.mark.rule("III.C.2")
def test_a_forced_transfer_opens_no_service_of_the_square() -> None:
    """Arrested on a checkpoint, Ana is on Prison: she can neither sell a dose there nor pay a prisoner."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == PRISON
    table.give("ana", "dose")
    table.refused("ana", "sell_doses", "VII.B.1", corner="prison", dice=[1])
    table.refused("ana", "buy_prison_racket", "VI.D.3")


@pytest.mark.rule("VI.C.4", "VI.D.1")
def test_a_prescription_leaves_prison_but_does_not_undo_the_arrest() -> None:
    """Where prisoners miss a turn, Ana's prescription moves her token and the turn is missed anyway."""
    table = Table("ana", "bob", settings={"prison_missed_turns": 1, "prison_bail": 50})
    table.give("ana", "dose")
    table.give("ana", "ordonnance")
    table.place("ana", 1)
    table.turn("ana", 1, 2)
    table.play("ana", "use_prescription")
    assert (table.state.positions["ana"], table.state.missed) == (HOPITAL, {"ana": 1})
    table.refused("ana", "pay_bail", "VI.D.1")
    table.turn("bob", 1, 1)
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.round) == ("bob", 2)
