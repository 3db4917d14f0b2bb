"""The standings of a game: what each seat is worth at a moment, as far as a viewer may see it."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook


class SeatStanding(msgspec.Struct, frozen=True):
    """How a seat stands: what it is worth and how much money it has, both in the game's money.

    Both are null for a viewer who may not see them. `playing` is whether the seat is still in the game; null when
    nobody can leave a game before its end.
    """

    seat: str
    name: str
    playing: bool | None
    worth: int | None
    money: int | None


def standings_of(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> tuple[SeatStanding, ...]:
    """The standings of all seats, in the order of the table.

    A viewer who may not see everything sees their own seat's alone: a sum would tell what its parts do not.
    """
    playing = rulebook.summary(state).get("in_play") if state.seats else None
    return tuple(
        SeatStanding(
            seat=seat.seat,
            name=seat.name,
            playing=None if playing is None else seat.seat in playing,
            worth=_worth(rulebook, state, seat.seat) if known else None,
            money=_money(rulebook, state, seat.seat) if known else None,
        )
        for seat in state.seats.values()
        for known in (viewer.sees_all or viewer.seat == seat.seat,)
    )


def _worth(rulebook: Rulebook[Any], state: State, seat: str) -> int:
    assets = rulebook.wealth(state, seat)
    return sum(asset.value for asset in assets) if assets else _money(rulebook, state, seat)


def _money(rulebook: Rulebook[Any], state: State, seat: str) -> int:
    return sum(state.holdings.of(account, rulebook.currency) for account in rulebook.accounts_of(seat))
