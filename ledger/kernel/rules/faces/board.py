"""Board: squares, tokens and places with public facts, for a game with a board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from ledger.kernel.facts.state import State

S = TypeVar("S", bound=State)


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A place of the board with public facts only."""

    name: str
    kind: str
    colour: str | None = None
    """The colour of the place's group, as #rrggbb."""
    owner: str | None = None
    built: int = 0
    """The number of houses, or the like, on the place."""
    marks: tuple[str, ...] = ()
    """Further public facts about the place, by the names of `Tallies.marks`."""
    asset: str | None = None
    """The id of the place among the things with an income, if any."""


class Board(ABC, Generic[S]):
    """The squares of a board, and the tokens and places on them."""

    @abstractmethod
    def squares(self) -> list[dict[str, Any]]:
        """Return the squares of the board in order, as plain data."""

    @abstractmethod
    def positions(self, state: S) -> Mapping[str, int]:
        """Return the square of each token, by seat."""

    @abstractmethod
    def places(self, state: S) -> Sequence[Place]:
        """Return the public places, in the order of the board."""
