"""A correction of one card or one turn is settled: default answers, turns ended, what nobody drew asked for."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.kernel.rules.actions import StepGoal
from ledger.rulebooks.virtual_revolution.attacks.necros import AvoidNecro
from ledger.rulebooks.virtual_revolution.rulebook import RULEBOOK
from tests.virtual_revolution.table import Table

ADDED = {"kind": "influence_add", "seat": "ana", "params": {"drawn": ["revenue_2"]}}
FOUR = ("revenue_1", "eurocredit_1", "eurocredit_2", "influence_1")


def turn(table: Table, place: int, *, draw: str = "") -> int:
    """The turn of whoever has it: a Director, and influence with a Corruption card. Returns the number of that."""
    assert table.state.turn is not None
    seat, added = table.state.turn.seat, 0
    table.play(seat, "place_director", place=place)
    if draw:
        table.play(seat, "influence_add", drawn=[draw])
        added = table.requested
    table.play(seat, "end_turn")
    return added


def played(hand: tuple[str, ...] = FOUR, *, draw: str = "revenue_2", **settings: Any) -> tuple[Table, int]:
    """A round in which ana has these cards and draws one more; the number of that action."""
    table = Table(settings=settings)
    table.give("ana", hand=hand)
    added = turn(table, 1, draw=draw)
    for place in range(2, 10):
        turn(table, place)
    return table, added


def choose_places(table: Table) -> None:
    """Each chooser takes the first free place but the last, who is given it."""
    for place in (1, 2):
        table.play(table.state.choosers[0], "choose_turn_order", place=place)


def upkeep(table: Table) -> None:
    """The next round begins: a Verse, its successor on the deck, five Agents with their Locations."""
    agents = ("leslie", "camille", "zero", "jade", "muriel")
    found = [card for number, agent in enumerate(agents, start=1) for card in (agent, f"loc_{number:02d}")]
    table.banker("upkeep", drawn=["exoplanet", *found])


def first_card(table: Table) -> str:
    """The first card that ana may resolve."""
    return str(table.offers("ana", "resolve_corruption_card")[0]["card"])


def correct(table: Table, *edits: dict[str, Any]) -> None:
    table.banker("correct", edits=list(edits), cascade="restate", reason="another card")


# One card less, one card more -----------------------------------------------------------------------


@pytest.mark.rule("vr:banker.1", "vr:raid.1", "vr:necro.8", "vr:income.1")
def test_one_card_less_moves_a_raid_lowest_and_highest_and_the_income() -> None:
    """Ana drew no card: she is not raided, all have the same Revenue, and all undergo all of Révélations."""
    table, added = played()
    assert table.state.raid is not None
    raid = []
    while table.state.raid is not None:
        table.play("ana", "resolve_corruption_card", card=first_card(table))
        raid.append(table.requested)
    assert table.revenue("ana") == 3
    table.banker("necro_attack", drawn=["revelations"])
    attacked = table.requested
    # The card is simultaneous: 1 more for the lowest, 1 less for all, 2 less for the highest.
    assert [table.revenue(seat) for seat in table.seats] == [3, 2, 2]
    choose_places(table)
    upkeep(table)
    placed_by = table.state.turn
    assert placed_by is not None
    table.play(placed_by.seat, "place_director", place=7)
    placed = table.requested
    before = {seat: table.cash(seat) for seat in table.seats}

    found = table.what_if({"op": "drop", "action": added})
    assert [one.timeline_entry.entry.number for one in found.voided] == raid
    assert {one.timeline_entry.entry.number for one in found.restated} >= {attacked}
    assert [(one.edit, one.action) for one in found.causes] == [(0, str(added))]
    ended = raid[0] - 1
    assert found.links[ended, 0].because == str(added)
    assert {found.links[number, 0].because for number in raid} <= {str(ended), str(added)}
    correct(table, {"op": "drop", "action": added})
    assert [table.revenue(seat) for seat in table.seats] == [3, 3, 3]
    assert table.cash("ana") == before["ana"] + 4  # two cards of 2 have not been undergone
    assert [table.cash(seat) - before[seat] for seat in ("bob", "cid")] == [1, 1]
    assert table.standing(placed).status == "effective"
    assert table.hand("ana") == sorted(FOUR)


@pytest.mark.rule("vr:banker.1", "vr:raid.2")
def test_one_card_more_raids_a_player_who_answers_by_default() -> None:
    """Ana drew a card that nobody noted: her raid is undergone card by card before the Necro card is turned up."""
    table, added = played(hand=FOUR, draw="")
    assert added == 0
    assert table.state.raid is None
    table.banker("necro_attack", drawn=["revelations"])
    choose_places(table)
    upkeep(table)
    first = next(one.number for one in table.journal if one.kind == "end_turn")
    edit = {"op": "insert", "after": first - 1, "action": ADDED}
    found = table.what_if(edit)
    answers = [one for one in found.event.insertions if one.action.kind == "resolve_corruption_card"]
    assert len(answers) == 5
    assert found.voided == ()
    correct(table, edit)
    assert [table.revenue(seat) for seat in table.seats] == [3, 2, 2]
    assert table.hand("ana") == []


def test_a_turn_ends_by_itself_when_the_next_player_acts() -> None:
    """Ana's end of the turn is dropped: bob's Director ends it."""
    table = Table()
    turn(table, 1)
    turn(table, 2)
    found = table.what_if({"op": "drop", "action": 3})
    assert [one.action.kind for one in found.event.insertions] == ["end_turn"]
    assert found.voided == ()
    assert found.unchanged > 0


@pytest.mark.rule("vr:banker.1", "vr:turn.7")
def test_a_turn_without_a_director_goes_by() -> None:
    """Nobody places a Director for a player; what she ended is over, and bob plays as he did."""
    table = Table()
    turn(table, 1, draw="revenue_2")
    turn(table, 2)
    added = 3
    found = table.what_if({"op": "drop", "action": 2})
    assert [one.action.kind for one in found.event.insertions] == ["forgo_turn"]
    assert [one.timeline_entry.entry.number for one in found.voided] == [added]
    correct(table, {"op": "drop", "action": 2})
    assert table.state.turn is not None
    assert table.state.turn.seat == "cid"
    assert table.state.holdings.of("player:ana", "director:ana") == 3
    for place in range(3, 10):
        turn(table, place)
    assert table.state.round == 1
    assert table.state.stage == "attack"


@pytest.mark.rule("vr:order.1", "vr:banker.1")
def test_who_chose_a_place_first_still_does() -> None:
    """Ana has one token less on her board, so she would choose last: the table has let her choose before."""
    table = Table()
    placed = turn(table, 1)
    assert placed == 0
    for place in range(2, 10):
        turn(table, place)
    table.banker("necro_attack", drawn=["chantage"])
    assert table.state.choosers == ("ana", "bob", "cid")
    choose_places(table)
    edit = {"op": "insert", "after": 2, "action": ADDED}
    found = table.what_if(edit)
    assert found.voided == ()
    assert found.new_state.order == ("ana", "bob", "cid")
    assert "let_first" in [one.action.kind for one in found.event.insertions]


@pytest.mark.rule("vr:order.4", "vr:banker.1")
def test_the_table_has_taken_turns_in_the_order_in_which_it_has() -> None:
    """A place in the order is corrected after the round has begun: the turns taken since keep theirs."""
    table, _ = played(hand=())
    table.banker("necro_attack", drawn=["chantage"])
    choose_places(table)
    chosen = [one.number for one in table.journal if one.kind == "choose_turn_order"]
    upkeep(table)
    turn(table, 1)
    turn(table, 2)
    edits = [
        {"op": "replace", "action": chosen[0], "params": {"place": 2}},
        {"op": "replace", "action": chosen[1], "params": {"place": 1}},
    ]
    found = table.what_if(*edits)
    assert found.voided == ()
    assert found.new_state.order != ()


@pytest.mark.rule("vr:setup.32", "vr:banker.1")
@pytest.mark.rule("vr:setup.32", "vr:banker.1")
def test_cards_of_a_dropped_attack_and_upkeep_come_again_where_later_actions_need_them() -> None:
    """The cards lie on top of their decks: the same attack, Verse and Agents, and nothing later falls."""
    table, _ = played(hand=())
    table.banker("necro_attack", drawn=["chantage"])
    attacked = table.requested
    choose_places(table)
    upkeep(table)
    offers, display, kept = table.state.offers, table.state.display, table.requested
    turn(table, 1)
    found = table.what_if({"op": "drop", "action": attacked}, {"op": "drop", "action": kept})
    assert [one.action.kind for one in found.event.insertions] == ["necro_attack", "upkeep"]
    assert (found.needs, found.voided) == ((), ())
    assert (found.new_state.offers, found.new_state.display) == (offers, display)


def test_an_answer_that_is_not_asked_for_any_more_changes_nothing() -> None:
    """Bob had said that he spends nothing; now he has too few tokens to be asked."""
    table = Table()
    table.give("bob", immunity=2)
    for place in range(1, 10):
        turn(table, place)
    table.banker("necro_attack", drawn=["revolte"])
    assert table.state.attack is not None
    assert table.state.attack.paying == ("bob",)
    table.play("bob", "avoid_necro", tokens=0)
    was = table.past.state_after(table.requested - 1)
    assert RULEBOOK.progress.is_done(table.state, StepGoal(AvoidNecro(tokens=0), "bob", was))
    assert not RULEBOOK.progress.is_done(table.state, StepGoal(AvoidNecro(tokens=2), "bob", was))


@pytest.mark.rule("vr:necro.4", "vr:setup.32", "vr:banker.1")
def test_corruption_that_nobody_drew_lets_the_attack_stand() -> None:
    """Without a ruling all have the same Revenue, and MAXIMUM hits all; ana keeps her cards, others lack some."""
    table = Table(dice="service")
    with table.arranged() as state:
        state.on_top["necro"] = ("revolte",)
    gift = {"from": "bank", "to": "player:ana", "commodity": "revenue", "amount": 1}
    remedy = {"op": "adjust", "postings": [gift], "reason": "an oversight"}
    table.banker("rule", finding="so it is", remedies=[remedy])
    ruled = table.requested
    for place in range(1, 10):
        turn(table, place)
    assert table.state.attack is None
    assert table.state.stage == "order"
    hands = {seat: table.hand(seat) for seat in table.seats}
    assert [len(hands[seat]) for seat in table.seats] == [3, 1, 1]
    found = table.what_if({"op": "drop", "action": ruled})
    assert found.voided == ()
    assert [(one.draw.draw_name, one.draw.count, one.voids) for one in found.needs] == [
        ("corruption:bob", 2, False),
        ("corruption:cid", 2, False),
    ]
    correct(table, {"op": "drop", "action": ruled})
    assert {seat: table.hand(seat) for seat in table.seats} == hands
