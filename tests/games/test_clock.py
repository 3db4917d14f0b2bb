"""The time of a game: it only grows, and goes on as fast as the clock also after that was set back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from ledger.games.clock import TOLD, Clock
from ledger.kernel.facts.state import State

NINE = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def wall() -> list[datetime]:
    """The time of the machine, which a scenario sets."""
    return [NINE]


@pytest.fixture
def clock(wall: list[datetime]) -> Clock:
    return Clock(lambda: wall[0])


def at(last: datetime | None) -> State:
    """A game whose last action was at this time."""
    return cast("State", SimpleNamespace(last_at=last))


def test_before_any_action_it_is_the_time(clock: Clock) -> None:
    assert clock.game_time(at(None)) == NINE
    assert clock.ahead(at(None)) == timedelta()


def test_after_an_action_it_is_the_time(clock: Clock, wall: list[datetime]) -> None:
    wall[0] += MINUTE
    assert clock.game_time(at(NINE)) == NINE + MINUTE


def test_a_clock_that_was_two_hours_ahead_does_not_stop_the_game(clock: Clock, wall: list[datetime]) -> None:
    """Ana rolled at 23:00 by a clock that was wrong. It is set right, and her five minutes go by."""
    ahead = at(NINE + 120 * MINUTE)
    assert clock.game_time(ahead) == NINE + 120 * MINUTE
    wall[0] += 5 * MINUTE
    assert clock.game_time(ahead) == NINE + 125 * MINUTE
    assert clock.ahead(ahead) == 120 * MINUTE
    # Bob acts then, and it goes on from there; also when the machine's clock comes to where it was.
    bob = at(NINE + 125 * MINUTE)
    wall[0] += MINUTE
    assert clock.game_time(bob) == NINE + 125 * MINUTE
    wall[0] += 180 * MINUTE
    assert clock.game_time(bob) == NINE + 305 * MINUTE


def test_it_never_goes_back(clock: Clock, wall: list[datetime]) -> None:
    """The machine's clock is set back twice."""
    ahead = at(NINE + 120 * MINUTE)
    clock.game_time(ahead)
    wall[0] = NINE - 60 * MINUTE
    assert clock.game_time(ahead) == NINE + 120 * MINUTE
    wall[0] += MINUTE
    assert clock.game_time(ahead) == NINE + 121 * MINUTE


def test_a_few_seconds_are_not_told(clock: Clock) -> None:
    assert clock.ahead(at(NINE + TOLD - timedelta(seconds=1))) == timedelta()
    assert clock.ahead(at(NINE + TOLD)) == TOLD


def test_a_thousand_other_games_make_no_difference(clock: Clock, wall: list[datetime]) -> None:
    """What is known of games is bounded: the oldest is forgotten, and its time stands still until then."""
    first = at(NINE + 120 * MINUTE)
    clock.game_time(first)
    for number in range(1_000):
        clock.game_time(at(NINE + (121 + number) * MINUTE))
    wall[0] += MINUTE
    assert clock.game_time(first) == NINE + 120 * MINUTE
    assert clock.game_time(at(NINE + 1_000 * MINUTE)) == NINE + 1_001 * MINUTE
