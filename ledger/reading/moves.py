"""Moves: the legal actions of a seat, and why other actions are refused."""

from __future__ import annotations

from datetime import datetime

from ledger.games.moments import Moment
from ledger.kernel import moves
from ledger.kernel.moves import Move, Obstacle
from ledger.kernel.refusals import Malformed
from ledger.reading.overdue import present


def open_moves(moment: Moment, seat: str | None, at: datetime) -> list[Move]:
    """The legal actions of the seat at that time. For the banker: those of a seat, or the banker's own."""
    seat = _asked_for(moment, seat)
    state, rulebook = present(moment, at), moment.rulebook
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
    state = present(moment, at)
    return moves.obstacles(rulebook, state, seat, rulebook.purse(seat), moment.viewer, at, kind)


def _asked_for(moment: Moment, seat: str | None) -> str:
    return (moment.viewer.seat if moment.viewer.role == "player" else seat) or ""
