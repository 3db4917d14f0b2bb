"""C4 (IX.C.10 to IX.C.17) where it meets the rest: thieves, bombs, rents, prices, roads, corrections."""

from __future__ import annotations

import pytest

from ledger.kernel.audience import Viewer
from ledger.kernel.seeing import foreseen, seen_account
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.arsenal.charges import charges_on
from ledger.rulebooks.negopoly.table.terms import player
from tests.tables.negopoly import Table, at_the_bar, kinds, quiet_turns, say

STREET = "17_rue_des_patates"
"""On square 6; beside it the western bar (5) and Chance (7)."""
BAR, HERE, CHANCE, PRISON, HOPITAL = 5, 6, 7, 10, 20


def crosses(table: Table, seat: str) -> None:
    """The seat, whose turn it is, rolls a seven from Négotown (1) over the street to square 8."""
    table.place(seat, 1)
    table.play(seat, "roll_dice", dice=[3, 4])


def charged(table: Table, amount: int, placer: str = "ana", placed: int = 1) -> None:
    """Charges lie on the street, placed in this round."""
    table.attach(STREET, f"charge:{placer}:{placed}", amount)


# Placed, stolen, frozen, fired ----------------------------------------------------------------------------


@pytest.mark.rule("IX.C.12", "IX.C.13", "IX.C.14", "IX.C.15", "IX.C.16", "IX.C.17", "IX.C.27", "VI.D.1", "VI.C.1")
def test_charges_placed_stolen_frozen_and_fired_with_players_beside_them() -> None:
    """Ana leaves three charges on Dan's street, Bob takes one in passing, and Dan's bomb freezes the others.

    In the dark Cleo can take none. The two rounds run on meanwhile, so in round 3 Ana fires the two that are left:
    two of three houses fall, Dan on his street goes to Hôpital, Bob and Cleo beside it to Prison, Bob with his
    stolen charge, for an explosion is no check. Nobody pays anybody.
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
    charged(table, 2)
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
    charged(table, 1)
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
    charged(table, 1)
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


# What charges cost ----------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.10", "IX.C.13", "IX.A.2", "IX.C.12")
def test_stolen_charges_make_the_next_one_dearer_until_they_are_placed() -> None:
    """Bob stops on his street beside the bar and takes Ana's two charges off: his next one costs 120 ₦.

    He places all three on the spot, and the one after that costs 40 ₦ again.
    """
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=1)
    quiet_turns(table, "ana")
    charged(table, 2)
    table.place("bob", HERE - 3)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "remove_c4", title=STREET)
    table.play("bob", "buy_weapon", weapon="c4")
    assert table.holds("bob") == 1650 - 120
    table.play("bob", "place_c4", title=STREET, amount=3)
    table.play("bob", "buy_weapon", weapon="c4")
    assert table.holds("bob") == 1650 - 120 - 40
    assert (table.holds("bob", "c4"), table.holds("ana", "c4")) == (1, 0)


@pytest.mark.rule("IX.C.10", "VIII.D.3", "VIII.D.5", "VIII.D.6")
def test_charges_on_the_road_make_nobodys_dearer() -> None:
    """Ana sends Bob her three charges and buys one for herself and one for him: 40 ₦ each, as from nothing.

    Sent express they would be his at once: then his own costs 160 ₦, and hers still 40.
    """
    for express, for_bob in ((False, 40), (True, 160)):
        table = Table("ana", "bob")
        table.give("ana", "c4", 3)
        at_the_bar(table, "ana")
        table.play("ana", "send_delivery", to="bob", commodity="c4", amount=3, express=express)
        fee = 50 if express else 0
        table.play("ana", "buy_weapon", weapon="c4")
        table.play("ana", "buy_for_player", to="bob", item="c4")
        assert table.holds("ana") == 1650 - fee - 40 - for_bob
        table.play("ana", "end_turn")
        table.turn("bob", 1, 2)
        assert (table.holds("ana", "c4"), table.holds("bob", "c4")) == (1, 4)


# Corrections ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P.4", "IX.C.12", "IX.C.13", "IX.C.10")
def test_without_the_placing_there_was_nothing_to_steal_and_the_next_charge_was_cheaper() -> None:
    """Ana mines Cleo's street, Bob stops there, pays 90 ₦, takes both charges and buys a third one for 120 ₦.

    The dry run without her placing: his theft falls, and his own charge cost 40 ₦; nothing else changes. Made so,
    her two charges are in her hand again.
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
    table.play("bob", "buy_weapon", weapon="c4")
    bought = table.number
    table.play("bob", "end_turn")
    assert (table.holds("bob"), table.holds("bob", "c4")) == (1650 - 90 - 120, 3)
    drop = {"op": "drop", "action": placed}
    plan = table.what_if(drop)
    assert [one.standing.name for one in plan.voided] == [str(stolen)]
    assert [one.standing.name for one in plan.restated] == [str(bought)]
    assert (table.holds("bob"), table.holds("bob", "c4")) == (1650 - 90 - 120, 3)
    table.banker("correct", edits=[drop], cascade="restate", reason="she had not passed by")
    assert (table.holds("bob"), table.holds("bob", "c4")) == (1650 - 90 - 40, 1)
    assert (table.holds("ana", "c4"), table.holds("cleo")) == (2, 1650 + 90)


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


