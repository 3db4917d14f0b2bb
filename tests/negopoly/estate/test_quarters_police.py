"""V.E.13 to V.E.17: the holder of Orange is immune to the police and gives them instructions."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from tests.tables.negopoly import ORANGE, PRISON, SECOND_CHECKPOINT, Table, answer, kinds, question_to

"""On 31, 32 and 34."""


def orange(*, seats: tuple[str, ...] = ("ana", "bob"), mortgaged: bool = False) -> Table:
    """Ana owns the three Orange titles, one of them mortgaged perhaps; it is her turn."""
    table = Table(*seats)
    table.own("ana", *ORANGE[:2])
    table.own("ana", ORANGE[2], mortgaged=mortgaged)
    return table


def bobs_turn(table: Table, square: int) -> None:
    """Ana has played; Bob stands two squares before this one."""
    table.turn("ana", 1, 1)
    table.place("bob", square - 2)


# Immunity -------------------------------------------------------------------------------------------


@pytest.mark.rule("V.E.13")
def test_the_holder_of_orange_is_not_checked() -> None:
    """Ana stops on a checkpoint with doses, an unlicensed RPG-7 and a warrant: she is let pass, and keeps all."""
    table = orange()
    table.give("ana", "dose", 2)
    table.give("ana", "rpg7")
    with table.arranged() as state:
        state.wanted.add("ana")
    table.place("ana", SECOND_CHECKPOINT - 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    events = table.play("ana", "resolve_square")
    assert kinds(events) == ["check_withheld", "square_resolved"]
    assert events[0].rule == "V.E.13"
    assert (table.holds("ana", "dose"), table.holds("ana", "rpg7")) == (2, 1)
    assert (table.state.positions["ana"], table.state.wanted) == (SECOND_CHECKPOINT, {"ana"})


@pytest.mark.rule("V.E.13", "VI.F.2")
def test_k9_does_not_stop_the_holder_of_orange() -> None:
    """K9 is active; Ana crosses the checkpoint with a dose and goes on."""
    table = orange()
    table.give("ana", "dose")
    with table.arranged() as state:
        state.k9_rounds.add(1)
    table.place("ana", SECOND_CHECKPOINT - 1)
    events = table.play("ana", "roll_dice", dice=[1, 1])
    assert "check_withheld" in kinds(events)
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (SECOND_CHECKPOINT + 1, 1)


@pytest.mark.rule("V.E.13", "V.E.2")
@pytest.mark.parametrize("warrant", [True, False])
def test_immunity_ends_with_the_quarter_and_the_warrant_has_stayed(warrant: bool) -> None:
    """With Villa du RJ mortgaged Ana is checked like anybody; an old warrant, or a dose, sends her to Prison."""
    table = orange()
    if warrant:
        with table.arranged() as state:
            state.wanted.add("ana")
    else:
        table.give("ana", "dose")
    table.place("ana", SECOND_CHECKPOINT - 2)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "mortgage_property", title=ORANGE[2])
    events = table.play("ana", "resolve_square")
    assert "arrested" in kinds(events)
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (PRISON, 0)


@pytest.mark.rule("V.E.13", "V.E.2")
def test_squatters_do_not_end_the_immunity() -> None:
    """One of Ana's Orange titles is squatted: she still passes the checkpoint with her dose."""
    table = orange()
    table.attach(ORANGE[0], "squat")
    table.give("ana", "dose")
    table.place("ana", SECOND_CHECKPOINT - 2)
    table.turn("ana", 1, 1)
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (SECOND_CHECKPOINT, 1)


@pytest.mark.rule("V.E.13", "IX.C.17")
def test_an_explosion_makes_no_terrorist_of_the_holder_of_orange() -> None:
    """Bob blows up Négotown; Ana and Cleo stand next to it: Cleo goes to Prison and is racketed, Ana does not."""
    table = orange(seats=("ana", "bob", "cleo"))
    table.own("bob", "negotown", houses=1)
    table.attach("negotown", "charge:bob:1")
    with table.arranged() as state:
        state.rackets.append("bob")
        state.round = 3
    table.turn("ana", 1, 1)
    table.place("cleo", 2)
    table.play("bob", "roll_dice", dice=[6, 5])
    events = table.play("bob", "detonate_c4", title="negotown")
    (withheld,) = [event for event in events if kind_of(event) == "arrest_withheld"]
    assert (withheld.rule, withheld.seat) == ("V.E.13", "ana")
    assert (table.state.positions["ana"], table.state.positions["cleo"]) == (2, PRISON)
    assert (table.holds("ana"), table.holds("cleo"), table.holds("bob")) == (1650, 1500, 1800)


