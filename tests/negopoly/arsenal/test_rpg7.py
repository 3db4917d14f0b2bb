"""IX.C.5 to IX.C.9. The RPG-7: two shots a turn at what stands close by, each with a die."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import Table

STREET = "420_rue_des_patates"
"""On square 9, next to Prison (10) and to 69 rue des patates (8)."""

BESIDE = "69_rue_des_patates"


def beside_the_street(*seats: str, shots: int = 3) -> Table:
    """Ana has rolled to square 8, next to Bob's street with two houses, with RPG-7s in hand."""
    table = Table(*(seats or ("ana", "bob")))
    table.own("bob", STREET, houses=2)
    table.give("ana", "rpg7", shots)
    table.place("ana", 6)
    table.play("ana", "roll_dice", dice=[1, 1])
    return table


@pytest.mark.rule("IX.C.6", "IX.C.8", "V.C.5", "V.C.6")
@pytest.mark.parametrize("die", [1, 2, 3, 4])
def test_a_hit_destroys_one_house_and_spends_the_weapon(die: int) -> None:
    """Ana fires at the street beside her: 1 to 4 takes one of Bob's two houses, and one RPG-7 is gone."""
    table = beside_the_street()
    assert {"title": STREET} in table.offers("ana", "fire_rpg")
    table.play("ana", "fire_rpg", title=STREET, dice=[die])
    assert table.holds(attached(STREET), "house") == 1
    assert table.holds("ana", "rpg7") == 2
    assert table.holds("used", "rpg7") == 1


@pytest.mark.rule("IX.C.8")
def test_a_five_misses() -> None:
    """On 5 nothing happens to the street, and the weapon is spent anyway."""
    table = beside_the_street()
    table.play("ana", "fire_rpg", title=STREET, dice=[5])
    assert table.holds(attached(STREET), "house") == 2
    assert table.holds("ana", "rpg7") == 2
    assert table.state.positions["ana"] == 8


@pytest.mark.rule("IX.C.8", "IX.C.7", "VI.C.1")
def test_a_six_sends_the_shooter_to_hospital_and_leaves_no_second_shot() -> None:
    """On 6 Ana is at the Hôpital (20), beside a title of Bob's: she may not fire again this turn."""
    table = beside_the_street()
    table.own("bob", "jahland_dispensory", houses=1)
    table.play("ana", "fire_rpg", title=STREET, dice=[6])
    assert table.holds(attached(STREET), "house") == 2
    assert table.state.positions["ana"] == 20
    table.refused("ana", "fire_rpg", "IX.C.7", title="jahland_dispensory", dice=[1])
    assert not table.offers("ana", "fire_rpg")


@pytest.mark.rule("IX.C.7")
def test_two_shots_are_allowed_in_a_turn_and_a_third_is_refused() -> None:
    """Ana takes both houses with two of her three RPG-7s; the third stays in hand until her next turn."""
    table = beside_the_street()
    table.own("bob", BESIDE, houses=1)
    table.play("ana", "resolve_square")
    table.play("ana", "fire_rpg", title=STREET, dice=[1])
    table.play("ana", "fire_rpg", title=STREET, dice=[4])
    assert table.holds(attached(STREET), "house") == 0
    refusal = table.refused("ana", "fire_rpg", "IX.C.7", title=BESIDE, dice=[1])
    assert "2" in refusal.en
    assert table.holds("ana", "rpg7") == 1
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.place("ana", 6)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "resolve_square")
    table.play("ana", "fire_rpg", title=BESIDE, dice=[1])
    assert table.holds(attached(BESIDE), "house") == 0


@pytest.mark.rule("IX.C.2", "II.B.10")
def test_another_weapon_beside_an_rpg_is_refused() -> None:
    """After one shot Ana may fire a second RPG-7, but no artillery; after artillery, no RPG-7."""
    table = beside_the_street()
    table.give("ana", "artillerie", 2)
    table.play("ana", "fire_rpg", title=STREET, dice=[5])
    table.refused("ana", "fire_artillery", "IX.C.2", title=STREET)
    table.play("ana", "fire_rpg", title=STREET, dice=[5])

    table = beside_the_street()
    table.own("bob", BESIDE, houses=1)
    table.give("ana", "artillerie")
    table.play("ana", "resolve_square")
    table.play("ana", "fire_artillery", title=STREET)
    table.refused("ana", "fire_rpg", "IX.C.2", title=BESIDE, dice=[1])


@pytest.mark.rule("IX.C.6")
def test_it_reaches_ones_own_square_and_the_two_beside_it_only() -> None:
    """From square 8 Ana hits 8 and 9, not 6; on square 0 the last square of the board is beside her."""
    table = beside_the_street()
    table.own("bob", BESIDE, houses=1)
    table.own("bob", "17_rue_des_patates", houses=1)
    table.play("ana", "resolve_square")
    table.refused("ana", "fire_rpg", "IX.C.6", title="17_rue_des_patates", dice=[1])
    table.play("ana", "fire_rpg", title=BESIDE, dice=[1])
    assert table.holds(attached(BESIDE), "house") == 0

    table = Table("ana", "bob")
    table.own("bob", "lbtrd_tower", houses=1)
    table.give("ana", "rpg7")
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[1, 1])
    assert table.offers("ana", "fire_rpg") == [{"title": "lbtrd_tower"}]
    table.play("ana", "fire_rpg", title="lbtrd_tower", dice=[1])
    assert table.holds(attached("lbtrd_tower"), "house") == 0


