"""IX.C.10 to IX.C.13. C4: bought, placed when passing, and removed by any player who passes."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.audience import SPECTATOR, Viewer
from ledger.kernel.facts.events import kind_of
from ledger.kernel.journal.sight import redact_for_dry_run, visible_holdings
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.arsenal.charges import charges_on
from ledger.rulebooks.negopoly.table.terms import attached, player
from tests.tables.negopoly import STREET, Table, at_the_bar, charged, crosses, quiet_turns, say

HERE = 6
"""The square of the street."""


# Buying ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.10", "IX.C.11")
def test_each_charge_costs_40_more_than_the_one_before() -> None:
    """With none in hand three charges cost 40 + 80 + 120 ₦, the fourth 160; placed charges do not count."""
    table = Table("ana", "bob")
    table.own("ana", STREET, houses=1)
    table.place("ana", 3)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "buy_weapon", commodity="c4", amount=3)
    assert table.holds("ana") == 1650 - 240
    table.play("ana", "buy_weapon", commodity="c4")
    assert table.holds("ana") == 1650 - 240 - 160
    assert table.holds("ana", "c4") == 4
    table.play("ana", "end_turn")
    quiet_turns(table, "bob")
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.play("ana", "place_c4", title=STREET, amount=4)
    table.play("ana", "buy_weapon", commodity="c4")
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
    shown = RULEBOOK.screen.view(table.state, SPECTATOR)["titles"][STREET]["charges"]
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
    table.refused("ana", "fire_rpg", "IX.C.2", title="69_rue_des_patates", dice=[1])


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
    table.play("cleo", "fire_rpg", title="69_rue_des_patates", dice=[1])


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
    assert "Ana and Bob" in refusal.en
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


@pytest.mark.rule("IX.C.12")
def test_a_placed_charge_is_named_with_its_placer_and_round() -> None:
    """Statements and postings call it a C4 of Ana's, of round 1."""
    table = charged()
    event = next(
        RULEBOOK.codec.event(stored)
        for entry in table.journal
        for stored in entry.events
        if kind_of(RULEBOOK.codec.event(stored)) == "charges_placed"
    )
    speakers = RULEBOOK.language.speakers(table.state)
    assert speakers["goods"]("charge:ana:1", "en") == "C4 (Ana, 1)"
    assert say(event, "en", speakers) == "Ana places 1 C4 charge on 17 rue des patates."


# Prices -------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.10", "IX.C.13", "IX.A.2", "IX.C.12")
def test_stolen_charges_make_the_next_one_dearer_until_they_are_placed() -> None:
    """Bob stops on his street beside the bar and takes Ana's two charges off: his next one costs 120 ₦.

    He places all three on the spot, and the one after that costs 40 ₦ again.
    """
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=1)
    quiet_turns(table, "ana")
    table.attach(STREET, "charge:ana:1", 2)
    table.place("bob", HERE - 3)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "remove_c4", title=STREET)
    table.play("bob", "buy_weapon", commodity="c4")
    assert table.holds("bob") == 1650 - 120
    table.play("bob", "place_c4", title=STREET, amount=3)
    table.play("bob", "buy_weapon", commodity="c4")
    assert table.holds("bob") == 1650 - 120 - 40
    assert (table.holds("bob", "c4"), table.holds("ana", "c4")) == (1, 0)


@pytest.mark.rule("IX.C.10", "VIII.D.3", "VIII.D.5", "VIII.D.6")
def test_charges_on_the_road_make_nobodys_dearer() -> None:
    """Ana sends Bob her three charges and buys one for herself and one for him: 40 ₦ each, as without charges.

    Sent express, they would be his at once: then his next one costs 160 ₦, and hers still 40.
    """
    for express, for_bob in ((False, 40), (True, 160)):
        table = Table("ana", "bob")
        table.give("ana", "c4", 3)
        at_the_bar(table, "ana")
        table.play("ana", "send_delivery", to="bob", commodity="c4", amount=3, express=express)
        fee = 50 if express else 0
        table.play("ana", "buy_weapon", commodity="c4")
        table.play("ana", "buy_for_player", to="bob", commodity="c4")
        assert table.holds("ana") == 1650 - fee - 40 - for_bob
        table.play("ana", "end_turn")
        table.turn("bob", 1, 2)
        assert (table.holds("ana", "c4"), table.holds("bob", "c4")) == (1, 4)


