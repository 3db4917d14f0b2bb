"""Property titles as holdings: the owner of a title, the holder of a group, and the pieces attached to a title.

A title is a commodity with one piece. Houses, mortgages and the like are holdings of an account of the title.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from ledger.kernel.facts.accounts import BANK, BOX, Posting
from ledger.kernel.facts.state import State
from ledger.rulebooks.parts.seats import player


def _never(title: str) -> bool:
    return False


@lru_cache(maxsize=1024)
def deed(title: str) -> str:
    """Return the commodity of a title."""
    return f"title:{title}"


@lru_cache(maxsize=1024)
def attached(title: str) -> str:
    """Return the account of the pieces attached to a title: houses, a mortgage…"""
    return f"property:{title}"


def laid_out(titles: Iterable[str]) -> tuple[Posting, ...]:
    """Return the postings of all titles out of the box to the bank, for the opening of a game."""
    return tuple(title_posting(title, BOX, BANK) for title in titles)


def title_posting(title: str, source: str, target: str) -> Posting:
    """Build the posting of a title from an account to another."""
    return Posting(deed(title), 1, source, target)


def owner_of(state: State, title: str) -> str | None:
    """Return the seat of a title's owner; None for a title without an owner among the seats."""
    commodity, account = deed(title), state.holdings.account
    for seat in state.seats:
        if commodity in account(player(seat)):
            return seat
    return None


def owners_of(state: State) -> dict[str, str]:
    """Return the owner of each title owned by a seat, in one pass over the holdings of seats."""
    prefix = deed("")
    return {
        commodity.removeprefix(prefix): seat
        for seat in reversed(state.seats)
        for commodity in state.holdings.account(player(seat))
        if commodity.startswith(prefix)
    }


def titles_of(state: State, seat: str, titles: Iterable[str]) -> list[str]:
    """Return the titles in a list owned by a seat, in the order of the list."""
    balances = state.holdings.account(player(seat))
    return [title for title in titles if deed(title) in balances]


def lies_on(state: State, title: str, commodity: str) -> int:
    """Count the pieces of a commodity attached to a title: houses, a mortgage…"""
    return state.holdings.of(attached(title), commodity)


def missing_of(
    state: State, seat: str, group: Iterable[str], without: Callable[[str], bool] = _never
) -> str | None:
    """Return the first title of a group not owned by a seat, or not counting (`without`).

    None if the seat holds the whole group.
    """
    balances = state.holdings.account(player(seat))
    return next((title for title in group if deed(title) not in balances or without(title)), None)


def holder_of(state: State, group: Iterable[str], without: Callable[[str], bool] = _never) -> str | None:
    """Return the seat with the whole group, if every title counts; None for a divided group."""
    titles = tuple(group)
    owner = owner_of(state, titles[0]) if titles else None
    return owner if owner is not None and missing_of(state, owner, titles, without) is None else None
