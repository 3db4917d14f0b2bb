"""IX.C.24 to IX.C.27. The Bombe IEM: everything that it switches off, and everything that it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.accounts import BANK, Posting
from ledger.kernel.audience import SPECTATOR
from ledger.kernel.draft import Draft, Request
from ledger.kernel.events import kind_of
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.board.movement import ConsumeDose
from ledger.rulebooks.negopoly.squares import prison
from ledger.rulebooks.negopoly.table.terms import attached, player
from tests.tables.negopoly import NOON, Table, dark

STREET = "17_rue_des_patates"
"""On square 6."""

STILL = "black_arretxea"
"""On square 3, where tokens go to have no effect."""


def set_off(table: Table, seat: str = "ana") -> None:
    """The seat, whose turn it is, rolls to Black Arretxea (3) and sets off a Bombe IEM."""
    table.give(seat, "bombe_iem")
    table.place(seat, 0)
    table.play(seat, "roll_dice", dice=[1, 2])
    table.play(seat, "use_emp")


# How long -------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.24", "IX.C.2", "II.B.1", "II.B.10")
def test_it_lasts_until_the_start_of_its_users_next_turn() -> None:
    """Everybody sees it, at the start of each turn too, until Ana's own: then the board works again."""
    table = Table("ana", "bob", "cleo")
    table.give("ana", "bombe_iem", 2)
    table.refused("ana", "use_emp", "II.B.10")
    table.play("ana", "roll_dice", dice=[1, 2])
    assert table.offers("ana", "use_emp") == [{}]
    (event,) = table.play("ana", "use_emp")
    assert (kind_of(event), table.holds("ana", "bombe_iem"), table.holds("used", "bombe_iem")) == (
        "bomb_triggered",
        1,
        1,
    )
    table.refused("ana", "use_emp", "IX.C.2")
    assert RULEBOOK.view(table.state, SPECTATOR)["blackouts"] == ["ana"]
    for seat in ("bob", "cleo"):
        table.play("ana" if seat == "bob" else "bob", "end_turn")
        assert table.last is not None
        assert table.last.events[-1].effects == ("iem",)  # type: ignore[attr-defined]
        table.place(seat, 0)
        table.play(seat, "roll_dice", dice=[1, 2])
    events = table.play("cleo", "end_turn")
    kinds = [kind_of(event) for event in events]
    assert kinds.index("bomb_ended") < kinds.index("turn_started")
    assert RULEBOOK.view(table.state, SPECTATOR)["blackouts"] == []
    table.own("bob", STREET)
    table.place("ana", 0)
    table.turn("ana", 3, 3)
    assert table.holds("bob") == 1656


@pytest.mark.rule("IX.C.24")
def test_the_table_may_let_it_end_with_the_turn_it_was_used_in() -> None:
    """With iem_ends at end_of_user_turn Bob already pays rent in the turn that follows."""
    table = Table("ana", "bob", settings={"iem_ends": "end_of_user_turn"})
    table.own("ana", STREET)
    set_off(table)
    assert table.state.blackouts == {"ana"}
    table.play("ana", "end_turn")
    assert table.state.blackouts == set()
    table.turn("bob", 3, 3)
    assert table.holds("ana") == 1656


@pytest.mark.rule("IX.C.24", "II.2")
def test_it_ends_when_its_user_would_have_played() -> None:
    """Ana misses her next turn in the Hôpital: her bomb ends there all the same."""
    table = Table("ana", "bob", settings={"hospital_missed_turns": 1})
    set_off(table)
    table.give("bob", "glock26", 2)
    table.give("ana", "glock26")
    table.play("ana", "end_turn")
    table.place("bob", 1)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "use_glock", target="ana", die=6)
    events = table.play("bob", "end_turn")
    assert "turn_skipped" in [kind_of(event) for event in events]
    assert table.state.blackouts == set()


