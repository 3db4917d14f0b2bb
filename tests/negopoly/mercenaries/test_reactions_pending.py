"""IX.B.15. While a strike waits for an answer, the players concerned can neither escape nor be hit twice."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.table.state import houses_on
from tests.tables.negopoly import (
    EASTERN_BAR,
    HOPITAL,
    PRISON,
    STREET,
    Table,
    answer,
    asked,
    guarded,
    question_to,
    rolls,
    teams,
)


def taken_in_anas_turn(*, onto: int, bob: int, towards: str = "next") -> Table:
    """Ana has stopped there; Cleo has kidnappers after Bob, who stands on this square and may hold a team."""
    table = guarded("ana", "bob", "cleo", bob=1)
    table.give("cleo", "kidnapping")
    table.place("bob", bob)
    rolls(table, "ana", onto)
    table.play("cleo", "use_kidnapping", target="bob", towards=towards)
    assert asked(table) == ["bob"]
    return table


def mined(table: Table, title: str = STREET, charges: int = 1) -> None:
    """Ana placed charges on the title two rounds ago."""
    table.attach(title, "charge:ana:1", charges)
    with table.arranged() as state:
        state.round = 3


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
    table.refused("ana", "use_glock", "IX.B.15", target="bob", dice=[6])
    assert (table.offers("ana", "use_glock"), table.holds("ana", "glock26")) == ([], 1)
    answer(table, "bob", "use")
    table.play("ana", "use_glock", target="bob", dice=[6])
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
    rolls(table, "ana", 3)
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
    rolls(table, "ana", 16)
    table.play("ana", "use_vehicle", commodity="tank", steps=2)
    answer(table, "bob", "use")
    table.play("bob", "use_prescription")
    assert (table.state.positions["bob"], question_to(table, "cleo").by) == (HOPITAL, "ana")
    answer(table, "cleo", "use")
    assert (table.state.positions["cleo"], teams(table, "bob", "cleo")) == (18, [0, 0])


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
    rolls(table, "ana", 3)
    table.play("ana", "detonate_c4", title=STREET)
    for one in said:
        answer(table, "bob", one)
    if asked(table) == ["cleo"]:
        answer(table, "cleo", "no")  # she might have an alibi too
    kept = [table.holds("bob", commodity) for commodity in ("security_team", "card:kamtar_02", "hack")]
    assert tuple(kept) == left
    assert (table.state.positions["bob"], table.state.positions["cleo"]) == squares
    assert (asked(table), houses_on(table.state, STREET)) == ([], 0)
