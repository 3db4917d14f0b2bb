"""The parts of an edition that have the right shape, each with its place; and the ids of all parts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from ledger.rulebooks.monopoly.table.pieces import Deck, Square
from ledger.rulebooks.parts.brought import at

T = TypeVar("T")
IDENTIFIED = ("squares", "groups", "decks", "cards", "divisions")
"""The lists of an edition whose rows have ids."""


class Placed(NamedTuple, Generic[T]):
    """A part of an edition and its JSON Pointer."""

    place: str
    what: T


class Read:
    """An edition whose parts may have faults."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def numbered(self, part: str) -> list[tuple[int, Mapping[str, Any]]]:
        """The rows of a part that are objects, with their numbers."""
        rows = self._document.get(part)
        found = enumerate(rows) if isinstance(rows, list | tuple) else ()
        return [(number, row) for number, row in found if isinstance(row, Mapping)]

    def rows(self, part: str) -> list[Mapping[str, Any]]:
        """The rows of a part that are objects."""
        return [row for _, row in self.numbered(part)]

    @property
    def passes(self) -> int:
        """How many jail-free passes the bank has."""
        said = self._document.get("passes", 0)
        return said if isinstance(said, int) else 0

    @cached_property
    def ids(self) -> Mapping[str, list[tuple[int, str]]]:
        """The ids of each part, with the numbers of their rows."""
        return {
            part: [(number, row["id"]) for number, row in self.numbered(part) if isinstance(row.get("id"), str)]
            for part in IDENTIFIED
        }

    def named(self, part: str) -> Mapping[str, None]:
        """The ids of a part, in their order."""
        return self._named[part]

    @cached_property
    def _named(self) -> Mapping[str, Mapping[str, None]]:
        return {part: dict.fromkeys(name for _, name in ids) for part, ids in self.ids.items()}

    def of_kind(self, kind: str) -> list[str]:
        """The places of the squares of a kind."""
        return self._kinds.get(kind, [])

    @cached_property
    def _kinds(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for number, row in self.numbered("squares"):
            found.setdefault(str(row.get("kind")), []).append(at("", "squares", number))
        return found

    @cached_property
    def squares(self) -> list[Placed[Square]]:
        """The squares of the right shape."""
        return self._fitting("squares", Square)

    @cached_property
    def decks(self) -> list[Placed[Deck]]:
        """The decks of the right shape."""
        return self._fitting("decks", Deck)

    def _fitting(self, part: str, kind: type[T]) -> list[Placed[T]]:
        found = []
        for number, row in self.numbered(part):
            try:
                found.append(Placed(at("", part, number), msgspec.convert(row, kind)))
            except msgspec.ValidationError:
                continue  # its faults of shape are told
        return found
