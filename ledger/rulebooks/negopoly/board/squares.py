"""The selection of the effect of a square on a token crossing or stopping (II.B.6, II.B.7).

The effects themselves are in the files of the chapters.
"""

from __future__ import annotations

from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.cards import decks, kamtar, weather
from ledger.rulebooks.negopoly.estate import chance_choice, neighbourhoods, police_orders, real_estate
from ledger.rulebooks.negopoly.squares import checkpoints, spawn
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly


def acts_on_crossing(state: Negopoly, square: int, *, forward: bool) -> bool:
    """Return True if crossing a square has an effect by itself."""
    kind = state.board[square].kind
    if kind == "spawn":
        return forward
    if kind == "kamtar":
        return kamtar.is_open(state)
    return kind == "checkpoint" and state.round in state.k9_rounds and _is_manned(state)


def _is_manned(state: Negopoly) -> bool:
    """Return True if checkpoints check players: neither a Bombe IEM nor the weather prevents checks (IX.C.24,
    VI.A.7).
    """
    return not disruption.squares_off(state) and not weather.switched_off(state, "checkpoint")


def holds(state: Negopoly, seat: str) -> bool:
    """Return True if the seat's token waits for an open question, to the seat or raised by an action of the
    seat.
    """
    return any(seat in (question.seat, question.by) for question in state.questions)


def cross(draft: Draft, seat: str, square: int, *, forward: bool) -> None:
    """Post the effect of crossing the square. The effect may send the token away."""
    if not acts_on_crossing(draft.state, square, forward=forward):
        return
    if draft.state.board[square].kind == "spawn":
        spawn.pass_by(draft, seat)
    elif draft.state.board[square].kind == "kamtar":
        kamtar.offer(draft, seat)
    else:
        checkpoints.check(draft, seat, rule="VI.F.2")


def reach(draft: Draft, seat: str, square: int, *, forward: bool) -> None:
    """Post the immediate effect of reaching the last square of a movement, before the square is resolved."""
    if draft.state.board[square].kind == "spawn" and forward:
        spawn.pass_by(draft, seat)


def is_mandatory(state: Negopoly, seat: str, square: int) -> bool:
    """Return True if a stop on the square has a mandatory effect, due before the end of the turn (II.B.7)."""
    if disruption.squares_off(state):
        return False
    board_square = state.board[square]
    if board_square.kind == "property" and board_square.property is not None:
        return (
            real_estate.rent_due(state, seat, board_square.property) > 0
            or neighbourhoods.free_dose_for(state, seat, board_square.property) is not None
            or police_orders.watches(state, seat, board_square.property)
        )
    if board_square.kind == "chance":
        return decks.is_drawable(state, "chance")
    return board_square.kind == "checkpoint" and _is_manned(state)


def is_pending(state: Negopoly, seat: str) -> bool:
    """Return True if the stop of the seat's turn still has a mandatory effect or an unanswered question
    (II.B.7).
    """
    turn = state.turn
    if turn is None or turn.seat != seat:
        return False
    return holds(state, seat) or (turn.unresolved and is_mandatory(state, seat, state.positions[seat]))


def resolve(draft: Draft, seat: str, square: int) -> None:
    """Post the mandatory effects of the player's stop square; none during a Bombe IEM (IX.C.24)."""
    if disruption.squares_off(draft.state):
        return
    board_square = draft.state.board[square]
    if board_square.kind == "property" and board_square.property is not None:
        real_estate.pay_rent(draft, seat, board_square.property)
        neighbourhoods.give_free_dose(draft, seat, board_square.property)
        if police_orders.watches(draft.state, seat, board_square.property):
            checkpoints.check(draft, seat, rule="V.E.15")
    elif board_square.kind == "chance":
        chance_choice.draw(draft, seat)
    elif board_square.kind == "checkpoint" and _is_manned(draft.state):
        checkpoints.check(draft, seat, rule="VI.F.1")
