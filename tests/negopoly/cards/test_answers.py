"""II.D.2, III.B.6, VII.B.10: cards that answer what happens to their holder, and the question about them."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import Posting
from tests.tables.negopoly import COMICO, SECOND_CHECKPOINT, Table


def with_hands(ana: str = "", bob: str = "", **options: Any) -> Table:
    """Ana, whose turn it is, and Bob hold these cards (several ids are separated by spaces)."""
    table = Table("ana", "bob", decks=True, **options)
    table.hand("ana", *ana.split())
    table.hand("bob", *bob.split())
    return table


def stopped_on(table: Table, square: int) -> Table:
    """Ana's roll of 3 ends there."""
    table.place("ana", square - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


def answer(table: Table, seat: str, said: str, *draws: int | str) -> None:
    """The seat answers its one open question."""
    (question,) = [one for one in table.state.questions if one.seat == seat]
    table.play(seat, "answer", question=question.id, answer=said, draws=list(draws) or None)


# on_police_check, on_arrest ---------------------------------------------------------------------------


@pytest.mark.rule("II.D.2", "VI.F.1")
def test_a_special_pass_cancels_one_check() -> None:
    """Ana carries doses on a checkpoint and plays "Passe-droit": no check, no confiscation, no Prison."""
    table = stopped_on(with_hands("kamtar_09", perks={"ana": "doses"}), SECOND_CHECKPOINT)
    table.play("ana", "resolve_square")
    table.refused("ana", "end_turn", "II.D.2")
    answer(table, "ana", "kamtar_09")
    assert table.holds("ana", "dose") == 3
    assert table.state.positions["ana"] == SECOND_CHECKPOINT
    assert table.holds("discard:kamtar", "card:kamtar_09") == 1
    table.play("ana", "end_turn")


@pytest.mark.rule("VI.F.4", "VI.F.5", "II.D.2")
def test_an_alibi_cancels_the_arrest_and_not_the_confiscation() -> None:
    """The doses are gone; Ana stays where she is, keeps her warrant, and can end her turn."""
    table = with_hands("kamtar_02", perks={"ana": "doses"})
    with table.arranged() as state:
        state.wanted.add("ana")
    stopped_on(table, SECOND_CHECKPOINT)
    table.play("ana", "resolve_square")
    answer(table, "ana", "no")
    assert table.holds("police", "dose") == 3
    answer(table, "ana", "kamtar_02")
    assert table.state.positions["ana"] == SECOND_CHECKPOINT
    assert table.state.wanted == {"ana"}
    table.play("ana", "end_turn")


@pytest.mark.rule("VI.F.5", "VI.D.1")
def test_without_an_answer_it_happens() -> None:
    """Ana has no such card, but is asked: by public knowledge, Bob's hidden cards might be hers."""
    table = stopped_on(with_hands(bob="kamtar_02 kamtar_09", perks={"ana": "doses"}), SECOND_CHECKPOINT)
    table.play("ana", "resolve_square")
    assert [one["answer"] for one in table.offers("ana", "answer")] == ["no"]
    answer(table, "ana", "no")
    answer(table, "ana", "no")
    assert table.state.positions["ana"] == 10


@pytest.mark.rule("VI.F.5")
def test_nobody_is_asked_while_no_such_card_can_be_in_a_hand() -> None:
    """Every Kamtar card is in the deck; or the only Alibi has been seen on the discards since."""
    table = stopped_on(Table("ana", "bob", decks=True, perks={"ana": "doses"}), SECOND_CHECKPOINT)
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == 10
    spent = with_hands("kamtar_01", perks={"ana": "doses"})
    with spent.arranged() as state:
        for card in ("kamtar_02", "kamtar_09"):
            state.holdings.post(Posting(f"card:{card}", 1, "deck:kamtar", "discard:kamtar"))
    stopped_on(spent, SECOND_CHECKPOINT)
    spent.play("ana", "resolve_square")
    assert spent.state.positions["ana"] == 10


@pytest.mark.rule("VI.F.2", "II.B.6")
def test_a_check_in_crossing_holds_the_token_until_it_is_answered() -> None:
    """Under K9 Ana is asked on checkpoint 12; her "Passe-droit" lets her go on to 15."""
    table = with_hands("kamtar_09", perks={"ana": "doses"})
    with table.arranged() as state:
        state.k9_rounds.add(1)
    table.place("ana", 10)
    table.play("ana", "roll_dice", dice=[2, 3])
    assert table.state.positions["ana"] == SECOND_CHECKPOINT
    answer(table, "ana", "kamtar_09")
    assert table.state.positions["ana"] == 15
    assert table.holds("ana", "dose") == 3


@pytest.mark.rule("VI.F.5", "II.B.13")
def test_silence_lets_it_happen_when_time_is_over() -> None:
    table = stopped_on(with_hands("kamtar_09", perks={"ana": "doses"}), SECOND_CHECKPOINT)
    table.play("ana", "resolve_square")
    table.wait(301)
    table.banker("expire_turn")
    assert table.state.positions["ana"] == 10
    assert table.holds("ana", "card:kamtar_09") == 1
    assert table.state.turn is not None
    assert table.state.turn.seat == "bob"


@pytest.mark.rule("VI.D.1", "II.D.2")
def test_out_of_turn_the_arrested_player_is_asked_and_the_turn_waits() -> None:
    """Ana's "Rafle générale" finds Bob's doses: he has an Alibi."""
    table = with_hands(bob="kamtar_02", perks={"bob": "doses"})
    stopped_on(table, 7)
    table.play("ana", "resolve_square", draws=["chance_07"])
    answer(table, "ana", "no")
    table.refused("ana", "end_turn", "II.D.2")
    answer(table, "bob", "no")
    answer(table, "bob", "kamtar_02")
    assert table.state.positions["bob"] == 0
    assert table.holds("bob", "dose") == 0
    table.play("ana", "end_turn")


@pytest.mark.rule("IX.B.10")
def test_an_alibi_does_not_use_up_a_hack() -> None:
    """Ana's hack on Bob waits for an arrest of hers that is not prevented."""
    table = with_hands("kamtar_02", perks={"ana": "doses"})
    table.give("ana", "hack")
    with table.arranged() as state:
        state.hacks.append(("ana", "bob"))
    stopped_on(table, SECOND_CHECKPOINT)
    table.play("ana", "resolve_square")
    answer(table, "ana", "no")
    answer(table, "ana", "kamtar_02")
    assert table.state.hacks == [("ana", "bob")]
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.give("ana", "dose")
    with table.arranged() as state:
        state.wanted.add("ana")
    table.place("ana", SECOND_CHECKPOINT - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "resolve_square")
    while table.state.questions:
        answer(table, table.state.questions[0].seat, "no")
    assert (table.state.positions["ana"], table.state.positions["bob"]) == (SECOND_CHECKPOINT, 10)


# on_failed_sale ---------------------------------------------------------------------------------------


@pytest.mark.rule("VII.B.10", "VII.B.5", "VII.B.8")
@pytest.mark.parametrize(("second", "doses", "money"), [(2, 2, 1750), (6, 2, 1500)])
def test_a_loyal_customer_rolls_a_failed_sale_again(second: int, doses: int, money: int) -> None:
    """At Comico a 5 fails; the second die stands: on 2 the dose sells for 250 ₦, on 6 the police take it."""
    table = stopped_on(with_hands("kamtar_04", perks={"ana": "doses"}), COMICO)
    table.play("ana", "sell_doses", corner="comico", dice=[5])
    answer(table, "ana", "kamtar_04", second)
    assert (table.holds("ana", "dose"), table.holds("ana")) == (doses, money)
    assert table.holds("police", "dose") == (second == 6)


@pytest.mark.rule("VII.B.10", "VII.B.6", "VII.B.7")
def test_a_failed_sale_is_one_attempt_however_it_ends() -> None:
    """At Prison Ana lets the failure stand: the dose is hers, and has been offered."""
    table = with_hands("kamtar_04")
    table.give("ana", "dose")
    stopped_on(table, 10)
    table.play("ana", "sell_doses", corner="prison", dice=[6])
    answer(table, "ana", "no")
    assert table.holds("ana", "dose") == 1
    table.refused("ana", "sell_doses", "VII.B.6", corner="prison", dice=[1])


@pytest.mark.rule("VII.B.10", "I.B.5")
def test_a_failed_sale_of_a_player_who_leaves_while_asked_comes_to_nothing() -> None:
    """Ana is asked at Comico and leaves the game: her dose went with her, and the police have none of it."""
    table = Table("ana", "bob", "cleo", decks=True)
    table.hand("ana", "kamtar_04")
    table.give("ana", "dose")
    stopped_on(table, COMICO)
    table.play("ana", "sell_doses", corner="comico", dice=[5])
    out = {"op": "eliminate", "seat": "ana", "reason": "she has gone home"}
    events = table.banker("rule", finding="Gone.", remedies=[out])
    assert "QuestionLapsed" in [type(event).__name__ for event in events]
    assert (table.state.questions, table.holds("police", "dose"), table.holds("used", "dose")) == ([], 0, 1)


@pytest.mark.rule("VII.B.10", "VII.B.8")
@pytest.mark.parametrize("said", ["no", "kamtar_04"])
def test_a_seller_who_is_moved_on_while_asked_still_answers(said: str) -> None:
    """Ana is asked at Comico, and a ruling puts her on another square. The police take the dose; the passage by
    Comico counts no longer, so the attempt counts in no passage."""
    table = stopped_on(with_hands("kamtar_04", perks={"ana": "doses"}), COMICO)
    table.play("ana", "sell_doses", corner="comico", dice=[5])
    table.banker(
        "rule", finding="To Spawn.", remedies=[{"op": "move_seat", "seat": "ana", "square": 0, "stop": True}]
    )
    before = table.state.turn
    answer(table, "ana", said, *([6] if said != "no" else []))
    assert table.holds("police", "dose") == 1
    assert table.state.turn is not None
    assert table.state.turn.passages == (before.passages if before else None)


# on_drug_die ------------------------------------------------------------------------------------------


@pytest.mark.rule("III.B.6", "III.B.1")
@pytest.mark.parametrize("die", [1, 3, 6])
def test_an_antidote_cancels_the_drug_result(die: int) -> None:
    """Ana rolls and moves normally; the dose is used, and a second one is still refused."""
    table = with_hands("kamtar_05", perks={"ana": "doses"})
    table.place("ana", 5)
    table.play("ana", "consume_dose", dice=[die])
    answer(table, "ana", "kamtar_05")
    assert table.holds("ana", "dose") == 2
    table.refused("ana", "consume_dose", "III.B.1", dice=[2])
    table.play("ana", "roll_dice", dice=[4, 5])
    assert table.state.positions["ana"] == 14


@pytest.mark.rule("III.B.3", "VI.C.1")
def test_without_an_antidote_an_overdose_cancels_the_turn() -> None:
    """Ana is asked, lets it happen, and it is Bob's turn; the same when her time runs out first."""
    for silent in (False, True):
        table = with_hands("kamtar_05", perks={"ana": "doses"})
        table.play("ana", "consume_dose", dice=[1])
        assert table.state.positions["ana"] == 0
        if silent:
            table.wait(301)
            table.banker("expire_turn")
        else:
            answer(table, "ana", "no")
        assert table.state.positions["ana"] == 20
        assert table.state.turn is not None
        assert (table.state.turn.seat, table.state.round) == ("bob", 1)


@pytest.mark.rule("II.B.9")
def test_an_answer_is_not_the_card_of_the_turn() -> None:
    """Ana answers a check, then blackmails Bob in the same turn."""
    table = stopped_on(with_hands("kamtar_09 kamtar_03", perks={"ana": "doses"}), SECOND_CHECKPOINT)
    table.play("ana", "resolve_square")
    answer(table, "ana", "kamtar_09")
    table.play("ana", "play_card", card="kamtar_03", target="bob")


# Secrets ----------------------------------------------------------------------------------------------


@pytest.mark.rule("II.D.2")
def test_being_asked_tells_nobody_what_is_in_a_hand() -> None:
    """Whether Ana's hidden card is an Alibi or anything else, Bob sees the same until she plays it."""
    seen = []
    for card in ("kamtar_02", "kamtar_03"):
        table = stopped_on(with_hands(card, perks={"ana": "doses"}), SECOND_CHECKPOINT)
        table.play("ana", "resolve_square")
        seen.append(table.seen_by("bob"))
        answer(table, "ana", "no")
        seen[-1] += table.seen_by("bob")
        answer(table, "ana", "no")
        seen[-1] += table.seen_by("bob")
    assert seen[0] == seen[1]
