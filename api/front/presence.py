"""Who is connected to a game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from ledger.kernel.facts.audience import Viewer


class Present(NamedTuple):
    """Who is connected to a game: seats, the banker, and how many spectators.

    `left` has the seats that were connected and are no more, each with the time when its last connection ended. A
    phone in a pocket and a tab behind another one hold no connection.
    """

    seats: frozenset[str]
    banker: bool
    spectators: int
    left: Mapping[str, datetime]

    @classmethod
    def of(cls, viewers: Collection[Viewer], left: Mapping[str, datetime]) -> Present:
        """Those among some viewers, one for each connection, and those of `left` that are not among them."""
        seats = frozenset(one.seat for one in viewers if one.seat is not None)
        return cls(
            seats,
            any(one.role == "banker" for one in viewers),
            sum(one.role == "spectator" for one in viewers),
            _without(seats, left),
        )

    def beside(self, others: Iterable[Present]) -> Present:
        """The same with all who are connected through other workers. Their `left` is not read."""
        every = [self, *others]
        seats = frozenset().union(*(one.seats for one in every))
        return Present(
            seats,
            any(one.banker for one in every),
            sum(one.spectators for one in every),
            _without(seats, self.left),
        )

    def told(self, seats: Iterable[str], out: Collection[str]) -> dict[str, Any]:
        """What the followers of a game with these seats are told.

        Who is `out` of the game may be anywhere: they are named only while they are connected.
        """
        return {
            "seats": {seat: seat in self.seats for seat in seats if seat in self.seats or seat not in out},
            "banker": self.banker,
            "spectators": self.spectators,
            "left": {seat: at for seat, at in self.left.items() if seat not in out},
        }

    def plain(self) -> dict[str, Any]:
        """The same as plain data, for other workers."""
        left = {seat: at.isoformat() for seat, at in sorted(self.left.items())}
        return {"seats": sorted(self.seats), "banker": self.banker, "spectators": self.spectators, "left": left}


def _without(seats: Collection[str], left: Mapping[str, datetime]) -> Mapping[str, datetime]:
    return {seat: at for seat, at in left.items() if seat not in seats}


NOBODY = Present(frozenset(), banker=False, spectators=0, left={})
