"""The choices before scoring: Objectives are chosen in secret and revealed together."""

from __future__ import annotations

import pytest

from ledger.kernel.facts.refusals import RuleBroken
from ledger.rulebooks.virtual_revolution.scores.endgame import ObjectiveChosen, ObjectivesRevealed
from ledger.rulebooks.virtual_revolution.scores.scores import score
from tests.virtual_revolution.ending import LAST, attack, events_of, stage
from tests.virtual_revolution.table import Table


def choosing() -> Table:
    """A table at which ana and bob have Objectives to choose, and the last attack is over."""
    table = Table()
    for seat in table.seats:
        table.give(seat, immunity=0)
    table.give("ana", objectives=["servers", "verse_same_type"])
    table.give("bob", objectives=["titles", "revenue"])
    attack(table, "sabotage", number=LAST)
    return table


@pytest.mark.rule("vr:scoring.10")
def test_each_player_chooses_one_of_the_own_objectives() -> None:
    """In any order, and for good."""
    table = choosing()
    assert table.state.waiting == ("ana", "bob")
    table.refused("bob", "choose_objective", "vr:scoring.10", objective="servers")
    table.refused("cid", "choose_objective", "vr:scoring.10", objective="servers")
    table.play("bob", "choose_objective", objective="revenue")
    table.refused("bob", "choose_objective", "vr:scoring.10", objective="titles")
    table.play("ana", "choose_objective", objective="servers")
    assert {seat: one.objective for seat, one in table.state.chosen.items()} == {
        "ana": "servers",
        "bob": "revenue",
    }
    assert table.state.ended


@pytest.mark.rule("vr:secrecy.1")
def test_the_choices_are_revealed_together_and_the_other_card_never() -> None:
    """Before that, others know only that a choice was made. The one given up is in no event at all."""
    table = choosing()
    table.play("bob", "choose_objective", objective="revenue")
    (shown,) = [event for event in table.seen_by("ana") if isinstance(event, ObjectiveChosen)]
    assert shown.choice is None
    (own,) = [event for event in table.seen_by("bob") if isinstance(event, ObjectiveChosen)]
    assert own.choice is not None
    assert own.choice.objective == "revenue"
    table.play("ana", "choose_objective", objective="servers")
    (revealed,) = events_of(table, ObjectivesRevealed)
    assert revealed.cards == ["servers", "revenue"]
    assert revealed.reveals().everyone
    told = str(table.seen_by("cid"))
    assert "titles" not in told
    assert "verse_same_type" not in told
    assert table.state.holdings.of("objectives:bob", "card:titles") == 1


@pytest.mark.rule("vr:objective.5")
def test_the_type_of_verse_is_named_where_it_counts() -> None:
    """For the Objective that counts one type, and for no other."""
    table = choosing()
    table.refused("ana", "choose_objective", "vr:objective.5", objective="verse_same_type")
    table.refused("ana", "choose_objective", "vr:objective.5", objective="servers", verse_type="horror")
    assert {"objective": "verse_same_type", "verse_type": "horror"} in table.offers("ana", "choose_objective")
    table.play("ana", "choose_objective", objective="verse_same_type", verse_type="horror")


@pytest.mark.rule("vr:promotion.34")
@pytest.mark.rule("vr:scoring.7")
def test_the_type_of_a_promoted_agent_is_chosen() -> None:
    """Mme Tropovicz, if her promotion effect was chosen; without it she is a Diplomat."""
    table = Table()
    for seat in table.seats:
        table.give(seat, immunity=0)
    table.give("ana", retired=["mme_tropovicz"], boosts=["leslie", "pixel"], objectives=["servers", "verses"])
    with table.arranged() as state:
        state.promised = frozenset({"mme_tropovicz"})
    attack(table, "virus", number=LAST)
    assert table.state.waiting == ("ana",)
    table.refused("ana", "choose_agent_type", "vr:promotion.34", agent="leslie", type="combatant")
    table.play("ana", "choose_objective", objective="servers")
    assert stage(table) == "choices"
    table.play("ana", "choose_agent_type", agent="mme_tropovicz", type="technician")
    assert table.state.ended
    assert [line.points for line in score(table.state, "ana", None) if line.what == "agent_trio"] == [0]


def test_without_objectives_the_game_is_scored_at_once() -> None:
    """Nobody has anything to choose."""
    table = Table()
    for seat in table.seats:
        table.give(seat, immunity=0)
    attack(table, "sabotage", number=LAST)
    assert table.state.ended
    assert set(table.state.scores) == {"ana", "bob", "cid"}


@pytest.mark.rule("vr:secrecy.6")
def test_a_banker_who_plays_learns_no_objective_by_guessing() -> None:
    """Right or wrong, a guess for another seat is refused alike."""
    table = Table(settings={"banker_plays": "cid"})
    for seat in table.seats:
        table.give(seat, immunity=0)
    table.give("ana", objectives=["servers", "verses"])
    attack(table, "sabotage", number=LAST)
    told = []
    for objective in ("servers", "titles"):
        with pytest.raises(RuleBroken) as refused:
            table.banker("choose_objective", seat="ana", objective=objective)
        told.append((refused.value.rule, refused.value.en))
    assert told[0] == told[1]
    assert told[0][0] == "vr:secrecy.6"
    table.play("ana", "choose_objective", objective="servers")
    assert table.state.ended
