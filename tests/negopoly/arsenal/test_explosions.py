"""IX.C.14 to IX.C.17. Firing C4 from two rounds later: houses are destroyed, players go to Hôpital and Prison."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.events import kind_of
from ledger.rulebooks.negopoly.arsenal.charges import charges_on
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import (
    BAR,
    CHANCE,
    HOPITAL,
    PRISON,
    STREET,
    Table,
    charged,
    crosses,
    kinds,
    quiet_turns,
    ready_to_fire,
    stop_on,
)

HERE = 6
"""The square of the street."""


@pytest.mark.rule("IX.C.14")
def test_a_charge_is_fired_from_the_second_round_after_placing_and_not_before() -> None:
    """Placed in round 1, it is refused in round 2 and may be fired in round 3, after the roll, from anywhere."""
    table = charged()
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    refusal = table.refused("ana", "detonate_c4", "IX.C.14", title=STREET)
    assert "round 3" in refusal.en
    table.play("ana", "end_turn")
    quiet_turns(table, "bob")
    assert "charges" in table.last.events[-1].effects  # type: ignore[union-attr]
    table.refused("ana", "detonate_c4", "II.B.10", title=STREET)
    table.place("ana", 28)
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.offers("ana", "detonate_c4") == [{"title": STREET}]
    table.play("ana", "detonate_c4", title=STREET)
    assert table.holds("used", "charge:ana:1") == 1


@pytest.mark.rule("IX.C.14")
def test_it_is_never_automatic_and_lasts_as_long_as_nobody_takes_it() -> None:
    """Ana lets round 3 go by; in round 4 her charge is still there and still hers to fire."""
    table = ready_to_fire()
    table.play("ana", "end_turn")
    quiet_turns(table, "bob")
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    assert table.holds(attached(STREET), "house") == 1


@pytest.mark.rule("IX.C.14")
def test_only_those_placed_two_rounds_ago_are_fired() -> None:
    """Ana places one charge in round 1 and two more in round 2: in round 3 the first one alone goes off."""
    table = charged(houses=3)
    table.give("ana", "c4", 2)
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "place_c4", title=STREET, amount=2)
    table.play("ana", "end_turn")
    quiet_turns(table, "bob")
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "detonate_c4", "IX.C.14", title=STREET, amount=2)
    table.play("ana", "detonate_c4", title=STREET)
    assert table.holds(attached(STREET), "house") == 2
    assert [(one.round, one.amount) for one in charges_on(table.state, STREET)] == [(2, 2)]


@pytest.mark.rule("IX.C.14")
def test_only_the_placer_fires_in_their_own_turn() -> None:
    """Bob has no charge to fire, and Ana may not in his turn."""
    table = ready_to_fire()
    table.play("ana", "end_turn")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.refused("bob", "detonate_c4", "IX.C.14", title=STREET)
    table.refused("ana", "detonate_c4", "II.B.10", title=STREET)


@pytest.mark.rule("IX.C.15", "V.C.5", "V.C.6", "V.C.7")
def test_each_charge_destroys_one_house_while_there_is_one() -> None:
    """Four charges on three houses: all three are gone, and the street is neither mortgaged nor reset."""
    table = ready_to_fire(houses=3, charges=4)
    events = table.play("ana", "detonate_c4", title=STREET)
    assert [kind_of(event) for event in events] == ["charges_exploded", *["house_destroyed"] * 3]
    assert table.holds(attached(STREET), "house") == 0
    assert table.holds(attached(STREET), "mortgage") == 0
    assert table.owner(STREET) == "bob"
    assert charges_on(table.state, STREET) == []


@pytest.mark.rule("IX.C.14", "IX.C.2")
def test_fewer_than_all_may_be_fired_and_the_rest_in_the_same_use() -> None:
    """Of three charges Ana fires one, then the two others: one weapon use; artillery besides is refused."""
    table = ready_to_fire(houses=3, charges=3)
    table.give("ana", "artillerie")
    table.play("ana", "detonate_c4", title=STREET, amount=1)
    assert table.holds(attached(STREET), "house") == 2
    table.refused("ana", "detonate_c4", "IX.C.14", title=STREET, amount=3)
    table.play("ana", "detonate_c4", title=STREET, amount=2)
    assert table.holds(attached(STREET), "house") == 0
    table.refused("ana", "fire_artillery", "IX.C.2", title=STREET)


@pytest.mark.rule("IX.C.15")
def test_on_a_mortgaged_title_an_explosion_only_removes_houses() -> None:
    """Bob mortgages his street with two houses; the charge takes one, and the mortgage stays."""
    table = charged()
    quiet_turns(table, "ana")
    table.play("bob", "mortgage_property", title=STREET)
    table.turn("bob", 1, 2)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    assert table.holds(attached(STREET), "house") == 1
    assert table.holds(attached(STREET), "mortgage") == 1


@pytest.mark.rule("IX.C.16", "IX.C.17", "VI.C.1", "VI.D.1")
def test_players_on_the_square_go_to_hospital_and_those_beside_it_to_prison() -> None:
    """Bob stands on his street, Cleo on the bar beside it, Dan far away: Hôpital, Prison, and nothing."""
    table = ready_to_fire("ana", "bob", "cleo", "dan")
    for seat, square in (("bob", 6), ("cleo", 5), ("dan", 30)):
        table.place(seat, square)
    table.give("cleo", "dose", 2)
    table.play("ana", "detonate_c4", title=STREET)
    assert {seat: table.state.positions[seat] for seat in ("bob", "cleo", "dan")} == {
        "bob": 20,
        "cleo": 10,
        "dan": 30,
    }
    assert table.holds("cleo", "dose") == 2  # an arrest without a check: nothing is confiscated


@pytest.mark.rule("IX.C.16")
def test_the_placer_is_not_spared_by_their_own_charge() -> None:
    """Ana has stopped on the street she blows up: she goes to the Hôpital, and no team of hers is asked for."""
    table = ready_to_fire()
    table.give("ana", "security_team")
    table.play("ana", "resolve_square")
    table.place("ana", 6)
    table.play("ana", "detonate_c4", title=STREET)
    assert table.state.positions["ana"] == 20
    assert table.holds("ana", "security_team") == 1


@pytest.mark.rule("IX.C.17", "VI.D.4")
def test_a_terrorist_is_arrested_like_anybody_and_meets_the_racket_of_the_prison() -> None:
    """Bob has paid a prisoner; Cleo, beside the explosion, pays him 150 ₦ on arriving in Prison."""
    table = ready_to_fire("ana", "bob", "cleo")
    with table.arranged() as state:
        state.rackets.append("bob")
    table.place("cleo", 7)
    before = table.holds("bob"), table.holds("cleo")
    table.play("ana", "detonate_c4", title=STREET)
    assert (table.holds("bob"), table.holds("cleo")) == (before[0] + 150, before[1] - 150)


@pytest.mark.rule("IX.C.15", "IX.C.16")
def test_a_charge_without_a_house_left_still_hits_players() -> None:
    """Bob takes his only house down; the charge left behind finds no house, but Bob on the square."""
    table = charged(houses=1)
    quiet_turns(table, "ana")
    table.play("bob", "destroy_house", title=STREET)
    table.turn("bob", 1, 2)
    table.place("bob", 6)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    events = table.play("ana", "detonate_c4", title=STREET)
    assert "house_destroyed" not in [kind_of(event) for event in events]
    assert table.state.positions["bob"] == 20


@pytest.mark.rule("IX.B.14", "IX.B.15", "IX.C.15", "IX.C.16")
def test_a_security_team_stops_one_consequence_of_an_explosion() -> None:
    """Bob stands on his street and has one team: he saves his house with it, and goes to the Hôpital."""
    table = ready_to_fire(houses=1)
    table.place("bob", 6)
    table.give("bob", "security_team")
    table.play("ana", "detonate_c4", title=STREET)
    (question,) = table.state.questions
    table.play("bob", "answer", question=question.id, answer="use")
    while table.state.questions:
        (question,) = table.state.questions
        table.play("bob", "answer", question=question.id, answer="no")
    assert table.holds(attached(STREET), "house") == 1
    assert table.state.positions["bob"] == 20


@pytest.mark.rule("IX.C.15", "IX.B.15")
def test_a_house_that_is_gone_before_the_answer_is_not_destroyed_again() -> None:
    """While Bob is asked about the explosion a ruling takes his only house: letting it happen does nothing."""
    table = ready_to_fire(houses=1)
    table.give("bob", "security_team")
    table.play("ana", "detonate_c4", title=STREET)
    (question,) = table.state.questions
    gone = {"from": attached(STREET), "to": "bank", "commodity": "house", "amount": 1}
    remedy = {"op": "adjust", "postings": [gone], "reason": "it was never paid for"}
    table.banker("rule", finding="It was never paid for.", remedies=[remedy])
    events = table.play("bob", "answer", question=question.id, answer="no")
    assert "house_destroyed" not in [kind_of(event) for event in events]
    assert (table.state.strikes, table.holds(attached(STREET), "mortgage"), table.owner(STREET)) == ([], 0, "bob")


@pytest.mark.rule("V.B.6", "IX.C.14", "IX.C.12")
def test_charges_stay_on_a_title_that_changes_hands() -> None:
    """Cleo takes Bob's mortgaged street by force, charges and all; Ana blows up what is now Cleo's house."""
    table = charged("ana", "bob", "cleo")
    quiet_turns(table, "ana")
    table.play("bob", "mortgage_property", title=STREET)
    table.turn("bob", 1, 2)
    table.place("cleo", 1)
    table.play("cleo", "roll_dice", dice=[3, 4])
    table.play("cleo", "force_buyback", title=STREET)
    table.play("cleo", "end_turn")
    assert table.owner(STREET) == "cleo"
    assert table.holds(attached(STREET), "charge:ana:1") == 1
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    assert table.holds(attached(STREET), "house") == 1


@pytest.mark.rule("V.D.3", "IX.C.14")
def test_a_reset_loses_the_charges_of_a_title() -> None:
    """Bob sells his street to the bank: Ana's charges are used up, nobody gets them back, and nothing explodes."""
    table = charged(charges=2)
    quiet_turns(table, "ana")
    table.play("bob", "sell_property", title=STREET)
    assert charges_on(table.state, STREET) == []
    assert table.holds("used", "charge:ana:1") == 2
    table.turn("bob", 1, 2)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "detonate_c4", "IX.C.14", title=STREET)


