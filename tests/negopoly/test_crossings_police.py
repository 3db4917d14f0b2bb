"""Checks, arrests and warrants against what would keep them off: deliveries, teleports, cards, weapons, perks."""

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

STREET = "17_rue_des_patates"


# A check that is due comes first --------------------------------------------------------------------------


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
    table.refused("ana", "use_game_ender", "II.B.7", weapon="satan2")
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


@pytest.mark.rule("IX.B.8", "V.E.15", "V.E.6", "V.A.8")
def test_chasing_squatters_away_under_ones_feet_brings_neither_check_nor_dose_nor_rent() -> None:
    """Bob holds Orange and Cyan; Ana, with a dose, frees a squatted title of each under her: nothing is due."""
    table = Table("ana", "bob")
    table.own("bob", *QUARTERS["orange"], *QUARTERS["cyan"])
    table.attach("domaine_de_m_p", "squat")
    table.attach(STREET, "squat")
    table.give("ana", "dose")
    for square, title in ((32, "domaine_de_m_p"), (6, STREET)):
        stop_on(table, "ana", square)
        table.play("ana", "evict_squatters", title=title)
        assert kinds(table.play("ana", "resolve_square")) == ["square_resolved"]
        table.play("ana", "end_turn")
        table.turn("bob", 1, 2)
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650, 1)
    stop_on(table, "ana", 6)
    assert kinds(table.play("ana", "resolve_square")) == ["rent_paid", "free_dose_received", "square_resolved"]


# On the way -----------------------------------------------------------------------------------------------


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


@pytest.mark.rule("VI.A.5", "VI.A.4", "VI.F.3", "II.B.6")
def test_a_licence_that_ends_on_the_way_is_renewed_there_or_missed_at_the_checkpoint_behind() -> None:
    """From 38 to 4 Ana passes Spawn: her licence ends there. Renewed for 70 ₦, it keeps her RPG-7 at the check."""
    for renewed in (True, False):
        table = Table("ana", "bob")
        table.give("ana", "rpg7")
        table.give("ana", "licence")
        table.place("ana", 38)
        assert "licence_expired" in kinds(table.play("ana", "roll_dice", dice=[3, 3]))
        if renewed:
            table.play("ana", "buy_licence")
        table.play("ana", "resolve_square")
        found = (table.holds("ana"), table.holds("ana", "rpg7"), table.state.positions["ana"])
        assert found == ((1650 + 250 - 70, 1, CHECKPOINT) if renewed else (1650 + 250, 0, PRISON))


# Warrants and teleports -----------------------------------------------------------------------------------


@pytest.mark.rule("VI.F.7", "VI.F.8", "VI.C.4", "VIII.B.9", "IX.B.12", "VI.A.3")
def test_a_warrant_follows_whoever_teleports_until_spawn_or_a_check() -> None:
    """Wanted, Ana escapes to the Hôpital, is kidnapped to a bar, and teleports onto a checkpoint: she is arrested.

    Her second teleporter takes her to Spawn, which is a passage: the warrant is gone.
    """
    table = Table("ana", "bob")
    table.give("ana", "ordonnance")
    table.give("ana", "teleporteur", 2)
    table.give("bob", "kidnapping")
    with table.arranged() as state:
        state.wanted.add("ana")
    table.play("ana", "use_prescription")
    table.play("bob", "use_kidnapping", target="ana", towards="next")
    assert (table.state.positions["ana"], table.state.wanted) == (25, {"ana"})
    table.play("ana", "use_vehicle", vehicle="teleporteur", square=28)
    events = table.play("ana", "resolve_square")
    assert (events[1].rule, table.state.positions["ana"], table.state.wanted) == ("VI.F.7", PRISON, {"ana"})
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    events = table.play("ana", "use_vehicle", vehicle="teleporteur", square=0)
    assert kinds(events) == ["vehicle_used", "token_teleported", "spawn_passed", "salary_paid", "warrant_lifted"]
    assert (table.holds("ana"), table.state.wanted) == (1900, set())


# What a table would quarrel about -------------------------------------------------------------------------


@pytest.mark.rule("VI.F.3", "VI.F.4", "II.A.3", "VI.A.4")
@pytest.mark.parametrize(
    ("perk", "taken", "money"),
    [
        ("rpg7", ("rpg7", 1), 1500),
        ("doses", ("dose", 3), 1500),
        ("trottinette", None, 1500),
        ("money", None, 1650),
    ],
)
def test_the_gift_of_the_bank_is_illicit_on_the_first_checkpoint(
    perk: str, taken: tuple[str, int] | None, money: int
) -> None:
    """In round 1 nobody has passed Spawn, so nobody has a licence: the RPG-7 and the doses of the start are taken.

    The scooter and the 150 ₦ offend nobody.
    """
    table = Table("ana", "bob", perks={"ana": perk})
    table.play("ana", "roll_dice", dice=[1, 3])
    table.refused("ana", "buy_licence", "VI.A.4")
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == (PRISON if taken else CHECKPOINT)
    assert table.holds("ana") == money
    if taken is not None:
        commodity, amount = taken
        assert (table.holds("police", commodity), table.holds("ana", commodity)) == (amount, 0)


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
