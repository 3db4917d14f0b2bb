"""II.B.7, VI.F.2 and VI.F.4.

A check that is due comes before actions that would move goods or their holder away.
"""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from tests.tables.negopoly import (
    CHECKPOINT,
    HOPITAL,
    PRISON,
    SECOND_CHECKPOINT,
    Table,
    answer,
    asked,
    kinds,
    question_to,
    stop_on,
)


@pytest.mark.rule("II.B.7", "VI.F.4", "VIII.D.2")
def test_nothing_is_sent_out_of_reach_of_a_check_that_is_due() -> None:
    """Ana has stopped on a checkpoint with two doses: she sends neither away, plain or express, and loses both.

    In her next turn, on a square without an effect, her doses leave before she resolves it.
    """
    table = Table("ana", "bob")
    table.give("ana", "dose", 2)
    stop_on(table, "ana", CHECKPOINT)
    table.refused("ana", "send_delivery", "II.B.7", to="bob", commodity="dose")
    table.refused("ana", "send_delivery", "II.B.7", to="bob", commodity="dose", express=True)
    assert table.offers("ana", "send_delivery") == []
    table.play("ana", "resolve_square")
    assert (table.holds("police", "dose"), table.state.positions["ana"]) == (2, PRISON)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.give("ana", "dose")
    stop_on(table, "ana", 3)
    table.play("ana", "send_delivery", to="bob", commodity="dose", express=True)
    assert (table.holds("bob", "dose"), table.holds("ana")) == (1, 1650 - 50)


@pytest.mark.rule("II.D.1", "II.D.2", "VI.F.4", "VI.F.5")
def test_a_deal_concluded_while_the_police_wait_sends_no_dose_away() -> None:
    """Ana is asked whether a card answers the check; she agrees to sell Bob her dose for 90 ₦: paid, and due.

    The dose is there when the police look, and there is nothing left to send afterwards.
    """
    table = Table("ana", "bob", "cleo")
    table.give("ana", "dose")
    table.hand("cleo", "kamtar_09")
    legs = [
        {"giver": "ana", "taker": "bob", "commodity": "dose", "amount": 1},
        {"giver": "bob", "taker": "ana", "commodity": "NGD", "amount": 90},
    ]
    table.play("bob", "propose_deal", legs=legs)
    deal = str(table.number)
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "resolve_square")
    table.play("ana", "agree_deal", deal=deal)
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1740, 1)
    answer(table, "ana", "no")  # to the check
    answer(table, "ana", "no") if asked(table) else None  # to the arrest
    assert (table.holds("police", "dose"), table.state.positions["ana"]) == (1, PRISON)
    table.refused("ana", "send_delivery", "VIII.D.4", deal=deal, leg=0)


@pytest.mark.rule("II.B.7", "VI.F.4", "IX.C.21")
def test_a_weapon_is_used_once_the_check_is_over_if_it_is_still_there() -> None:
    """On a checkpoint Ana may not end the world before she is checked, and then has no Satan2 any more.

    An AR15 is for just that moment: it cancels the check, and she keeps what she has.
    """
    table = Table("ana", "bob")
    table.give("ana", "satan2")
    stop_on(table, "ana", CHECKPOINT)
    table.refused("ana", "use_game_ender", "II.B.7", commodity="satan2")
    table.play("ana", "resolve_square")
    assert (table.holds("police", "satan2"), table.state.ended) == (1, False)

    table = Table("ana", "bob")
    table.give("ana", "satan2")
    table.give("ana", "ar15")
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "use_ar15")
    table.play("ana", "end_turn")
    assert table.holds("ana", "satan2") == 1


@pytest.mark.rule("VI.C.4", "II.B.7", "II.D.2", "VI.F.5")
def test_a_prescription_does_not_outrun_a_check_that_asks_something() -> None:
    """Ana, on a checkpoint with a dose, may hold a card that answers: she answers first, and teleports afterwards.

    So it is from Prison that she leaves for the Hôpital, without her dose.
    """
    table = Table("ana", "bob")
    table.give("ana", "dose")
    table.give("ana", "ordonnance")
    table.hand("bob", "kamtar_09")
    stop_on(table, "ana", CHECKPOINT)
    table.refused("ana", "use_prescription", "II.B.7")
    table.play("ana", "resolve_square")
    table.refused("ana", "use_prescription", "II.D.2")
    answer(table, "ana", "no")
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (PRISON, 0)
    table.play("ana", "use_prescription")
    assert table.state.positions["ana"] == HOPITAL


@pytest.mark.rule("V.E.14", "V.E.2", "VI.F.4", "II.D.1", "V.D.3")
def test_orange_sold_while_the_police_wait_leaves_them_what_they_take() -> None:
    """Ana is asked about a card against the check. Bob, who holds Orange, sells Cleo his Villa for 400 ₦.

    What the police take is nobody's but theirs: the quarter was broken when they took it.
    """
    table = Table("ana", "bob", "cleo")
    table.own("bob", *QUARTERS["orange"])
    table.give("ana", "dose", 2)
    table.hand("cleo", "kamtar_09")
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "resolve_square")
    table.play("bob", "sell_property", title="villa_du_rj", to="cleo", price=400)
    table.play("cleo", "agree_deal", deal=str(table.number))
    answer(table, "ana", "no")  # to the check
    assert (table.holds("police", "dose"), table.holds("bob", "dose")) == (2, 0)
    assert (table.holds("bob"), table.holds("cleo"), table.owner("villa_du_rj")) == (2050, 1250, "cleo")


@pytest.mark.rule("VI.F.2", "VI.F.4", "V.E.14", "II.D.2")
def test_an_alibi_under_k9_leaves_the_goods_to_the_holder_of_orange_and_the_token_goes_on() -> None:
    """Under K9 Ana crosses checkpoint 12 with two doses: checked, not arrested by her Alibi, she walks on to 14.

    Bob, who holds Orange, has her doses.
    """
    table = Table("ana", "bob", "cleo")
    table.own("bob", *QUARTERS["orange"])
    table.give("ana", "dose", 2)
    table.hand("ana", "kamtar_02")
    table.hand("cleo", "kamtar_09")
    with table.arranged() as state:
        state.k9_rounds = {1}
    table.place("ana", 11)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert (asked(table), table.state.positions["ana"]) == (["ana"], SECOND_CHECKPOINT)
    answer(table, "ana", "no")
    assert (table.holds("bob", "dose"), question_to(table, "ana").kind) == (2, "on_arrest")
    events = answer(table, "ana", "kamtar_02")
    assert kinds(events) == ["question_answered", "card_played", "token_moved"]
    assert (table.state.positions["ana"], table.holds("ana", "dose")) == (14, 0)