@pytest.mark.rule("I.B.5", "IX.C.13")
def test_the_charges_of_a_player_who_is_out_can_be_removed_but_not_fired() -> None:
    """Ana is bankrupt and out: nobody fires her charge any more, and Bob takes it off his street."""
    table = charged("ana", "bob", "cleo")
    table.take("ana", "NGD", 1700)
    table.play("ana", "declare_bankruptcy")
    assert table.holds(attached(STREET), "charge:ana:1") == 1
    table.place("bob", 1)
    table.play("bob", "roll_dice", dice=[3, 4])
    table.refused("bob", "detonate_c4", "IX.C.14", title=STREET)
    table.play("bob", "remove_c4", title=STREET)
    assert table.holds("bob", "c4") == 1


# With other rules ---------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.12", "IX.C.13", "IX.C.14", "IX.C.15", "IX.C.16", "IX.C.17", "IX.C.27", "VI.D.1", "VI.C.1")
def test_charges_placed_stolen_frozen_and_fired_with_players_beside_them() -> None:
    """Ana leaves three charges on Dan's street, Bob takes one when passing, and Dan's bomb freezes the others.

    During the bomb Cleo can take none. The two rounds pass nevertheless, so in round 3 Ana fires the two that are
    left: two of three houses are destroyed, Dan on his street goes to Hôpital, Bob and Cleo beside it to Prison.
    Bob keeps his charge, for an explosion is no check. Nobody pays anybody.
    """
    table = Table("ana", "bob", "cleo", "dan")
    table.own("dan", STREET, houses=3)
    table.give("ana", "c4", 3)
    table.give("dan", "bombe_iem")
    crosses(table, "ana")
    table.play("ana", "place_c4", title=STREET, amount=3)
    table.play("ana", "end_turn")
    crosses(table, "bob")
    table.play("bob", "remove_c4", title=STREET, amount=1)
    table.play("bob", "end_turn")
    quiet_turns(table, "cleo")
    table.place("dan", 0)
    table.play("dan", "roll_dice", dice=[1, 2])
    table.play("dan", "use_emp")
    table.play("dan", "end_turn")
    quiet_turns(table, "ana", "bob")
    crosses(table, "cleo")
    table.refused("cleo", "remove_c4", "IX.C.27", title=STREET)
    table.play("cleo", "end_turn")
    quiet_turns(table, "dan")
    table.place("ana", 0)
    table.place("bob", CHANCE)
    table.place("cleo", BAR)
    table.place("dan", HERE)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    assert table.state.round == 3
    assert table.holds(f"property:{STREET}", "house") == 1
    assert table.state.positions == {"ana": 3, "bob": PRISON, "cleo": PRISON, "dan": HOPITAL}
    assert [table.holds(seat) for seat in ("ana", "bob", "cleo", "dan")] == [1650] * 4
    assert (table.holds("ana", "c4"), table.holds("bob", "c4")) == (0, 1)
    assert charges_on(table.state, STREET) == []
    table.refused("ana", "detonate_c4", "IX.C.14", title=STREET)


