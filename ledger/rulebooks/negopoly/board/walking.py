"""II.B.6 and III. The walk of a token: square by square, with effects on the way, waits and stops.

`movement` (dice, doses) and `vehicles` compute the stretches of a move; `squares` has the effects of squares.
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
"""Kinds of squares with the effect of crossing already applied at a stop."""


def advance(draft: Draft, seat: str, steps: int, *, rule: str = "III.1") -> None:
    """Move the current player's token by `steps` (negative: backwards) to a stop (II.B.6)."""
    travel(draft, seat, (Stretch(steps, rule),))


def travel(draft: Draft, seat: str, stretches: Sequence[Stretch]) -> None:
    """Move the current player's token along the stretches, square by square (II.B.6).

    The very last square is a stop; squares before the last are crossed. Squares with an effect on crossing act
    in the order of travel; a forced stop cancels the rest of the move. While a question is open the token waits
    (`squares.holds`), and `resume` continues the move.
    """
    ahead = [stretch for stretch in stretches if stretch.steps]
    while ahead:
        if squares.holds(draft.state, seat):
            position = draft.state.positions[seat]
            draft.record(tokens.MovementHeld(seat=seat, square=position, ahead=tuple(ahead)))
            return
        stretch = ahead.pop(0)
        remaining = _along(draft, seat, stretch, final=not ahead)
        if remaining is None:
            return
        if remaining:
            ahead.insert(0, replace(stretch, steps=remaining))


def resume(draft: Draft) -> None:
    """Continue a waiting movement, unless a question still holds the token or the player is eliminated."""
    state, turn = draft.state, draft.state.turn
    if turn is None or not turn.ahead or turn.seat in state.eliminated:
        return
    if not squares.holds(state, turn.seat):
        travel(draft, turn.seat, turn.ahead)


def move_on(draft: Draft, seat: str, stretch: Stretch) -> None:
    """Move the token on after the base move: an unresolved stop becomes a crossing (VIII.C.1)."""
    turn = draft.state.turn
    if turn is not None and turn.stop is not None and turn.unresolved:
        square = turn.stop
        forward = all(passage.forward for passage in turn.passages if passage.square == square and passage.stop)
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
    """Put a player's token on a square without crossing squares: in the player's own turn, a stop (III.C.2)."""
    draft.record(tokens.TokenTeleported(rule=rule, seat=seat, square=square))
    turn = draft.state.turn
    if turn is not None and turn.seat == seat:
        squares.reach(draft, seat, square, forward=True)


def _along(draft: Draft, seat: str, stretch: Stretch, *, final: bool) -> int | None:
    """Walk a stretch to the end or to the first acting square. The end of the `final` stretch is a stop.

    Returns the remaining steps of the stretch, or None if a stop or an effect has ended the movement.
    """
    forward = stretch.steps > 0
    step = 1 if forward else -1
    remaining = stretch.steps
    path: list[int] = []
    for position in boards.path(len(draft.state.board), draft.state.positions[seat], stretch.steps):
        path.append(position)
        remaining -= step
        if final and not remaining:
            _walk(draft, seat, path, rule=stretch.rule, forward=forward, stop=True)
            squares.reach(draft, seat, position, forward=forward)
            if stretch.rule == _TANK.rule:
                tank.crush(draft, seat, position)
            return None
        if squares.acts_on_crossing(draft.state, position, forward=forward):
            _walk(draft, seat, path, rule=stretch.rule, forward=forward, stop=False)
            squares.cross(draft, seat, position, forward=forward)
            return remaining if _still_under_way(draft, seat, position) else None
    _walk(draft, seat, path, rule=stretch.rule, forward=forward, stop=False)
    return 0


def _still_under_way(draft: Draft, seat: str, square: int) -> bool:
    """Return True if a token goes on after crossing a square: no effect has moved or stopped the token."""
    turn = draft.state.turn
    return turn is not None and turn.seat == seat and draft.state.positions[seat] == square and not turn.halted


def _walk(draft: Draft, seat: str, path: list[int], **how: Any) -> None:
    draft.record(tokens.TokenMoved(seat=seat, path=tuple(path), **how))
