"""What time has made due in a game and nobody has recorded yet: it comes right before the next action."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.game import due
from ledger.kernel.state import State


class OverdueAction(msgspec.Struct, frozen=True):
    """An action of the system that time has made due, the seat that it concerns, and what it does."""

    kind: str
    seat: str | None
    text: str


class Overdue(msgspec.Struct, frozen=True):
    """What time has made due, in order. Moves and refusals count with it already.

    `then` is the summary of the game after it (the round, whose turn it is); null when the game is over then,
    because only its end tells how it ends.
    """

    actions: tuple[OverdueAction, ...]
    then: dict[str, Any] | None


def overdue(moment: Moment, at: datetime, language: str) -> Overdue | None:
    """What is due at a time; None for nothing, and at an earlier moment of the game."""
    if not moment.at == moment.known_at == moment.version or moment.state is not moment.now:
        return None
    rulebook, state = moment.rulebook, moment.now
    actions: list[OverdueAction] = []
    for request, decision in due(rulebook, state, at, None):
        words = request.action.summary
        actions.append(
            OverdueAction(request.action.kind, request.seat, words[1] if language == "fr" else words[0])
        )
        state = decision.state
    if not actions:
        return None
    return Overdue(tuple(actions), None if state.ended else rulebook.summary(state))


def present(moment: Moment, at: datetime) -> State:
    """The state that the next action would meet, including what is due by time."""
    state = moment.now
    for _, decision in due(moment.rulebook, state, at, None):
        state = decision.state
    return state