@pytest.mark.rule("IX.C.14", "II.B.7", "V.A.6", "IX.C.16")
def test_nobody_blows_houses_up_to_pay_less_rent_for_standing_before_them() -> None:
    """Ana stops on Bob's street of two houses, where two charges of hers are ready: the 90 ₦ of rent come first.

    Then both houses go, and she with them to Hôpital; the rent is not given back.
    """
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=2)
    quiet_turns(table, "ana", "bob", "ana", "bob")
    table.attach(STREET, "charge:ana:1", 2)
    table.place("ana", HERE - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "detonate_c4", "II.B.7", title=STREET)
    table.play("ana", "resolve_square")
    table.play("ana", "detonate_c4", title=STREET)
    assert (table.holds("ana"), table.holds("bob")) == (1650 - 90, 1650 + 90)
    assert table.holds(f"property:{STREET}", "house") == 0
    assert table.state.positions["ana"] == HOPITAL


@pytest.mark.rule("IX.C.17", "VI.D.3", "VI.D.4", "VI.D.1")
def test_a_placer_beside_her_own_charge_is_the_next_prisoner_and_loses_her_racket() -> None:
    """Ana has paid a prisoner, and stands beside the charge she fires, as Bob does: both are terrorists.

    She is taken to Prison first, in the order of play: her racket is lost on herself, and Bob pays nothing.
    """
    table = Table("ana", "bob", "cleo")
    table.own("cleo", STREET, houses=1)
    table.place("ana", PRISON - 3)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "buy_prison_racket")
    table.play("ana", "end_turn")
    quiet_turns(table, "bob", "cleo", "ana", "bob", "cleo")
    table.attach(STREET, "charge:ana:1", 1)
    table.place("ana", BAR - 3)
    table.place("bob", CHANCE)
    table.play("ana", "roll_dice", dice=[1, 2])
    events = kinds(table.play("ana", "detonate_c4", title=STREET))
    assert events.count("arrested") == 2
    assert "racket_lost" in events
    assert "racket_collected" not in events
    assert (table.holds("ana"), table.holds("bob"), table.state.rackets) == (1650 - 100, 1650, [])
    assert table.state.positions == {"ana": PRISON, "bob": PRISON, "cleo": 3}
    table.play("ana", "end_turn")


