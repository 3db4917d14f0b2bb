"""The standings of a game: the worth of each seat at a moment, as far as visible to a viewer."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.money.standings import money_of, worth_of


class SeatStanding(msgspec.Struct, frozen=True):
    """The standing of a seat: its worth, in the unit of worth (`worth` of the names), and its money.

    Both are null if hidden from the viewer. `playing` is true while the seat is in the game; null if nobody can
    leave the game before its end.
    """

    seat: str
    name: str
    playing: bool | None
    worth: int | None
    money: int | None


def standings_of(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> tuple[SeatStanding, ...]:
    """Return the standings of all seats, in the order of the table.

    A viewer with a partial view sees only their own seat's worth: a sum would reveal its hidden parts.
    """
    playing = rulebook.screen.summary(state).get("in_play") if state.seats else None
    return tuple(
        SeatStanding(
            seat=seat.seat,
            name=seat.name,
            playing=None if playing is None else seat.seat in playing,
            worth=worth_of(rulebook, state, seat.seat) if visible else None,
            money=money_of(rulebook, state, seat.seat) if visible else None,
        )
        for seat in state.seats.values()
        for visible in (viewer.sees_all or viewer.seat == seat.seat,)
    )
