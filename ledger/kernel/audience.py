"""Who may see what: viewers and audiences. Everything that leaves the service asks here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

import msgspec

Role = Literal["banker", "player", "spectator"]


class Viewer(msgspec.Struct, frozen=True):
    """Who reads: a role, and the seat when the role is a player's.

    `ended` is whether the game has ended. `revealed` is whether everything is revealed to the viewer, as it is to
    everybody once a game has ended whose end reveals everything. Both belong to the viewer and not to a state:
    they are said of the newest state, whatever earlier moment is read (see `seeing.viewer_now`).

    A banker who also plays has the seat that they play, and is `covered`: they see what that seat sees. `host` is
    set for whoever has the database, from whom nothing can be hidden.
    """

    role: Role
    seat: str | None = None
    ended: bool = False
    revealed: bool = False
    covered: bool = False
    host: bool = False

    @property
    def sees_all(self) -> bool:
        """Whether nothing is hidden from the viewer."""
        return self.revealed or (self.role == "banker" and not self.covered)

    @property
    def knows_the_end(self) -> bool:
        """Whether the viewer may know what only the end of the game tells (see `Event.at_end`)."""
        return self.ended or self.sees_all


class Audience(msgspec.Struct, frozen=True):
    """The seats that may see something. The banker sees all, unless they play; `everyone` includes spectators."""

    everyone: bool = False
    seats: frozenset[str] = frozenset()

    def admits(self, viewer: Viewer) -> bool:
        """Whether the viewer belongs to the audience."""
        return self.everyone or viewer.seat in self.seats or viewer.sees_all

    def __and__(self, other: Audience) -> Audience:
        """Those who belong to both."""
        if self.everyone:
            return other
        return self if other.everyone else Audience(seats=self.seats & other.seats)

    def __or__(self, other: Audience) -> Audience:
        """Those who belong to either."""
        if self.everyone or other.everyone:
            return EVERYONE
        return Audience(seats=self.seats | other.seats)

    def covers(self, other: Audience) -> bool:
        """Whether everybody of the other audience belongs to this one."""
        return self.everyone or (not other.everyone and other.seats <= self.seats)


EVERYONE = Audience(everyone=True)
BANKER_ONLY = Audience()
BANKER = Viewer("banker")
HOST = Viewer("banker", host=True)
SPECTATOR = Viewer("spectator")


@cache
def only(*seats: str | None) -> Audience:
    """The seats named (None is left out) and the banker."""
    return Audience(seats=frozenset(seat for seat in seats if seat is not None))


def told_to(seats: Iterable[str] | None) -> Audience:
    """The audience of stored seats; None stands for everybody."""
    return EVERYONE if seats is None else only(*seats)


def seats_of(audience: Audience) -> tuple[str, ...] | None:
    """The seats of an audience, sorted, as they are stored; None for everybody."""
    return None if audience.everyone else tuple(sorted(audience.seats))
