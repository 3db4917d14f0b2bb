"""What a game does by itself: what time alone has made due, and what an action makes due at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TypeVar

from ledger.kernel.deciding.decision import Decision, decide
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


MOST_AT_ONCE = 100
"""The largest number of actions that one action makes due at once. What is more stays due."""


def due(
    rulebook: Rulebook[S], state: S, at: datetime, chance: Chance | None
) -> Iterator[tuple[Request, Decision]]:
    """What time alone has made due at a moment, each decided on the state after the one before it.

    The next one is decided when it is asked for, so whoever keeps them may keep each before the next one draws.
    What is refused stays due, with all that comes after it: nobody who acts can do anything about that.
    """
    while not state.ended and (found := rulebook.due(state, at)) is not None:
        made = _by_itself(rulebook, state, found, at, chance)
        if made is None:
            return
        yield made
        state = made[1].state


def due_at_once(
    rulebook: Rulebook[S], state: S, at: datetime, chance: Chance | None
) -> Iterator[tuple[Request, Decision]]:
    """What the last action has made due at once, each decided on the state after the one before it.

    That is what is due before any deadline. What only the time has made due waits for the next action. What is
    refused stays due, and so does what is left after `MOST_AT_ONCE` of them.
    """
    for _ in range(MOST_AT_ONCE):
        found = None if state.ended else rulebook.due(state, _before_deadlines(rulebook, state, at))
        made = None if found is None else _by_itself(rulebook, state, found, at, chance)
        if made is None:
            return
        yield made
        state = made[1].state


def is_due(rulebook: Rulebook[S], state: S, action: Action, seat: str | None, at: datetime) -> bool:
    """Say whether this action for this seat is what a state makes due at a moment, by time or at once."""
    if state.ended:
        return False
    moments = (at, _before_deadlines(rulebook, state, at))
    return any(rulebook.due(state, moment) == (action, seat) for moment in moments)


def _before_deadlines(rulebook: Rulebook[S], state: S, at: datetime) -> datetime:
    """The time, or one before the first deadline of the state, whichever is earlier."""
    deadlines = rulebook.deadlines(state)
    return min(at, min(deadlines) - timedelta(microseconds=1)) if deadlines else at


def _by_itself(
    rulebook: Rulebook[S], state: S, found: tuple[Action, str | None], at: datetime, chance: Chance | None
) -> tuple[Request, Decision] | None:
    """Decide what is due, for the system; None when it is refused."""
    request = Request(action=found[0], seat=found[1], by="system", at=at)
    try:
        return request, decide(rulebook, state, request, chance=chance)
    except Refusal:
        return None
