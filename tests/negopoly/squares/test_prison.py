"""VI.D. Prison: arrests, rackets, and the stay and bail that a table may set."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.kernel.rules.draft import Draft, Request
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.squares import hospital
from tests.harness.rules import witness
from tests.tables.negopoly import PRISON, Table


def arrest(table: Table, seat: str) -> list[str]:
    """The seat, whose turn it is, is caught with a dose on the first checkpoint; the kinds of what followed."""
    table.give(seat, "dose")
    table.place(seat, 1)
    table.play(seat, "roll_dice", dice=[1, 2])
    return [kind_of(event) for event in table.play(seat, "resolve_square")]


def plant(table: Table, seat: str) -> None:
    """The seat, whose turn it is, stops on Prison and pays a prisoner."""
    table.place(seat, 7)
    table.turn(seat, 1, 2, then=(("buy_prison_racket", {}),))


@pytest.mark.rule("VI.D.1")
def test_an_arrested_player_is_on_prison_at_once_and_rolls_from_there_next() -> None:
    """Ana is arrested, pays nothing, misses nothing, and rolls from Prison in the next round."""
    table = Table("ana", "bob")
    arrest(table, "ana")
    assert (table.state.positions["ana"], table.holds("ana")) == (PRISON, 1650)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.state.positions["ana"] == PRISON + 3


@pytest.mark.rule("VI.D.1", "II.2")
def test_a_table_may_keep_prisoners_for_some_turns() -> None:
    """With two turns missed, Ana sits out rounds 2 and 3, each counting as her turn, and plays round 4."""
    table = Table("ana", "bob", settings={"prison_missed_turns": 2})
    arrest(table, "ana")
    assert table.state.missed == {"ana": 2}
    table.play("ana", "end_turn")
    for current in (2, 3):
        table.place("bob", 20)
        table.play("bob", "roll_dice", dice=[1, 1])
        events = table.play("bob", "end_turn")
        assert "turn_skipped" in [kind_of(event) for event in events]
        assert table.state.round == current
        table.refused("ana", "roll_dice", "II.D.4", dice=[1, 1])
    table.turn("bob", 1, 1)
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.round) == ("ana", 4)


@pytest.mark.rule("VI.D.1", "VI.C.1")
def test_stays_add_up() -> None:
    """Kept for two turns in Prison and one in Hôpital after another, Ana has three turns to miss."""
    table = Table("ana", "bob", settings={"prison_missed_turns": 2, "hospital_missed_turns": 1})
    arrest(table, "ana")
    draft = Draft(RULEBOOK, table.state, Request(action=None, seat="ana", by="ana", at=table.now), None)
    hospital.admit(draft, "ana", cause="explosion", rule="VI.C.1")
    witness(*(event.rule for event in draft.events))
    assert [kind_of(event) for event in draft.events] == ["token_sent", "turns_forfeited"]
    assert draft.state.missed == {"ana": 3}


@pytest.mark.rule("VI.D.1", "II.2")
def test_rounds_go_by_while_everybody_is_in_prison() -> None:
    """Both are kept for two turns: Ana misses rounds 2 and 3, Bob too, and Ana opens round 4."""
    table = Table("ana", "bob", settings={"prison_missed_turns": 2})
    arrest(table, "ana")
    table.play("ana", "end_turn")
    arrest(table, "bob")
    events = table.play("bob", "end_turn")
    assert [kind_of(event) for event in events] == [
        "turn_ended",
        "round_started",
        "turn_skipped",
        "turn_skipped",
        "round_started",
        "turn_skipped",
        "turn_skipped",
        "round_started",
        "turn_started",
    ]
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.round, table.state.missed) == ("ana", 4, {})


@pytest.mark.rule("VI.D.1")
def test_bail_ends_a_stay_where_the_table_takes_it() -> None:
    """Ana pays a bail of 80 ₦ in Bob's turn and plays round 2."""
    table = Table("ana", "bob", settings={"prison_missed_turns": 3, "prison_bail": 80})
    table.refused("ana", "pay_bail", "VI.D.1")
    arrest(table, "ana")
    table.play("ana", "end_turn")
    table.refused("bob", "pay_bail", "VI.D.1")
    table.play("ana", "pay_bail")
    assert (table.holds("ana"), table.state.missed) == (1650 - 80, {})
    table.refused("ana", "pay_bail", "VI.D.1")
    table.turn("bob", 1, 1)
    assert table.state.turn is not None
    assert (table.state.turn.seat, table.state.round) == ("ana", 2)


