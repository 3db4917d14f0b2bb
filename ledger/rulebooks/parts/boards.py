"""Boards whose squares form a ring, the positions of tokens, and the public view of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from itertools import pairwise
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec
from msgspec import UNSET

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.rules.display import (
    BoardGroup,
    BoardMark,
    BoardPlace,
    BoardView,
    Display,
    PieceView,
    PlaceView,
    TokenView,
)
from ledger.kernel.rules.rulebook import Rulebook


class OnBoard(Protocol):
    """A square: its index from the start, and its kind."""

    @property
    def index(self) -> int:
        """The index of the square, from 0."""

    @property
    def kind(self) -> str:
        """The kind of the square: "prison", "street"…"""


Q = TypeVar("Q", bound=OnBoard)


R = TypeVar("R")
_MOST_BOARDS = 256


def of_each_board(make: Callable[[tuple[Q, ...]], R]) -> Callable[[tuple[Q, ...]], R]:
    """A function of a board that is called once for each board, because a board never changes."""
    known: dict[int, tuple[tuple[Q, ...], R]] = {}

    @wraps(make)
    def found(board: tuple[Q, ...]) -> R:
        kept = known.get(id(board))
        if kept is None:
            if len(known) >= _MOST_BOARDS:
                known.clear()
            kept = known[id(board)] = board, make(board)  # with the board, so that no other one gets its id
        return kept[1]

    return found


@of_each_board
def _by_kind(board: tuple[Any, ...]) -> Mapping[str, tuple[Any, ...]]:
    kinds = {square.kind for square in board}
    return {kind: tuple(square for square in board if square.kind == kind) for kind in kinds}


def squares_of(board: tuple[Q, ...], kind: str) -> Sequence[Q]:
    """The squares of a kind, in the order of the board."""
    return _by_kind(board).get(kind, ())


def index_of(board: tuple[OnBoard, ...], kind: str) -> int:
    """The index of the first square of a kind. Raises LookupError when there is none."""
    return squares_of(board, kind)[0].index


def path(size: int, start: int, steps: int) -> list[int]:
    """The squares that a token reaches, in order, on a ring of this size; backwards for steps below 0."""
    one = 1 if steps > 0 else -1
    return [(start + one * step) % size for step in range(1, abs(steps) + 1)]


def neighbours(size: int, square: int) -> frozenset[int]:
    """The two adjacent squares, on a ring of this size."""
    return frozenset({(square - 1) % size, (square + 1) % size})


# ----------------------------------------------------------------------------------------------
# The public view of a board
# ----------------------------------------------------------------------------------------------


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place of the board with public facts only."""

    name: str
    kind: str
    colour: str | None = None
    """The colour of its group, as #rrggbb."""
    owner: str | None = None
    built: int = 0
    """The number of houses, or the like, on it."""
    marks: tuple[str, ...] = ()
    """Other public facts about it, by the names of `Tallies.marks`."""
    asset: str | None = None
    """Its id among the things that bring income, if it is one."""


@runtime_checkable
class Boarded(Protocol):
    """A rulebook whose game has a board."""

    def board(self) -> list[dict[str, Any]]:
        """The squares of the board in order, as plain data."""

    def positions(self, state: Any) -> Mapping[str, int]:
        """The square of each token, by seat."""

    def places(self, state: Any) -> Sequence[Place]:
        """The public places of the board, in its order."""


def board_of(rulebook: Rulebook[Any]) -> list[dict[str, Any]]:
    """The squares of a game's board in order; empty when the game has none."""
    return rulebook.board() if isinstance(rulebook, Boarded) else []


def positions_of(rulebook: Rulebook[Any], state: Any) -> Mapping[str, int]:
    """The square of each token, by seat; empty in a game without a board."""
    return rulebook.positions(state) if isinstance(rulebook, Boarded) else {}


def places_of(rulebook: Rulebook[Any], state: Any) -> Sequence[Place]:
    """The public places of the board, in its order; empty when the game has none."""
    return rulebook.places(state) if isinstance(rulebook, Boarded) else ()


# ----------------------------------------------------------------------------------------------
# Drawing it
# ----------------------------------------------------------------------------------------------

_LEAST_SQUARE = 8
"""The smallest number of places that is drawn as a square; fewer are drawn as a circle."""


def require_distinct(ids: Iterable[str]) -> None:
    """Raise ValueError when two squares of a board have the same id."""
    named = list(ids)
    if len(set(named)) < len(named):
        raise ValueError("two squares have the same id")


@cache
def place_id(square: int) -> str:
    """The id of a square of a ring: "square:7"."""
    return f"square:{square}"


def ring(
    places: Iterable[BoardPlace],
    *,
    corners: Sequence[int] = (),
    groups: Iterable[BoardGroup] = (),
    marks: Iterable[BoardMark] = (),
) -> BoardView:
    """A ring of places in the order of travel, clockwise from the south-east.

    `corners` are the numbers of its four corners, the first of which is 0; without them it is a circle.
    """
    placed = tuple(places)
    bounds = (*corners, len(placed))
    sides = tuple(after - before for before, after in pairwise(bounds))
    squared = len(corners) == 4 and corners[0] == 0 and all(side > 0 for side in sides)
    return BoardView(
        form="ring",
        sides=sides if squared else UNSET,
        start="south-east" if squared else UNSET,
        direction="clockwise",
        places=placed,
        groups=tuple(groups),
        marks=tuple(marks),
    )


def drawn(rulebook: Rulebook[Any], state: Any | None, language: str) -> BoardView | None:
    """The board as it is drawn: the rulebook's own drawing, or a ring of its places; None in a game without one.

    Without a state, the board of a game with the default settings.
    """
    found = rulebook.board_drawn(state, language)
    if found is not None or not isinstance(rulebook, Boarded):
        return found
    squares = rulebook.places(rulebook.blank() if state is None else state)
    side, rest = divmod(len(squares), 4)
    squared = rest == 0 and len(squares) >= _LEAST_SQUARE
    return ring(
        (
            BoardPlace(id=place_id(number), number=number, name=square.name)
            for number, square in enumerate(squares)
        ),
        corners=[side * corner for corner in range(4)] if squared else (),
    )


def shown_on(rulebook: Rulebook[Any], state: Any, viewer: Viewer, language: str) -> Display:
    """What lies on the board: the rulebook's own display, or the tokens and the public places of a ring."""
    found = rulebook.display(state, viewer, language)
    if found is not None or not isinstance(rulebook, Boarded):
        return found or Display()
    positions = rulebook.positions(state)
    return Display(
        tokens=tuple(
            TokenView(seat, place_id(positions[seat])) for seat in rulebook.turn_order(state) if seat in positions
        ),
        places={
            place_id(number): PlaceView(
                owner=place.owner or UNSET,
                pieces=(PieceView(commodity="house", amount=place.built),) if place.built else UNSET,
                marks=place.marks or UNSET,
            )
            for number, place in enumerate(rulebook.places(state))
            if place.owner or place.built or place.marks
        },
    )
