"""Who is connected to a game."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from ledger.kernel.audience import Viewer


class Present(NamedTuple):
    """Who is connected to a game: seats, the banker, and how many spectators."""

    seats: frozenset[str]
    banker: bool
    spectators: int

    @classmethod
    def of(cls, viewers: Collection[Viewer]) -> Present:
        """Those among some viewers, one for each connection."""
        return cls(
            frozenset(one.seat for one in viewers if one.seat is not None),
            any(one.role == "banker" for one in viewers),
            sum(one.role == "spectator" for one in viewers),
        )

    @classmethod
    def together(cls, found: Iterable[Present]) -> Present:
        """All who are connected in one way or another."""
        every = list(found)
        return cls(
            frozenset().union(*(one.seats for one in every)),
            any(one.banker for one in every),
            sum(one.spectators for one in every),
        )

    def plain(self) -> dict[str, Any]:
        """The same as plain data, for other workers."""
        return {"seats": sorted(self.seats), "banker": self.banker, "spectators": self.spectators}


NOBODY = Present(frozenset(), banker=False, spectators=0)
