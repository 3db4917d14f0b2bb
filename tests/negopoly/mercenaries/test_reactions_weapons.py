"""IX.B.5, IX.B.14 and IX.B.15 with weapons: several victims, several titles, several strikes in a row."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from ledger.rulebooks.negopoly.mercenaries.strikes import TeamUsed
from ledger.rulebooks.negopoly.table.state import houses_on, is_mortgaged
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import (
    HOPITAL,
    NEXT_STREET,
    PRISON,
    ROUGE,
    STREET,
    Table,
    answer,
    asked,
    at_the_bar,
    guarded,
    kinds,
    rolls,
    teams,
)


def armed(*seats: str, weapon: str, **teams: int) -> Table:
    """Ana, whose turn it is, has rolled to the western bar with a weapon; the others hold so many teams."""
    table = guarded(*seats, **teams)
    table.give("ana", weapon)
    at_the_bar(table, "ana")
    return table


def used_by(table: Table) -> list[str]:
    """The players who have used a team in the last action."""
    assert table.last is not None
    return [event.seat for event in table.last.events if isinstance(event, TeamUsed)]


@pytest.mark.rule("IX.B.14", "IX.B.15", "IX.C.18")
def test_a_team_answers_a_glock_after_its_die() -> None:
    """Ana draws a Glock at Bob, who has one too, and throws a 1: his team steps in, and no duel is fought."""
    table = armed("ana", "bob", weapon="glock26", bob=1)
    table.give("bob", "glock26")
    table.place("bob", 6)
    table.play("ana", "use_glock", target="bob", dice=[1])
    assert (table.holds("ana"), table.holds("ana", "glock26")) == (1650, 0)
    assert [move["answer"] for move in table.offers("bob", "answer")] == ["no", "use"]
    answer(table, "bob", "use")
    assert (table.holds("ana"), table.holds("bob"), table.holds("bob", "glock26")) == (1650, 1650, 1)
    assert table.state.positions == {"ana": 5, "bob": 6}
    table.play("ana", "end_turn")


@pytest.mark.rule("IX.B.15", "IX.C.18")
def test_a_victim_who_flees_while_asked_is_struck_all_the_same() -> None:
    """Bob has a prescription: he teleports to Hôpital only once he has answered the Glock, 300 ₦ poorer."""
    table = armed("ana", "bob", weapon="glock26", bob=1)
    table.give("bob", "ordonnance")
    table.place("bob", 6)
    table.play("ana", "use_glock", target="bob", dice=[5])
    table.refused("bob", "use_prescription", "IX.B.15")
    answer(table, "bob", "no")
    assert (table.holds("ana"), table.holds("bob")) == (1950, 1350)
    table.play("bob", "use_prescription")
    assert table.state.positions["bob"] == HOPITAL


@pytest.mark.rule("IX.B.14", "IX.C.22")
def test_a_team_stops_one_shot_of_a_mortar_and_the_next_one_is_asked_about_again() -> None:
    """Three shots at Bob's street: his first team stops the first, the second hits, his other team the third."""
    table = armed("ana", "bob", weapon="mortier", bob=2)
    table.own("bob", STREET, houses=2)
    for said, houses, left in (("use", 2, 1), ("no", 1, 1), ("use", 1, 0)):
        table.play("ana", "fire_mortar", title=STREET)
        table.refused("ana", "fire_mortar", "IX.B.15", title=STREET)
        answer(table, "bob", said)
        assert (houses_on(table.state, STREET), table.holds("bob", "security_team")) == (houses, left)


@pytest.mark.rule("IX.B.14", "IX.B.15", "IX.C.29")
def test_the_rods_wait_for_every_owner_and_then_fall_once() -> None:
    """Bob has two titles of Rouge and a team, Zoe one and a team: both are asked at once, in the order of play.

    Zoe answers first and lets it happen; nothing is reset before Bob's team has saved both of his.
    """
    table = armed("ana", "bob", "zoe", weapon="rods_from_gods", bob=1, zoe=1)
    table.own("bob", ROUGE[0], ROUGE[1], houses=1)
    table.own("zoe", ROUGE[2], houses=3)
    table.play("ana", "fire_rods", quarter="rouge")
    assert asked(table) == ["bob", "zoe"]
    answer(table, "zoe", "no")
    assert table.owner(ROUGE[2]) == "zoe"
    events = answer(table, "bob", "use")
    assert [kind_of(event) for event in events] == [
        "question_answered",
        "team_used",
        "strike_closed",
        "title_reset",
    ]
    assert [table.owner(title) for title in ROUGE] == ["bob", "bob", None]
    assert (table.holds("bob", "security_team"), table.holds("zoe", "security_team")) == (0, 1)


