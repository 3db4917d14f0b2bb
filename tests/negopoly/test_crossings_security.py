"""Security teams (IX.B.14, IX.B.15) against weapons, over several titles and owners, beside duels and alibis."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.table.state import houses_on, is_mortgaged
from tests.tables.negopoly import (
    EASTERN_BAR,
    HOPITAL,
    PRISON,
    Table,
    answer,
    asked,
    at_the_bar,
    guarded,
    kinds,
    question_to,
)

STREET, NEXT_STREET = "17_rue_des_patates", "69_rue_des_patates"
"""On squares 6 and 8; between them Chance (7), before them the western bar (5)."""


def stands_on(table: Table, square: int) -> None:
    """Ana, whose turn it is, rolls two ones onto the square."""
    table.place("ana", (square - 2) % 40)
    table.play("ana", "roll_dice", dice=[1, 1])


def mined(table: Table, title: str = STREET, charges: int = 1) -> None:
    """Ana placed charges on the title two rounds ago."""
    table.attach(title, "charge:ana:1", charges)
    with table.arranged() as state:
        state.round = 3


def teams(table: Table, *seats: str) -> list[int]:
    """How many teams each of them has left."""
    return [table.holds(seat, "security_team") for seat in seats]


# Several titles, several owners ---------------------------------------------------------------------------


@pytest.mark.rule("IX.C.29", "IX.B.14", "IX.B.15", "II.B.13", "V.B.10")
def test_the_rods_over_four_owners_of_whom_one_answers_one_says_no_and_one_says_nothing() -> None:
    """Orange is Bob's, Cleo's and Dan's, a title each, and Ana razes it; Bob and Cleo and Dan have a team each.

    Bob uses his, Cleo lets it happen, Dan is silent until the five minutes are over: nothing falls before that.
    Bob keeps title, houses and squatters; the two others lose theirs and keep their teams.
    """
    table = guarded("ana", "bob", "cleo", "dan", bob=1, cleo=1, dan=1)
    orange = QUARTERS["orange"]
    for seat, title in zip(("bob", "cleo", "dan"), orange, strict=True):
        table.own(seat, title, houses=2)
    table.attach(orange[0], "squat")
    table.give("ana", "rods_from_gods")
    stands_on(table, 5)
    table.play("ana", "fire_rods", quarter="orange")
    answer(table, "cleo", "no")
    answer(table, "bob", "use")
    assert [table.owner(title) for title in orange] == ["bob", "cleo", "dan"]
    table.wait(301)
    events = kinds(table.banker("expire_turn"))
    assert events[:4] == ["question_lapsed", "strike_closed", "title_reset", "title_reset"]
    assert [table.owner(title) for title in orange] == ["bob", None, None]
    assert [houses_on(table.state, title) for title in orange] == [2, 0, 0]
    assert table.holds(f"property:{orange[0]}", "squat") == 1
    assert teams(table, "bob", "cleo", "dan") == [0, 1, 1]


@pytest.mark.rule("IX.C.29", "IX.B.14")
def test_one_of_two_teams_saves_all_titles_and_the_attackers_own_are_razed() -> None:
    """Bob, with two teams, owns two titles of Jaune, Ana the third and a team: he spends one, she is not asked."""
    table = guarded("ana", "bob", ana=1, bob=2)
    jaune = QUARTERS["jaune"]
    table.own("bob", jaune[0], jaune[2], houses=1)
    table.own("ana", jaune[1], houses=3)
    table.give("ana", "rods_from_gods")
    stands_on(table, 5)
    table.play("ana", "fire_rods", quarter="jaune")
    assert asked(table) == ["bob"]
    answer(table, "bob", "use")
    assert [table.owner(title) for title in jaune] == ["bob", None, "bob"]
    assert (teams(table, "ana", "bob"), asked(table)) == ([1, 1], [])


@pytest.mark.rule("IX.C.22", "IX.C.23", "IX.B.14", "V.B.8")
def test_the_three_shots_of_a_mortar_at_two_owners_are_three_strikes() -> None:
    """From Chance Ana shells Bob's mortgaged street, Cleo's house, and Bob's street again.

    Bob's team saves his title from the first shot, Cleo lets her house go, and the third shot resets Bob's title:
    each shot asks its own victim, and nobody else.
    """
    table = guarded("ana", "bob", "cleo", bob=1, cleo=1)
    table.own("bob", STREET, houses=2, mortgaged=True)
    table.own("cleo", NEXT_STREET, houses=1)
    table.give("ana", "mortier")
    stands_on(table, 7)
    table.play("ana", "fire_mortar", title=STREET)
    assert asked(table) == ["bob"]
    answer(table, "bob", "use")
    table.play("ana", "fire_mortar", title=NEXT_STREET)
    assert asked(table) == ["cleo"]
    answer(table, "cleo", "no")
    table.play("ana", "fire_mortar", title=STREET)
    assert (asked(table), table.owner(STREET), table.owner(NEXT_STREET)) == ([], None, "cleo")
    assert (houses_on(table.state, NEXT_STREET), is_mortgaged(table.state, NEXT_STREET)) == (0, False)
    assert teams(table, "bob", "cleo") == [0, 1]


# The die comes first --------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.8", "IX.C.9", "IX.B.15", "IX.C.7")
def test_a_shot_that_misses_or_explodes_asks_nobody_and_one_that_hits_waits() -> None:
    """Bob's mortgaged street under Ana's RPG-7: a 5 asks nobody, a 1 does, and his team keeps the title.

    Neither of her two shots comes back; a 6 sends herself to the Hôpital, and Bob's second team is not touched.
    """
    table = guarded("ana", "bob", bob=2)
    table.own("bob", STREET, mortgaged=True)
    table.give("ana", "rpg7", 3)
    stands_on(table, 5)
    assert kinds(table.play("ana", "fire_rpg", title=STREET, die=5)) == ["rpg_fired"]
    table.play("ana", "fire_rpg", title=STREET, die=1)
    answer(table, "bob", "use")
    assert (table.owner(STREET), teams(table, "bob"), table.holds("ana", "rpg7")) == ("bob", [1], 1)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    stands_on(table, 5)
    table.play("ana", "fire_rpg", title=STREET, die=6)
    assert (table.state.positions["ana"], table.owner(STREET), teams(table, "bob")) == (HOPITAL, "bob", [1])


# Duels ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.18", "IX.C.19", "VIII.D.3")
def test_a_glock_on_the_road_defends_nobody() -> None:
    """Bob has sent his only Glock to Cleo: at Ana's 1 there is no duel to win, and he pays her 300 ₦.

    Cleo, whom it has reached by then, would have fought; in the next round she does, and wins.
    """
    table = Table("bob", "ana", "cleo")
    table.give("bob", "glock26")
    table.give("ana", "glock26", 2)
    table.play("bob", "send_delivery", to="cleo", commodity="glock26")
    table.place("bob", 3)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "end_turn")
    table.place("cleo", 8)
    stands_on(table, 7)
    table.play("ana", "use_glock", target="bob", die=1)
    assert (table.holds("ana"), table.holds("bob"), table.state.positions["bob"]) == (1950, 1350, 6)
    table.play("ana", "end_turn")
    table.turn("cleo", 1, 2)
    table.turn("bob", 1, 1)
    table.place("cleo", 8)
    stands_on(table, 7)
    table.play("ana", "use_glock", target="cleo", die=1)
    assert (table.holds("ana"), table.holds("cleo"), table.state.positions["ana"]) == (1650, 1950, HOPITAL)


@pytest.mark.rule("IX.C.18", "IX.B.15", "I.B.5")
def test_a_racket_finds_nobody_when_the_asked_player_is_out() -> None:
    """Bob is asked about Ana's Glock and leaves the game: no 300 ₦, her Glock is spent, and her turn goes on."""
    table = guarded("ana", "bob", "cleo", bob=1)
    table.give("ana", "glock26")
    table.place("bob", 5)
    stands_on(table, 5)
    table.play("ana", "use_glock", target="bob", die=6)
    table.refused("ana", "buy_weapon", "IX.B.15", weapon="glock26")
    table.banker("rule", finding="He has gone home.", remedies=[{"op": "eliminate", "seat": "bob"}])
    assert (asked(table), table.state.strikes, table.holds("ana")) == ([], [], 1650)
    table.play("ana", "buy_weapon", weapon="glock26")
    assert (table.holds("ana"), table.holds("ana", "glock26")) == (1450, 1)


