"""The viewers connected to a game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from ledger.kernel.facts.audience import Viewer


class Present(NamedTuple):
    """The viewers connected to a game: seats, the banker, and the number of spectators.

    `left` has the disconnected seats, each with the time when its last connection ended. A phone in a pocket or
    a hidden tab may hold no connection.
    """

    seats: frozenset[str]
    banker: bool
    spectators: int
    departures: Mapping[str, datetime]

    @classmethod
    def of(cls, viewers: Collection[Viewer], departures: Mapping[str, datetime]) -> Present:
        """Build a `Present` from the viewers of all connections, and from the seats of `departures` without a
        connection.
        """
        seats = frozenset(viewer.seat for viewer in viewers if viewer.seat is not None)
        return cls(
            seats,
            any(viewer.role == "banker" for viewer in viewers),
            sum(viewer.role == "spectator" for viewer in viewers),
            _without(seats, departures),
        )

    def beside(self, others: Iterable[Present]) -> Present:
        """Add the viewers connected through other workers. The `left` of `others` is not read."""
        every = [self, *others]
        seats = frozenset().union(*(present.seats for present in every))
        return Present(
            seats,
            any(present.banker for present in every),
            sum(present.spectators for present in every),
            _without(seats, self.departures),
        )

    def summary(self, seats: Iterable[str], out: Collection[str]) -> dict[str, Any]:
        """Return the presence as sent to the followers of a game with the seats.

        Seats `out` of the game are named only while they are connected.
        """
        return {
            "seats": {seat: seat in self.seats for seat in seats if seat in self.seats or seat not in out},
            "banker": self.banker,
            "spectators": self.spectators,
            "left": {seat: at for seat, at in self.departures.items() if seat not in out},
        }

    def plain(self) -> dict[str, Any]:
        """Return the presence as plain data, for other workers."""
        departures = {seat: at.isoformat() for seat, at in sorted(self.departures.items())}
        return {
            "seats": sorted(self.seats),
            "banker": self.banker,
            "spectators": self.spectators,
            "left": departures,
        }


def _without(seats: Collection[str], departures: Mapping[str, datetime]) -> Mapping[str, datetime]:
    return {seat: at for seat, at in departures.items() if seat not in seats}


NOBODY = Present(frozenset(), banker=False, spectators=0, departures={})
