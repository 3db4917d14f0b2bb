"""Boards with squares in a ring, the positions of tokens, and the public view of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from itertools import pairwise
from typing import Any, Protocol, TypeVar

from msgspec import UNSET, UnsetType

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.display import (
    BoardGroup,
    BoardMark,
    BoardPlace,
    BoardView,
    Display,
    PhaseView,
    PieceView,
    PlaceView,
    TokenView,
    Toll,
)
from ledger.kernel.rules.face import BoardFace
from ledger.kernel.rules.faces.board import Place
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.parts.face import faces


class OnBoard(Protocol):
    """A square with its index and kind."""

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
    """Cache a function of a board: boards never change."""
    results: dict[int, tuple[tuple[Q, ...], R]] = {}

    @wraps(make)
    def cached(board: tuple[Q, ...]) -> R:
        result = results.get(id(board))
        if result is None:
            if len(results) >= _MOST_BOARDS:
                results.clear()
            result = results[id(board)] = board, make(board)  # a stored board keeps its id from being reused
        return result[1]

    return cached


@of_each_board
def _by_kind(board: tuple[Any, ...]) -> Mapping[str, tuple[Any, ...]]:
    kinds = {square.kind for square in board}
    return {kind: tuple(square for square in board if square.kind == kind) for kind in kinds}


def squares_of(board: tuple[Q, ...], kind: str) -> Sequence[Q]:
    """Return the squares of a kind, in the order of the board."""
    return _by_kind(board).get(kind, ())


def index_of(board: tuple[OnBoard, ...], kind: str) -> int:
    """Return the index of the first square of a kind. Raises LookupError for a missing kind."""
    return squares_of(board, kind)[0].index


def path(size: int, start: int, steps: int) -> list[int]:
    """List the squares reached by a token on a ring of `size` squares, in order; backwards for negative steps."""
    direction = 1 if steps > 0 else -1
    return [(start + direction * step) % size for step in range(1, abs(steps) + 1)]


def neighbours(size: int, square: int) -> frozenset[int]:
    """Return the two squares next to a square on a ring of `size` squares."""
    return frozenset({(square - 1) % size, (square + 1) % size})


# ----------------------------------------------------------------------------------------------
# The public view of a board
# ----------------------------------------------------------------------------------------------


def board_of(rulebook: Rulebook[Any]) -> list[dict[str, Any]]:
    """Return the squares of a game's board in order; empty for a game without a board."""
    return [] if rulebook.board is None else rulebook.board.squares()


def positions_of(rulebook: Rulebook[Any], state: Any) -> Mapping[str, int]:
    """Return the square of each token, by seat; empty for a game without a board."""
    return {} if rulebook.board is None else rulebook.board.positions(state)


def places_of(rulebook: Rulebook[Any], state: Any) -> Sequence[Place]:
    """Return the public places, in the order of the board; empty for a game without a board."""
    return () if rulebook.board is None else rulebook.board.places(state)


# ----------------------------------------------------------------------------------------------
# Drawings
# ----------------------------------------------------------------------------------------------

_LEAST_SQUARE = 8
"""The smallest number of places drawn as a square; fewer are drawn as a circle."""


@cache
def place_id(square: int) -> str:
    """Return the id of a square of a ring: "square:7"."""
    return f"square:{square}"


def ring(
    places: Iterable[BoardPlace],
    face: BoardFace,
    *,
    corners: Sequence[int] = (),
    groups: Iterable[BoardGroup] = (),
    marks: Iterable[BoardMark] = (),
    phases: tuple[PhaseView, ...] = (),
) -> BoardView:
    """Build a ring of places in the order of travel, clockwise from the south-east.

    `corners` are the numbers of the four corners, beginning with 0. Without corners the ring is a circle.
    """
    placed = tuple(places)
    bounds = (*corners, len(placed))
    sides = tuple(after - before for before, after in pairwise(bounds))
    squared = len(corners) == 4 and corners[0] == 0 and all(side > 0 for side in sides)
    return BoardView(
        form="ring",
        face=face,
        sides=sides if squared else UNSET,
        start="south-east" if squared else UNSET,
        direction="clockwise",
        places=placed,
        groups=tuple(groups),
        marks=tuple(marks),
        phases=phases,
    )


def toll(rent: int | UnsetType, per_pip: int | UnsetType, language: str) -> Toll | UnsetType:
    """Return the toll of a place from its rent now and the rent for each pip of a throw; UNSET for none."""
    if per_pip is not UNSET:
        return Toll(text=Phrase(f"{per_pip} times the throw", f"{per_pip} fois le jet").in_language(language))
    return Toll(amount=rent) if rent else UNSET


def phases_of(words: Mapping[str, Phrase], language: str) -> tuple[PhaseView, ...]:
    """Return the steps of a turn, from the words by the id of a phase."""
    return tuple(PhaseView(name, phrase.in_language(language)) for name, phrase in words.items())


def drawn(rulebook: Rulebook[Any], state: Any | None, language: str) -> BoardView | None:
    """Return the drawing of the board: the rulebook's own, or a ring of places. None for a game without a
    board.

    Without a state, draw the board of a game with the default settings.
    """
    drawing = rulebook.screen.board_drawn(state, language)
    if drawing is not None or rulebook.board is None:
        return drawing
    squares = rulebook.board.places(rulebook.blank() if state is None else state)
    side, remainder = divmod(len(squares), 4)
    squared = remainder == 0 and len(squares) >= _LEAST_SQUARE
    return ring(
        (
            BoardPlace(id=place_id(number), number=number, name=square.name)
            for number, square in enumerate(squares)
        ),
        faces.board_face(language),
        corners=[side * corner for corner in range(4)] if squared else (),
    )


def shown_on(rulebook: Rulebook[Any], state: Any, viewer: Viewer, language: str) -> Display:
    """Return the things on the board: the rulebook's own display, or the tokens and public places of a ring."""
    display = rulebook.screen.display(state, viewer, language)
    if display is not None or rulebook.board is None:
        return display or Display()
    positions = rulebook.board.positions(state)
    return Display(
        tokens=tuple(
            TokenView(seat, place_id(positions[seat]))
            for seat in rulebook.screen.turn_order(state)
            if seat in positions
        ),
        places={
            place_id(number): PlaceView(
                owner=square.owner or UNSET,
                pieces=(PieceView(commodity="house", amount=square.built),) if square.built else UNSET,
                marks=square.marks or UNSET,
            )
            for number, square in enumerate(rulebook.board.places(state))
            if square.owner or square.built or square.marks
        },
    )
