"""What an action makes due at once is performed with it, as entries of its own."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from ledger.kernel.deciding.due import MOST_AT_ONCE
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.edits import Drop, Edit, Insert, NewAction
from ledger.kernel.facts.refusals import NotYours
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.actions import Correct
from ledger.kernel.rules.opening import Opening
from tests.harness.playing import NOON, Playing
from tests.kernel.patience import RULES, THINKING, DrawCard, Pass, Patience, Settings

SEATS = (Seat("ana", "Ana"), Seat("bob", "Bob"))
LATER = NOON + timedelta(hours=1)


def opened(**settings: Any) -> GameInMemory[Patience]:
    opening = Opening(players=SEATS, settings=Settings(**settings), dice="service")
    return GameInMemory(RULES, opening, name="an evening", at=NOON, chance=Random(3))


def table(**settings: Any) -> Playing[Patience]:
    return Playing(RULES, ("ana", "bob"), dice="service", settings=settings)


def journal(game: GameInMemory[Patience] | Playing[Patience]) -> list[tuple[str, str]]:
    """The actions after the opening, each with who performed it."""
    return [(one.kind, one.by) for one in game.journal[1:]]


def correct(game: GameInMemory[Patience], *edits: Edit, cascade: Any = "refuse", by: str = "banker") -> None:
    action = RULES.actions["correct"]
    assert issubclass(action, Correct)
    seat = None if by == "banker" else by
    game.perform(action(edits=edits, cascade=cascade, reason="a slip"), seat, by, LATER)


ROUND = [("pass", "ana"), ("pass", "bob"), ("turn_up", "system"), ("begin_round", "system")]


def test_what_everybody_has_waited_for_follows_with_draws_of_its_own() -> None:
    game = opened()
    game.perform(Pass(), "ana", "ana", NOON)
    decision = game.perform(Pass(), "bob", "bob", NOON + timedelta(minutes=1))
    assert [type(event).__name__ for event in decision.events] == ["SeatPassed"]
    assert journal(game) == ROUND
    assert [len(one.draws.get("card", ())) for one in game.journal[1:]] == [0, 0, 1, 0]
    assert {one.recorded_at for one in game.journal[2:]} == {NOON + timedelta(minutes=1)}
    assert game.past.state_after(5) == game.state
    assert (game.state.round, game.state.passed) == (2, set())


def test_a_table_of_a_scenario_goes_on_as_well() -> None:
    game = table()
    game.play("ana", "pass")
    assert [event.rule for event in game.play("bob", "pass")] == ["3"]
    assert (journal(game), game.requested, game.number) == (ROUND, 3, 5)
    game.banker("correct", edits=[{"op": "drop", "action": 3}], cascade="refuse", reason="a slip")
    assert (game.state.round, game.state.passed) == (1, {"ana"})


def test_an_undo_takes_with_it_what_the_action_had_made_due_and_a_redo_brings_it_back() -> None:
    game = opened()
    for seat in ("ana", "bob"):
        game.perform(Pass(), seat, seat, NOON + timedelta(minutes=len(game.journal)))
    after = game.state.holdings.as_dict()
    correct(game, Drop(3))
    statuses = [game.past.timeline().named(number) for number in (3, 4, 5)]
    assert [one.status for one in statuses if one is not None] == ["undone", "voided", "voided"]
    assert (game.state.round, game.state.passed) == (1, {"ana"})
    correct(game, Drop(6))
    assert len(game.journal) == 7
    assert game.state.holdings.as_dict() == after
    assert (game.state.round, game.state.passed) == (2, set())


def test_a_correction_makes_something_due_as_well() -> None:
    game = opened()
    game.perform(Pass(), "ana", "ana", NOON)
    correct(game, Insert(2, NewAction(kind="pass", seat="bob")))
    assert journal(game) == [ROUND[0], ("correct", "banker"), *ROUND[2:]]
    assert len(game.journal[3].draws["card"]) == 1
    correct(game, Drop(3))
    assert (game.state.round, game.state.passed) == (1, {"ana"})


def test_what_only_the_clock_has_made_due_waits_for_the_next_action() -> None:
    """The time of round 1 is over when its end is undone. The banker can still think again."""
    game = opened(clock=True)
    for seat in ("ana", "bob"):
        game.perform(Pass(), seat, seat, NOON + timedelta(minutes=len(game.journal)))
    correct(game, Drop(3))
    assert journal(game) == [*ROUND, ("correct", "banker")]
    assert RULES.progress.due(game.state, LATER) == (Pass(), "bob")
    game.catch_up(LATER)
    assert journal(game)[5:] == [("pass", "system"), *ROUND[2:]]


def test_the_clock_brings_what_is_due_at_once_with_what_it_makes_due() -> None:
    game = opened(clock=True)
    game.catch_up(NOON + THINKING)
    assert journal(game) == [("pass", "system"), ("pass", "system"), *ROUND[2:]]


def test_what_is_refused_stays_due_and_refuses_nothing() -> None:
    """The one card is in Ana's hand when a card is to be turned up. She gives it back, and the game goes on."""
    game = opened(cards=1)
    game.perform(DrawCard(), "ana", "ana", NOON)
    for seat in ("ana", "bob"):
        game.perform(Pass(), seat, seat, NOON + timedelta(minutes=len(game.journal)))
    assert journal(game) == [("draw_card", "ana"), *ROUND[:2]]
    assert RULES.progress.due(game.state, LATER) is not None
    game.catch_up(LATER)
    assert len(game.journal) == 4
    correct(game, Drop(2))
    assert journal(game)[3:] == [("correct", "banker"), *ROUND[2:]]


def test_what_never_ends_is_bounded() -> None:
    game = opened(bells=True)
    assert game.state.rung == MOST_AT_ONCE
    game.perform(Pass(), "ana", "ana", NOON)
    assert game.state.rung == 2 * MOST_AT_ONCE


def test_a_player_takes_back_nothing_that_drew_a_card_by_itself() -> None:
    game = opened()
    game.perform(Pass(), "ana", "ana", NOON)
    correct(game, Drop(2), by="ana")
    game.perform(Pass(), "ana", "ana", NOON + timedelta(minutes=1))
    game.perform(Pass(), "bob", "bob", NOON + timedelta(minutes=2))
    with pytest.raises(NotYours, match="drew a card"):
        correct(game, Drop(5), by="bob")