# Teams, alibis and hacks ----------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.17", "IX.B.14", "II.D.2")
@pytest.mark.parametrize(
    ("said", "left", "squares"),
    [
        (("use",), (0, 1, 1), (7, 0)),
        (("no", "kamtar_02"), (1, 0, 1), (7, 0)),
        (("no", "no"), (1, 1, 0), (7, PRISON)),
    ],
)
def test_a_terrorist_has_a_team_then_an_alibi_then_a_hack(
    said: tuple[str, ...], left: tuple[int, int, int], squares: tuple[int, int]
) -> None:
    """Bob, beside Ana's explosion, has all three: they come in this order, and each spares the ones behind it.

    The team stops the explosion from reaching him, the card the arrest, and the hack sends Cleo in his place.
    """
    table = guarded("ana", "bob", "cleo", bob=1)
    table.own("cleo", STREET, houses=1)
    table.hand("bob", "kamtar_02")
    table.give("bob", "hack")
    with table.arranged() as state:
        state.hacks = [("bob", "cleo")]
    mined(table)
    table.place("bob", 7)
    stands_on(table, 3)
    table.play("ana", "detonate_c4", title=STREET)
    for one in said:
        answer(table, "bob", one)
    if asked(table) == ["cleo"]:
        answer(table, "cleo", "no")  # she might have an alibi too
    kept = [table.holds("bob", commodity) for commodity in ("security_team", "card:kamtar_02", "hack")]
    assert tuple(kept) == left
    assert (table.state.positions["bob"], table.state.positions["cleo"]) == squares
    assert (asked(table), houses_on(table.state, STREET)) == ([], 0)


