"""Boards whose squares form a ring, the positions of tokens, and the public view of a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from ledger.kernel.rulebook import Rulebook


class OnBoard(Protocol):
    """A square: its index from the start, and its kind."""

    @property
    def index(self) -> int:
        """The index of the square, from 0."""

    @property
    def kind(self) -> str:
        """The kind of the square: "prison", "street"…"""


Q = TypeVar("Q", bound=OnBoard)


def squares_of(board: Iterable[Q], kind: str) -> list[Q]:
    """The squares of a kind, in the order of the board."""
    return [square for square in board if square.kind == kind]


def index_of(board: Iterable[OnBoard], kind: str) -> int:
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
