"""VIII.1–2, VIII.C and II.B.10–11. When and how often a vehicle is used, and what it avoids."""

from __future__ import annotations

import pytest

from tests.tables.negopoly import CHECKPOINT, HOPITAL, NC_CUSTOM, PAY, PRISON, SPAWN, garage, kinds, turn, walked

# One a turn -----------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.1", "II.B.10", "II.B.11")
def test_a_second_vehicle_in_the_same_turn_is_refused_and_kept() -> None:
    """Before or after the roll, of another kind or the same: Ana's second automobile waits for her next turn."""
    table = garage("automobile", "tank")
    table.give("ana", "automobile")
    table.play("ana", "use_vehicle", commodity="automobile")
    refused = table.refused("ana", "use_vehicle", "VIII.1", commodity="automobile")
    assert refused.en == "Ana has already used a vehicle this turn (Automobile): one a turn"
    table.play("ana", "roll_dice", dice=[4, 5])
    table.refused("ana", "use_vehicle", "VIII.1", commodity="tank", steps=2)
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    assert (table.holds("ana", "automobile"), table.holds("ana", "tank")) == (1, 1)
    table.place("bob", PRISON)
    table.turn("bob", 5, 5)
    table.play("ana", "use_vehicle", commodity="automobile")
    assert table.holds("ana", "automobile") == 0


@pytest.mark.rule("II.B.10")
def test_one_weapon_and_one_vehicle_go_together_in_a_turn() -> None:
    """Ana fires at the house next to her, then drives on; a second weapon and a second vehicle are too much."""
    table = garage("automobile", "tank")
    for weapon in ("rpg7", "artillerie"):
        table.give("ana", weapon)
    table.own("bob", "jahland_dispensory", "numera_fight_club", houses=1)
    table.play("ana", "roll_dice", dice=[5, 5])
    table.play("ana", "fire_rpg", title="jahland_dispensory", dice=[1])
    table.play("ana", "use_vehicle", commodity="automobile")
    table.refused("ana", "fire_artillery", "IX.C.2", title="numera_fight_club")
    table.refused("ana", "use_vehicle", "VIII.1", commodity="tank", steps=2)
    assert (table.holds("property:jahland_dispensory", "house"), table.state.positions["ana"]) == (0, HOPITAL + 1)


@pytest.mark.rule("VIII.1")
def test_the_banker_may_let_a_second_vehicle_pass() -> None:
    """By a waiver both vehicles bend the move: 9 squares of dice, 1 of the automobile, 3 of the helicopter."""
    table = garage("automobile", "helicoptere")
    table.play("ana", "use_vehicle", commodity="automobile")
    table.play("ana", "use_vehicle", override="a wager", commodity="helicoptere", steps=3)
    table.play("ana", "roll_dice", dice=[4, 5])
    assert table.state.positions["ana"] == PRISON + 9 + 1 + 3


@pytest.mark.rule("VIII.2", "II.B.11")
def test_a_vehicle_is_kept_until_it_is_used_and_spent_by_its_use() -> None:
    """A turn without it leaves it in hand, and so does a refusal; a breakdown spends it."""
    table = garage("trottinette")
    table.turn("ana", 5, 5)
    table.place("bob", PRISON)
    table.turn("bob", 5, 5)
    assert table.holds("ana", "trottinette") == 1
    table.refused("bob", "use_vehicle", "II.D.4", commodity="trottinette", dice=[3])
    table.refused("ana", "use_vehicle", "VIII.2", commodity="tank", steps=2)
    table.play("ana", "use_vehicle", commodity="trottinette", dice=[1])
    assert (table.holds("ana", "trottinette"), table.holds("used", "trottinette")) == (0, 1)
    table.refused("ana", "use_vehicle", "VIII.1", commodity="trottinette", dice=[3])


@pytest.mark.rule("II.D.4", "VIII.C.1")
def test_nobody_drives_in_another_s_turn() -> None:
    table = garage("automobile")
    table.give("bob", "teleporteur")
    table.refused("bob", "use_vehicle", "II.D.4", commodity="teleporteur", square=NC_CUSTOM)
    table.play("ana", "roll_dice", dice=[5, 5])
    table.play("ana", "use_vehicle", commodity="automobile")
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.refused("ana", "use_vehicle", "II.D.4", commodity="automobile")


@pytest.mark.rule("VI.A.7")
def test_on_verglas_no_vehicle_is_used_and_none_is_lost() -> None:
    """While meteo_10 is active Ana's automobile is refused and stays hers."""
    table = garage("automobile", decks=True)
    table.weather("meteo_10")
    table.refused("ana", "use_vehicle", "VI.A.7", commodity="automobile")
    assert table.holds("ana", "automobile") == 1
    assert not table.offers("ana", "use_vehicle")


# Before or after the roll ---------------------------------------------------------------------------


