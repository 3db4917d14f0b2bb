"""VIII.B.6. The Tank: what it protects its user from, and what not."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from tests.tables.negopoly import (
    HOPITAL,
    NEXT_STREET,
    PRISON,
    STREET,
    Table,
    answer,
    asked,
    drives,
    in_a_tank,
    kinds,
    question_to,
)

# The police ---------------------------------------------------------------------------------------------


@pytest.mark.rule("VI.F.2", "VIII.C.3", "VIII.B.6", "VIII.C.1")
def test_a_tank_comes_too_late_for_a_check_in_crossing_and_in_time_for_one_on_a_stop() -> None:
    """K9 is active, and Ana has a dose. If she crosses square 4 on her dice she is arrested, and no tank helps.

    If her dice end there, her tank takes her on: the square is only crossed, and the check of K9 spared.
    """
    table = Table("ana", "bob")
    table.give("ana", "tank")
    table.give("ana", "dose")
    with table.arranged() as state:
        state.k9_rounds = {1}
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[2, 3])
    assert (table.state.positions["ana"], table.holds("police", "dose")) == (PRISON, 1)
    table.refused("ana", "use_vehicle", "VIII.C.3", commodity="tank", steps=2)
    assert table.holds("ana", "tank") == 1

    table = in_a_tank(onto=4)
    table.give("ana", "dose")
    with table.arranged() as state:
        state.k9_rounds = {1}
    assert drives(table, 3) == ["vehicle_used", "stop_left", "tank_spared", "token_moved"]
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (7, 1)


@pytest.mark.rule("IX.B.10", "IX.C.17", "VI.D.1")
def test_a_hacked_driver_is_arrested_in_the_tank() -> None:
    """Ana, in her tank, blows up a house beside Cleo, who has hacked her: no square arrests her, but the police.

    She ends on Prison in her own turn, and her tank takes her no further; Cleo stays on the bar.
    """
    table = in_a_tank("ana", "bob", "cleo", onto=16)
    table.own("bob", STREET, houses=1)
    table.attach(STREET, "charge:ana:1")
    table.give("cleo", "hack")
    table.place("cleo", 5)
    with table.arranged() as state:
        state.round, state.hacks, state.services = 3, [("cleo", "ana")], {"cleo": 1}
    drives(table)
    assert table.state.positions["ana"] == 18
    table.play("ana", "detonate_c4", title=STREET)
    events = kinds(answer(table, "cleo", "no"))
    assert events[-3:] == ["hack_fired", "arrested", "token_sent"]
    assert (table.state.positions["ana"], table.state.positions["cleo"]) == (PRISON, 5)
    assert table.holds("property:17_rue_des_patates", "house") == 0
    table.play("ana", "end_turn")


@pytest.mark.rule("VIII.B.6", "VI.F.3", "VI.F.5")
def test_a_driver_lets_the_raid_happen_and_is_the_only_one_spared() -> None:
    """Ana's tank ends on Chance: "Rafle générale". She does not refuse it: Bob loses his dose, and she keeps hers.

    The check would be a consequence of her square; Bob's, on his own, is not.
    """
    table = in_a_tank("ana", "bob", onto=5, decks=True)
    table.give("ana", "dose")
    table.give("bob", "dose")
    table.place("bob", 13)
    drives(table)
    table.play("ana", "resolve_square", draws=["chance_07"])
    events = kinds(answer(table, "ana", "no"))
    assert events.count("tank_spared") == 1
    assert (table.holds("ana", "dose"), table.state.positions["ana"]) == (1, 7)
    assert (table.holds("bob", "dose"), table.state.positions["bob"]) == (0, PRISON)
    table.play("ana", "end_turn")


# Squares and cards --------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.B.6", "V.E.6", "V.E.15")
def test_a_tank_keeps_the_harm_away_and_not_the_gift() -> None:
    """Bob holds Cyan: Ana's tank spares her the 6 ₦ of rent, and she still gets the free dose of the street."""
    table = in_a_tank(onto=4)
    table.own("bob", *QUARTERS["cyan"])
    drives(table)
    events = kinds(table.play("ana", "resolve_square"))
    assert events == ["tank_spared", "free_dose_received", "square_resolved"]
    assert (table.holds("ana"), table.holds("bob"), table.holds("ana", "dose")) == (1650, 1650, 1)
    table.play("ana", "end_turn")
    table.own("bob", *QUARTERS["orange"])
    table.turn("bob", 1, 2)
    table.place("ana", 29)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("bob", "dose"), table.state.positions["ana"]) == (1624, 1, PRISON)


@pytest.mark.rule("V.E.9", "VIII.B.6")
@pytest.mark.parametrize(("chosen", "balances"), [("chance_04", (1650, 1650)), ("chance_04:bob", (1650, 1570))])
def test_with_rouge_the_driver_chooses_first_and_the_tank_is_asked_about_her_own_card(
    chosen: str, balances: tuple[int, int]
) -> None:
    """Of three cards Ana chooses the bill of 80 ₦: her tank keeps it away from her, and not from Bob."""
    table = in_a_tank("ana", "bob", onto=5, decks=True)
    table.own("ana", *QUARTERS["rouge"])
    drives(table)
    table.play("ana", "resolve_square", draws=["chance_04", "chance_05", "chance_12"])
    answer(table, "ana", chosen)
    if ":" not in chosen:
        assert question_to(table, "ana").kind == "tank"
        answer(table, "ana", "yes")
    assert (asked(table), (table.holds("ana"), table.holds("bob"))) == ([], balances)


