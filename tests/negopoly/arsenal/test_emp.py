"""IX.C.24. The Bombe IEM: its duration, and the squares while it is active."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.facts.audience import SPECTATOR
from ledger.kernel.facts.events import kind_of
from ledger.kernel.rules.draft import Draft, Request
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.board.movement import ConsumeDose
from ledger.rulebooks.negopoly.squares import prison
from ledger.rulebooks.negopoly.table.terms import player
from tests.tables.negopoly import NOON, STREET, Table, kinds, rolls, set_off, stop_on, under_bomb

STILL = "black_arretxea"
"""Square 3, where a stop has no effect."""


# Duration -------------------------------------------------------------------------------------------------


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
    assert RULEBOOK.screen.view(table.state, SPECTATOR)["blackouts"] == ["ana"]
    for seat in ("bob", "cleo"):
        table.play("ana" if seat == "bob" else "bob", "end_turn")
        assert table.last is not None
        assert table.last.events[-1].effects == ("iem",)  # type: ignore[attr-defined]
        table.place(seat, 0)
        table.play(seat, "roll_dice", dice=[1, 2])
    events = table.play("cleo", "end_turn")
    kinds = [kind_of(event) for event in events]
    assert kinds.index("bomb_ended") < kinds.index("turn_started")
    assert RULEBOOK.screen.view(table.state, SPECTATOR)["blackouts"] == []
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
    """Ana misses her next turn in Hôpital: her bomb ends then nevertheless."""
    table = Table("ana", "bob", settings={"hospital_missed_turns": 1})
    set_off(table)
    table.give("bob", "glock26", 2)
    table.give("ana", "glock26")
    table.play("ana", "end_turn")
    table.place("bob", 1)
    table.play("bob", "roll_dice", dice=[1, 1])
    table.play("bob", "use_glock", target="ana", dice=[6])
    events = table.play("bob", "end_turn")
    assert "turn_skipped" in [kind_of(event) for event in events]
    assert table.state.blackouts == set()


@pytest.mark.rule("IX.C.24")
def test_a_second_bomb_goes_on_after_the_first() -> None:
    """Bob uses his own bomb during Ana's: the board stays disabled until his next turn."""
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
    """Ana uses it on Bob's street before she resolves it: she pays nothing, and Bob pays nothing on hers."""
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
    table = under_bomb("ana", "bob")
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
    (loan,) = RULEBOOK.agreements.of(table.state, "loans")
    assert loan.passages == 1  # type: ignore[attr-defined]


@pytest.mark.rule("IX.C.24")
def test_spawn_sells_nothing() -> None:
    """Neither doses nor a licence in passing by a disabled Spawn."""
    table = under_bomb("ana", "bob")
    table.place("bob", 38)
    table.play("bob", "roll_dice", dice=[1, 4])
    table.refused("bob", "buy_doses", "IX.C.24")
    table.refused("bob", "buy_licence", "IX.C.24")
    assert not table.offers("bob", "buy_doses")


@pytest.mark.rule("IX.C.24")
def test_nobody_is_checked_neither_on_a_stop_nor_in_crossing_with_k9() -> None:
    """Wanted, with doses, in a K9 round: Bob crosses one checkpoint and stops on another, without a check."""
    table = under_bomb("ana", "bob")
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
        (10, "sell_doses", {"corner": "prison", "dice": [1]}),
        (20, "buy_prescription", {}),
        (20, "sell_doses", {"corner": "hopital", "dice": [1]}),
        (30, "bribe_k9", {}),
        (30, "sell_item_to_police", {"commodity": "rpg7"}),
        (30, "sell_doses", {"corner": "comico", "dice": [1]}),
        (15, "buy_vehicle", {"commodity": "automobile"}),
        (5, "buy_weapon", {"commodity": "rpg7"}),
        (5, "take_service", {"service": "security_team"}),
        (5, "attack_property", {"title": "nuketown"}),
        (5, "squat_property", {"title": "nuketown"}),
        (35, "buy_kamtar_card", {}),
    ],
)
def test_no_square_serves_whoever_stops_there(square: int, kind: str, params: dict[str, Any]) -> None:
    """Purchases and sales, services and sabotage: each is refused by the bomb, and offered to nobody."""
    table = under_bomb("ana", "bob")
    table.give("bob", "dose", 2)
    table.give("bob", "rpg7")
    table.own("ana", "nuketown")
    if square == 11:
        table = under_bomb("ana", "bob")
    table.place("bob", square - 3)
    table.play("bob", "roll_dice", dice=[1, 2])
    table.refused("bob", kind, "IX.C.24", **params)
    assert not table.offers("bob", kind)


@pytest.mark.rule("IX.C.24")
def test_no_mortgage_is_lifted_and_no_title_taken_in_passing() -> None:
    """Bob crosses his own mortgaged street and Ana's: neither freed nor bought back."""
    table = under_bomb("ana", "bob")
    table.own("bob", STREET, mortgaged=True)
    table.own("ana", "69_rue_des_patates", mortgaged=True)
    table.place("bob", 4)
    table.play("bob", "roll_dice", dice=[2, 3])
    table.refused("bob", "unmortgage_property", "IX.C.24", title=STREET)
    table.refused("bob", "force_buyback", "IX.C.24", title="69_rue_des_patates")


