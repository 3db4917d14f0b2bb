"""What a player has, counted: money, titles, buildings, and the worth of all three."""

from __future__ import annotations

from msgspec import UnsetType

from ledger.rulebooks.monopoly.houses.places import costs_of
from ledger.rulebooks.monopoly.table.effects import Share, Wealth
from ledger.rulebooks.monopoly.table.state import (
    Monopoly,
    cash,
    has_hotel,
    houses_on,
    is_mortgaged,
    pieces,
    titles_of,
)


def worth_of(state: Monopoly, seat: str) -> int:
    """Return the worth of a player: money, titles at the printed price or half the price, buildings at cost."""
    total = cash(state, seat)
    for title in titles_of(state, seat):
        price = pieces(state).titles[title].price
        total += price // 2 if is_mortgaged(state, title) else price
        total += sum(costs_of(state, title))
    return total


def houses_of(state: Monopoly, seat: str) -> int:
    """Count the houses on a player's titles."""
    return sum(houses_on(state, title) for title in titles_of(state, seat))


def hotels_of(state: Monopoly, seat: str) -> int:
    """Count the hotels on a player's titles."""
    return sum(has_hotel(state, title) for title in titles_of(state, seat))


def share_of(state: Monopoly, seat: str, share: Share, of: Wealth | UnsetType) -> int:
    """Return a share of a player's worth, or else of the money, rounded down."""
    above, below = share
    return (worth_of(state, seat) if of == "worth" else cash(state, seat)) * above // below