@pytest.mark.rule("VIII.C.1", "III.A.1", "III.A.3")
def test_after_the_roll_the_unresolved_square_is_only_crossed_and_its_rent_avoided() -> None:
    """Ana has rolled onto Bob's LBTRD Tower (200 ₦ with a house); her automobile goes on to Spawn, and pay."""
    table = garage("automobile", start=36)
    table.own("bob", "lbtrd_tower", houses=1)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "end_turn", "II.B.7")
    events = table.play("ana", "use_vehicle", commodity="automobile")
    assert kinds(events)[:5] == ["vehicle_used", "stop_left", "token_moved", "spawn_passed", "salary_paid"]
    assert (table.holds("ana"), table.holds("bob")) == (1650 + PAY, 1650)
    assert [(one.square, one.stop) for one in turn(table).passages][-2:] == [(39, False), (0, True)]


@pytest.mark.rule("VIII.C.1", "V.A.7")
def test_after_the_square_is_resolved_what_was_paid_stays_paid_and_the_next_is_a_second_stop() -> None:
    """Ana pays Bob 26 ₦ on the rue vendredi des noirs, drives on, and pays 26 ₦ more on the Domaine de M. P."""
    table = garage("automobile", start=NC_CUSTOM)
    table.own("bob", "rue_vendredi_des_noirs", "domaine_de_m_p")
    table.place("ana", 24)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "resolve_square")
    assert table.holds("ana") == 1650 - 26
    table.play("ana", "use_vehicle", commodity="automobile")
    assert turn(table).unresolved
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 52, 1650 + 52)


@pytest.mark.rule("VIII.C.1", "V.D.1", "VII.A.1")
def test_moving_on_closes_what_the_first_stop_and_the_way_to_it_had_opened() -> None:
    """Ana has crossed Spawn and resolved Négotown: after her automobile neither sells her anything any more."""
    table = garage("automobile", start=38)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_doses", amount=1)
    table.play("ana", "resolve_square")
    table.play("ana", "use_vehicle", commodity="automobile")
    assert table.state.positions["ana"] == 2
    table.refused("ana", "buy_doses", "VII.A.1", amount=1)
    table.refused("ana", "buy_property", "V.D.1", title="negotown")


@pytest.mark.rule("VIII.C.1", "II.B.6")
def test_before_the_square_is_resolved_what_the_way_had_opened_stays_open() -> None:
    """Ana has crossed Spawn on the way to Négotown and drives on: Spawn still sells, Négotown is only crossed."""
    table = garage("automobile", start=38)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_vehicle", commodity="automobile")
    table.play("ana", "buy_doses", amount=1)
    table.refused("ana", "buy_property", "V.D.1", title="negotown")
    assert (table.holds("ana", "dose"), table.holds("ana")) == (1, 1650 + PAY - 50)


@pytest.mark.rule("VIII.C.2", "VIII.C.3")
def test_before_the_roll_its_squares_wait_for_the_end_of_the_move() -> None:
    """Ana names three squares back, then throws 7: she goes 7 forward without stopping there, then 3 back."""
    table = garage("helicoptere")
    table.own("bob", "snoopys_id")
    events = table.play("ana", "use_vehicle", commodity="helicoptere", steps=-3)
    assert (kinds(events), table.state.positions["ana"]) == (["vehicle_used"], PRISON)
    events = table.play("ana", "roll_dice", dice=[3, 4])
    assert walked(events) == [
        (tuple(range(11, 18)), False, "III.1"),
        ((16, 15, 14), True, "VIII.B.4"),
    ]
    assert turn(table).stop == 14


@pytest.mark.rule("VIII.C.2")
def test_nothing_forces_a_player_to_use_a_vehicle() -> None:
    """With every vehicle in hand Ana rolls, resolves and ends her turn, and still has them all."""
    table = garage("trottinette", "exosquelette", "automobile", "helicoptere", "tank", "avion_de_chasse")
    moved = table.play("ana", "roll_dice", dice=[5, 5])
    assert walked(moved) == [(tuple(range(11, 21)), True, "III.1")]
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    assert table.holds("ana", "tank") == 1
    table.place("bob", PRISON)
    table.turn("bob", 5, 5)
    table.play("ana", "use_vehicle", commodity="tank", steps=2)


@pytest.mark.rule("VIII.C.3")
def test_a_breakdown_before_the_roll_leaves_the_move_as_it_is() -> None:
    table = garage("trottinette")
    table.play("ana", "use_vehicle", commodity="trottinette", dice=[2])
    events = table.play("ana", "roll_dice", dice=[5, 5])
    assert walked(events) == [(tuple(range(11, 21)), True, "III.1")]


