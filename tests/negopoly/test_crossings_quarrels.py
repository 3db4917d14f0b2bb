"""What a table would quarrel about: orders turned round, prisoners taken away, deals about what is no more."""

from __future__ import annotations

import pytest

from ledger.rulebooks.negopoly.estate.quarters import QUARTERS
from tests.tables.negopoly import BAR, CHECKPOINT, HOPITAL, PRISON, Table, answer, asked, kinds, stop_on

STREET = "17_rue_des_patates"

# Time -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.24", "II.3", "II.1")
def test_a_bomb_lasts_as_long_as_the_order_of_the_table_makes_it() -> None:
    """The order turns round with round 2. Ana, first in round 1, is then the last: four turns go by in her dark.

    Cleo, last in round 1 of another table, opens round 2: her bomb is over before anybody has played in it.
    """
    table = Table("ana", "bob", "cleo", decks=True)
    table.give("ana", "bombe_iem")
    stop_on(table, "ana", 7)
    table.play("ana", "resolve_square", draws=["chance_16"])
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    played = []
    while table.state.blackouts:
        assert table.state.turn is not None
        played.append(table.state.turn.seat)
        table.place(played[-1], 10)
        table.turn(played[-1], 1, 2)
    assert (played, table.state.round) == (["bob", "cleo", "cleo", "bob"], 2)

    table = Table("ana", "bob", "cleo", decks=True)
    table.own("ana", STREET, houses=1)
    stop_on(table, "ana", 7)
    table.play("ana", "resolve_square", draws=["chance_16"])
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    table.give("cleo", "bombe_iem")
    stop_on(table, "cleo", 13)
    table.play("cleo", "use_emp")
    events = kinds(table.play("cleo", "end_turn"))
    assert events == ["turn_ended", "round_started", "bomb_ended", "turn_started"]
    stop_on(table, "cleo", 6)
    table.play("cleo", "resolve_square")
    assert table.holds("cleo") == 1650 - 30


@pytest.mark.rule("VIII.B.7", "VIII.B.6", "IX.B.15", "II.B.13")
def test_who_is_silent_under_a_tank_is_crushed_when_its_driver_runs_out_of_time() -> None:
    """Ana's tank ends on Bob's street of 30 ₦, upon Bob, who is asked about his team and says nothing.

    After five minutes he is in Hôpital with his team; then her square is applied: the tank spares her the rent.
    """
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=1)
    table.give("ana", "tank")
    table.give("bob", "security_team")
    table.place("bob", 6)
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "use_vehicle", vehicle="tank", steps=2)
    table.wait(301)
    events = kinds(table.banker("expire_turn"))
    assert events[:5] == ["question_lapsed", "strike_closed", "token_sent", "tank_spared", "square_resolved"]
    assert (table.state.positions["bob"], table.holds("bob", "security_team")) == (HOPITAL, 1)
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)


# Places ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("V.E.19", "IX.B.12", "III.C.1")
def test_who_is_kidnapped_at_home_in_bleu_fonce_teleports_all_the_same() -> None:
    """Ana's turn starts on her LBTRD Tower. Bob has her taken to the bar before she rolls.

    What counts is where her turn started: from the bar she still goes where she likes, here to Spawn and its pay.
    """
    table = Table("bob", "ana")
    table.own("ana", *QUARTERS["bleu_fonce"])
    table.give("bob", "kidnapping")
    table.place("ana", 39)
    table.turn("bob", 1, 2)
    table.play("bob", "use_kidnapping", target="ana", towards="next")
    assert table.state.positions["ana"] == BAR
    table.play("ana", "quarter_teleport", square=0)
    assert table.holds("ana") == 1650 + 250 - 20
    table.refused("ana", "roll_dice", "II.B.4", dice=[1, 2])


@pytest.mark.rule("IX.B.12", "VI.D.1", "II.2")
def test_a_kidnapped_prisoner_is_out_of_prison_and_still_sits_out_their_turns() -> None:
    """Bob, in Prison with a turn to miss, is taken to the bar: no bail of 80 ₦ buys that turn any more.

    He misses it standing at the bar, and rolls from there in the round after.
    """
    table = Table("ana", "bob", settings={"prison_missed_turns": 1, "prison_bail": 80})
    table.give("ana", "kidnapping")
    table.place("bob", PRISON)
    with table.arranged() as state:
        state.missed = {"bob": 1}
    table.play("ana", "use_kidnapping", target="bob", towards="last")
    table.refused("bob", "pay_bail", "VI.D.1")
    events = kinds(table.play("ana", "roll_dice", dice=[1, 2]) + table.play("ana", "end_turn"))
    assert events[-4:] == ["turn_ended", "turn_skipped", "round_started", "turn_started"]
    table.turn("ana", 2, 3)
    table.turn("bob", 1, 2)
    assert (table.state.positions["bob"], table.holds("bob")) == (BAR + 3, 1650)


