"""Boards whose squares form a ring, and where tokens stand on them; the board of a game as everybody sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec

from ledger.kernel.rulebook import Rulebook


class OnBoard(Protocol):
    """A square: its index from the start, and its kind."""

    @property
    def index(self) -> int:
        """Its place on the board, from 0."""

    @property
    def kind(self) -> str:
        """What it is: "prison", "street"…"""


Q = TypeVar("Q", bound=OnBoard)


def squares_of(board: Iterable[Q], kind: str) -> list[Q]:
    """The squares of a kind, in the order of the board."""
    return [square for square in board if square.kind == kind]


def index_of(board: Iterable[OnBoard], kind: str) -> int:
    """The index of the first square of a kind. Raises LookupError when there is none."""
    return squares_of(board, kind)[0].index


def path(size: int, start: int, steps: int) -> list[int]:
    """The squares that a token reaches, in order, round a board of this size; backwards for steps below 0."""
    one = 1 if steps > 0 else -1
    return [(start + one * step) % size for step in range(1, abs(steps) + 1)]


def neighbours(size: int, square: int) -> frozenset[int]:
    """The two squares one step away from a square, on a board of this size."""
    return frozenset({(square - 1) % size, (square + 1) % size})


# ----------------------------------------------------------------------------------------------
# What a rulebook shows of its board
# ----------------------------------------------------------------------------------------------


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place of the board as everybody sees it: no more than that may stand in it."""

    name: str
    kind: str
    colour: str | None = None
    """The colour of what it belongs to, as #rrggbb."""
    owner: str | None = None
    built: int = 0
    """How many houses, or the like, stand on it."""
    marks: tuple[str, ...] = ()
    """What else everybody sees of it, by the names that `Tallies.marks` has words for."""
    asset: str | None = None
    """Its id among what brings a return, if it does."""


@runtime_checkable
class Boarded(Protocol):
    """A rulebook whose game has a board."""

    def board(self) -> list[dict[str, Any]]:
        """The squares of the board in order, as plain data."""

    def positions(self, state: Any) -> Mapping[str, int]:
        """The square on which each token stands, by seat."""

    def places(self, state: Any) -> Sequence[Place]:
        """The board as everybody sees it lie there, in its order."""


def board_of(rulebook: Rulebook[Any]) -> list[dict[str, Any]]:
    """The squares of a game's board in order; empty when the game has none."""
    return rulebook.board() if isinstance(rulebook, Boarded) else []


def positions_of(rulebook: Rulebook[Any], state: Any) -> Mapping[str, int]:
    """The square on which each token stands, by seat; none in a game without a board."""
    return rulebook.positions(state) if isinstance(rulebook, Boarded) else {}


def places_of(rulebook: Rulebook[Any], state: Any) -> Sequence[Place]:
    """The board as everybody sees it lie there, in its order; empty when the game has none."""
    return rulebook.places(state) if isinstance(rulebook, Boarded) else ()
