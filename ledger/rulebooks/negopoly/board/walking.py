"""II.B.6 and III. How a token walks: square by square, what it meets on the way, where it waits, where it stops.

What a move is made of is said in `movement` (dice, doses) and `vehicles`; what squares do in `squares`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ledger.rulebooks.negopoly.board import squares, tokens
from ledger.rulebooks.negopoly.goods import tank
from ledger.rulebooks.negopoly.table.pieces import VEHICLES
from ledger.rulebooks.negopoly.table.state import Draft
from ledger.rulebooks.negopoly.table.terms import Stretch
from ledger.rulebooks.parts import boards

_TANK = VEHICLES[tank.TANK]

_DONE_ON_ARRIVAL = {"spawn", "kamtar"}
"""Squares that have already paid, or offered, what they do in crossing, to a token that had stopped there."""


def advance(draft: Draft, seat: str, steps: int, *, rule: str = "III.1") -> None:
    """Move the token of the player whose turn it is `steps` squares (negative: backwards), to a stop (II.B.6)."""
    travel(draft, seat, (Stretch(steps, rule),))


def travel(draft: Draft, seat: str, stretches: Sequence[Stretch]) -> None:
    """Move the token of the player whose turn it is along these stretches, square by square (II.B.6).

    The last square of all is a stop, every other one is crossed. Squares that act when crossed do so in travel
    order; a stop forced by one of them cancels the rest. Where something there is still to be decided, the token
    waits (`squares.holds`), and `resume` takes it on.
    """
    ahead = [stretch for stretch in stretches if stretch.steps]
    while ahead:
        if squares.holds(draft.state, seat):
            here = draft.state.positions[seat]
            draft.record(tokens.MovementHeld(seat=seat, square=here, ahead=tuple(ahead)))
            return
        stretch = ahead.pop(0)
        left = _along(draft, seat, stretch, final=not ahead)
        if left is None:
            return
        if left:
            ahead.insert(0, replace(stretch, steps=left))


def resume(draft: Draft) -> None:
    """Take a token on that has waited on its way, once nothing holds it any more; not that of who is out."""
    state, turn = draft.state, draft.state.turn
    if turn is None or not turn.ahead or turn.seat in state.eliminated:
        return
    if not squares.holds(state, turn.seat):
        travel(draft, turn.seat, turn.ahead)


def move_on(draft: Draft, seat: str, stretch: Stretch) -> None:
    """Take the token on after its base move: a stop that is not resolved yet is only crossed (VIII.C.1)."""
    turn = draft.state.turn
    if turn is not None and turn.stop is not None and turn.unresolved:
        square = turn.stop
        forward = all(one.forward for one in turn.passages if one.square == square and one.stop)
        draft.record(tokens.StopLeft(seat=seat, square=square))
        if draft.state.board[square].kind not in _DONE_ON_ARRIVAL:
            squares.cross(draft, seat, square, forward=forward)
            if not _still_under_way(draft, seat, square):
                return
            if squares.holds(draft.state, seat):
                draft.record(tokens.MovementHeld(seat=seat, square=square, ahead=(stretch,)))
                return
    travel(draft, seat, (stretch,))


def land(draft: Draft, seat: str, square: int, *, rule: str) -> None:
    """Put one's own token on a square without crossing anything; in one's own turn it is a stop (III.C.2)."""
    draft.record(tokens.TokenTeleported(rule=rule, seat=seat, square=square))
    turn = draft.state.turn
    if turn is not None and turn.seat == seat:
        squares.reach(draft, seat, square, forward=True)


def _along(draft: Draft, seat: str, stretch: Stretch, *, final: bool) -> int | None:
    """Walk a stretch until something acts, or to its end: a stop if it is the final one, otherwise only crossed.

    Gives the squares that are left of it, None when the movement is over: by the stop, or by what acted.
    """
    forward = stretch.steps > 0
    one = 1 if forward else -1
    left = stretch.steps
    path: list[int] = []
    for position in boards.path(len(draft.state.board), draft.state.positions[seat], stretch.steps):
        path.append(position)
        left -= one
        if final and not left:
            _walk(draft, seat, path, rule=stretch.rule, forward=forward, stop=True)
            squares.reach(draft, seat, position, forward=forward)
            if stretch.rule == _TANK.rule:
                tank.crush(draft, seat, position)
            return None
        if squares.acts_on_crossing(draft.state, position, forward=forward):
            _walk(draft, seat, path, rule=stretch.rule, forward=forward, stop=False)
            squares.cross(draft, seat, position, forward=forward)
            return left if _still_under_way(draft, seat, position) else None
    _walk(draft, seat, path, rule=stretch.rule, forward=forward, stop=False)
    return 0


def _still_under_way(draft: Draft, seat: str, square: int) -> bool:
    """Whether a token that has crossed this square goes on: nothing sent it away or stopped it there."""
    turn = draft.state.turn
    return turn is not None and turn.seat == seat and draft.state.positions[seat] == square and not turn.halted


def _walk(draft: Draft, seat: str, path: list[int], **how: Any) -> None:
    draft.record(tokens.TokenMoved(seat=seat, path=tuple(path), **how))