@pytest.mark.rule("IX.C.17", "VI.D.4", "VI.D.1", "VI.C.1")
@pytest.mark.parametrize(
    ("title", "square", "ends", "balances"),
    [
        # 420 rue des patates (9), beside the Prison: Bob is in Prison already, and is arrested there once more
        ("420_rue_des_patates", PRISON, PRISON, (1500, 1800)),
        # Jahland Dispensory (19), beside the Hôpital: a patient is a terrorist like anybody
        ("jahland_dispensory", HOPITAL, PRISON, (1500, 1800)),
    ],
)
def test_prisoners_and_patients_beside_an_explosion_are_terrorists(
    title: str, square: int, ends: int, balances: tuple[int, int]
) -> None:
    """Ana blows up a house beside Prison, or beside Hôpital, where Bob is: it is a square like any other.

    He is arrested, pays Cleo's racket of 150 ₦, and has one turn more to miss than before.
    """
    table = Table("ana", "bob", "cleo", settings={"prison_missed_turns": 1})
    table.own("cleo", title, houses=1)
    table.attach(title, "charge:ana:1")
    table.place("bob", square)
    with table.arranged() as state:
        state.round, state.missed, state.rackets = 3, {"bob": 1}, ["cleo"]
    stop_on(table, "ana", 3)
    table.play("ana", "detonate_c4", title=title)
    assert (table.state.positions["bob"], table.state.missed) == (ends, {"bob": 2})
    assert (table.holds("bob"), table.holds("cleo")) == balances


@pytest.mark.rule("IX.C.21", "IX.A.2", "VI.F.3", "II.B.7")
def test_an_ar15_on_the_checkpoint_beside_the_bar_closes_the_bar_as_well() -> None:
    """Ana stops on square 4 with an AR15 and no licence. If she uses it there is no check, and no bar either.

    Bob, with empty pockets, is checked first, buys an RPG-7 next door for 150 ₦, and is not checked again.
    """
    table = Table("ana", "bob")
    table.give("ana", "ar15")
    stop_on(table, "ana", CHECKPOINT)
    table.play("ana", "use_ar15")
    table.refused("ana", "buy_weapon", "IX.A.2", weapon="rpg7")
    table.play("ana", "end_turn")
    stop_on(table, "bob", CHECKPOINT)
    table.refused("bob", "buy_weapon", "II.B.7", weapon="rpg7")
    table.play("bob", "resolve_square")
    table.play("bob", "buy_weapon", weapon="rpg7")
    table.play("bob", "end_turn")
    assert (table.holds("bob"), table.holds("bob", "rpg7"), table.state.positions["bob"]) == (1500, 1, CHECKPOINT)


# Who it falls upon ----------------------------------------------------------------------------------------


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


@pytest.mark.rule("IX.C.29", "V.B.9", "I.A.1.1", "V.A.2")
def test_a_sale_agreed_too_late_sells_nothing() -> None:
    """Bob offers Cleo his Négotown for 90 ₦; before she agrees Ana's Rods raze Marron. Nothing is paid.

    The title is the bank's, and Cleo may buy it there for 60 ₦ when she stops on it.
    """
    table = Table("ana", "bob", "cleo")
    table.own("bob", "negotown", houses=2)
    table.give("ana", "rods_from_gods")
    table.play("bob", "sell_property", title="negotown", to="cleo", price=90)
    deal = str(table.number)
    stop_on(table, "ana", 13)
    table.play("ana", "fire_rods", quarter="marron")
    table.refused("cleo", "agree_deal", "I.A.1.1", deal=deal)
    assert (table.holds("bob"), table.holds("cleo")) == (1650, 1650)
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    stop_on(table, "cleo", 1)
    table.play("cleo", "buy_property", title="negotown")
    assert (table.owner("negotown"), table.holds("cleo")) == ("cleo", 1650 + 250 - 60)