@pytest.mark.rule("IX.C.29", "I.B.5")
def test_the_rods_fall_on_those_left_when_one_of_the_asked_leaves_the_game() -> None:
    """Bob and Zoe are asked; Zoe answers, Bob leaves the game: all their titles are reset."""
    table = armed("ana", "bob", "zoe", weapon="rods_from_gods", bob=1, zoe=1)
    table.own("bob", ROUGE[0])
    table.own("zoe", ROUGE[1], ROUGE[2])
    table.play("ana", "fire_rods", quarter="rouge")
    answer(table, "zoe", "no")
    out = {"op": "eliminate", "seat": "bob", "reason": "he has gone home"}
    events = table.banker("rule", finding="He has gone home.", remedies=[out])
    resets = [getattr(event, "title", "") for event in events if kind_of(event) == "title_reset"]
    assert resets == list(ROUGE)
    assert (table.state.strikes, table.state.questions) == ([], [])
    table.play("ana", "end_turn")


@pytest.mark.rule("IX.B.14", "IX.C.15", "IX.C.16", "IX.C.17")
def test_the_consequences_of_an_explosion_are_asked_about_one_after_the_other() -> None:
    """Ana blows up two charges on Bob's street while he stands there with two teams, and Zoe beside it with one.

    In this order: the first house, the second house, the square, its sides. Bob gives up one house, saves the
    other and himself; Zoe, a terrorist to the police, is saved by her team.
    """
    table = Table("ana", "bob", "zoe")
    table.own("bob", STREET, houses=2)
    for seat, bought in (("bob", 2), ("zoe", 1)):
        table.serve(seat, "security_team", bought)
    table.attach(STREET, "charge:ana:1", 2)
    with table.arranged() as state:
        state.round = 3
    table.place("bob", 6)
    table.place("zoe", 7)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    assert len(table.state.strikes) == 4
    assert asked(table) == ["bob"]
    answer(table, "bob", "no")
    assert houses_on(table.state, STREET) == 1
    answer(table, "bob", "use")
    assert houses_on(table.state, STREET) == 1
    answer(table, "bob", "use")
    assert table.state.positions["bob"] == 6
    assert asked(table) == ["zoe"]
    answer(table, "zoe", "use")
    assert used_by(table) == ["zoe"]
    assert table.state.positions["zoe"] == 7
    assert (table.holds("bob", "security_team"), table.holds("zoe", "security_team")) == (0, 0)
    assert table.state.strikes == []


@pytest.mark.rule("IX.B.15", "IX.C.16")
def test_strikes_that_wait_go_on_when_the_asked_player_leaves_the_game() -> None:
    """Of an explosion's four effects Bob is asked about the first, and leaves the game: only Zoe is still hit."""
    table = Table("ana", "bob", "zoe")
    table.own("bob", STREET, houses=2)
    table.serve("bob", "security_team")
    table.attach(STREET, "charge:ana:1", 2)
    with table.arranged() as state:
        state.round = 3
    table.place("bob", 6)
    table.place("zoe", 7)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    out = {"op": "eliminate", "seat": "bob", "reason": "he has gone home"}
    table.banker("rule", finding="He has gone home.", remedies=[out])
    assert (table.state.strikes, table.state.questions) == ([], [])
    assert table.state.positions["zoe"] == PRISON
    assert table.owner(STREET) is None


@pytest.mark.rule("IX.B.15", "II.B.13")
def test_silence_lets_all_that_waits_happen_in_its_order() -> None:
    """Nobody answers about the explosion until the turn is over: houses, Bob and Zoe are hit, one by one."""
    table = Table("ana", "bob", "zoe")
    table.own("bob", STREET, houses=2)
    for seat in ("bob", "zoe"):
        table.serve(seat, "security_team", 3)
    table.attach(STREET, "charge:ana:1", 2)
    with table.arranged() as state:
        state.round = 3
    table.place("bob", 6)
    table.place("zoe", 7)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    table.wait(301)
    events = [kind_of(event) for event in table.banker("expire_turn")]
    hits = [kind for kind in events if kind in {"house_destroyed", "token_sent", "arrested"}]
    assert hits == ["house_destroyed", "house_destroyed", "token_sent", "arrested", "token_sent"]
    assert events.count("question_lapsed") == 4
    assert (table.holds("bob", "security_team"), table.holds("zoe", "security_team")) == (3, 3)