@pytest.mark.rule("IX.C.6")
def test_there_must_be_something_to_hit() -> None:
    """A title of the bank is refused, and so is an owned one without a house that is not mortgaged."""
    table = beside_the_street()
    table.refused("ana", "fire_rpg", "IX.C.6", title=BESIDE, dice=[1])
    table.own("bob", BESIDE)
    table.play("ana", "resolve_square")
    refusal = table.refused("ana", "fire_rpg", "IX.C.6", title=BESIDE, dice=[1])
    assert "69 rue des patates" in refusal.en
    assert table.holds("ana", "rpg7") == 3


@pytest.mark.rule("IX.C.6")
def test_the_shooter_may_hit_a_title_of_their_own() -> None:
    """Ana fires at her own house, and nobody is asked anything."""
    table = beside_the_street()
    table.own("ana", BESIDE, houses=1)
    table.give("ana", "security_team")
    table.play("ana", "fire_rpg", title=BESIDE, dice=[2])
    assert table.holds(attached(BESIDE), "house") == 0
    assert table.holds("ana", "security_team") == 1


@pytest.mark.rule("IX.C.9", "V.B.8", "V.B.10", "V.C.7")
def test_a_hit_on_a_mortgaged_title_resets_it_even_with_houses() -> None:
    """Bob's mortgaged street goes back to the bank with its two houses, and may be bought again."""
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=2, mortgaged=True)
    table.give("ana", "rpg7")
    table.place("ana", 6)
    table.play("ana", "roll_dice", dice=[1, 1])
    events = table.play("ana", "fire_rpg", title=STREET, dice=[4])
    assert [kind_of(event) for event in events] == ["rpg_fired", "title_reset"]
    assert events[1].rule == "IX.C.9"
    assert table.owner(STREET) is None
    assert table.holds(attached(STREET), "house") == 0
    assert table.holds(attached(STREET), "mortgage") == 0


@pytest.mark.rule("II.B.10", "II.B.11")
def test_weapons_are_for_ones_own_turn_after_the_roll_and_must_be_held() -> None:
    """Before the roll, in Bob's turn, or without an RPG-7 the shot is refused; nothing is spent."""
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=1)
    table.give("ana", "rpg7")
    table.place("ana", 8)
    table.refused("ana", "fire_rpg", "II.B.10", title=STREET, dice=[1])
    table.place("ana", 0)
    table.turn("ana", 2, 6)
    table.refused("ana", "fire_rpg", "II.B.10", title=STREET, dice=[1])
    assert table.holds("ana", "rpg7") == 1
    table.place("bob", 6)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.refused("bob", "fire_rpg", "II.B.11", title=STREET, dice=[1])


@pytest.mark.rule("IX.B.14", "IX.B.15", "IX.C.8")
def test_a_security_team_is_asked_for_after_the_die_and_before_the_effect() -> None:
    """Ana hits; Bob, who holds a team, is asked and uses it: the house stands, team and RPG-7 are gone.

    Asked about the second shot he lets it happen.
    """
    table = beside_the_street()
    table.give("bob", "security_team", 2)
    table.play("ana", "fire_rpg", title=STREET, dice=[1])
    assert table.holds(attached(STREET), "house") == 2
    (question,) = table.state.questions
    table.play("bob", "answer", question=question.id, answer="use")
    assert table.holds(attached(STREET), "house") == 2
    assert (table.holds("bob", "security_team"), table.holds("ana", "rpg7")) == (1, 2)
    table.play("ana", "fire_rpg", title=STREET, dice=[1])
    (question,) = table.state.questions
    table.play("bob", "answer", question=question.id, answer="no")
    assert table.holds(attached(STREET), "house") == 1
    assert table.holds("bob", "security_team") == 1


@pytest.mark.rule("IX.C.8")
def test_a_shot_that_misses_asks_nobody() -> None:
    """On 5 and on 6 there is nothing to stop: Bob keeps his team unasked."""
    for die in (5, 6):
        table = beside_the_street()
        table.give("bob", "security_team")
        table.play("ana", "fire_rpg", title=STREET, dice=[die])
        assert not table.state.questions


@pytest.mark.rule("IX.B.5", "IX.C.8", "V.C.7")
def test_a_defence_stops_a_weapon_only_where_the_table_has_set_that() -> None:
    """A defence of the street is for mercenary attacks; with defence_scope at all_attacks it stops the shot."""
    for scope, standing in (("mercenary_attack", 0), ("all_attacks", 1)):
        table = Table("ana", "bob", settings={"defence_scope": scope})
        table.own("bob", STREET, houses=1)
        table.attach(STREET, "defence")
        table.give("ana", "rpg7")
        table.place("ana", 6)
        table.play("ana", "roll_dice", dice=[1, 1])
        table.play("ana", "fire_rpg", title=STREET, dice=[1])
        assert table.holds(attached(STREET), "house") == standing
        assert table.holds(attached(STREET), "defence") == 1 - standing