# Who sees what --------------------------------------------------------------------------------------------


@pytest.mark.rule("I.C.6", "IX.C.10", "IX.C.12", "IX.C.13", "VIII.D.6")
def test_a_charge_is_everybodys_on_the_board_and_its_holders_alone_in_hand() -> None:
    """Ana buys Bob a charge: he sees all of it, she the price she pays, Cleo nothing, nor what is in his hand.

    Once he places it everybody sees whose it is, and when Cleo takes it off, that she did.
    """
    table = Table("ana", "bob", "cleo")
    table.own("cleo", STREET, houses=1)
    at_the_bar(table, "ana")
    table.play("ana", "buy_for_player", to="bob", item="c4")
    assert [say(one, "en", RULEBOOK.speakers(table.state)) for one in table.seen_by("bob")] == [
        "Ana buys 1 × C4 (charge) for Bob at ₦40."
    ]
    assert (table.seen_by("cleo"), table.seen_by(None)) == ([], [])
    assert seen_account(RULEBOOK, table.state, player("bob"), Viewer("player", "cleo")) == {}
    assert seen_account(RULEBOOK, table.state, player("bob"), Viewer("player", "bob"))["c4"] == 1
    table.play("ana", "end_turn")
    crosses(table, "bob")
    (placed,) = table.play("bob", "place_c4", title=STREET)
    assert table.seen_by("cleo") == table.seen_by(None) == [placed]
    shown = RULEBOOK.view(table.state, Viewer("spectator"))["titles"][STREET]["charges"]
    assert shown == [{"seat": "bob", "amount": 1, "ready": 3}]
    table.play("bob", "end_turn")
    crosses(table, "cleo")
    (removed,) = table.play("cleo", "remove_c4", title=STREET)
    assert table.seen_by("ana") == [removed]


@pytest.mark.rule("I.C.6", "VIII.D.6", "IX.C.10")
def test_what_a_charge_for_bob_would_cost_is_told_by_paying_and_by_nothing_else() -> None:
    """Whether Bob holds none or three, Ana's moves name no price for one more, nor does what she is refused.

    Fifty of them are beyond her purse either way, and the answer is the same. A Glock costs what it costs.
    """
    told = []
    for held in (0, 3):
        table = Table("ana", "bob")
        if held:
            table.give("bob", "c4", held)
        at_the_bar(table, "ana")
        costs = {one.params["item"]: one.cost for one in table.moves("ana") if one.kind == "buy_for_player"}
        assert (costs["c4"], costs["glock26"], costs["rpg7"]) == (None, 200, 150)
        refusal = table.refused("ana", "buy_for_player", "VIII.D.6", to="bob", item="c4", quantity=50)
        (bought,) = table.play("ana", "buy_for_player", to="bob", item="c4")
        told.append((costs, refusal.en, refusal.fr, foreseen(bought, Viewer("player", "ana"))))
        assert table.holds("ana") == 1650 - 40 * (held + 1)
    assert told[0] == told[1]
