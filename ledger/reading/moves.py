"""Moves: the legal actions of a seat, and why other actions are refused."""

from __future__ import annotations

from datetime import datetime

from ledger.games.moments import Moment
from ledger.kernel import moves
from ledger.kernel.game import due
from ledger.kernel.moves import Move, Obstacle
from ledger.kernel.refusals import Malformed
from ledger.kernel.state import State


def open_moves(moment: Moment, seat: str | None, at: datetime) -> list[Move]:
    """The legal actions of the seat at that time. For the banker: those of a seat, or the banker's own."""
    seat = _asked_for(moment, seat)
    state, rulebook = _present(moment, at), moment.rulebook
    return moves.moves(rulebook, state, seat, rulebook.purse(seat), moment.viewer, at)


def obstacles(moment: Moment, seat: str | None, kind: str, at: datetime) -> list[Obstacle]:
    """Why actions of this kind are refused to the seat at that time, choice by choice. Raises Malformed."""
    rulebook = moment.rulebook
    seat = _asked_for(moment, seat)
    if kind not in rulebook.actions:
        raise Malformed(
            "{rulebook} has no action {kind!r}",
            "{rulebook} n'a pas d'action {kind!r}",
            rulebook=rulebook.id,
            kind=kind,
        )
    state = _present(moment, at)
    return moves.obstacles(rulebook, state, seat, rulebook.purse(seat), moment.viewer, at, kind)


def _asked_for(moment: Moment, seat: str | None) -> str:
    return (moment.viewer.seat if moment.viewer.role == "player" else seat) or ""


def _present(moment: Moment, at: datetime) -> State:
    """The state that the next action would meet, including what is due by time."""
    state = moment.now
    for _, decision in due(moment.rulebook, state, at, None):
        state = decision.state
    return state