@pytest.mark.rule("V.E.13", "IX.B.10")
def test_a_hack_against_the_holder_of_orange_frees_both() -> None:
    """Bob has hacked Ana; his next arrest falls on her, who is immune: nobody goes to Prison, the hack is spent.

    His dose is confiscated, and Ana gets it.
    """
    table = orange()
    table.hack("bob", "ana")
    table.give("bob", "dose")
    bobs_turn(table, SECOND_CHECKPOINT)
    table.play("bob", "roll_dice", dice=[1, 1])
    events = table.play("bob", "resolve_square")
    assert kinds(events)[-3:] == ["hack_fired", "arrest_withheld", "square_resolved"]
    assert [event.rule for event in events if kind_of(event) == "arrest_withheld"] == ["V.E.13"]
    assert (table.state.positions["bob"], table.state.positions["ana"]) == (SECOND_CHECKPOINT, 2)
    assert (table.holds("bob", "hack"), table.holds("ana", "dose"), table.state.hacks) == (0, 1, [])


@pytest.mark.rule("V.E.13")
def test_a_hack_of_the_holder_of_orange_is_not_spent() -> None:
    """Ana is immune: no arrest of hers ever comes to her hack against Bob, which waits on."""
    table = orange()
    table.hack("ana", "bob")
    table.give("ana", "dose")
    table.place("ana", SECOND_CHECKPOINT - 2)
    table.turn("ana", 1, 1)
    assert (table.holds("ana", "hack"), table.state.hacks) == (1, [("ana", "bob")])
    assert table.state.positions["bob"] == 0


# Confiscated goods ----------------------------------------------------------------------------------


@pytest.mark.rule("V.E.14", "VI.F.4")
def test_what_the_police_confiscate_goes_to_the_holder_of_orange() -> None:
    """Bob loses two doses and an RPG-7 at a checkpoint: Ana has them at once, the police nothing."""
    table = orange()
    table.give("bob", "dose", 2)
    table.give("bob", "rpg7")
    bobs_turn(table, SECOND_CHECKPOINT)
    table.play("bob", "roll_dice", dice=[1, 1])
    events = table.play("bob", "resolve_square")
    handed = next(event for event in events if kind_of(event) == "spoils_handed_over")
    assert (handed.rule, handed.seat, handed.taken) == ("V.E.14", "ana", (("dose", 2), ("rpg7", 1)))
    assert (table.holds("ana", "dose"), table.holds("ana", "rpg7")) == (2, 1)
    assert (table.holds("police", "dose"), table.holds("police", "rpg7")) == (0, 0)
    assert table.state.positions["bob"] == PRISON


@pytest.mark.rule("V.E.14", "V.E.2")
def test_without_the_whole_quarter_the_police_keep_what_they_take() -> None:
    """Villa du RJ is mortgaged: Bob's dose stays with the police, and Ana's freeing of it brings her nothing."""
    table = orange(mortgaged=True)
    table.give("bob", "dose")
    bobs_turn(table, SECOND_CHECKPOINT)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "resolve_square")
    assert (table.holds("ana", "dose"), table.holds("police", "dose")) == (0, 1)
    table.play("bob", "end_turn")
    table.place("ana", 32)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "unmortgage_property", title=ORANGE[2])
    assert (table.holds("ana", "dose"), table.holds("police", "dose")) == (0, 1)