@pytest.mark.rule("VIII.C.3", "III.C.1")
def test_a_teleport_that_replaced_the_roll_leaves_no_move_to_extend() -> None:
    """Ana's prescription has taken the place of her roll: her automobile is refused, her teleporter is not."""
    table = garage("automobile", "teleporteur")
    table.give("ana", "ordonnance")
    table.play("ana", "use_prescription")
    refused = table.refused("ana", "use_vehicle", "VIII.C.3", commodity="automobile")
    assert refused.en == "Ana has no move of dice that Automobile could extend this turn"
    table.play("ana", "use_vehicle", commodity="teleporteur", square=NC_CUSTOM)
    assert (table.holds("ana", "automobile"), turn(table).stop) == (1, NC_CUSTOM)


@pytest.mark.rule("VIII.C.3")
def test_an_automobile_used_before_a_teleport_that_replaces_the_roll_is_lost() -> None:
    table = garage("automobile")
    table.give("ana", "ordonnance")
    table.play("ana", "use_vehicle", commodity="automobile")
    table.play("ana", "use_prescription")
    assert (table.state.positions["ana"], table.holds("ana", "automobile")) == (HOPITAL, 0)
    table.play("ana", "end_turn")


@pytest.mark.rule("VIII.C.3", "II.B.6", "VI.F.2")
def test_a_forced_stop_on_the_way_ends_the_move_and_what_a_vehicle_would_add() -> None:
    """K9 is active: Ana is arrested in crossing the checkpoint with a dose; her aeroplane goes no further.

    After the arrest no vehicle extends the move either; the pocket teleporter, which needs no move, takes her out.
    """
    for before in (True, False):
        table = garage("avion_de_chasse", "teleporteur", start=SPAWN)
        table.give("ana", "dose")
        with table.arranged() as state:
            state.k9_rounds.add(1)
        if before:
            table.play("ana", "use_vehicle", commodity="avion_de_chasse", steps=6)
        events = table.play("ana", "roll_dice", dice=[3, 4])
        assert walked(events) == [((1, 2, 3, 4), False, "III.1")]
        assert table.state.positions["ana"] == PRISON
        if not before:
            table.refused("ana", "use_vehicle", "VIII.C.3", commodity="avion_de_chasse", steps=6)
            table.play("ana", "use_vehicle", commodity="teleporteur", square=NC_CUSTOM)
            assert turn(table).stop == NC_CUSTOM
        assert table.holds("ana", "avion_de_chasse") == (0 if before else 1)


@pytest.mark.rule("VIII.C.1", "VI.F.2")
def test_a_checkpoint_that_a_vehicle_turns_into_a_crossing_still_checks_while_k9_is_active() -> None:
    """Ana has stopped on a checkpoint with a dose and drives on: she gets away, but not while K9 is active."""
    for k9, end in ((False, CHECKPOINT + 1), (True, PRISON)):
        table = garage("automobile", start=SPAWN)
        table.give("ana", "dose")
        if k9:
            with table.arranged() as state:
                state.k9_rounds.add(1)
        table.play("ana", "roll_dice", dice=[1, 3])
        events = table.play("ana", "use_vehicle", commodity="automobile")
        assert ("police_checked" in kinds(events)) is k9
        assert (table.state.positions["ana"], table.holds("ana", "dose")) == (end, 0 if k9 else 1)


@pytest.mark.rule("VIII.B.9", "VI.F.1")
def test_the_teleporter_leaves_a_checkpoint_without_even_crossing_it() -> None:
    """K9 or not: who goes elsewhere at once, without regard to the dice, is not checked where they fell."""
    table = garage("teleporteur", start=SPAWN)
    table.give("ana", "dose")
    with table.arranged() as state:
        state.k9_rounds.add(1)
    table.play("ana", "roll_dice", dice=[1, 3])
    events = table.play("ana", "use_vehicle", commodity="teleporteur", square=12)
    assert kinds(events) == ["vehicle_used", "token_teleported"]
    assert table.holds("ana", "dose") == 1
    checked = table.play("ana", "resolve_square")
    assert "police_checked" in kinds(checked)
    assert table.holds("ana", "dose") == 0


# By vehicle and by delivery -------------------------------------------------------------------------


@pytest.mark.rule("VIII.D.1", "VIII.D.3", "VIII.2")
def test_a_vehicle_travels_by_delivery_and_is_used_by_whom_it_reaches() -> None:
    """Ana sends Bob her automobile: it is nobody's until her next turn, then he drives it."""
    table = garage("automobile")
    table.play("ana", "send_delivery", to="bob", commodity="automobile", amount=1)
    table.refused("ana", "use_vehicle", "VIII.2", commodity="automobile")
    table.turn("ana", 5, 5)
    table.place("bob", PRISON)
    table.refused("bob", "use_vehicle", "VIII.2", commodity="automobile")
    table.turn("bob", 5, 5)
    table.place("ana", PRISON)
    table.turn("ana", 5, 5)
    table.place("bob", PRISON)
    table.play("bob", "roll_dice", dice=[5, 5])
    table.play("bob", "use_vehicle", commodity="automobile")
    assert table.state.positions["bob"] == HOPITAL + 1