@pytest.mark.rule("VI.D.1")
def test_bail_is_refused_by_default_and_without_the_money() -> None:
    """No bail is taken unless the table has set one; and Ana's 79 ₦ do not pay one of 80."""
    table = Table("ana", "bob", settings={"prison_missed_turns": 3})
    arrest(table, "ana")
    table.refused("ana", "pay_bail", "VI.D.1")
    table = Table("ana", "bob", settings={"prison_missed_turns": 3, "prison_bail": 80})
    arrest(table, "ana")
    table.take("ana", "NGD", 1650 - 79)
    table.refused("ana", "pay_bail", "VI.D.1")


@pytest.mark.rule("VI.D.2")
def test_doses_can_be_sold_in_passing_by_prison_but_not_under_arrest() -> None:
    """Ana crosses Prison and sells a dose to the guards for 100 ₦; arrested Bob, on Prison, may not."""
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.place("ana", 9)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "sell_doses", dice=[4])
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650 + 100, 0)
    table.play("ana", "resolve_square")  # square 12 is a checkpoint, and nothing is left to find
    table.play("ana", "end_turn")
    arrest(table, "bob")
    table.give("bob", "dose")
    table.refused("bob", "sell_doses", "VII.B.1", dice=[1])


@pytest.mark.rule("VI.D.3")
def test_a_prisoner_is_paid_100_on_a_stop() -> None:
    """Ana stops on Prison and plants a racket for 100 ₦, which the bank collects."""
    table = Table("ana", "bob")
    bank = table.holds("bank")
    plant(table, "ana")
    assert table.holds("ana") == 1650 - 100
    assert table.holds("bank") == bank + 100
    assert table.state.rackets == ["ana"]


@pytest.mark.rule("VI.D.3", "II.B.3")
def test_no_prisoner_is_paid_in_passing_under_arrest_or_without_money() -> None:
    """Crossing Prison, being sent there, standing there since yesterday, or holding 99 ₦: none plants a racket."""
    table = Table("ana", "bob")
    table.place("ana", 9)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.refused("ana", "buy_prison_racket", "VI.D.3")
    table.play("ana", "end_turn")
    arrest(table, "bob")
    table.refused("bob", "buy_prison_racket", "VI.D.3")
    table.play("bob", "end_turn")
    table.place("ana", PRISON)
    table.refused("ana", "buy_prison_racket", "II.B.3")
    table.place("ana", 7)
    table.take("ana", "NGD", 1650 - 99)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "buy_prison_racket", "VI.D.3")


@pytest.mark.rule("VI.D.4")
def test_the_next_prisoner_pays_150_once() -> None:
    """Ana has planted a racket: Bob's arrest brings her 150 ₦, even into debt; his next one nothing."""
    table = Table("ana", "bob")
    plant(table, "ana")
    table.take("bob", "NGD", 1650)
    assert "racket_collected" in arrest(table, "bob")
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 100 + 150, -150)
    assert table.state.rackets == []
    table.play("bob", "end_turn")
    table.turn("ana", 1, 3)
    assert "racket_collected" not in arrest(table, "bob")
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 100 + 150, -150)


@pytest.mark.rule("VI.D.4")
def test_every_waiting_racket_hits_the_same_prisoner() -> None:
    """Ana has planted two and Bob one: Cid pays 300 ₦ to Ana and 150 ₦ to Bob."""
    table = Table("ana", "bob", "cid")
    with table.arranged() as state:
        state.rackets = ["ana", "bob", "ana"]
    table.turn("ana", 1, 1)
    table.turn("bob", 1, 1)
    arrest(table, "cid")
    assert (table.holds("ana"), table.holds("bob"), table.holds("cid")) == (1950, 1800, 1200)
    assert table.state.rackets == []


@pytest.mark.rule("VI.D.4")
def test_a_planter_who_is_the_next_prisoner_loses_the_racket() -> None:
    """Ana is arrested while her own racket and Bob's wait: hers is lost, Bob's collects."""
    table = Table("ana", "bob")
    with table.arranged() as state:
        state.rackets = ["ana", "bob"]
    kinds = arrest(table, "ana")
    assert kinds[-2:] == ["racket_lost", "racket_collected"]
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 150, 1650 + 150)
    assert table.state.rackets == []
