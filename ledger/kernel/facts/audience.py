"""Viewers and audiences, for the visibility of facts. All output of the service passes through here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

import msgspec

Role = Literal["banker", "player", "spectator"]


class Viewer(msgspec.Struct, frozen=True):
    """A reader of the game: a role and, for a player, the seat.

    `ended` is True once the game has ended. `revealed` is True if everything is revealed to the viewer, as to
    everybody after an end that reveals everything. Both describe the newest state, for any moment read (see
    `sight.current_viewer`).

    A banker who also plays has a seat and is `covered`, with the view of the seat. `host` is set for the owner
    of the database, from whom nothing can be hidden.
    """

    role: Role
    seat: str | None = None
    ended: bool = False
    revealed: bool = False
    covered: bool = False
    host: bool = False

    @property
    def sees_all(self) -> bool:
        """True if nothing is hidden from the viewer."""
        return self.revealed or (self.role == "banker" and not self.covered)

    @property
    def knows_the_end(self) -> bool:
        """True if the viewer may know facts that only the end of the game tells (see `Event.at_end`)."""
        return self.ended or self.sees_all


class Audience(msgspec.Struct, frozen=True):
    """The seats allowed to see a fact. The banker sees all, unless the banker plays; `everyone` includes
    spectators.
    """

    everyone: bool = False
    seats: frozenset[str] = frozenset()

    def admits(self, viewer: Viewer) -> bool:
        """Return True if the viewer belongs to the audience."""
        return self.everyone or viewer.seat in self.seats or viewer.sees_all

    def __and__(self, audience: Audience) -> Audience:
        """Return the audience of the viewers in both audiences."""
        if self.everyone:
            return audience
        return self if audience.everyone else Audience(seats=self.seats & audience.seats)

    def __or__(self, audience: Audience) -> Audience:
        """Return the audience of the viewers in either audience."""
        if self.everyone or audience.everyone:
            return EVERYONE
        return Audience(seats=self.seats | audience.seats)

    def covers(self, audience: Audience) -> bool:
        """Return True if this audience includes every viewer of the given audience."""
        return self.everyone or (not audience.everyone and audience.seats <= self.seats)


EVERYONE = Audience(everyone=True)


BANKER_ONLY = Audience()


BANKER = Viewer("banker")


HOST = Viewer("banker", host=True)


SPECTATOR = Viewer("spectator")


@cache
def only(*seats: str | None) -> Audience:
    """Return the audience of the named seats (without None) and the banker."""
    return Audience(seats=frozenset(seat for seat in seats if seat is not None))


def told_to(seats: Iterable[str] | None) -> Audience:
    """Return the audience of stored seats; None stands for everybody."""
    return EVERYONE if seats is None else only(*seats)


def seats_of(audience: Audience) -> tuple[str, ...] | None:
    """Return the seats of an audience, sorted for storage; None for everybody."""
    return None if audience.everyone else tuple(sorted(audience.seats))