@pytest.mark.rule("VIII.B.6", "V.A.6")
def test_a_card_that_drives_the_tank_back_takes_its_shield_along() -> None:
    """From Chance "Marche arrière" leads Ana back to the checkpoint behind her: there is no check there either."""
    table = in_a_tank("ana", "bob", onto=5, decks=True)
    table.give("ana", "dose")
    table.own("bob", STREET, houses=1)
    drives(table)
    table.play("ana", "resolve_square", draws=["chance_09"])
    answer(table, "ana", "no")
    assert table.state.positions["ana"] == 4
    assert kinds(table.play("ana", "resolve_square")) == ["tank_spared", "square_resolved"]
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650, 1)


# Charges and weapons ------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.13", "IX.C.12", "VIII.C.1", "VIII.B.6")
def test_a_tank_rolls_over_charges_that_its_driver_may_take_along() -> None:
    """Bob has mined his own street. Ana's dice end there, her tank takes her over it to the next one.

    In passing she takes his two charges, places one on the other street, and is spared its rent of 40 ₦.
    """
    table = in_a_tank("ana", "bob", onto=6)
    table.own("bob", STREET, houses=1)
    table.own("bob", NEXT_STREET, houses=2)
    table.attach(STREET, "charge:bob:1", 2)
    drives(table)
    table.play("ana", "remove_c4", title=STREET)
    table.play("ana", "place_c4", title=NEXT_STREET)
    assert (table.holds("ana", "c4"), table.holds(f"property:{NEXT_STREET}", "charge:ana:1")) == (1, 1)
    assert kinds(table.play("ana", "resolve_square")) == ["tank_spared", "square_resolved"]
    assert table.holds("ana") == 1650


@pytest.mark.rule("IX.C.16", "IX.C.17", "VIII.B.6", "II.B.10")
@pytest.mark.parametrize(("steps", "end", "rackets"), [(2, HOPITAL, 0), (3, PRISON, 150)])
def test_a_tank_does_not_protect_its_driver_from_her_own_explosion(steps: int, end: int, rackets: int) -> None:
    """Ana blows up the street she stands on, or beside: Hôpital, or Prison with Bob's racket of 150 ₦."""
    table = in_a_tank("ana", "bob", onto=4)
    table.own("bob", STREET, houses=1)
    table.attach(STREET, "charge:ana:1")
    with table.arranged() as state:
        state.round, state.rackets = 3, ["bob"]
    drives(table, steps)
    if steps == 2:
        table.play("ana", "resolve_square")
    table.play("ana", "detonate_c4", title=STREET)
    assert (table.state.positions["ana"], table.holds("ana"), table.holds("bob")) == (
        end,
        1650 - rackets,
        1650 + rackets,
    )


@pytest.mark.rule("IX.C.19", "IX.C.20", "VIII.B.6", "II.B.10")
def test_a_driver_who_loses_a_duel_goes_to_hopital_like_anybody() -> None:
    """Ana drives up beside Bob, draws her Glock, throws a 2 against his: 300 ₦ are his, and she is in Hôpital."""
    table = in_a_tank("ana", "bob", onto=16)
    for seat in ("ana", "bob"):
        table.give(seat, "glock26")
    table.place("bob", 19)
    drives(table)
    table.play("ana", "use_glock", target="bob", dice=[2])
    assert (table.holds("ana"), table.holds("bob"), table.state.positions["ana"]) == (1350, 1950, HOPITAL)
    table.refused("ana", "use_vehicle", "VIII.1", commodity="tank", steps=2)


# Kidnappers ---------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.B.12", "VIII.C.3", "VIII.B.5", "III.C.1")
def test_a_kidnapped_driver_rolls_on_from_the_bar_or_goes_no_further() -> None:
    """Ana has started her tank before her roll, and Bob has her taken to the bar: she rolls and drives from there.

    Taken there after her roll she has no move left for a tank to extend, and keeps it.
    """
    table = Table("ana", "bob")
    table.give("ana", "tank")
    table.give("bob", "kidnapping")
    table.place("ana", 16)
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    table.play("bob", "use_kidnapping", target="ana", towards="last")
    table.play("ana", "roll_dice", dice=[1, 1])
    assert table.state.positions["ana"] == 5 + 2 + 3

    table = in_a_tank(onto=16)
    table.give("bob", "kidnapping")
    table.play("ana", "resolve_square")
    table.play("bob", "use_kidnapping", target="ana", towards="last")
    table.refused("ana", "use_vehicle", "VIII.C.3", commodity="tank", steps=2)
    assert (table.state.positions["ana"], table.holds("ana", "tank")) == (5, 1)
