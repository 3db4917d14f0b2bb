"""The actions of the game itself: actions due by time, and actions due at once after another action."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TypeVar

from ledger.kernel.deciding.decision import Decision, decide
from ledger.kernel.dice.chance import Chance
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Entry
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.rulebook import Rulebook

S = TypeVar("S", bound=State)


MOST_AT_ONCE = 100
"""The maximum number of actions made due at once by an action. Further actions stay due."""


def due(
    rulebook: Rulebook[S], state: S, at: datetime, chance: Chance | None
) -> Iterator[tuple[Request, Decision]]:
    """Decide the actions that have fallen due by `at`, in order, each on the state left by the previous action.

    Each action is decided only on request, so the caller can store an action before the next draw. A refused
    action stays due, with all later actions: no player can do anything about the refusal.
    """
    while not state.ended and (due_action := rulebook.progress.due(state, at)) is not None:
        outcome = _by_itself(rulebook, state, due_action, at, chance)
        if outcome is None:
            return
        yield outcome
        state = outcome[1].state


def due_immediately(
    rulebook: Rulebook[S], state: S, at: datetime, chance: Chance | None
) -> Iterator[tuple[Request, Decision]]:
    """Decide the actions made due at once by the last action, each on the state left by the previous action.

    These are the actions due before any deadline. Actions due only by time wait for the next action. A refused
    action stays due, and so do actions beyond `MOST_AT_ONCE`.
    """
    for _ in range(MOST_AT_ONCE):
        due_action = None if state.ended else rulebook.progress.due(state, _before_deadlines(rulebook, state, at))
        outcome = None if due_action is None else _by_itself(rulebook, state, due_action, at, chance)
        if outcome is None:
            return
        yield outcome
        state = outcome[1].state


def is_due(rulebook: Rulebook[S], state: S, action: Action, seat: str | None, at: datetime) -> bool:
    """Return True if this action for the seat is due in a state at a moment, by time or at once."""
    if state.ended:
        return False
    moments = (at, _before_deadlines(rulebook, state, at))
    return any(rulebook.progress.due(state, moment) == (action, seat) for moment in moments)


def falls_due(rulebook: Rulebook[S], state: S, action: Action, entry: Entry) -> bool:
    """Return True if the game itself takes this step on a state, independent of the next action.

    The step is the opening of the game, the resumption of a continued game, or a due action.
    """
    if not state.version:
        return "system" in action.by
    if rulebook.progress.resume_action(state) == (action, entry.seat):
        return True
    return is_due(rulebook, state, action, entry.seat, entry.recorded_at)


def _before_deadlines(rulebook: Rulebook[S], state: S, at: datetime) -> datetime:
    """Return `at`, or a moment right before the first deadline of the state if earlier."""
    deadlines = rulebook.progress.deadlines(state)
    return min(at, min(deadlines) - timedelta(microseconds=1)) if deadlines else at


def _by_itself(
    rulebook: Rulebook[S], state: S, due_action: tuple[Action, str | None], at: datetime, chance: Chance | None
) -> tuple[Request, Decision] | None:
    """Decide a due action for the system; None if refused."""
    request = Request(action=due_action[0], seat=due_action[1], by="system", at=at)
    try:
        return request, decide(rulebook, state, request, chance=chance)
    except Refusal:
        return None
