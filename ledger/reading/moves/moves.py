"""Moves: the legal actions of a seat, and the reasons for refusing other actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import UNSET

from ledger.games.moments import Moment
from ledger.kernel.deciding import moves
from ledger.kernel.deciding.moves import Move, Obstacle
from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.rules.actions import Correct
from ledger.reading.entries.overdue import present, stretch_of
from ledger.reading.money.obligations import obligations_of
from ledger.reading.moves.offered import combine_moves, drawn_by
from ledger.reading.moves.shown import ShownMoves, WantedDraw
from ledger.reading.words.seating import seated


def open_moves(moment: Moment, seat: str | None, at: datetime) -> Sequence[Move]:
    """Return the legal actions of the seat at the time `at`.

    For the banker: a seat's actions, or the banker's own. The result is cached until the game moves on or a
    deadline passes.
    """
    seat = seat_to_act(moment, seat)
    rulebook, viewer = moment.rulebook, moment.viewer

    def find() -> list[Move]:
        return moves.moves(rulebook, present(moment, at), seat, rulebook.accounts.purse(seat), viewer, at)

    stretch = stretch_of(moment, at)
    return find() if stretch is None else moment.cached(("moves", viewer, seat, stretch), find)


def shown_moves(moment: Moment, seat: str | None, at: datetime, language: str) -> ShownMoves:
    """Return the legal actions of the seat at the time `at`, in the form for a page. None for a spectator.

    For the banker: a seat's actions, or the banker's own. The banker's own actions are not among the actions of
    a seat. `language` ("en" or "fr") is the language of the groups' headings. Texts of a move are in both
    languages.
    """
    acting_seat = seat_to_act(moment, seat)
    if moment.viewer.role == "spectator":
        return ShownMoves(seat=acting_seat or UNSET, moves=())

    def show() -> ShownMoves:
        legal = open_moves(moment, seat, at)
        if acting_seat and moment.viewer.role == "banker":
            legal = _without_the_bankers_own(moment, legal, at)
        state = present(moment, at)
        owed = obligations_of(moment, language, state)
        return ShownMoves(
            seat=acting_seat or UNSET,
            moves=combine_moves(moment.rulebook, state, acting_seat, legal, language, owed),
        )

    stretch = stretch_of(moment, at)
    return (
        show()
        if stretch is None
        else moment.cached(("shown moves", moment.viewer, acting_seat, stretch, language), show)
    )


def _without_the_bankers_own(moment: Moment, legal: Sequence[Move], at: datetime) -> list[Move]:
    """Remove the banker's own moves from the moves of a seat.

    If players may undo their own actions, they may ask for corrections, too. The banker's correction does not
    depend on the seat.
    """
    actions = moment.rulebook.actions
    banker_kinds = {
        kind
        for kind in {move.kind for move in open_moves(moment, None, at)}
        if "player" not in actions[kind].by or issubclass(actions[kind], Correct)
    }
    return [move for move in legal if move.kind not in banker_kinds]


def moves_of_all(moment: Moment, at: datetime, language: str) -> tuple[ShownMoves, ...]:
    """Return the moves of every seat in the order of turns, then the banker's own. For the banker.

    The moves of a seat reveal its possessions: a banker who also plays sees only the moves of the own seat.
    """
    seats = [view.seat for view in seated(moment.game, moment.newest)]
    if not moment.viewer.sees_all:
        seats = [view for view in seats if view == moment.viewer.seat]
    return tuple(shown_moves(moment, seat, at, language) for seat in (*seats, None))


def obstacles(moment: Moment, seat: str | None, kind: str, at: datetime) -> list[Obstacle]:
    """Return the reasons for refusing actions of this kind to the seat at the time `at`, choice by choice.

    Raises Malformed if the rulebook has no action of the kind.
    """
    rulebook = moment.rulebook
    seat = seat_to_act(moment, seat)
    if kind not in rulebook.actions:
        raise Malformed(
            "{rulebook} has no action {kind!r}",
            "{rulebook} n'a pas d'action {kind!r}",
            rulebook=rulebook.id,
            kind=kind,
        )
    state = present(moment, at)
    return moves.obstacles(rulebook, state, seat, rulebook.accounts.purse(seat), moment.viewer, at, kind)


def draws_ahead(
    moment: Moment, seat: str | None, kind: str, params: Mapping[str, Any], at: datetime
) -> tuple[WantedDraw, ...]:
    """Return the first dice or cards that the service would throw or draw for an action.

    Nothing if the draw alone would tell something hidden from the viewer.
    """
    seat, rulebook, state = seat_to_act(moment, seat), moment.rulebook, present(moment, at)
    tries = moves.Tries(rulebook, state, seat, rulebook.accounts.purse(seat), moment.viewer, at)
    outcome = tries.outcome(kind, dict(params))
    if outcome is None or outcome.drawing is None:
        return ()
    return (drawn_by(rulebook, state, rulebook.words_of(kind), kind, outcome.drawing),)


def seat_to_act(moment: Moment, seat: str | None) -> str:
    """Return the seat whose moves the viewer may read: a player's own, else the given seat; "" for none."""
    return (moment.viewer.seat if moment.viewer.role == "player" else seat) or ""
