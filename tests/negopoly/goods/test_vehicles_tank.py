"""VIII.B.5–7. The Tank: its protection against squares, and the players that it crushes."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from tests.tables.negopoly import CHECKPOINT, HOPITAL, ORANGE, PRISON, SPAWN, Table, kinds, say, turn


def armoured(*seats: str, start: int = PRISON) -> Table:
    """Ana's turn, with a tank in hand."""
    table = Table(*(seats or ("ana", "bob")))
    table.give("ana", "tank")
    table.place("ana", start)
    return table


def k9(table: Table) -> None:
    """Crossing a checkpoint leads to a check in this round."""
    with table.arranged() as state:
        state.k9_rounds.add(state.round)


# The shield -----------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.B.6")
def test_a_tank_spares_the_rent_of_the_square_it_reaches() -> None:
    """Bob's Jahland Dispensory with three houses costs 600 ₦, but not Ana in her tank; an event says so."""
    table = armoured()
    table.own("bob", "jahland_dispensory", houses=3)
    table.play("ana", "roll_dice", dice=[1, 6])
    table.play("ana", "use_vehicle", commodity="tank", steps=2)
    assert turn(table).stop == 19
    table.refused("ana", "end_turn", "II.B.7")
    events = table.play("ana", "resolve_square")
    assert kinds(events) == ["tank_spared", "square_resolved"]
    speakers = RULEBOOK.language.speakers(table.state)
    assert say(events[0], "en", speakers) == "The Tank spares Ana the rent of Jahland Dispensory."
    assert say(events[0], "fr", speakers) == "Le Tank épargne à Ana le loyer de Jahland Dispensory."
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)


@pytest.mark.rule("VIII.B.6", "VIII.C.2")
def test_a_tank_used_before_the_roll_protects_the_whole_way() -> None:
    """K9 is active: Ana crosses a checkpoint with three doses and stops on the next, and nobody checks her."""
    table = armoured(start=2)
    table.give("ana", "dose", 3)
    k9(table)
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    events = table.play("ana", "roll_dice", dice=[3, 4])
    assert [(kind_of(one), getattr(one, "square", None)) for one in events if kind_of(one) == "tank_spared"] == [
        ("tank_spared", CHECKPOINT)
    ]
    assert turn(table).stop == 12
    resolved = table.play("ana", "resolve_square")
    assert kinds(resolved) == ["tank_spared", "square_resolved"]
    assert (table.holds("ana", "dose"), table.state.positions["ana"]) == (3, 12)


@pytest.mark.rule("VIII.B.6", "VI.F.7")
def test_a_wanted_player_in_a_tank_is_not_arrested_but_stays_wanted() -> None:
    """The tank keeps the check away, and the warrant waits for the next one."""
    table = armoured(start=2)
    with table.arranged() as state:
        state.wanted.add("ana")
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    assert ("ana" in table.state.wanted, table.state.positions["ana"]) == (True, 12)
    table.place("bob", PRISON)
    table.turn("bob", 5, 5)
    table.place("ana", SPAWN)
    table.play("ana", "roll_dice", dice=[1, 3])
    table.play("ana", "resolve_square")
    assert table.state.positions["ana"] == PRISON


@pytest.mark.rule("VIII.B.6", "V.E.15")
def test_not_even_the_police_of_orange_stop_a_tank() -> None:
    """Landing on Bob's Orange quarter costs Ana neither the rent of 26 ₦ nor her dose."""
    table = armoured(start=22)
    table.own("bob", *ORANGE)
    table.give("ana", "dose")
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "use_vehicle", commodity="tank", steps=2)
    assert turn(table).stop == 31
    events = table.play("ana", "resolve_square")
    assert [getattr(one, "harm", None) for one in events] == ["rent", "check", None]
    assert (table.holds("ana"), table.holds("ana", "dose")) == (1650, 1)


