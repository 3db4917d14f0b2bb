"""The standings of a game: wealth and place of each seat at a moment, as far as a viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import sees_holding
from ledger.kernel.rules.display import ProgressView, StandingView, Status
from ledger.kernel.rules.rulebook import Rulebook
from ledger.kernel.rules.wealth import Asset
from ledger.reading.words.seating import turn_order


def standings(
    rulebook: Rulebook[Any], state: State, viewer: Viewer, language: str = "en"
) -> tuple[StandingView, ...]:
    """Return the standings of the seats, in the order of turns.

    The cash of a seat is visible to viewers who see the money in every account of the seat. The worth is
    visible to its audience (`Secrets.worth_audience`). Places by worth are visible to viewers who see the
    worth of every seat. Open wealth (`Score.shown_wealth`) is visible to all, and a count on the way to a victory
    to its audience (`Progress.audience`). `language` is "en" or "fr".
    """
    shown_label = rulebook.score.shown_label.in_language(language)
    seats = turn_order(rulebook, state)
    playing = rulebook.screen.summary(state).get("in_play", seats) if seats else ()
    winners = rulebook.score.winners(state) if viewer.knows_the_end else ()
    worths = {
        seat: worth_of(rulebook, state, seat) for seat in seats if _sees_worth(rulebook, state, seat, viewer)
    }
    places = _places({seat: (seat in winners, worth) for seat, worth in worths.items() if seat in playing})
    ranked = len(worths) == len(seats)
    return tuple(
        StandingView(
            seat=seat,
            status=_status(seat, playing=seat in playing, winners=winners),
            shown=(open_wealth := _open_wealth(rulebook, state, seat)),
            shown_label=UNSET if open_wealth is UNSET else shown_label,
            cash=_cash(rulebook, state, seat, viewer),
            worth=worths.get(seat, UNSET),
            place=places.get(seat, UNSET) if ranked else UNSET,
            progress=_progress(rulebook, state, seat, viewer, language),
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
    return viewer.sees_all or rulebook.secrets.worth_audience(state, seat).admits(viewer)


def _open_wealth(rulebook: Rulebook[Any], state: State, seat: str) -> int | UnsetType:
    assets = rulebook.score.shown_wealth(state, seat)
    return UNSET if assets is None else sum(asset.value for asset in assets)


def _progress(
    rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer, language: str
) -> tuple[ProgressView, ...] | UnsetType:
    """Return the visible counts of a seat, of each thing the first one; UNSET for none."""
    visible: dict[str, ProgressView] = {}
    for count in rulebook.score.progress(state, seat):
        if count.id not in visible and count.audience.admits(viewer):
            visible[count.id] = ProgressView(count.label.in_language(language), count.have, count.of)
    return tuple(visible.values()) or UNSET


def worth_of(rulebook: Rulebook[Any], state: State, seat: str) -> int:
    """Return the worth of a seat, in the unit of worth."""
    return sum(asset.value for asset in assets_of(rulebook, state, seat))


def assets_of(rulebook: Rulebook[Any], state: State, seat: str) -> Sequence[Asset]:
    """Return the wealth of a seat; only its money if the rulebook counts money, and lists no assets."""
    assets = rulebook.score.wealth(state, seat)
    if assets or rulebook.score.unit is not None:
        return assets
    return (Asset("balance", rulebook.accounts.currency, 1, money_of(rulebook, state, seat)),)


def _cash(rulebook: Rulebook[Any], state: State, seat: str, viewer: Viewer) -> int | UnsetType:
    accounts = rulebook.accounts.accounts_of(seat)
    if all(
        sees_holding(rulebook.secrets, state, account, rulebook.accounts.currency, viewer) for account in accounts
    ):
        return money_of(rulebook, state, seat)
    return UNSET


def money_of(rulebook: Rulebook[Any], state: State, seat: str) -> int:
    """Return the money in the accounts of a seat."""
    return sum(
        state.holdings.of(account, rulebook.accounts.currency) for account in rulebook.accounts.accounts_of(seat)
    )


def _places(merits: dict[str, tuple[bool, int]]) -> dict[str, int]:
    """Return the place of each seat, from 1: winners first, then by worth. Equal seats share a place."""
    return {seat: 1 + sum(other > merit for other in merits.values()) for seat, merit in merits.items()}
