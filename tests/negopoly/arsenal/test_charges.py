"""IX.C.10 to IX.C.17. C4: placed in passing, removed by anybody who passes, fired from two rounds later."""

from __future__ import annotations

import pytest

from ledger.kernel.audience import SPECTATOR
from ledger.kernel.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.arsenal.charges import charges_on
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import Table, quiet_turns, say

STREET = "17_rue_des_patates"
"""On square 6; beside it the western bar (5) and Chance (7)."""


def charged(*seats: str, houses: int = 2, charges: int = 1) -> Table:
    """In round 1 Ana places her charges on Bob's street, in passing; it is round 2 now, and her turn."""
    everybody = seats or ("ana", "bob")
    table = Table(*everybody)
    table.own("bob", STREET, houses=houses)
    table.give("ana", "c4", charges)
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "place_c4", title=STREET, amount=charges)
    table.play("ana", "end_turn")
    quiet_turns(table, *everybody[1:])
    return table


def ready(*seats: str, houses: int = 2, charges: int = 1) -> Table:
    """As `charged`, one round later: it is Ana's turn of round 3, and she has rolled to Black Arretxea."""
    everybody = seats or ("ana", "bob")
    table = charged(*everybody, houses=houses, charges=charges)
    quiet_turns(table, *everybody)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    return table


# Buying ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.10", "IX.C.11")
def test_each_charge_costs_40_more_than_the_one_before() -> None:
    """With none in hand three charges cost 40 + 80 + 120 ₦, the fourth 160; placed charges do not count."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=1)
    table.place("ana", 3)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "buy_weapon", weapon="c4", quantity=3)
    assert table.holds("ana") == 1650 - 240
    table.play("ana", "buy_weapon", weapon="c4")
    assert table.holds("ana") == 1650 - 240 - 160
    assert table.holds("ana", "c4") == 4
    table.play("ana", "end_turn")
    quiet_turns(table, "bob")
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "place_c4", title=STREET, amount=4)
    table.play("ana", "buy_weapon", weapon="c4")
    assert table.holds("ana") == 1650 - 240 - 160 - 40


# Placing --------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.12", "II.B.6")
def test_a_charge_is_placed_in_crossing_or_on_a_stop() -> None:
    """Ana crosses Bob's street and places two of her three charges on it; they leave her hands for the title."""
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=1)
    table.give("ana", "c4", 3)
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[3, 4])
    assert table.offers("ana", "place_c4") == [{"title": STREET, "amount": 1}]
    table.play("ana", "place_c4", title=STREET, amount=2)
    assert table.holds("ana", "c4") == 1
    assert table.holds(attached(STREET), "charge:ana:1") == 2
    shown = RULEBOOK.view(table.state, SPECTATOR)["titles"][STREET]["charges"]
    assert shown == [{"seat": "ana", "amount": 2, "ready": 3}]

    table = Table("ana", "bob")
    table.own("ana", STREET, houses=1)
    table.give("ana", "c4")
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "place_c4", title=STREET)
    assert table.holds(attached(STREET), "charge:ana:1") == 1


@pytest.mark.rule("IX.C.12", "II.B.10")
def test_placing_asks_for_a_passage_a_house_and_the_charges() -> None:
    """Before the roll, elsewhere, without a house or with too few charges the placing is refused."""
    table = Table("ana", "bob")
    table.own("bob", STREET)
    table.own("bob", "nuketown", houses=1)
    table.give("ana", "c4")
    table.place("ana", 1)
    table.refused("ana", "place_c4", "II.B.10", title=STREET)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.refused("ana", "place_c4", "IX.C.12", title=STREET)
    table.refused("ana", "place_c4", "IX.C.12", title="nuketown")
    table.own("bob", "69_rue_des_patates", houses=1)
    table.refused("ana", "place_c4", "IX.C.12", title="69_rue_des_patates", amount=2)
    table.play("ana", "place_c4", title="69_rue_des_patates")


@pytest.mark.rule("IX.C.11", "IX.C.2", "II.B.10")
def test_any_number_on_one_title_is_one_weapon_use() -> None:
    """Ana places 7 charges on one house, then 2 more there; another title, or a shot, is a second use."""
    table = Table("ana", "bob")
    table.own("bob", STREET, "69_rue_des_patates", houses=1)
    table.give("ana", "c4", 12)
    table.give("ana", "rpg7")
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "place_c4", title=STREET, amount=7)
    table.play("ana", "place_c4", title=STREET, amount=2)
    assert table.holds(attached(STREET), "charge:ana:1") == 9
    table.refused("ana", "place_c4", "IX.C.2", title="69_rue_des_patates")
    table.refused("ana", "fire_rpg", "IX.C.2", title="69_rue_des_patates", die=1)


# Removing -------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.13", "II.B.10")
def test_whoever_passes_may_take_charges_and_keeps_them() -> None:
    """Cleo passes the street and takes two of Ana's three charges, no weapon use: she still fires an RPG-7."""
    table = charged("ana", "bob", "cleo", charges=3)
    quiet_turns(table, "ana", "bob")
    table.give("cleo", "rpg7")
    table.place("cleo", 1)
    table.play("cleo", "roll_dice", dice=[3, 4])
    assert table.offers("cleo", "remove_c4") == [{"title": STREET, "placer": "ana"}]
    table.play("cleo", "remove_c4", title=STREET, amount=2)
    assert table.holds("cleo", "c4") == 2
    assert table.holds(attached(STREET), "charge:ana:1") == 1
    table.own("bob", "69_rue_des_patates", houses=1)
    table.play("cleo", "resolve_square")
    table.play("cleo", "fire_rpg", title="69_rue_des_patates", die=1)