@pytest.mark.rule("V.E.14", "VII.B.8")
def test_doses_lost_at_comico_go_to_the_holder_of_orange_or_stay_hers() -> None:
    """Bob fails to sell at Comico: his dose is Ana's. Ana fails with it, and keeps it; each is offered once."""
    table = orange()
    table.give("bob", "dose")
    bobs_turn(table, 30)
    table.play("bob", "roll_dice", dice=[1, 1])
    assert kinds(table.play("bob", "sell_doses", dice=[4])) == ["dose_seized", "spoils_handed_over"]
    assert (table.holds("bob", "dose"), table.holds("ana", "dose"), table.holds("police", "dose")) == (0, 1, 0)
    table.play("bob", "end_turn")
    table.place("ana", 28)
    table.play("ana", "roll_dice", dice=[1, 1])
    (failed,) = table.play("ana", "sell_doses", dice=[6])
    assert (kind_of(failed), failed.rule, table.holds("ana", "dose")) == ("sale_failed", "V.E.14", 1)
    table.refused("ana", "sell_doses", "VII.B.6", dice=[1])


@pytest.mark.rule("V.E.14", "VI.E.1")
def test_what_is_sold_to_the_police_is_not_confiscated() -> None:
    """Bob sells the police his RPG-7 on Comico: it stays theirs."""
    table = orange()
    table.give("bob", "rpg7")
    bobs_turn(table, 30)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "sell_item_to_police", commodity="rpg7")
    table.play("bob", "resolve_square")
    assert (table.holds("police", "rpg7"), table.holds("ana", "rpg7")) == (1, 0)


# The streets ----------------------------------------------------------------------------------------


@pytest.mark.rule("V.E.15", "V.A.7", "VI.F.5")
def test_others_are_checked_on_orange_after_they_have_paid() -> None:
    """Bob stops on Domaine de M. P with a dose: 26 ₦ of rent first, then the check, and Prison."""
    table = orange()
    table.give("bob", "dose")
    bobs_turn(table, 32)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.refused("bob", "end_turn", "II.B.7")
    events = table.play("bob", "resolve_square")
    assert kinds(events)[:3] == ["rent_paid", "police_checked", "confiscated"]
    assert events[1].rule == "V.E.15"
    assert (table.holds("bob"), table.holds("ana", "dose"), table.state.positions["bob"]) == (1624, 1, PRISON)


@pytest.mark.rule("V.E.15", "VI.F.3")
def test_a_check_on_orange_may_find_nothing() -> None:
    """With a licence Bob's RPG-7 is legal there as anywhere."""
    table = orange()
    table.give("bob", "rpg7")
    table.give("bob", "licence")
    bobs_turn(table, 31)
    table.play("bob", "roll_dice", dice=[1, 1])
    assert "nothing_found" in kinds(table.play("bob", "resolve_square"))
    assert (table.state.positions["bob"], table.holds("bob", "rpg7")) == (31, 1)


@pytest.mark.rule("V.E.15")
def test_no_check_of_the_holder_nor_in_crossing() -> None:
    """Ana lands at home with a dose, and Bob crosses Orange with one: nobody is checked."""
    table = orange()
    table.give("ana", "dose")
    table.give("bob", "dose")
    table.place("ana", 30)
    table.turn("ana", 1, 1)
    table.place("bob", 30)
    table.turn("bob", 2, 3)
    assert (table.holds("ana", "dose"), table.holds("bob", "dose")) == (1, 1)
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (32, 35)


@pytest.mark.rule("V.E.15", "V.E.2")
@pytest.mark.parametrize("what", ["squat", "mortgage"])
def test_no_check_on_a_squatted_title_nor_without_the_quarter(what: str) -> None:
    """Squatters on 32 keep the police away from there alone, a mortgage on 34 from all of Orange."""
    table = orange(mortgaged=what == "mortgage")
    if what == "squat":
        table.attach(ORANGE[1], "squat")
    table.give("bob", "dose")
    bobs_turn(table, 32)
    table.turn("bob", 1, 1)
    assert (table.state.positions["bob"], table.holds("bob", "dose")) == (32, 1)
    if what == "squat":
        table.turn("ana", 1, 1)
        table.play("bob", "roll_dice", dice=[1, 1])
        assert "police_checked" in kinds(table.play("bob", "resolve_square"))


@pytest.mark.rule("V.E.16", "VI.E.3")
def test_at_home_the_holder_bribes_the_trainer_for_170() -> None:
    """Ana lands on her Villa and pays 170 ₦ to the bank there: K9 is active in the next round."""
    table = orange()
    table.place("ana", 32)
    table.play("ana", "roll_dice", dice=[1, 1])
    assert table.offers("ana", "bribe_k9") == [{}]
    (bribed,) = table.play("ana", "bribe_k9")
    assert (bribed.rule, table.holds("ana"), table.state.k9_rounds) == ("V.E.16", 1650 - 170, {2})


