"""Whom the end of a round waits for, the clock for answers, and what is answered by default."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from ledger.kernel.facts.events import Event
from ledger.rulebooks.virtual_revolution.raids.raids import RaidEnded
from ledger.rulebooks.virtual_revolution.rounds.answers import awaited, default_answer
from ledger.rulebooks.virtual_revolution.table.terms import Demand
from tests.virtual_revolution.ending import LAST, attack, end_round, events_of, stage
from tests.virtual_revolution.table import Table

CLOCK = {"answer_seconds": 60}
IDLE = ("server_1", "server_2", "server_3", "server_4", "server_5")


def timed() -> Table:
    """A table with a clock of 60 seconds at which nobody has Immunity."""
    table = Table(settings=CLOCK)
    for seat in table.seats:
        table.give(seat, immunity=0)
    return table


def late(table: Table) -> list[Event]:
    """A minute passes, and the service gives the answer that is due."""
    assert table.rulebook.progress.due(table.state, table.now + timedelta(seconds=59)) is None
    table.wait(60)
    found = table.rulebook.progress.due(table.state, table.now)
    assert found is not None
    action, seat = found
    assert seat is not None
    return table.play(seat, action.kind, **msgspec.to_builtins(action))


@pytest.mark.rule("vr:raid.2")
def test_the_clock_lets_the_first_card_take_effect() -> None:
    """Nothing is spent; the next card has its own minute."""
    table = timed()
    table.give("ana", hand=("revenue_1", "revenue_2", "revenue_3", "eurocredit_1", "eurocredit_2"), immunity=1)
    end_round(table)
    assert list(awaited(table.state)) == ["ana"]
    table.wait(30)
    table.play("ana", "resolve_corruption_card", card="revenue_2")
    late(table)
    assert (table.cash("ana"), table.immunity("ana")) == (8, 1)


@pytest.mark.rule("vr:necro.9")
def test_the_clock_spends_no_immunity_on_an_attack() -> None:
    """One minute for all who are asked; a late answer is nobody's but the late one's."""
    table = timed()
    for seat in ("ana", "bob"):
        table.give(seat, immunity=2)
    attack(table, "chantage")
    assert list(awaited(table.state)) == ["ana", "bob"]
    table.wait(40)
    table.play("ana", "avoid_necro", tokens=2)
    table.wait(-40)
    late(table)
    assert (table.immunity("ana"), table.immunity("bob")) == (0, 2)
    assert stage(table) == "order"


@pytest.mark.rule("vr:necro.10")
def test_the_clock_takes_the_first_thing() -> None:
    """The first one of those that the player could choose."""
    table = timed()
    table.give("bob", verses=["exoplanet", "space_conquest"])
    attack(table, "ia_agressive")
    assert list(awaited(table.state)) == ["bob"]
    late(table)
    assert table.state.holdings.of("verses:bob", "card:exoplanet") == 0


@pytest.mark.rule("vr:order.1")
def test_the_clock_takes_the_first_free_place() -> None:
    """And the one after it from the next player."""
    table = timed()
    attack(table, "insurrections")
    late(table)
    assert table.state.places == {"ana": 1}
    late(table)
    assert table.state.order == ("ana", "bob", "cid")
    assert table.rulebook.progress.deadlines(table.state) == ()


@pytest.mark.rule("vr:scoring.10")
def test_the_clock_chooses_the_objective_that_scores_most() -> None:
    """It stays the seat's secret until all have chosen."""
    table = timed()
    table.give("ana", objectives=["servers", "revenue"])
    table.give("bob", objectives=["titles", "verses"])
    attack(table, "sabotage", number=LAST)
    late(table)
    assert "revenue" not in str(table.seen_by("bob"))
    assert table.state.chosen["ana"].objective == "revenue"


def test_without_a_clock_nobody_is_hurried() -> None:
    """The game waits."""
    table = Table()
    table.give("ana", hand=IDLE, immunity=0, boosts=["boost_work", "boost_recruit"])
    table.give("ana", hand=["boost_1"])
    end_round(table)
    assert list(awaited(table.state)) == ["ana"]
    assert table.rulebook.progress.deadlines(table.state) == ()
    assert table.rulebook.progress.due(table.state, table.now + timedelta(days=9)) is None


@pytest.mark.rule("vr:verse.11")
@pytest.mark.rule("vr:verse_card.9")
def test_the_necro_card_waits_for_verses_that_a_raid_has_fulfilled() -> None:
    """Mythologia: a raid with seven cards. The banker may go on; the fact stays for a later own turn."""
    table = Table()
    table.give("ana", hand=(*IDLE, "server_6", "server_7"), immunity=0, verses=["mythologia"])
    table.give("bob", verses=["the_curse"])
    end_round(table)
    assert [event.fulfilled for event in events_of(table, RaidEnded)] == [("mythologia",)]
    assert (stage(table), table.state.waiting) == ("missions", ("ana",))
    table.banker("necro_attack", drawn=["insurrections"])
    assert stage(table) == "attack"
    assert table.state.raided == frozenset({"mythologia"})


