"""The standings of a game: how each seat stands at a moment, as far as a viewer may see it."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import sees_holding
from ledger.kernel.rules.display import StandingView, Status
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.words.seating import turn_order


def standings(rulebook: Rulebook[Any], state: State, viewer: Viewer) -> tuple[StandingView, ...]:
    """How the seats stand, in the order of turns.

    The cash of a seat is shown to those who see its money in every account of the seat, its worth to those who may
    know it (`Rulebook.worth_audience`), and places by worth to those who see the worth of every seat. What lies
    open (`Rulebook.shown_wealth`) is shown to all.
    """
    seats = turn_order(rulebook, state)
    playing = rulebook.summary(state).get("in_play", seats) if seats else ()
    winners = rulebook.winners(state) if viewer.knows_the_end else ()
    worths = {seat: _worth(rulebook, state, seat) for seat in seats if _sees_worth(rulebook, state, seat, viewer)}
    places = _places({seat: (seat in winners, worth) for seat, worth in worths.items() if seat in playing})
    ranked = len(worths) == len(seats)
    return tuple(
        StandingView(
            seat=seat,
            status=_status(seat, playing=seat in playing, winners=winners),
            shown=_shown(rulebook, state, seat),
            cash=_cash(rulebook, state, seat, viewer),
            worth=worths.get(seat, UNSET),
            place=places.get(seat, UNSET) if ranked else UNSET,
        )
        for seat in seats
    )


def _status(seat: str, *, playing: bool, winners: Any) -> Status:
    if seat in winners:
        return "won"
    if winners:
        return "lost"
    return "in_play" if playing else "out"


def _sees_worth(rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer) -> bool:
    return viewer.sees_all or rulebook.worth_audience(state, seat).admits(viewer)


def _shown(rulebook: Rulebook[Any], state: State, seat: str) -> int | UnsetType:
    shown = rulebook.shown_wealth(state, seat)
    return UNSET if shown is None else sum(asset.value for asset in shown)


def _worth(rulebook: Rulebook[Any], state: State, seat: str) -> int:
    assets = rulebook.wealth(state, seat)
    return sum(asset.value for asset in assets) if assets else _money(rulebook, state, seat)


def _cash(rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer) -> int | UnsetType:
    accounts = rulebook.accounts_of(seat)
    if all(sees_holding(rulebook, state, account, rulebook.currency, viewer) for account in accounts):
        return _money(rulebook, state, seat)
    return UNSET


def _money(rulebook: Rulebook[Any], state: State, seat: str) -> int:
    return sum(state.holdings.of(account, rulebook.currency) for account in rulebook.accounts_of(seat))


def _places(merits: dict[str, tuple[bool, int]]) -> dict[str, int]:
    """The place of each seat, from 1: those who have won, then by worth. Those alike in both share a place."""
    return {seat: 1 + sum(other > merit for other in merits.values()) for seat, merit in merits.items()}