@pytest.mark.rule("VIII.B.6")
def test_a_tank_gives_nothing_back_of_what_happened_before_it() -> None:
    """Ana has paid the 14 ₦ of Snoopy's ID and is in her tank only afterwards: the 14 ₦ stay with Bob."""
    table = armoured()
    table.own("bob", "snoopys_id", "pink_hoodie_studio")
    table.play("ana", "roll_dice", dice=[3, 5])
    table.play("ana", "resolve_square")
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    table.play("ana", "resolve_square")
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 14, 1650 + 14)


@pytest.mark.parametrize(("answer", "money"), [("yes", 1650), ("no", 1570)])
@pytest.mark.rule("VIII.B.6", "II.B.7")
def test_the_driver_of_a_tank_may_refuse_a_compulsory_card(answer: str, money: int) -> None:
    """Ana's tank ends on Chance, and she draws a bill of 80 ₦: she is asked whether the tank keeps it away."""
    table = Table("ana", "bob", decks=True)
    table.give("ana", "tank")
    table.place("ana", PRISON)
    table.play("ana", "roll_dice", dice=[5, 5])
    table.play("ana", "use_vehicle", commodity="tank", steps=2)
    table.play("ana", "resolve_square", draws=["chance_04"])
    (question,) = table.state.questions
    assert (question.kind, question.seat, question.rule) == ("tank", "ana", "VIII.B.6")
    table.refused("ana", "end_turn", "VIII.B.6")
    told = table.play("ana", "answer", question=question.id, answer=answer)
    assert ("tank_spared" in kinds(told)) is (answer == "yes")
    assert table.holds("ana") == money
    table.play("ana", "end_turn")


@pytest.mark.rule("VIII.B.6")
def test_the_shield_ends_with_the_turn() -> None:
    """In her next turn Ana pays the rent of Hijacked like everybody: 10 ₦."""
    table = armoured()
    table.own("bob", "hijacked")
    table.play("ana", "roll_dice", dice=[5, 5])
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.place("bob", PRISON)
    table.turn("bob", 5, 5)
    table.place("ana", 8)
    table.turn("ana", 2, 3)
    assert (table.holds("ana"), table.holds("bob")) == (1640, 1660)


@pytest.mark.rule("VIII.B.6", "VI.A.2")
def test_a_tank_pays_the_fee_of_spawn() -> None:
    """The pay of 250 ₦ is still reduced by 10 ₦ for each of Ana's two titles."""
    table = armoured(start=36)
    table.own("ana", "negotown", "hijacked")
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "use_vehicle", commodity="tank", steps=2)
    assert (table.state.positions["ana"], table.holds("ana")) == (SPAWN, 1650 + 230)


# Crushing -------------------------------------------------------------------------------------------


@pytest.mark.rule("VIII.B.7")
def test_everybody_on_the_square_where_the_tank_ends_is_sent_to_hopital() -> None:
    """Bob and Cid stand where Ana ends, Dan where she passes: two are crushed, and one is not."""
    table = armoured("ana", "bob", "cid", "dan")
    for seat, square in (("bob", 23), ("cid", 23), ("dan", 21)):
        table.place(seat, square)
    table.play("ana", "roll_dice", dice=[5, 5])
    events = table.play("ana", "use_vehicle", commodity="tank", steps=3)
    sent = [(one.seat, one.square, one.cause, one.rule) for one in events if kind_of(one) == "token_sent"]  # type: ignore[attr-defined]
    assert sent == [("bob", HOPITAL, "tank", "VIII.B.7"), ("cid", HOPITAL, "tank", "VIII.B.7")]
    assert [table.state.positions[seat] for seat in ("ana", "bob", "cid", "dan")] == [23, HOPITAL, HOPITAL, 21]


@pytest.mark.rule("VIII.B.7", "VIII.C.3")
def test_a_tank_used_before_the_roll_crushes_at_the_end_of_the_whole_move() -> None:
    """Bob stands where the dice end and is passed; Cid stands three squares further and is crushed."""
    table = armoured("ana", "bob", "cid")
    table.place("bob", 18)
    table.place("cid", 21)
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    table.play("ana", "roll_dice", dice=[3, 5])
    assert [table.state.positions[seat] for seat in ("ana", "bob", "cid")] == [21, 18, HOPITAL]