@pytest.mark.rule("V.B.6", "IX.C.14", "IX.C.15")
def test_an_owner_who_has_mined_his_own_street_fires_on_whoever_takes_it_from_him() -> None:
    """Bob mines his street and mortgages it; Cleo takes it by force for 200 ₦, its two houses and the charge.

    She has passed by and left the charge there, so two rounds later Bob takes a house of hers down with it.
    """
    table = Table("ana", "bob", "cleo")
    table.own("bob", STREET, houses=2)
    table.give("bob", "c4")
    quiet_turns(table, "ana")
    crosses(table, "bob")
    table.play("bob", "place_c4", title=STREET)
    table.play("bob", "mortgage_property", title=STREET)
    table.play("bob", "end_turn")
    crosses(table, "cleo")
    table.play("cleo", "force_buyback", title=STREET)
    table.play("cleo", "end_turn")
    quiet_turns(table, "ana", "bob", "cleo", "ana")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "detonate_c4", title=STREET)
    assert table.owner(STREET) == "cleo"
    assert table.holds(f"property:{STREET}", "house") == 1
    assert (table.holds("bob"), table.holds("cleo")) == (1650 + 50, 1650 - 200)


@pytest.mark.rule("IX.B.12", "IX.C.17", "VI.D.4", "IX.C.2", "III.C.2")
def test_a_player_kidnapped_to_the_bar_beside_a_charge_is_a_terrorist_like_any_other() -> None:
    """Ana has Bob taken to the bar, beside which her charge lies, and fires it in the same turn.

    A kidnapping is no weapon, and that he did not come by himself is no excuse: he is in Prison, and pays 150 ₦
    for the racket that Ana has waiting there.
    """
    table = Table("ana", "bob", "cleo")
    table.own("cleo", STREET, houses=1)
    table.give("ana", "kidnapping")
    quiet_turns(table, "ana", "bob", "cleo", "ana", "bob", "cleo")
    table.attach(STREET, "charge:ana:1", 1)
    with table.arranged() as state:
        state.rackets.append("ana")
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_kidnapping", target="bob", towards="next")
    assert table.state.positions["bob"] == BAR
    table.play("ana", "detonate_c4", title=STREET)
    assert table.state.positions == {"ana": 3, "bob": PRISON, "cleo": 3}
    assert [table.holds(seat) for seat in ("ana", "bob", "cleo")] == [1800, 1500, 1650]
    table.play("ana", "end_turn")


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