@pytest.mark.rule("P.4", "IX.C.12", "IX.C.13", "IX.C.10")
def test_without_the_placing_there_was_nothing_to_steal_and_the_next_charge_was_cheaper() -> None:
    """Ana places charges on Cleo's street; Bob stops there, pays 90 ₦, takes both and buys a third one for 120 ₦.

    A dry run without her placing voids his removal, and his own charge costs 40 ₦; nothing else changes. After the
    correction her two charges are in her inventory again.
    """
    table = Table("ana", "bob", "cleo")
    table.own("cleo", STREET, houses=2)
    table.give("ana", "c4", 2)
    table.play("ana", "roll_dice", dice=[3, 4])
    table.play("ana", "place_c4", title=STREET, amount=2)
    placed = table.number
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[2, 4])
    table.play("bob", "remove_c4", title=STREET)
    stolen = table.number
    table.play("bob", "resolve_square")
    table.play("bob", "buy_weapon", commodity="c4")
    bought = table.number
    table.play("bob", "end_turn")
    assert (table.holds("bob"), table.holds("bob", "c4")) == (1650 - 90 - 120, 3)
    drop = {"op": "drop", "action": placed}
    plan = table.what_if(drop)
    assert [one.timeline_entry.name for one in plan.voided] == [str(stolen)]
    assert [one.timeline_entry.name for one in plan.restated] == [str(bought)]
    assert (table.holds("bob"), table.holds("bob", "c4")) == (1650 - 90 - 120, 3)
    table.banker("correct", edits=[drop], cascade="restate", reason="she had not passed by")
    assert (table.holds("bob"), table.holds("bob", "c4")) == (1650 - 90 - 40, 1)
    assert (table.holds("ana", "c4"), table.holds("cleo")) == (2, 1650 + 90)


# Visibility ---------------------------------------------------------------------------------------------


@pytest.mark.rule("I.C.6", "IX.C.10", "IX.C.12", "IX.C.13", "VIII.D.6")
def test_a_charge_is_everybodys_on_the_board_and_its_holders_alone_in_hand() -> None:
    """Ana buys Bob a charge: he sees all of it, she the price she pays, Cleo nothing, nor what is in his hand.

    Once he places it everybody sees whose it is, and when Cleo takes it off, that she did.
    """
    table = Table("ana", "bob", "cleo")
    table.own("cleo", STREET, houses=1)
    at_the_bar(table, "ana")
    table.play("ana", "buy_for_player", to="bob", commodity="c4")
    assert [say(one, "en", RULEBOOK.language.speakers(table.state)) for one in table.seen_by("bob")] == [
        "Ana buys 1 × C4 (charge) for Bob at ₦40."
    ]
    assert (table.seen_by("cleo"), table.seen_by(None)) == ([], [])
    assert visible_holdings(RULEBOOK.secrets, table.state, player("bob"), Viewer("player", "cleo")) == {}
    assert visible_holdings(RULEBOOK.secrets, table.state, player("bob"), Viewer("player", "bob"))["c4"] == 1
    table.play("ana", "end_turn")
    crosses(table, "bob")
    (placed,) = table.play("bob", "place_c4", title=STREET)
    assert table.seen_by("cleo") == table.seen_by(None) == [placed]
    shown = RULEBOOK.screen.view(table.state, Viewer("spectator"))["titles"][STREET]["charges"]
    assert shown == [{"seat": "bob", "amount": 1, "ready": 3}]
    table.play("bob", "end_turn")
    crosses(table, "cleo")
    (removed,) = table.play("cleo", "remove_c4", title=STREET)
    assert table.seen_by("ana") == [removed]


@pytest.mark.rule("I.C.6", "VIII.D.6", "IX.C.10")
def test_what_a_charge_for_bob_would_cost_is_told_by_paying_and_by_nothing_else() -> None:
    """Whether Bob holds none or three, neither Ana's moves nor a refusal show the price of one more for him.

    Fifty charges are too expensive for her in both cases, with the same refusal. The price of a Glock is public.
    """
    told = []
    for held in (0, 3):
        table = Table("ana", "bob")
        if held:
            table.give("bob", "c4", held)
        at_the_bar(table, "ana")
        costs = {one.params["commodity"]: one.cost for one in table.moves("ana") if one.kind == "buy_for_player"}
        assert (costs["c4"], costs["glock26"], costs["rpg7"]) == (None, 200, 150)
        refusal = table.refused("ana", "buy_for_player", "VIII.D.6", to="bob", commodity="c4", amount=50)
        (bought,) = table.play("ana", "buy_for_player", to="bob", commodity="c4")
        told.append((costs, refusal.en, refusal.fr, redact_for_dry_run(bought, Viewer("player", "ana"))))
        assert table.holds("ana") == 1650 - 40 * (held + 1)
    assert told[0] == told[1]
