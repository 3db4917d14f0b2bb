"""The goals of moves by cards and squares, on a ring of squares."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from ledger.rulebooks.monopoly.table.effects import Effect, GoBack, GoTo, GoToNearest, Move
from ledger.rulebooks.monopoly.table.pieces import Square


def steps_of(move: Move, position: int, squares: Sequence[Square]) -> int:
    """Return the number of squares of a move without a throw. Raises LookupError for a missing square."""
    if move.by is not UNSET:
        return move.by
    sign = 1 if move.direction == "forward" else -1
    ahead = ((step, squares[(position + sign * step) % len(squares)]) for step in range(1, len(squares) + 1))
    step = next((step for step, square in ahead if _leads_to(move, square)), None)
    if step is None:
        raise LookupError(move)
    return step


def _leads_to(move: Move, square: Square) -> bool:
    return move.to == square.id if move.nearest is UNSET else move.nearest in (square.group, square.kind)


def goal_of(squares: Sequence[Square], number: int) -> int | None:
    """Return the number of the square to which a square sends its visitor; None without such an effect."""
    steps = squares[number].effects
    for effect in () if steps is UNSET else steps:
        if effect.who in {"others", "next", "previous"}:
            continue
        move = _as_move(effect)
        if move is None or move.thrown or not move.stops:
            continue
        try:
            distance = steps_of(move, number, squares)
        except LookupError:
            continue
        return (number + (distance if move.direction == "forward" else -distance)) % len(squares)
    return None


def _as_move(effect: Effect) -> Move | None:
    """Return an effect as a move, if it leads to a square of stop."""
    match effect:
        case Move():
            return effect
        case GoTo(square=square):
            return Move(to=square)
        case GoBack(steps=steps):
            return Move(by=steps, direction="back")
        case GoToNearest(of=of):
            return Move(nearest=of)
        case _:
            return None
