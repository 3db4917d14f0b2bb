"""IX.A and IX.B.1. The bar à mercenaires: access, and one mercenary action for each visit.

The actions are in `services`; the sale of weapons is in `arsenal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.negopoly.board import squares
from ledger.rulebooks.negopoly.goods.shops import BAR
from ledger.rulebooks.negopoly.table.pieces import Square
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, open_passages, passed, pay, place_of
from ledger.rulebooks.negopoly.table.terms import Passage
from ledger.rulebooks.parts import boards


class Hired(NamedTuple):
    """The payment of a mercenary action: the postings, and the index of the visit among the passages."""

    paid: tuple[Posting, ...]
    visit: int | None


def access(state: Negopoly) -> Sequence[Square]:
    """Return the squares with access to the bar: every bar and the adjacent squares (IX.A.2)."""
    return _access(state.board)


@boards.of_each_board
def _access(board: tuple[Square, ...]) -> Sequence[Square]:
    size = len(board)
    reached = {(bar.index + step) % size for bar in boards.squares_of(board, BAR) for step in (-1, 0, 1)}
    return tuple(square for square in board if square.index in reached)


def is_open(state: Negopoly) -> bool:
    """Return True if the player in turn has stopped on a square with access to the bar (IX.A.2)."""
    return bool(open_passages(state, access(state), stop_only=True))


def enter(draft: Draft) -> Passage:
    """Return the visit: the stop of the player in turn on a square with access to the bar.

    Refuses by IX.A.2 elsewhere, and by II.B.7 before the mandatory effects of the square.
    """
    visit = passed(draft, access(draft.state), "IX.A.2", stop_only=True)
    turn = draft.state.turn
    if turn is not None and turn.unresolved:
        draft.require(
            not squares.is_mandatory(draft.state, turn.seat, visit.square),
            "II.B.7",
            "the effect of {square} comes before the bar: resolve the square first",
            "l'effet de {square} passe avant le bar : résolvez d'abord la case",
            square=draft.state.board[visit.square].name,
        )
    return visit


def hire(draft: Draft, visit: Passage, price: int, rule: str) -> Hired:
    """Pay for a mercenary action in a visit, before the effect and even if the action is stopped (IX.B.1).

    Refuses by IX.A.3 a second action in a visit, and by `rule` without the funds.
    """
    seat = draft.seat
    draft.require(
        not visit.served,
        "IX.A.3",
        "{seat:seat} has already bought a mercenary action in this visit",
        "{seat:seat} a déjà acheté une action mercenaire à cette visite",
        seat=seat,
    )
    return Hired(pay(draft, seat, price, rule), place_of(draft.state, seat, visit))
