"""The parts of an edition with the right shape, each with a JSON Pointer; and the ids of all parts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from ledger.kernel.rules.faces.editions import pointer_at
from ledger.rulebooks.monopoly.table.pieces import Deck, Square

T = TypeVar("T")
IDENTIFIED = ("squares", "groups", "decks", "cards", "divisions")
"""The lists of an edition with ids in the rows."""


class Placed(NamedTuple, Generic[T]):
    """A part of an edition and the JSON Pointer to the part."""

    pointer: str
    part: T


class Read:
    """An edition, possibly with faults in the parts."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def numbered(self, part: str) -> list[tuple[int, Mapping[str, Any]]]:
        """Return the rows of a part that are objects, with row numbers."""
        rows = self._document.get(part)
        pairs = enumerate(rows) if isinstance(rows, list | tuple) else ()
        return [(number, row) for number, row in pairs if isinstance(row, Mapping)]

    def rows(self, part: str) -> list[Mapping[str, Any]]:
        """Return the rows of a part that are objects."""
        return [row for _, row in self.numbered(part)]

    @property
    def passes(self) -> int:
        """The number of jail-free passes of the bank."""
        value = self._document.get("passes", 0)
        return value if isinstance(value, int) else 0

    @cached_property
    def ids(self) -> Mapping[str, list[tuple[int, str]]]:
        """The ids of each part, with row numbers."""
        return {
            part: [(number, row["id"]) for number, row in self.numbered(part) if isinstance(row.get("id"), str)]
            for part in IDENTIFIED
        }

    def named(self, part: str) -> Mapping[str, None]:
        """Return the ids of a part, in order."""
        return self._named[part]

    @cached_property
    def _named(self) -> Mapping[str, Mapping[str, None]]:
        return {part: dict.fromkeys(name for _, name in ids) for part, ids in self.ids.items()}

    def of_kind(self, kind: str) -> list[str]:
        """Return the pointers to the squares of a kind."""
        return self._kinds.get(kind, [])

    @cached_property
    def _kinds(self) -> Mapping[str, list[str]]:
        pointers: dict[str, list[str]] = {}
        for number, row in self.numbered("squares"):
            pointers.setdefault(str(row.get("kind")), []).append(pointer_at("", "squares", number))
        return pointers

    @cached_property
    def squares(self) -> list[Placed[Square]]:
        """The squares of the right shape."""
        return self._fitting("squares", Square)

    @cached_property
    def decks(self) -> list[Placed[Deck]]:
        """The decks of the right shape."""
        return self._fitting("decks", Deck)

    def _fitting(self, part: str, kind: type[T]) -> list[Placed[T]]:
        result = []
        for number, row in self.numbered(part):
            try:
                result.append(Placed(pointer_at("", part, number), msgspec.convert(row, kind)))
            except msgspec.ValidationError:
                continue  # the faults of shape are reported elsewhere
        return result