@pytest.mark.rule("vr:verse_card.9")
def test_six_cards_are_too_few_for_mythologia() -> None:
    """Seven or more."""
    table = Table()
    table.give("ana", hand=(*IDLE, "server_6"), immunity=0, verses=["mythologia"])
    end_round(table)
    assert table.state.raided == frozenset()
    assert stage(table) == "attack"


@pytest.mark.rule("vr:verse_card.11")
def test_the_curse_asks_for_a_raid_without_spending_immunity() -> None:
    """Losing a token to the priority card is not spending; avoiding a card is."""
    table = Table()
    table.give("ana", hand=("immunity_1", *IDLE), immunity=1, verses=["the_curse"])
    end_round(table)
    assert table.state.raided == frozenset({"the_curse"})
    other = Table()
    other.give("ana", hand=("revenue_1", *IDLE), immunity=1, verses=["the_curse"])
    end_round(other)
    other.play("ana", "avoid_corruption", card="revenue_1")
    assert other.state.raided == frozenset()


@pytest.mark.rule("vr:verse_card.11")
def test_the_final_raid_counts_for_the_curse_with_an_empty_hand_as_well() -> None:
    """The raid is undergone, though nothing happens in it."""
    table = Table()
    table.give("ana", verses=["the_curse"])
    end_round(table, number=LAST)
    assert table.state.raided == frozenset({"the_curse"})
    assert stage(table) == "missions"


@pytest.mark.rule("vr:verse.11")
def test_a_table_may_leave_such_verses_to_a_later_turn() -> None:
    """It is a setting."""
    table = Table(settings={"missions_after_raids": False})
    table.give("ana", hand=("immunity_1", *IDLE), immunity=0, verses=["the_curse"])
    end_round(table)
    assert table.state.raided == frozenset({"the_curse"})
    assert stage(table) == "attack"


@pytest.mark.rule("vr:verse.11")
@pytest.mark.rule("vr:verse_card.9")
def test_right_after_the_raid_the_verse_goes_online_or_stays_in_loading() -> None:
    """Out of turn, for the raided owner alone; then the Necro card need not wait any more."""
    table = Table()
    table.give("ana", hand=(*IDLE, "server_6", "server_7"), immunity=0, verses=["mythologia"])
    table.give("cid", hand=("agent_1", "agent_2", "agent_3", "boost_1", "boost_2"), verses=["the_curse"])
    table.give("cid", immunity=0)
    end_round(table)
    assert table.state.waiting == ("ana", "cid")
    table.refused("bob", "leave_loading", "vr:verse.11")
    table.play("ana", "put_verse_online", verse="mythologia")
    assert (table.revenue("ana"), table.state.waiting) == (7, ("cid",))
    table.play("cid", "leave_loading")
    assert stage(table) == "attack"
    table.refused("cid", "put_verse_online", "vr:verse.11", verse="the_curse")


@pytest.mark.rule("vr:verse.11")
def test_the_clock_leaves_verses_in_loading() -> None:
    """Who says nothing puts nothing online."""
    table = timed()
    table.give("ana", hand=(*IDLE, "server_6", "server_7"), verses=["mythologia"])
    end_round(table)
    late(table)
    assert stage(table) == "attack"
    assert table.state.online == frozenset()


@pytest.mark.rule("vr:verse_card.7")
def test_the_clock_answers_what_a_card_demands_of_others() -> None:
    """Dark Kingdom: the first thing of each opponent who says nothing; what the own turn asks has no clock."""
    table = timed()
    with table.arranged() as state:
        demand = Demand(
            kind="loss",
            seat="bob",
            by="ana",
            rule="vr:verse_card.7",
            among=("agent_in_service", "immunity"),
        )
        state.demands = (demand, Demand(kind="discard", seat="ana", by="ana", rule="vr:title.10", amount=1))
    table.give("bob", service=["leslie"], immunity=1)
    table.give("ana", hand=["verse_1", "verse_2"])
    table.give("cid", immunity=0)
    found = default_answer(table.state)
    assert found is not None
    action, seat = found
    table.play(seat, action.kind, **msgspec.to_builtins(action))
    assert table.state.holdings.of("service:bob", "card:leslie") == 0
    assert table.rulebook.progress.deadlines(table.state) == ()
    found = default_answer(table.state)
    assert found is not None
    assert found[0].kind == "discard_corruption"
    table.play("ana", "discard_corruption", cards=["verse_1"])
    assert table.state.demands == ()