@pytest.mark.rule("IX.C.24")
def test_a_second_bomb_goes_on_after_the_first() -> None:
    """Bob sets off his own in Ana's blackout: the board stays off until his next turn."""
    table = Table("ana", "bob", "cleo")
    set_off(table)
    table.play("ana", "end_turn")
    set_off(table, "bob")
    table.play("bob", "end_turn")
    table.turn("cleo", 1, 2)
    assert table.state.blackouts == {"bob"}
    table.own("cleo", STREET)
    table.place("ana", 0)
    table.turn("ana", 3, 3)
    assert table.holds("cleo") == 1650
    assert table.state.blackouts == set()


# Squares --------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.24", "V.A.6")
def test_no_rent_is_due_not_even_for_the_stop_of_its_user() -> None:
    """Ana sets it off on Bob's street before resolving it: she pays nothing, nor does Bob on hers."""
    table = Table("ana", "bob")
    table.own("bob", STILL, houses=5)
    table.own("ana", STREET, houses=5)
    set_off(table)
    table.play("ana", "resolve_square")
    table.play("ana", "end_turn")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[3, 3])
    table.play("bob", "end_turn")
    assert (table.holds("ana"), table.holds("bob")) == (1650, 1650)


@pytest.mark.rule("IX.C.24", "VI.A.3", "X.C.3", "VI.A.5", "VI.F.8")
def test_spawn_pays_nothing_but_its_counters_run() -> None:
    """Bob crosses Spawn unpaid: his licence expires, his warrant is lifted, his loan counts a passage."""
    table = dark("ana", "bob")
    table.give("bob", "licence")
    with table.arranged() as state:
        state.wanted.add("bob")
    table.play("bob", "take_loan", amount=100)
    table.place("bob", 38)
    events = table.play("bob", "roll_dice", dice=[1, 4])
    kinds = [kind_of(event) for event in events]
    assert "spawn_passed" in kinds
    assert "salary_paid" not in kinds
    assert (table.holds("bob"), table.holds("bob", "licence"), table.state.wanted) == (1750, 0, set())
    (loan,) = RULEBOOK.agreements(table.state, "loans")
    assert loan.passages == 1  # type: ignore[attr-defined]


@pytest.mark.rule("IX.C.24")
def test_spawn_sells_nothing() -> None:
    """Neither doses nor a licence in passing by a disabled Spawn."""
    table = dark("ana", "bob")
    table.place("bob", 38)
    table.play("bob", "roll_dice", dice=[1, 4])
    table.refused("bob", "buy_doses", "IX.C.24")
    table.refused("bob", "buy_licence", "IX.C.24")
    assert not table.offers("bob", "buy_doses")


@pytest.mark.rule("IX.C.24")
def test_nobody_is_checked_neither_on_a_stop_nor_in_crossing_with_k9() -> None:
    """Wanted, with doses in hand, in a K9 round: Bob crosses one checkpoint and stops on another, unmolested."""
    table = dark("ana", "bob")
    table.give("bob", "dose", 2)
    with table.arranged() as state:
        state.wanted.add("bob")
        state.k9_rounds.add(1)
    table.place("bob", 3)
    events = table.play("bob", "roll_dice", dice=[4, 5])
    assert "police_checked" not in [kind_of(event) for event in events]
    table.play("bob", "resolve_square")
    assert (table.state.positions["bob"], table.holds("bob", "dose")) == (12, 2)


@pytest.mark.rule("IX.C.24")
@pytest.mark.parametrize(
    ("square", "kind", "params"),
    [
        (11, "buy_property", {}),
        (11, "decline_property", {}),
        (10, "buy_prison_racket", {}),
        (10, "sell_doses", {"corner": "prison", "die": 1}),
        (20, "buy_prescription", {}),
        (20, "sell_doses", {"corner": "hopital", "die": 1}),
        (30, "bribe_k9", {}),
        (30, "sell_item_to_police", {"item": "rpg7"}),
        (30, "sell_doses", {"corner": "comico", "die": 1}),
        (15, "buy_vehicle", {"vehicle": "automobile"}),
        (5, "buy_weapon", {"weapon": "rpg7"}),
        (5, "take_service", {"service": "security_team"}),
        (5, "attack_property", {"title": "nuketown"}),
        (5, "squat_property", {"title": "nuketown"}),
        (35, "buy_kamtar_card", {}),
    ],
)
def test_no_square_serves_whoever_stops_there(square: int, kind: str, params: dict[str, Any]) -> None:
    """Purchases and sales, services and sabotage: each is refused by the bomb, and offered to nobody."""
    table = dark("ana", "bob")
    table.give("bob", "dose", 2)
    table.give("bob", "rpg7")
    table.own("ana", "nuketown")
    if square == 11:
        table = dark("ana", "bob")
    table.place("bob", square - 3)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.refused("bob", kind, "IX.C.24", **params)
    assert not table.offers("bob", kind)