@pytest.mark.rule("IX.C.24", "VI.C.1")
def test_players_are_still_sent_to_hospital_and_prison_where_nothing_collects() -> None:
    """A racket waits in Prison, bills are 40 ₦ and bail is 100: Bob, sent to both, pays nothing and may not pay.

    He goes to Hôpital after an overdose, and to Prison by a card.
    """
    rules = {"hospital_bill": 40, "prison_bail": 100, "prison_missed_turns": 1}
    table = Table("ana", "bob", "cleo", settings=rules)
    with table.arranged() as state:
        state.rackets.append("cleo")
    set_off(table)
    table.play("ana", "end_turn")
    table.give("bob", "dose")
    table.play("bob", "consume_dose", dice=[1])
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


# With other rules ---------------------------------------------------------------------------------------


@pytest.mark.rule("IX.C.24", "II.3", "II.1")
def test_a_bomb_lasts_as_long_as_the_order_of_the_table_makes_it() -> None:
    """The order is reversed in round 2. Ana, first in round 1, is then the last: her bomb lasts for four turns.

    At another table Cleo, last in round 1, is the first of round 2: her bomb ends before any other turn.
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


@pytest.mark.rule("IX.C.24", "V.A.6", "VI.A.1", "IX.C.2")
def test_between_two_bombs_of_one_player_there_is_the_light_of_their_own_roll() -> None:
    """Ana uses two bombs, in two turns in a row. Bob pays nothing during either of them.

    But her second roll is made between them: Spawn pays her 250 ₦ on the way, and Bob's street takes 30 ₦ once she
    has resolved it. Only then does she use the second bomb.
    """
    table = under_bomb("ana", "bob")
    table.own("bob", "17_rue_des_patates", houses=1)
    table.own("ana", "nuketown", houses=1)
    rolls(table, "bob", 11)
    table.play("bob", "resolve_square")
    table.play("bob", "end_turn")
    table.give("ana", "bombe_iem")
    table.place("ana", 38)
    table.play("ana", "roll_dice", dice=[4, 4])
    table.play("ana", "resolve_square")
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    rolls(table, "bob", 11)
    table.play("bob", "resolve_square")
    assert (table.holds("ana"), table.holds("bob")) == (1650 + 240 - 30, 1650 + 30)


@pytest.mark.rule("IX.C.24", "I.B.5", "II.B.1")
def test_the_bomb_of_a_player_who_leaves_lasts_until_they_would_have_played() -> None:
    """Ana is eliminated in Bob's turn: her bomb lasts during Cleo's turn and ends when Ana's turn would start."""
    table = under_bomb()
    table.own("cleo", "17_rue_des_patates", houses=1)
    table.banker("rule", finding="Ana cheated", remedies=[{"op": "eliminate", "seat": "ana"}])
    assert table.state.blackouts == {"ana"}
    rolls(table, "bob", 6)
    table.play("bob", "end_turn")
    table.place("cleo", 0)
    table.play("cleo", "roll_dice", dice=[1, 2])
    events = kinds(table.play("cleo", "end_turn"))
    assert events == ["turn_ended", "round_started", "bomb_ended", "turn_started"]
    assert table.state.blackouts == set()
    rolls(table, "bob", 6)
    table.play("bob", "resolve_square")
    assert (table.holds("bob"), table.holds("cleo")) == (1650 - 30, 1650 + 30)


@pytest.mark.rule("IX.C.24", "VI.F.1", "II.B.7")
def test_a_bomb_on_a_checkpoint_is_an_answer_to_the_police() -> None:
    """Ana, wanted, with two doses, uses it on the checkpoint of her stop: she is not checked.

    She is not checked after the bomb either: she has not stopped there again, and rolls on.
    """
    table = Table("ana", "bob")
    table.give("ana", "bombe_iem")
    table.give("ana", "dose", 2)
    with table.arranged() as state:
        state.wanted.add("ana")
    rolls(table, "ana", 4)
    table.refused("ana", "end_turn", "II.B.7")
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    table.turn("bob", 1, 2)
    assert table.state.blackouts == set()
    table.turn("ana", 1, 3)
    assert (table.holds("ana", "dose"), table.state.positions["ana"], table.state.wanted) == (2, 8, {"ana"})


@pytest.mark.rule("IX.C.24", "P.4", "II.B.7")
def test_without_the_bomb_what_the_dark_had_spared_is_due_again() -> None:
    """During the bomb Bob's stop on Cleo's street is free.

    The banker drops the bomb from the history: he pays 30 ₦.
    """
    table = Table("ana", "bob", "cleo")
    table.own("cleo", "17_rue_des_patates", houses=1)
    table.give("ana", "bombe_iem")
    table.place("bob", 4)
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_emp")
    bomb = table.number
    table.play("ana", "end_turn")
    table.play("bob", "roll_dice", dice=[1, 1])
    (resolved,) = table.play("bob", "resolve_square")
    assert (kind_of(resolved), table.holds("bob")) == ("square_resolved", 1650)
    number = table.number
    table.play("bob", "end_turn")
    table.banker("correct", edits=[{"op": "drop", "action": bomb}], cascade="restate", reason="he kept it")
    assert table.standing(number).status == "restated"
    assert [kind_of(event) for event in table.standing(number).events] == ["rent_paid", "square_resolved"]
    assert (table.holds("bob"), table.holds("cleo"), table.holds("ana", "bombe_iem")) == (1620, 1680, 1)
    assert table.state.blackouts == set()
    assert table.state.turn is not None
    assert table.state.turn.seat == "cleo"