@pytest.mark.rule("IX.C.13")
def test_a_stolen_charge_can_be_placed_anew_and_its_clock_starts_again() -> None:
    """Bob takes Ana's charge off his street and places it on her title: it is his, of this round."""
    table = charged()
    table.own("ana", "69_rue_des_patates", houses=1)
    quiet_turns(table, "ana")
    table.place("bob", 1)
    table.play("bob", "roll_dice", dice=[3, 4])
    table.play("bob", "remove_c4", title=STREET)
    table.play("bob", "place_c4", title="69_rue_des_patates")
    assert charges_on(table.state, STREET) == []
    assert table.holds(attached("69_rue_des_patates"), "charge:bob:2") == 1
    table.play("bob", "resolve_square")
    table.play("bob", "end_turn")
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.refused("ana", "detonate_c4", "IX.C.14", title=STREET)
    table.refused("ana", "detonate_c4", "IX.C.14", title="69_rue_des_patates")


@pytest.mark.rule("IX.C.13")
def test_the_placer_may_take_their_own_back_and_must_say_whose_where_there_are_several() -> None:
    """With charges of Ana and of Bob on the street, Ana names hers; too many, or none, are refused."""
    table = charged(charges=2)
    table.attach(STREET, "charge:bob:1")
    table.place("ana", 1)
    table.play("ana", "roll_dice", dice=[3, 4])
    refusal = table.refused("ana", "remove_c4", "IX.C.13", title=STREET)
    assert "ana, bob" in refusal.en
    table.refused("ana", "remove_c4", "IX.C.13", title=STREET, placer="ana", amount=3)
    table.play("ana", "remove_c4", title=STREET, placer="ana")
    assert table.holds("ana", "c4") == 2
    table.refused("ana", "remove_c4", "IX.C.13", title=STREET, placer="ana")


@pytest.mark.rule("IX.C.13", "II.B.3")
def test_nobody_takes_charges_from_elsewhere() -> None:
    """Bob has not passed the street this turn: before the roll and after another move nothing; nor does Ana."""
    table = charged("ana", "bob")
    quiet_turns(table, "ana")
    table.refused("bob", "remove_c4", "II.B.3", title=STREET)
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.refused("bob", "remove_c4", "IX.C.13", title=STREET)
    table.refused("ana", "remove_c4", "IX.C.13", title=STREET)


# Firing ---------------------------------------------------------------------------------------------------


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
    table = ready()
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
    table = ready()
    table.play("ana", "end_turn")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.refused("bob", "detonate_c4", "IX.C.14", title=STREET)
    table.refused("ana", "detonate_c4", "II.B.10", title=STREET)


@pytest.mark.rule("IX.C.15", "V.C.5", "V.C.6", "V.C.7")
def test_each_charge_destroys_one_house_while_there_is_one() -> None:
    """Four charges on three houses: all three are gone, and the street is neither mortgaged nor reset."""
    table = ready(houses=3, charges=4)
    events = table.play("ana", "detonate_c4", title=STREET)
    assert [kind_of(event) for event in events] == ["charges_exploded", *["house_destroyed"] * 3]
    assert table.holds(attached(STREET), "house") == 0
    assert table.holds(attached(STREET), "mortgage") == 0
    assert table.owner(STREET) == "bob"
    assert charges_on(table.state, STREET) == []


@pytest.mark.rule("IX.C.14", "IX.C.2")
def test_fewer_than_all_may_be_fired_and_the_rest_in_the_same_use() -> None:
    """Of three charges Ana fires one, then the two others: one weapon use; artillery besides is refused."""
    table = ready(houses=3, charges=3)
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
    table = ready("ana", "bob", "cleo", "dan")
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
    table = ready()
    table.give("ana", "security_team")
    table.play("ana", "resolve_square")
    table.place("ana", 6)
    table.play("ana", "detonate_c4", title=STREET)
    assert table.state.positions["ana"] == 20
    assert table.holds("ana", "security_team") == 1


@pytest.mark.rule("IX.C.17", "VI.D.4")
def test_a_terrorist_is_arrested_like_anybody_and_meets_the_racket_of_the_prison() -> None:
    """Bob has paid a prisoner; Cleo, beside the explosion, pays him 150 ₦ on arriving in Prison."""
    table = ready("ana", "bob", "cleo")
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
    table = ready(houses=1)
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
    table = ready(houses=1)
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


@pytest.mark.rule("IX.C.12")
def test_a_placed_charge_is_named_with_its_placer_and_round() -> None:
    """Statements and postings call it a C4 of Ana's, of round 1."""
    table = charged()
    event = next(
        RULEBOOK.event(stored)
        for entry in table.journal
        for stored in entry.events
        if kind_of(RULEBOOK.event(stored)) == "charges_placed"
    )
    speakers = RULEBOOK.speakers(table.state)
    assert speakers["goods"]("charge:ana:1", "en") == "C4 (Ana, 1)"
    assert say(event, "en", speakers) == "Ana places 1 C4 charge on 17 rue des patates."