@pytest.mark.rule("IX.C.24")
def test_no_mortgage_is_lifted_and_no_title_taken_in_passing() -> None:
    """Bob crosses his own mortgaged street and Ana's: neither freed nor bought back."""
    table = dark("ana", "bob")
    table.own("bob", STREET, mortgaged=True)
    table.own("ana", "69_rue_des_patates", mortgaged=True)
    table.place("bob", 4)
    table.play("bob", "roll_dice", dice=[2, 3])
    table.refused("bob", "unmortgage_property", "IX.C.24", title=STREET)
    table.refused("bob", "force_buyback", "IX.C.24", title="69_rue_des_patates")


@pytest.mark.rule("IX.C.24", "VI.C.1")
def test_players_are_still_sent_to_hospital_and_prison_where_nothing_collects() -> None:
    """A racket waits in Prison, bills are 40 ₦ and bail is 100: Bob, sent to both, pays nothing, nor may he yet.

    The first way is an overdose, the second what any card might order.
    """
    rules = {"hospital_bill": 40, "prison_bail": 100, "prison_missed_turns": 1}
    table = Table("ana", "bob", "cleo", settings=rules)
    with table.arranged() as state:
        state.rackets.append("cleo")
    set_off(table)
    table.play("ana", "end_turn")
    table.give("bob", "dose")
    table.play("bob", "consume_dose", die=1)
    assert (table.state.positions["bob"], table.holds("bob")) == (20, 1650)
    request = Request(action=ConsumeDose(), seat="bob", by="system", at=NOON)
    draft = Draft(RULEBOOK, table.state, request, None)
    prison.arrest(draft, "bob", cause="card", rule="VI.D.1")
    assert (draft.state.positions["bob"], draft.state.rackets) == (10, ["cleo"])
    assert draft.state.holdings.of(player("bob"), "NGD") == 1650
    with table.arranged() as state:
        state.positions["bob"] = 10
        state.missed["bob"] = 1
    table.refused("bob", "pay_bail", "IX.C.24")


# Remote actions -------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.25", "IX.C.24", "V.D.2", "V.D.5")
def test_ones_titles_are_out_of_reach_from_elsewhere() -> None:
    """Bob may not mortgage, build, destroy or sell to the bank from afar.

    On his own street he may mortgage it and take a house down, but the disabled square neither builds nor sells.
    """
    table = dark("ana", "bob")
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
    """Ana's parcel of the turn before still reaches Cleo; new ones go no further than Bob's own square."""
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
    table = dark("ana", "bob")
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
    table = dark("ana", "bob")
    table.own("ana", STREET, "69_rue_des_patates", houses=1)
    table.give("bob", "glock26")
    table.give("bob", "rpg7")
    table.place("ana", 7)
    table.place("bob", 4)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.refused("bob", "use_glock", "IX.C.25", target="ana", die=6)
    assert not table.offers("bob", "use_glock")
    table.place("ana", 6)
    table.play("bob", "use_glock", target="ana", die=6)
    assert table.holds("bob") == 1950

    table = dark("ana", "bob")
    table.own("ana", STREET, "69_rue_des_patates", houses=1)
    table.give("bob", "rpg7", 2)
    table.place("bob", 5)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "fire_rpg", title="69_rue_des_patates", die=1)
    table.own("ana", "420_rue_des_patates", houses=1)
    table.refused("bob", "fire_rpg", "IX.C.25", title="420_rue_des_patates", die=1)