@pytest.mark.rule("IX.B.5", "IX.C.22")
@pytest.mark.parametrize(("scope", "houses", "defences"), [("mercenary_attack", 0, 1), ("all_attacks", 1, 0)])
def test_a_table_may_let_defences_stop_weapons_too(scope: str, houses: int, defences: int) -> None:
    """By default a mortar passes Bob's defence by; where the table has set it, the defence stops the shot."""
    table = Table("ana", "bob", settings={"defence_scope": scope})
    table.give("ana", "mortier")
    table.own("bob", STREET, houses=1)
    table.own("bob", "nuketown")
    table.attach(STREET, "defence")
    table.attach("nuketown", "defence")
    at_the_bar(table, "ana")
    table.play("ana", "fire_mortar", title=STREET)
    assert houses_on(table.state, STREET) == houses
    assert table.holds(attached(STREET), "defence") == defences
    table.play("ana", "attack_property", title="nuketown")
    assert not is_mortgaged(table.state, "nuketown")


@pytest.mark.rule("IX.B.5", "IX.C.29")
def test_where_defences_stop_everything_the_rods_spare_the_titles_that_have_one() -> None:
    """With the setting, one of Bob's two titles of Rouge has a defence: it stands, the other one is razed."""
    table = Table("ana", "bob", settings={"defence_scope": "all_attacks"})
    table.give("ana", "rods_from_gods")
    table.own("bob", ROUGE[0], ROUGE[1])
    table.attach(ROUGE[1], "defence")
    at_the_bar(table, "ana")
    table.play("ana", "fire_rods", quarter="rouge")
    assert [table.owner(title) for title in ROUGE] == [None, "bob", None]
    assert table.holds(attached(ROUGE[1]), "defence") == 0


# Several titles, several owners -------------------------------------------------------------------------


@pytest.mark.rule("IX.C.29", "IX.B.14", "IX.B.15", "II.B.13", "V.B.10")
def test_the_rods_over_four_owners_of_whom_one_answers_one_says_no_and_one_says_nothing() -> None:
    """Orange is Bob's, Cleo's and Dan's, a title each, and Ana resets it; Bob and Cleo and Dan have a team each.

    Bob uses his, Cleo lets it happen, Dan is silent until the five minutes are over: nothing is reset before that.
    Bob keeps title, houses and squatters; the two others lose theirs and keep their teams.
    """
    table = guarded("ana", "bob", "cleo", "dan", bob=1, cleo=1, dan=1)
    orange = QUARTERS["orange"]
    for seat, title in zip(("bob", "cleo", "dan"), orange, strict=True):
        table.own(seat, title, houses=2)
    table.attach(orange[0], "squat")
    table.give("ana", "rods_from_gods")
    rolls(table, "ana", 5)
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
    rolls(table, "ana", 5)
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
    rolls(table, "ana", 7)
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


# Strikes without a question -----------------------------------------------------------------------------


@pytest.mark.rule("IX.C.8", "IX.C.9", "IX.B.15", "IX.C.7")
def test_a_shot_that_misses_or_explodes_asks_nobody_and_one_that_hits_waits() -> None:
    """Bob's mortgaged street under Ana's RPG-7: a 5 asks nobody, a 1 does, and his team keeps the title.

    Neither of her two shots comes back; a 6 sends herself to the Hôpital, and Bob's second team is not touched.
    """
    table = guarded("ana", "bob", bob=2)
    table.own("bob", STREET, mortgaged=True)
    table.give("ana", "rpg7", 3)
    rolls(table, "ana", 5)
    assert kinds(table.play("ana", "fire_rpg", title=STREET, dice=[5])) == ["rpg_fired"]
    table.play("ana", "fire_rpg", title=STREET, dice=[1])
    answer(table, "bob", "use")
    assert (table.owner(STREET), teams(table, "bob"), table.holds("ana", "rpg7")) == ("bob", [1], 1)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    rolls(table, "ana", 5)
    table.play("ana", "fire_rpg", title=STREET, dice=[6])
    assert (table.state.positions["ana"], table.owner(STREET), teams(table, "bob")) == (HOPITAL, "bob", [1])


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
    rolls(table, "ana", 7)
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
    rolls(table, "ana", 4)
    table.play("ana", "resolve_square")
    assert (asked(table), table.state.positions["bob"], teams(table, "bob")) == ([], PRISON, [1])