@pytest.mark.rule("IX.B.14", "IX.B.7", "IX.B.10", "IX.C.24", "V.C.5")
def test_no_team_is_asked_for_against_squatters_a_hack_a_fire_or_a_bomb() -> None:
    """Bob holds a team, and it does not move: squatters, a hack, a card and a bomb are no attack on him.

    The squat costs him his rent, the fire of "Incendie opportun" his house, the hack his freedom, the bomb a turn.
    """
    table = guarded("ana", "bob", bob=1, decks=True)
    table.own("bob", STREET, "villa_du_rj", houses=1)
    at_the_bar(table, "ana")
    table.play("ana", "squat_property", title="villa_du_rj")
    assert table.holds("property:villa_du_rj", "squat") == 1
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    at_the_bar(table, "ana")
    table.play("ana", "take_service", service="hack", target="bob")
    table.play("ana", "end_turn")
    table.turn("bob", 5, 6)
    stands_on(table, 7)
    table.play("ana", "resolve_square", draws=["chance_14"])
    answer(table, "ana", STREET)
    assert houses_on(table.state, STREET) == 0
    table.give("ana", "bombe_iem")
    table.play("ana", "use_emp")
    assert asked(table) == []
    table.play("ana", "end_turn")
    table.place("bob", 0)
    table.turn("bob", 1, 2)
    table.give("ana", "dose")
    stands_on(table, 4)
    table.play("ana", "resolve_square")
    assert (asked(table), table.state.positions["bob"], teams(table, "bob")) == ([], PRISON, [1])


# A strike while another one waits -------------------------------------------------------------------------


def taken_in_anas_turn(*, onto: int, bob: int, towards: str = "next") -> Table:
    """Ana has stopped there; Cleo has kidnappers after Bob, who stands on this square and may hold a team."""
    table = guarded("ana", "bob", "cleo", bob=1)
    table.give("cleo", "kidnapping")
    table.place("bob", bob)
    stands_on(table, onto)
    table.play("cleo", "use_kidnapping", target="bob", towards=towards)
    assert asked(table) == ["bob"]
    return table