@pytest.mark.rule("IX.C.25")
@pytest.mark.parametrize(
    ("weapon", "kind", "params"),
    [
        ("mortier", "fire_mortar", {"title": "420_rue_des_patates"}),
        ("artillerie", "fire_artillery", {"title": "420_rue_des_patates"}),
        ("rods_from_gods", "fire_rods", {"quarter": "cyan"}),
        ("satan2", "use_game_ender", {"weapon": "satan2"}),
        ("la_peste", "use_game_ender", {"weapon": "la_peste"}),
        ("kidnapping", "use_kidnapping", {"target": "ana", "towards": "next"}),
    ],
)
def test_nothing_strikes_from_afar(weapon: str, kind: str, params: dict[str, Any]) -> None:
    """Mortier, artillery, Rods, Game Enders and kidnapping are refused and kept for later."""
    table = dark("ana", "bob")
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
    table = dark("ana", "bob")
    table.own("bob", "numera_fight_club", "snoopys_id", "jahland_dispensory", "negoplaza", "lbtrd_tower")
    table.own("ana", "elysee", mortgaged=True)
    table.refused("bob", "buy_vehicle", "IX.C.25", vehicle="automobile")
    table.refused("bob", "force_buyback", "IX.C.25", title="elysee")
    table.refused("bob", "buy_property", "IX.C.25", title="nuketown")
    table.place("bob", 26)
    table.refused("bob", "force_buyback", "IX.C.24", title="elysee")


# Charges --------------------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.27", "IX.C.14")
def test_charges_are_frozen_while_their_clock_runs_on() -> None:
    """Ana's charge of round 1 is ready in round 3, under Bob's bomb: it neither explodes nor can it be touched.

    In round 4, the bomb gone, she fires it.
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


# Talks ----------------------------------------------------------------------------------------------------


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


# What is left alone ---------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.24", "I.B.6", "X.C.1", "X.A.1", "VI.C.4", "VIII.B.3")
def test_money_loans_contracts_and_moves_of_ones_own_go_on() -> None:
    """In the blackout Bob gives money, borrows, signs a contract, drives his car and escapes to the Hôpital."""
    table = dark("ana", "bob")
    table.play("bob", "transfer_money", to="ana", amount=10)
    table.play("bob", "take_loan", amount=100)
    table.play("bob", "register_contract", parties=["ana"], clauses=["peace"], rounds=1)
    table.play("ana", "agree_contract", contract=str(table.number))
    table.give("bob", "automobile")
    table.give("bob", "ordonnance")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "use_vehicle", vehicle="automobile")
    assert table.state.positions["bob"] == 3
    table.play("bob", "use_prescription")
    assert table.state.positions["bob"] == 20
    assert table.holds("bob") == 1650 - 10 + 100 - 30


@pytest.mark.rule("IX.C.24", "V.D.3", "I.A.1.2")
def test_titles_still_change_hands_between_players() -> None:
    """Bob sells Ana his street by a deal from afar, and pays no heed to the bomb."""
    table = dark("ana", "bob")
    table.own("bob", STREET)
    table.play("bob", "sell_property", title=STREET, to="ana", price=80)
    table.play("ana", "agree_deal", deal=str(table.number))
    assert (table.owner(STREET), table.holds("bob")) == ("ana", 1730)


@pytest.mark.rule("IX.C.25", "IX.B.14", "IX.C.18")
def test_protections_still_protect() -> None:
    """Racketed on the same square in the blackout, Ana spends her security team."""
    table = dark("ana", "bob")
    table.give("ana", "security_team")
    table.give("bob", "glock26")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "use_glock", target="ana", die=6)
    (question,) = table.state.questions
    table.play("ana", "answer", question=question.id, answer="use")
    assert (table.holds("ana"), table.holds("ana", "security_team")) == (1650, 0)


@pytest.mark.rule("IX.C.21")
def test_an_ar15_may_be_wasted_on_a_disabled_square() -> None:
    """There is nothing to cancel, and nothing forbids it."""
    table = dark("ana", "bob")
    table.give("bob", "ar15")
    table.place("bob", 0)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.play("bob", "use_ar15")
    assert table.holds("bob", "ar15") == 0