@pytest.mark.rule("P.4", "I.B.5", "IX.C.14", "IX.C.13", "IX.C.15")
def test_charges_of_a_player_who_was_never_out_are_hers_to_fire_again() -> None:
    """Ana is ruled out of the game: nobody can fire her two charges, and Bob, passing by, takes one of them.

    The ruling is taken back before she misses a turn: nothing falls, Bob keeps what he took, and in round 3 she
    fires the other one.
    """
    table = Table("ana", "bob", "cleo")
    table.own("cleo", STREET, houses=2)
    table.give("ana", "c4", 2)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "place_c4", title=STREET, amount=2)
    table.play("ana", "end_turn")
    table.banker("rule", finding="Ana cheated", remedies=[{"op": "eliminate", "seat": "ana"}])
    ruled = table.number
    table.play("bob", "roll_dice", dice=[3, 4])
    table.play("bob", "remove_c4", title=STREET, amount=1)
    table.refused("ana", "detonate_c4", "I.B.5", title=STREET)
    drop = {"op": "drop", "action": ruled}
    plan = table.what_if(drop)
    assert (plan.restated, plan.voided) == ((), ())
    table.banker("correct", edits=[drop], cascade="refuse", reason="she had not")
    assert table.state.eliminated == {}
    assert table.holds("ana") == 1650
    table.play("bob", "end_turn")
    table.turn("cleo", 1, 2)
    table.turn("ana", 1, 2)
    table.turn("bob", 1, 2)
    table.turn("cleo", 3, 5)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    assert table.state.round == 3
    assert (table.holds(f"property:{STREET}", "house"), table.holds("bob", "c4")) == (1, 1)