@pytest.mark.rule("IX.B.12", "IX.B.15", "IX.C.16", "IX.C.17", "IX.C.15")
@pytest.mark.parametrize(
    ("bob", "towards", "said", "end"),
    [
        (6, "next", "no", EASTERN_BAR),  # out of the explosion
        (6, "next", "use", HOPITAL),  # kept in it
        (7, "next", "no", EASTERN_BAR),  # away from its side
        (7, "next", "use", PRISON),  # kept beside it
        (13, "last", "no", PRISON),  # brought beside it, to the western bar
        (13, "last", "use", 13),  # kept away from it
    ],
)
def test_an_explosion_waits_for_who_may_be_kidnapped_out_of_it_or_into_it(
    bob: int, towards: str, said: str, end: int
) -> None:
    """Cleo kidnaps Bob, who has one team; until he has answered Ana cannot fire her charge, which is not lost.

    Then it hits whoever is where he is then: on the street Hôpital, beside it Prison, elsewhere nothing.
    """
    table = taken_in_anas_turn(onto=3, bob=bob, towards=towards)
    table.own("cleo", STREET, houses=1)
    mined(table)
    table.refused("ana", "detonate_c4", "IX.B.15", title=STREET)
    assert table.offers("ana", "detonate_c4") == []
    answer(table, "bob", said)
    table.play("ana", "detonate_c4", title=STREET)
    if asked(table):
        answer(table, "bob", "no")  # to a team against the explosion
    assert (table.state.positions["bob"], houses_on(table.state, STREET)) == (end, 0)


@pytest.mark.rule("IX.B.12", "IX.B.15", "IX.C.18")
def test_a_glock_is_not_drawn_at_somebody_who_may_be_gone_in_a_moment() -> None:
    """Cleo kidnaps Bob from Ana's side. Until he has answered Ana cannot racket him, nor does her Glock get lost.

    Once his team has kept him there she does; he has no team left for it.
    """
    table = taken_in_anas_turn(onto=5, bob=6)
    table.give("ana", "glock26")
    table.refused("ana", "use_glock", "IX.B.15", target="bob", die=6)
    assert (table.offers("ana", "use_glock"), table.holds("ana", "glock26")) == ([], 1)
    answer(table, "bob", "use")
    table.play("ana", "use_glock", target="bob", die=6)
    assert (table.holds("ana"), table.holds("bob"), asked(table)) == (1950, 1350, [])


@pytest.mark.rule("IX.B.15", "IX.C.17", "IX.C.16")
def test_nobody_flees_an_explosion_while_another_one_answers() -> None:
    """Bob, on his street, may hold a team; Cleo, beside it, has a prescription and is asked nothing.

    She is a terrorist from the moment of the explosion: not until Bob has answered can she leave, from Prison.
    """
    table = guarded("ana", "bob", "cleo", bob=1)
    table.own("bob", STREET, houses=1)
    table.give("cleo", "ordonnance")
    mined(table)
    table.place("bob", 6)
    table.place("cleo", 7)
    stands_on(table, 3)
    table.play("ana", "detonate_c4", title=STREET)
    table.refused("cleo", "use_prescription", "IX.B.15")
    answer(table, "bob", "no")
    answer(table, "bob", "use")
    assert (table.state.positions["bob"], table.state.positions["cleo"]) == (6, PRISON)
    table.play("cleo", "use_prescription")
    assert (table.state.positions["cleo"], houses_on(table.state, STREET)) == (HOPITAL, 0)


@pytest.mark.rule("IX.B.15", "IX.B.14", "II.D.2")
def test_whom_a_team_has_saved_is_free_to_go_while_others_still_answer() -> None:
    """Bob and Cleo stand where Ana's tank ends, with a team each: Bob uses his, and teleports to the Hôpital."""
    table = guarded("ana", "bob", "cleo", bob=1, cleo=1)
    table.give("ana", "tank")
    table.give("bob", "ordonnance")
    for seat in ("bob", "cleo"):
        table.place(seat, 18)
    stands_on(table, 16)
    table.play("ana", "use_vehicle", vehicle="tank", steps=2)
    answer(table, "bob", "use")
    table.play("bob", "use_prescription")
    assert (table.state.positions["bob"], question_to(table, "cleo").by) == (HOPITAL, "ana")
    answer(table, "cleo", "use")
    assert (table.state.positions["cleo"], teams(table, "bob", "cleo")) == (18, [0, 0])
