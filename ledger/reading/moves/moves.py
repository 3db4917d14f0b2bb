"""Moves: the legal actions of a seat, and why other actions are refused."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import UNSET

from ledger.games.moments import Moment
from ledger.kernel.arbitration.correct import Correct
from ledger.kernel.deciding import moves
from ledger.kernel.deciding.moves import Move, Obstacle
from ledger.kernel.facts.refusals import Malformed
from ledger.reading.entries.overdue import present, stretch_of
from ledger.reading.moves.offered import ShownMoves, put_together
from ledger.reading.words.seating import seated


def open_moves(moment: Moment, seat: str | None, at: datetime) -> Sequence[Move]:
    """The legal actions of the seat at that time. For the banker: those of a seat, or the banker's own.

    They are kept until the game moves on or a deadline passes.
    """
    seat = _asked_for(moment, seat)
    rulebook, viewer = moment.rulebook, moment.viewer

    def find() -> list[Move]:
        return moves.moves(rulebook, present(moment, at), seat, rulebook.purse(seat), viewer, at)

    stretch = stretch_of(moment, at)
    return find() if stretch is None else moment.kept(("moves", viewer, seat, stretch), find)


def shown_moves(moment: Moment, seat: str | None, at: datetime, language: str) -> ShownMoves:
    """The legal actions of the seat at that time, as a page offers them; nobody's for a spectator.

    For the banker: those of a seat, or the banker's own; what the banker may do without a seat is not among those
    of a seat. `language` ("en" or "fr") is that of the groups' headings; what people read or type for a move is in
    both languages.
    """
    who = _asked_for(moment, seat)
    if moment.viewer.role == "spectator":
        return ShownMoves(seat=who or UNSET, moves=())

    def show() -> ShownMoves:
        legal = open_moves(moment, seat, at)
        if who and moment.viewer.role == "banker":
            legal = _without_the_bankers_own(moment, legal, at)
        return ShownMoves(
            seat=who or UNSET, moves=put_together(moment.rulebook, present(moment, at), who, legal, language)
        )

    stretch = stretch_of(moment, at)
    return show() if stretch is None else moment.kept(("shown moves", moment.viewer, who, stretch, language), show)


def _without_the_bankers_own(moment: Moment, legal: Sequence[Move], at: datetime) -> list[Move]:
    """The moves of a seat, without those of the banker that need no seat.

    Where players may take back their own actions, a correction is theirs to ask for, too. The banker's is the same
    for every seat.
    """
    actions = moment.rulebook.actions
    own = {
        kind
        for kind in {one.kind for one in open_moves(moment, None, at)}
        if "player" not in actions[kind].by or issubclass(actions[kind], Correct)
    }
    return [one for one in legal if one.kind not in own]


def moves_of_all(moment: Moment, at: datetime, language: str) -> tuple[ShownMoves, ...]:
    """The moves of every seat in the order of turns, and then the banker's own. For the banker.

    What a seat may do tells what it has: a banker who also plays is shown the moves of their own seat alone.
    """
    seats = [one.seat for one in seated(moment.game, moment.now)]
    if not moment.viewer.sees_all:
        seats = [one for one in seats if one == moment.viewer.seat]
    return tuple(shown_moves(moment, seat, at, language) for seat in (*seats, None))


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