@pytest.mark.rule("VI.E.2")
def test_the_trainer_does_not_come_to_others_nor_in_crossing_nor_where_squatters_sit() -> None:
    """Not to Bob on Orange, not to Ana who crosses it, not on a squatted title, not while one is mortgaged."""
    table = orange()
    table.place("ana", 31)
    table.play("ana", "roll_dice", dice=[1, 3])
    table.refused("ana", "bribe_k9", "VI.E.2")
    table.play("ana", "end_turn")
    table.place("bob", 30)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.refused("bob", "bribe_k9", "VI.E.2")
    for mortgaged in (True, False):
        table = orange(mortgaged=mortgaged)
        if not mortgaged:
            table.attach(ORANGE[0], "squat")
        table.place("ana", 29)
        table.play("ana", "roll_dice", dice=[1, 1])
        assert table.offers("ana", "bribe_k9") == []
        table.refused("ana", "bribe_k9", "VI.E.2")


@pytest.mark.rule("V.E.16", "V.E.2", "VI.E.3")
def test_a_bribe_given_is_kept_when_the_quarter_is_lost() -> None:
    """Ana bribes the trainer at home and mortgages the title: K9 is active in round 2, for Ana too."""
    table = orange()
    table.place("ana", 29)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "bribe_k9")
    table.play("ana", "mortgage_property", title=ORANGE[0])
    table.play("ana", "end_turn")
    table.turn("bob", 1, 1)
    table.place("ana", SECOND_CHECKPOINT - 1)
    assert "police_checked" in kinds(table.play("ana", "roll_dice", dice=[1, 1]))


# Instructions ---------------------------------------------------------------------------------------


@pytest.mark.rule("V.E.17", "V.E.3")
def test_the_police_do_not_check_whom_the_holder_has_named() -> None:
    """Ana protects Bob in his turn before his check resolves; the instruction lasts until she revokes it."""
    table = orange()
    table.give("bob", "dose")
    bobs_turn(table, SECOND_CHECKPOINT)
    table.play("bob", "roll_dice", dice=[1, 1])
    (waived,) = table.play("ana", "waive_police", target="bob", measure="check")
    assert waived.rule == "V.E.17"
    events = table.play("bob", "resolve_square")
    assert (kinds(events)[0], events[0].rule) == ("check_withheld", "V.E.17")
    assert (table.state.positions["bob"], table.holds("bob", "dose")) == (SECOND_CHECKPOINT, 1)
    table.play("bob", "end_turn")
    table.turn("ana", 1, 1)
    table.play("ana", "revoke_waiver", target="bob", measure="check")
    table.place("bob", SECOND_CHECKPOINT - 2)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "resolve_square")
    assert (table.state.positions["bob"], table.holds("ana", "dose")) == (PRISON, 1)


@pytest.mark.rule("V.E.17", "VI.F.4")
def test_not_arrested_still_means_confiscated() -> None:
    """Bob is protected from arrest: at the checkpoint Ana gets his dose, and he stays there."""
    table = orange()
    table.give("bob", "dose")
    table.play("ana", "waive_police", target="bob", measure="arrest")
    bobs_turn(table, SECOND_CHECKPOINT)
    table.play("bob", "roll_dice", dice=[1, 1])
    events = table.play("bob", "resolve_square")
    assert kinds(events) == [
        "police_checked",
        "confiscated",
        "spoils_handed_over",
        "arrest_withheld",
        "square_resolved",
    ]
    assert (table.state.positions["bob"], table.holds("ana", "dose")) == (SECOND_CHECKPOINT, 1)


@pytest.mark.rule("V.E.17", "VI.F.2", "VI.F.7")
def test_a_wanted_player_who_is_not_to_be_arrested_goes_on_under_k9() -> None:
    """Bob, wanted, crosses a checkpoint under K9: checked, not arrested, and he moves on."""
    table = orange()
    with table.arranged() as state:
        state.wanted.add("bob")
        state.k9_rounds.add(1)
    table.play("ana", "waive_police", target="bob", measure="arrest")
    bobs_turn(table, SECOND_CHECKPOINT + 1)
    events = table.play("bob", "roll_dice", dice=[1, 1])
    assert [kind for kind in kinds(events) if kind.startswith(("police", "arrest"))] == [
        "police_checked",
        "arrest_withheld",
    ]
    assert (table.state.positions["bob"], table.state.wanted) == (SECOND_CHECKPOINT + 1, {"bob"})


