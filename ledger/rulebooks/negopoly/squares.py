"""What each kind of square does to a token that crosses it or stops on it (II.B.6, II.B.7).

Chapters keep their squares' effects in their own files; this is where the token meets them.
"""

from __future__ import annotations

from ledger.rulebooks.negopoly import checkpoints, real_estate, spawn
from ledger.rulebooks.negopoly.table import Negopoly, Table


def acts_on_crossing(state: Negopoly, square: int, *, forward: bool) -> bool:
    """Whether crossing this square does something by itself."""
    kind = state.board[square].kind
    if kind == "spawn":
        return forward
    return kind == "checkpoint" and state.round in state.k9_rounds


def cross(table: Table, seat: str, square: int, *, forward: bool) -> None:
    """Post what crossing the square does. A token that was sent away by it is no longer on the square."""
    if not acts_on_crossing(table.state, square, forward=forward):
        return
    if table.state.board[square].kind == "spawn":
        spawn.pass_by(table, seat)
    else:
        checkpoints.check(table, seat, rule="VI.F.2")


def reach(table: Table, seat: str, square: int, *, forward: bool) -> None:
    """Post what reaching the last square of a movement does at once, before the square is resolved."""
    if table.state.board[square].kind == "spawn" and forward:
        spawn.pass_by(table, seat)


def is_mandatory(state: Negopoly, seat: str, square: int) -> bool:
    """Whether stopping on this square has an effect that must be posted before the turn can end (II.B.7)."""
    place = state.board[square]
    if place.kind == "property" and place.property is not None:
        return real_estate.rent_due(state, seat, place.property) > 0
    return place.kind == "checkpoint"


def resolve(table: Table, seat: str, square: int) -> None:
    """Post the mandatory effects of the square that the player has stopped on."""
    place = table.state.board[square]
    if place.kind == "property" and place.property is not None:
        real_estate.pay_rent(table, seat, place.property)
    elif place.kind == "checkpoint":
        checkpoints.check(table, seat, rule="VI.F.1")
