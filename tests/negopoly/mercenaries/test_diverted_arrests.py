"""IX.B.10. Arrests that a hack diverts, together with immunity, instructions, warrants, rackets and alibis."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from tests.tables.negopoly import (
    CHECKPOINT,
    PRISON,
    SECOND_CHECKPOINT,
    STREET,
    Table,
    answer,
    asked,
    kinds,
    stop_on,
    turn,
)


@pytest.mark.rule("IX.C.17", "IX.B.10", "IX.B.15", "V.E.13", "VI.D.4")
def test_a_terrorist_with_two_hacks_an_immune_target_and_a_racket_waiting() -> None:
    """Cleo, beside two explosions, has hacked Bob, who holds Orange, then Ana, who has paid a prisoner twice.

    Both times she is asked whether a security team helps, and has none. The first arrest hits nobody and spends
    the first hack; the second sends Ana to Prison, where her own rackets are lost and Dan's takes 150 ₦ of her.
    """
    table = Table("ana", "bob", "cleo", "dan")
    table.own("bob", *QUARTERS["orange"])
    table.own("dan", STREET, "69_rue_des_patates", houses=1)
    table.hack("cleo", "bob")
    table.hack("cleo", "ana")
    with table.arranged() as state:
        state.rackets = ["ana", "dan", "ana"]
        state.round = 5
    for title in (STREET, "69_rue_des_patates"):
        table.attach(title, "charge:ana:1")
    table.place("cleo", 7)
    stop_on(table, "ana", 3)
    table.play("ana", "detonate_c4", title=STREET)
    events = answer(table, "cleo", "no")
    assert kinds(events)[-2:] == ["hack_fired", "arrest_withheld"]
    assert (table.state.positions["cleo"], table.state.positions["bob"], table.state.hacks) == (
        7,
        0,
        [("cleo", "ana")],
    )
    assert table.state.rackets == ["ana", "dan", "ana"]
    table.play("ana", "end_turn")
    for seat in ("bob", "cleo", "dan"):
        table.place(seat, 0)
        table.turn(seat, 1, 2)
    table.place("cleo", 7)
    stop_on(table, "ana", 3)
    table.play("ana", "detonate_c4", title="69_rue_des_patates")
    events = answer(table, "cleo", "no")
    assert kinds(events)[-6:] == [
        "hack_fired",
        "arrested",
        "token_sent",
        "racket_lost",
        "racket_collected",
        "racket_lost",
    ]
    assert (table.state.positions["ana"], table.state.positions["cleo"]) == (PRISON, 7)
    assert (table.holds("ana"), table.holds("dan")) == (1650 - 150, 1650 + 150)
    assert (table.state.hacks, table.state.rackets) == ([], [])
    assert table.state.turn is not None
    assert table.state.turn.seat == "ana"


@pytest.mark.rule("VI.F.3", "IX.B.10", "V.E.17", "II.D.2", "VI.F.7")
def test_a_raid_on_everybody_meets_an_instruction_a_pass_and_a_hack_each_for_its_own() -> None:
    """Ana draws "Rafle générale"; Dan, who holds Orange, has had Bob exempted from checks.

    Cleo answers with a special pass; Ana, wanted, is arrested in name only: her hack sends Eve to Prison.
    """
    table = Table("ana", "bob", "cleo", "dan", "eve", decks=True)
    table.own("dan", *QUARTERS["orange"])
    for seat in ("bob", "cleo", "dan"):
        table.give(seat, "dose")
    table.hack("ana", "eve")
    table.hand("cleo", "kamtar_09")
    with table.arranged() as state:
        state.wanted.add("ana")
    table.play("dan", "waive_police", target="bob", measure="check")
    stop_on(table, "ana", 7)
    table.play("ana", "resolve_square", draws=["chance_07"])
    assert asked(table) == ["ana", "cleo", "eve"]
    answer(table, "cleo", "kamtar_09")
    assert asked(table) == ["ana", "eve"]
    events = answer(table, "ana", "no")
    assert kinds(events) == ["question_answered", "police_checked", "hack_fired", "arrested", "token_sent"]
    answer(table, "eve", "no")
    assert [table.holds(seat, "dose") for seat in ("bob", "cleo", "dan")] == [1, 1, 1]
    assert (table.state.positions["eve"], table.state.positions["ana"]) == (PRISON, 7)
    assert table.state.wanted == {"ana"}
    table.play("ana", "end_turn")


@pytest.mark.rule("IX.B.10", "VI.F.2", "II.D.2")
@pytest.mark.parametrize(("said", "where", "paid"), [("no", PRISON, 150), ("kamtar_02", 33, 0)])
def test_under_k9_the_hacker_waits_on_the_checkpoint_for_what_the_target_says(
    said: str, where: int, paid: int
) -> None:
    """Ana crosses checkpoint 12 with a dose; her hack sends Bob, who has an Alibi. She waits, then walks to 14.

    Whether Bob is arrested, and Dan's racket paid, or not: her dose is gone, and so is her hack.
    """
    table = Table("ana", "bob", "dan")
    table.give("ana", "dose")
    table.hack("ana", "bob")
    table.hand("bob", "kamtar_02")
    table.place("bob", 33)
    with table.arranged() as state:
        state.k9_rounds, state.rackets = {1}, ["dan"]
    table.place("ana", 11)
    table.play("ana", "roll_dice", dice=[1, 2])
    answer(table, "ana", "no")  # an Alibi of her own, for all anybody knows
    assert (asked(table), table.state.positions["ana"]) == (["bob"], SECOND_CHECKPOINT)
    table.refused("ana", "end_turn", "II.D.2")
    answer(table, "bob", said)
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (14, where)
    assert (table.holds("dan"), table.holds("ana", "dose"), table.holds("ana", "hack")) == (1650 + paid, 0, 0)


@pytest.mark.rule("IX.B.10", "V.E.17", "VI.F.7")
def test_an_exemption_from_checks_is_none_from_an_arrest() -> None:
    """Dan, who holds Orange, has Bob exempted from checks. Wanted Ana's hack is no check of him: he is arrested.

    Exempted from arrest too, he is left alone the next time, and her second hack is spent on nobody.
    """
    table = Table("ana", "bob", "dan")
    table.own("dan", *QUARTERS["orange"])
    for _ in range(2):
        table.hack("ana", "bob")
    with table.arranged() as state:
        state.wanted.add("ana")
    table.play("dan", "waive_police", target="bob", measure="check")
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "resolve_square")
    assert (table.state.positions["bob"], table.holds("ana", "hack")) == (PRISON, 1)
    table.play("dan", "waive_police", target="bob", measure="arrest")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.turn("dan", 1, 2)
    stop_on(table, "ana", SECOND_CHECKPOINT)
    assert kinds(table.play("ana", "resolve_square"))[-3:] == ["hack_fired", "arrest_withheld", "square_resolved"]
    assert (table.state.positions["bob"], table.holds("ana", "hack")) == (13, 0)


@pytest.mark.rule("IX.B.10", "VI.D.1", "VI.D.4", "II.2")
def test_a_target_who_is_in_prison_already_is_arrested_a_second_time() -> None:
    """Prisoners miss a turn here. Bob, in Prison with one to miss, is arrested for Ana: he has two to miss.

    The racket that waited since collects its 150 ₦ from him, in his cell.
    """
    table = Table("ana", "bob", "dan", settings={"prison_missed_turns": 1})
    table.hack("ana", "bob")
    table.place("bob", PRISON)
    with table.arranged() as state:
        state.missed, state.rackets = {"bob": 1}, ["dan"]
    table.give("ana", "dose")
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "resolve_square")
    assert (table.state.missed, table.holds("bob"), table.holds("dan")) == ({"bob": 2}, 1500, 1800)
    table.play("ana", "end_turn")
    assert (table.state.missed, turn(table).seat, table.state.positions["ana"]) == ({"bob": 1}, "dan", CHECKPOINT)


@pytest.mark.rule("IX.B.10", "I.B.5", "II.D.2")
def test_a_target_who_leaves_while_asked_takes_the_arrest_away() -> None:
    """Ana's hack has fired at Bob, who is asked about an Alibi and leaves the game: nobody goes to Prison.

    Her second hack, of Cleo, is not spent; at her next arrest it is Cleo's turn.
    """
    table = Table("ana", "bob", "cleo", "dan")
    table.hack("ana", "bob")
    table.hack("ana", "cleo")
    table.hand("dan", "kamtar_02")
    table.give("ana", "dose")
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "resolve_square")
    answer(table, "ana", "no")
    assert asked(table) == ["bob"]
    table.banker("rule", finding="He has gone home.", remedies=[{"op": "eliminate", "seat": "bob"}])
    assert (asked(table), table.state.positions["ana"], table.state.hacks) == ([], CHECKPOINT, [("ana", "cleo")])
    table.play("ana", "end_turn")
    table.turn("cleo", 1, 2)
    table.turn("dan", 1, 2)
    table.give("ana", "dose")
    stop_on(table, "ana", SECOND_CHECKPOINT)
    table.play("ana", "resolve_square")
    answer(table, "ana", "no")
    answer(table, "cleo", "no")
    assert (table.state.positions["ana"], table.state.positions["cleo"]) == (SECOND_CHECKPOINT, PRISON)


@pytest.mark.rule("V.E.10", "IX.B.10", "VI.D.1")
def test_the_arrest_that_rouge_gives_away_comes_back_through_a_hack() -> None:
    """Ana, who holds Rouge, gives Bob "Erreur judiciaire". He has hacked her: it is she who goes to Prison.

    Her turn is not over, but on Chance she does nothing more; his hack is spent.
    """
    table = Table("ana", "bob", decks=True)
    table.own("ana", *QUARTERS["rouge"])
    table.hack("bob", "ana")
    stop_on(table, "ana", 7)
    table.play("ana", "resolve_square", draws=["chance_01", "chance_04", "chance_12"])
    events = kinds(answer(table, "ana", "chance_12:bob"))
    assert events[-3:] == ["hack_fired", "arrested", "token_sent"]
    assert (table.state.positions["ana"], table.state.positions["bob"], table.state.hacks) == (PRISON, 0, [])
    assert (asked(table), table.holds("ana"), table.holds("bob", "hack")) == ([], 1650, 0)
    table.play("ana", "end_turn")
