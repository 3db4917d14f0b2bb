"""Hacks (IX.B.10, IX.B.11) against immunity, exemptions, warrants, rackets, alibis, and each other."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.audience import Viewer
from ledger.reading.entries import EventView, view_foreseen
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from tests.tables.negopoly import CHECKPOINT, PRISON, SECOND_CHECKPOINT, Table, answer, asked, kinds, stop_on, turn

STREET = "17_rue_des_patates"


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
    table.play("dan", "waive_police", player="bob", order="check")
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
    table.play("dan", "waive_police", player="bob", order="check")
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "resolve_square")
    assert (table.state.positions["bob"], table.holds("ana", "hack")) == (PRISON, 1)
    table.play("dan", "waive_police", player="bob", order="arrest")
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


@pytest.mark.rule("VII.B.8", "V.E.14", "VI.E.1")
def test_a_sale_that_fails_on_comico_is_no_arrest_for_a_hack_to_divert() -> None:
    """Ana, wanted, sells on Comico with a hack of Bob: a 6 loses her dose to Dan, who holds Orange, and no more.

    Nobody checks or arrests her there: the hack waits on, and her RPG-7 sells for 75 ₦, licence or not.
    """
    table = Table("ana", "bob", "dan")
    table.own("dan", *QUARTERS["orange"])
    table.hack("ana", "bob")
    table.give("ana", "dose", 2)
    table.give("ana", "rpg7")
    with table.arranged() as state:
        state.wanted.add("ana")
    stop_on(table, "ana", 30)
    table.play("ana", "sell_doses", corner="comico", die=6)
    table.play("ana", "sell_doses", corner="comico", die=3)
    table.play("ana", "sell_item_to_police", item="rpg7")
    table.play("ana", "end_turn")
    assert table.holds("ana") == 1650 + 250 + 75
    assert (table.holds("dan", "dose"), table.holds("police", "rpg7")) == (1, 1)
    assert (table.state.hacks, table.state.positions["bob"], table.state.wanted) == ([("ana", "bob")], 0, {"ana"})


# What is told before it is done ---------------------------------------------------------------------------


def told(table: Table, seat: str, kind: str, **params: Any) -> tuple[tuple[EventView, ...], Any]:
    """The seat does this; gives what they would have been shown had they only asked what would happen."""
    before = RULEBOOK.thaw(RULEBOOK.freeze(table.state))
    events = table.play(seat, kind, **params)
    viewer = Viewer("player", seat)
    view = view_foreseen(RULEBOOK, table.journal[-1], events, before, table.state, viewer, "en")
    return view.events, view.balances


@pytest.mark.rule("V.E.10", "IX.B.10")
def test_whom_a_card_would_have_arrested_is_not_told_to_who_only_asks() -> None:
    """Ana, who holds Rouge, asks what "Erreur judiciaire" would do to Bob: the same if he has hacked her.

    Nor do her moves say that it would cost her Dan's racket. Done, it sends Bob to Prison, or Ana.
    """
    shown, arrested, costs = [], [], []
    for hacked in (False, True):
        table = Table("ana", "bob", "dan", decks=True)
        table.own("ana", *QUARTERS["rouge"])
        if hacked:
            table.hack("bob", "ana")
        with table.arranged() as state:
            state.rackets = ["dan"]
        stop_on(table, "ana", 7)
        table.play("ana", "resolve_square", draws=["chance_01", "chance_04", "chance_12"])
        (question,) = table.state.questions
        costs.append({one.params["answer"]: one.cost for one in table.moves("ana") if one.kind == "answer"})
        shown.append(told(table, "ana", "answer", question=question.id, answer="chance_12:bob"))
        arrested.append([seat for seat in ("ana", "bob") if table.state.positions[seat] == PRISON])
    assert shown[0] == shown[1]
    assert [one.kind for one in shown[0][0]] == ["question_answered", "cards_rejected", "card_chosen"]
    assert costs[0] == costs[1]
    assert (costs[0]["chance_04"], costs[0]["chance_12:bob"]) == (80, 0)
    assert arrested == [["bob"], ["ana"]]


@pytest.mark.rule("VI.F.3", "VI.F.4")
def test_what_a_raid_would_find_on_others_is_not_told_to_who_only_asks() -> None:
    """Ana asks what "Rafle générale" would do, should she draw it: the same whatever Bob carries, and his hack.

    Done, it finds his two doses, and arrests Cleo for them. Of a check of her own Ana may know what it would find.
    """
    shown = []
    for doses in (0, 2):
        table = Table("ana", "bob", "cleo", decks=True)
        if doses:
            table.give("bob", "dose", doses)
            table.hack("bob", "cleo")
        stop_on(table, "ana", 7)
        shown.append(told(table, "ana", "resolve_square", draws=["chance_07"]))
        assert table.holds("police", "dose") == doses
    assert shown[0] == shown[1]
    assert [one.kind for one in shown[0][0]] == ["card_drawn", "police_checked"]
    assert table.state.positions["cleo"] == PRISON

    table = Table("ana", "bob")
    table.give("ana", "dose")
    stop_on(table, "ana", CHECKPOINT)
    events, _ = told(table, "ana", "resolve_square")
    assert [one.kind for one in events][:3] == ["police_checked", "confiscated", "arrested"]


@pytest.mark.rule("IX.C.17", "IX.B.10")
def test_who_says_the_last_word_on_an_explosion_does_not_ask_whom_another_has_hacked() -> None:
    """Bob and Cleo stand beside Ana's explosion; Bob has let it happen, Cleo asks what her "no" would do.

    She is not told whether Bob has hacked Dan, or holds a kidnapping: whom the police take shows when they do.
    """
    shown = []
    for hacked in (False, True):
        table = Table("ana", "bob", "cleo", "dan")
        table.own("dan", STREET, houses=1)
        table.attach(STREET, "charge:ana:1")
        for seat in ("bob", "cleo"):
            table.place(seat, 7)
        if hacked:
            table.hack("bob", "dan")
        else:
            table.give("bob", "kidnapping")
        with table.arranged() as state:
            state.round, state.services = 3, {"bob": 1, "cleo": 1}
        stop_on(table, "ana", 3)
        table.play("ana", "detonate_c4", title=STREET)
        answer(table, "bob", "no")
        (question,) = table.state.questions
        shown.append(told(table, "cleo", "answer", question=question.id, answer="no"))
        assert (table.state.positions["bob"] == PRISON, table.state.positions["dan"] == PRISON) == (
            not hacked,
            hacked,
        )
    assert shown[0] == shown[1]
