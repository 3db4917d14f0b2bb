"""IX.C.25 to IX.C.27. The Bombe IEM: distant actions, charges, private talks, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.rulebooks.negopoly.table.terms import attached
from tests.tables.negopoly import STREET, Table, set_off, under_bomb


@pytest.mark.rule("IX.C.25", "IX.C.24", "V.D.2", "V.D.5")
def test_ones_titles_are_out_of_reach_from_elsewhere() -> None:
    """Bob may not mortgage, build, destroy or sell to the bank from another square.

    On his own street he may mortgage it and destroy a house, but the disabled square allows neither building nor
    selling.
    """
    table = under_bomb("ana", "bob")
    table.own("bob", STREET, houses=2)
    for kind in ("mortgage_property", "build_house", "destroy_house", "sell_property"):
        table.refused("bob", kind, "IX.C.25", title=STREET)
        assert not [params for params in table.offers("bob", kind) if "to" not in params]
    table.place("bob", 3)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.refused("bob", "build_house", "IX.C.24", title=STREET)
    table.refused("bob", "sell_property", "IX.C.24", title=STREET)
    table.play("bob", "destroy_house", title=STREET)
    table.play("bob", "mortgage_property", title=STREET)
    assert (table.holds(attached(STREET), "house"), table.holds("bob")) == (1, 1650 + 50)


@pytest.mark.rule("IX.C.25", "VIII.D.2", "VIII.D.7")
def test_goods_are_sent_on_the_same_square_only_and_those_on_their_way_arrive() -> None:
    """Ana's delivery of the turn before still reaches Cleo; new ones only reach players on Bob's own square."""
    table = Table("ana", "bob", "cleo")
    table.give("ana", "dose", 3)
    table.give("bob", "dose", 2)
    table.play("ana", "send_delivery", to="cleo", commodity="dose", amount=1)
    set_off(table)
    table.refused("ana", "send_delivery", "IX.C.25", to="bob", commodity="dose")
    table.place("bob", 3)
    table.play("ana", "send_delivery", to="bob", commodity="dose", express=True)
    table.play("ana", "end_turn")
    assert table.holds("bob", "dose") == 3
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.refused("bob", "send_delivery", "IX.C.25", to="cleo", commodity="dose", express=True)
    table.play("bob", "end_turn")
    table.place("cleo", 0)
    table.turn("cleo", 1, 2)
    assert table.holds("cleo", "dose") == 1


@pytest.mark.rule("IX.C.25", "II.D.1")
def test_a_deal_goes_on_and_its_goods_stay_due_until_they_can_travel() -> None:
    """Bob sells Ana a dose for 60 ₦ in his turn, far from her: she pays at once, and the dose stays due."""
    table = under_bomb("ana", "bob")
    table.give("bob", "dose")
    legs = [
        {"giver": "ana", "taker": "bob", "commodity": "NGD", "amount": 60},
        {"giver": "bob", "taker": "ana", "commodity": "dose", "amount": 1},
    ]
    table.play("bob", "propose_deal", parties=["ana"], legs=legs)
    deal = str(table.number)
    table.play("ana", "agree_deal", deal=deal)
    assert (table.holds("ana"), table.holds("bob"), table.holds("bob", "dose")) == (1590, 1710, 1)
    table.refused("bob", "send_delivery", "IX.C.25", deal=deal, leg=1)
    table.place("bob", 0)
    table.turn("bob", 1, 2)
    table.place("ana", 0)
    table.turn("ana", 1, 2)
    table.play("bob", "send_delivery", deal=deal, leg=1)
    assert table.holds("bob", "dose") == 0


@pytest.mark.rule("IX.C.25", "IX.C.18", "IX.C.6")
def test_glock_and_rpg_work_on_ones_own_square_only() -> None:
    """Bob, beside Ana and beside her houses, is refused; on the same square both weapons work."""
    table = under_bomb("ana", "bob")
    table.own("ana", STREET, "69_rue_des_patates", houses=1)
    table.give("bob", "glock26")
    table.give("bob", "rpg7")
    table.place("ana", 7)
    table.place("bob", 4)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.refused("bob", "use_glock", "IX.C.25", target="ana", dice=[6])
    assert not table.offers("bob", "use_glock")
    table.place("ana", 6)
    table.play("bob", "use_glock", target="ana", dice=[6])
    assert table.holds("bob") == 1950

    table = under_bomb("ana", "bob")
    table.own("ana", STREET, "69_rue_des_patates", houses=1)
    table.give("bob", "rpg7", 2)
    table.place("bob", 5)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "fire_rpg", title="69_rue_des_patates", dice=[1])
    table.own("ana", "420_rue_des_patates", houses=1)
    table.refused("bob", "fire_rpg", "IX.C.25", title="420_rue_des_patates", dice=[1])


@pytest.mark.rule("IX.C.25")
@pytest.mark.parametrize(
    ("weapon", "kind", "params"),
    [
        ("mortier", "fire_mortar", {"title": "420_rue_des_patates"}),
        ("artillerie", "fire_artillery", {"title": "420_rue_des_patates"}),
        ("rods_from_gods", "fire_rods", {"quarter": "cyan"}),
        ("satan2", "use_game_ender", {"commodity": "satan2"}),
        ("la_peste", "use_game_ender", {"commodity": "la_peste"}),
        ("kidnapping", "use_kidnapping", {"target": "ana", "towards": "next"}),
    ],
)
def test_nothing_strikes_from_afar(weapon: str, kind: str, params: dict[str, Any]) -> None:
    """Mortier, artillery, Rods, Game Enders and kidnapping are refused and kept for later."""
    table = under_bomb("ana", "bob")
    table.own("ana", "420_rue_des_patates", houses=1)
    table.give("bob", weapon)
    table.place("bob", 5)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.refused("bob", kind, "IX.C.25", **params)
    assert not table.offers("bob", kind)
    assert table.holds("bob", weapon) == 1


@pytest.mark.rule("IX.C.25", "IX.C.24")
def test_the_abilities_that_reach_far_are_off() -> None:
    """With Vert and Bleu foncé Bob buys no vehicle and no title from afar; nor on his own disabled square."""
    table = under_bomb("ana", "bob")
    table.own("bob", "numera_fight_club", "snoopys_id", "jahland_dispensory", "negoplaza", "lbtrd_tower")
    table.own("ana", "elysee", mortgaged=True)
    table.refused("bob", "buy_vehicle", "IX.C.25", commodity="automobile")
    table.refused("bob", "force_buyback", "IX.C.25", title="elysee")
    table.refused("bob", "buy_property", "IX.C.25", title="nuketown")
    table.place("bob", 26)
    table.refused("bob", "force_buyback", "IX.C.24", title="elysee")


@pytest.mark.rule("IX.C.27", "IX.C.14")
def test_charges_are_frozen_while_their_clock_runs_on() -> None:
    """Ana's charge of round 1 is ready in round 3, but Bob's bomb is active: it can neither be fired nor removed.

    In round 4, after the bomb, she fires it.
    """
    table = Table("ana", "bob")
    table.own("bob", STREET, houses=2)
    with table.arranged() as state:
        state.round = 3
        state.holdings.post(Posting("charge:ana:1", 1, BANK, attached(STREET)))
    table.place("ana", 0)
    table.turn("ana", 1, 2)
    set_off(table, "bob")
    table.play("bob", "end_turn")
    table.give("ana", "c4")
    table.place("ana", 4)
    table.play("ana", "roll_dice", dice=[1, 1])
    table.refused("ana", "detonate_c4", "IX.C.27", title=STREET)
    table.refused("ana", "place_c4", "IX.C.27", title=STREET)
    table.refused("ana", "remove_c4", "IX.C.27", title=STREET)
    assert not table.offers("ana", "detonate_c4")
    table.play("ana", "end_turn")
    table.place("bob", 0)
    table.turn("bob", 1, 2)
    table.place("ana", 0)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "detonate_c4", title=STREET)
    assert table.holds(attached(STREET), "house") == 1


@pytest.mark.rule("IX.C.26", "IV.C.1", "IV.C.2")
def test_private_talks_are_for_those_on_one_square() -> None:
    """A meeting of Bob (on Spawn) and Cleo (elsewhere) ends with the bomb, unrefunded.

    Once they stand on one square they may meet again.
    """
    table = Table("ana", "bob", "cleo")
    table.place("cleo", 12)
    table.play("bob", "start_meeting", participants=["cleo"], minutes=5)
    meeting = str(table.number)
    table.play("cleo", "join_meeting", meeting=meeting)
    set_off(table)
    assert table.state.past.get(meeting) is not None
    assert table.holds("bob") == 1550
    table.refused("bob", "start_meeting", "IX.C.26", participants=["cleo"], minutes=1)
    table.place("cleo", 0)
    table.play("bob", "start_meeting", participants=["cleo"], minutes=1)
    assert table.holds("bob") == 1530


@pytest.mark.rule("IX.C.24", "I.B.6", "X.C.1", "X.A.1", "VI.C.4", "VIII.B.3")
def test_money_loans_contracts_and_moves_of_ones_own_go_on() -> None:
    """During the bomb Bob gives money, borrows, signs a contract, drives his car and teleports to Hôpital."""
    table = under_bomb("ana", "bob")
    table.play("bob", "transfer_money", to="ana", amount=10)
    table.play("bob", "take_loan", amount=100)
    table.play("bob", "register_contract", parties=["ana"], clauses=["peace"], rounds=1)
    table.play("ana", "agree_contract", contract=str(table.number))
    table.give("bob", "automobile")
    table.give("bob", "ordonnance")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "use_vehicle", commodity="automobile")
    assert table.state.positions["bob"] == 3
    table.play("bob", "use_prescription")
    assert table.state.positions["bob"] == 20
    assert table.holds("bob") == 1650 - 10 + 100 - 30


@pytest.mark.rule("IX.C.24", "V.D.3", "I.A.1.2")
def test_titles_still_change_hands_between_players() -> None:
    """Bob sells Ana his street by a deal from another square, despite the bomb."""
    table = under_bomb("ana", "bob")
    table.own("bob", STREET)
    table.play("bob", "sell_property", title=STREET, to="ana", price=80)
    table.play("ana", "agree_deal", deal=str(table.number))
    assert (table.owner(STREET), table.holds("bob")) == ("ana", 1730)


@pytest.mark.rule("IX.C.25", "IX.B.14", "IX.C.18")
def test_protections_still_protect() -> None:
    """Racketed on the same square during the bomb, Ana uses her security team."""
    table = under_bomb("ana", "bob")
    table.give("ana", "security_team")
    table.give("bob", "glock26")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "use_glock", target="ana", dice=[6])
    (question,) = table.state.questions
    table.play("ana", "answer", question=question.id, answer="use")
    assert (table.holds("ana"), table.holds("ana", "security_team")) == (1650, 0)


@pytest.mark.rule("IX.C.21")
def test_an_ar15_may_be_wasted_on_a_disabled_square() -> None:
    """There is no effect to cancel, and no rule forbids it."""
    table = under_bomb("ana", "bob")
    table.give("bob", "ar15")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "use_ar15")
    assert table.holds("bob", "ar15") == 0