@pytest.mark.rule("VIII.B.7")
def test_a_crowded_hopital_stays_as_it_is_and_a_crowded_prison_is_emptied() -> None:
    """Who stands on Hôpital is there already; a prisoner comes out by way of the Hôpital."""
    table = armoured("ana", "bob", "cid")
    table.place("bob", HOPITAL)
    table.place("cid", HOPITAL)
    table.play("ana", "roll_dice", dice=[3, 5])
    events = table.play("ana", "use_vehicle", commodity="tank", steps=2)
    assert kinds(events) == ["vehicle_used", "stop_left", "token_moved"]
    assert set(table.state.positions.values()) == {HOPITAL}
    prison = armoured("ana", "bob", start=1)
    prison.place("bob", PRISON)
    prison.play("ana", "roll_dice", dice=[3, 4])
    prison.play("ana", "use_vehicle", commodity="tank", steps=2)
    assert (prison.state.positions["ana"], prison.state.positions["bob"]) == (PRISON, HOPITAL)


@pytest.mark.rule("VIII.B.7", "VI.C.1")
def test_a_crushed_player_has_the_stay_and_the_bill_that_the_table_has_set() -> None:
    table = Table("ana", "bob", settings={"hospital_bill": 40, "hospital_missed_turns": 1})
    table.give("ana", "tank")
    table.place("ana", PRISON)
    table.place("bob", 23)
    table.play("ana", "roll_dice", dice=[5, 5])
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    assert (table.holds("bob"), table.state.missed) == (1610, {"bob": 1})


@pytest.mark.rule("VIII.B.7", "IX.B.14", "IX.B.15")
def test_a_security_team_keeps_its_owner_under_the_tank_where_they_are() -> None:
    """Bob uses his team and stays, Cid keeps his and is crushed; until they have answered Ana's turn waits."""
    table = armoured("ana", "bob", "cid")
    for seat in ("bob", "cid"):
        table.place(seat, 23)
        table.give(seat, "security_team")
    table.play("ana", "roll_dice", dice=[5, 5])
    table.play("ana", "use_vehicle", commodity="tank", steps=3)
    assert [question.seat for question in table.state.questions] == ["bob", "cid"]
    table.refused("ana", "resolve_square", "IX.B.15")
    for question, answer in zip(list(table.state.questions), ("use", "no"), strict=True):
        table.play(question.seat, "answer", question=question.id, answer=answer)
    assert (table.state.positions["bob"], table.holds("bob", "security_team")) == (23, 0)
    assert (table.state.positions["cid"], table.holds("cid", "security_team")) == (HOPITAL, 1)
    table.play("ana", "resolve_square")


@pytest.mark.rule("VIII.B.7", "VIII.B.6", "VI.F.2")
def test_a_tank_through_a_checkpoint_onto_a_rented_square_full_of_people() -> None:
    """K9 and two doses on the way, a rent of 30 ₦ at the end, Bob and Cid standing there.

    Ana keeps her doses and her money, and the two who stood on 17 rue des patates are in Hôpital.
    """
    table = armoured("ana", "bob", "cid", start=SPAWN)
    table.own("bob", "17_rue_des_patates", houses=1)
    table.give("ana", "dose", 2)
    table.place("bob", 6)
    table.place("cid", 6)
    k9(table)
    table.play("ana", "roll_dice", dice=[1, 2])
    events = table.play("ana", "use_vehicle", commodity="tank", steps=3)
    assert [kind for kind in kinds(events) if kind in {"tank_spared", "token_sent"}] == [
        "tank_spared",
        "token_sent",
        "token_sent",
    ]
    events = table.play("ana", "resolve_square")
    assert kinds(events) == ["tank_spared", "square_resolved"]
    assert (table.holds("ana"), table.holds("ana", "dose"), table.holds("bob")) == (1650, 2, 1650)
    assert [table.state.positions[seat] for seat in ("ana", "bob", "cid")] == [6, HOPITAL, HOPITAL]