@pytest.mark.rule("V.E.17", "II.D.2")
@pytest.mark.parametrize(("order", "timing"), [("check", "kamtar_09"), ("arrest", "kamtar_02")])
def test_the_police_may_still_be_told_while_a_card_is_being_thought_about(order: str, timing: str) -> None:
    """Cleo may hold a card that answers, so Bob is asked; before he answers, Ana speaks for him.

    Not checked, he keeps his dose; not arrested, he loses it, and stays where he is.
    """
    table = Table("ana", "bob", "cleo", decks=True)
    table.own("ana", *ORANGE)
    table.give("cleo", f"card:{timing}", source="deck:kamtar")
    table.give("bob", "dose")
    table.turn("ana", 5, 5)
    table.place("bob", SECOND_CHECKPOINT - 2)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "resolve_square")
    if order == "arrest":
        while question_to(table, "bob").kind != "on_arrest":
            answer(table, "bob", "no")
    table.play("ana", "waive_police", target="bob", measure=order)
    events = answer(table, "bob", "no")
    assert f"{order}_withheld" in kinds(events)
    assert table.state.positions["bob"] == SECOND_CHECKPOINT
    assert table.holds("bob", "dose") == (1 if order == "check" else 0)


@pytest.mark.rule("V.E.17")
def test_only_the_holder_of_orange_instructs_the_police_and_about_others() -> None:
    """Bob may not instruct the police; nor may Ana about herself, about nobody, twice, or without Villa."""
    table = orange()
    table.refused("bob", "waive_police", "V.E.17", target="ana", measure="check")
    table.refused("ana", "waive_police", "V.E.13", target="ana", measure="check")
    table.refused("ana", "waive_police", "V.E.17", target="dan", measure="check")
    table.refused("ana", "revoke_waiver", "V.E.17", target="bob", measure="arrest")
    table.play("ana", "waive_police", target="bob", measure="arrest")
    table.refused("ana", "waive_police", "V.E.17", target="bob", measure="arrest")
    table.play("ana", "mortgage_property", title=ORANGE[2])
    table.refused("ana", "revoke_waiver", "V.E.17", target="bob", measure="arrest")
    table.refused("ana", "waive_police", "V.E.17", target="bob", measure="check")


@pytest.mark.rule("V.E.17", "V.E.2")
def test_instructions_end_with_the_quarter() -> None:
    """Ana's instruction for Bob ends when she mortgages, and does not return with Orange."""
    table = orange()
    with table.arranged() as state:
        state.quarters["orange"] = "ana"
    table.play("ana", "waive_police", target="bob", measure="check")
    table.play("ana", "mortgage_property", title=ORANGE[2])
    assert table.state.police_orders == set()
    table.place("ana", 32)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "unmortgage_property", title=ORANGE[2])
    table.play("ana", "end_turn")
    table.give("bob", "dose")
    table.place("bob", SECOND_CHECKPOINT - 2)
    table.play("bob", "roll_dice", dice=[1, 1])
    assert "police_checked" in kinds(table.play("bob", "resolve_square"))


@pytest.mark.rule("V.E.17")
def test_the_table_hears_what_is_said_to_the_police() -> None:
    """Everybody sees Ana's instruction for Bob; her moves can revoke it, but not give it again."""
    table = orange(seats=("ana", "bob", "cleo"))
    table.play("ana", "waive_police", target="bob", measure="check")
    assert kinds(table.seen_by(None)) == ["police_waived"]
    assert RULEBOOK.screen.view(table.state, SPECTATOR)["police_orders"] == [{"player": "bob", "order": "check"}]
    assert table.offers("ana", "revoke_waiver") == [{"target": "bob", "measure": "check"}]
    assert table.offers("bob", "revoke_waiver") == []
    assert table.offers("ana", "waive_police") == [
        {"target": "bob", "measure": "arrest"},
        {"target": "cleo", "measure": "check"},
        {"target": "cleo", "measure": "arrest"},
    ]
