"""IX.B.5, IX.B.14 and IX.B.15 against the arsenal: several victims, several titles, several strikes in a row."""

from __future__ import annotations

import pytest

from ledger.kernel.events import kind_of
from ledger.rulebooks.negopoly.mercenaries.strikes import TeamUsed
from ledger.rulebooks.negopoly.table.state import houses_on, is_mortgaged
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import HOPITAL, PRISON, ROUGE, Table, answer, asked, at_the_bar, guarded

STREET = "17_rue_des_patates"
"""On square 6; beside it the western bar (5) and Chance (7)."""


def armed(*seats: str, weapon: str, **teams: int) -> Table:
    """Ana, whose turn it is, has rolled to the western bar with a weapon; the others hold so many teams."""
    table = guarded(*seats, **teams)
    table.give("ana", weapon)
    at_the_bar(table, "ana")
    return table


def used_by(table: Table) -> list[str]:
    """Who has used a team in the last action."""
    assert table.last is not None
    return [event.seat for event in table.last.events if isinstance(event, TeamUsed)]


@pytest.mark.rule("IX.B.14", "IX.B.15", "IX.C.18")
def test_a_team_answers_a_glock_after_its_die() -> None:
    """Ana draws a Glock at Bob, who has one too, and throws a 1: his team steps in, and no duel is fought."""
    table = armed("ana", "bob", weapon="glock26", bob=1)
    table.give("bob", "glock26")
    table.place("bob", 6)
    table.play("ana", "use_glock", target="bob", die=1)
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
    table.play("ana", "use_glock", target="bob", die=5)
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
    for said, houses, teams in (("use", 2, 1), ("no", 1, 1), ("use", 1, 0)):
        table.play("ana", "fire_mortar", title=STREET)
        table.refused("ana", "fire_mortar", "IX.B.15", title=STREET)
        answer(table, "bob", said)
        assert (houses_on(table.state, STREET), table.holds("bob", "security_team")) == (houses, teams)


@pytest.mark.rule("IX.B.14", "IX.B.15", "IX.C.29")
def test_the_rods_wait_for_every_owner_and_then_fall_once() -> None:
    """Bob has two titles of Rouge and a team, Zoe one and a team: both are asked at once, in the order of play.

    Zoe answers first and lets it happen; nothing falls before Bob's team has saved both of his.
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
    """Bob and Zoe are asked; Zoe answers, Bob goes home: his titles are the bank's anyway, hers fall."""
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
    for seat, teams in (("bob", 2), ("zoe", 1)):
        table.serve(seat, "security_team", teams)
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
    """Of an explosion's four consequences Bob is asked about the first, and goes home: only Zoe is still hit."""
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
