"""Property titles as holdings: who owns one, who holds the whole of a group, and what lies on it.

A title is a commodity of which there is one. Houses, mortgages and the like are holdings of its own account.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ledger.kernel.accounts import BANK, BOX, Posting
from ledger.kernel.state import State
from ledger.rulebooks.parts.seats import player


def _never(title: str) -> bool:
    return False


def deed(title: str) -> str:
    """The commodity that a title is."""
    return f"title:{title}"


def attached(title: str) -> str:
    """The account of what is attached to a title: houses, a mortgage…"""
    return f"property:{title}"


def laid_out(titles: Iterable[str]) -> tuple[Posting, ...]:
    """The postings of all titles out of the box to the bank, at the opening of a game."""
    return tuple(handed(title, BOX, BANK) for title in titles)


def handed(title: str, source: str, target: str) -> Posting:
    """The posting of a title from one account to another."""
    return Posting(deed(title), 1, source, target)


def owner_of(state: State, title: str) -> str | None:
    """The seat that owns the title; None while it is nobody's, or the bank's."""
    commodity = deed(title)
    for seat in state.seats:
        if state.holdings.of(player(seat), commodity):
            return seat
    return None


def owners_of(state: State) -> dict[str, str]:
    """The seat that owns each title that some seat owns, in one pass over what the seats hold."""
    prefix = deed("")
    return {
        commodity.removeprefix(prefix): seat
        for seat in reversed(state.seats)
        for commodity in state.holdings.account(player(seat))
        if commodity.startswith(prefix)
    }


def titles_of(state: State, seat: str, titles: Iterable[str]) -> list[str]:
    """Those of the titles that the seat owns, in the order given."""
    held = state.holdings.account(player(seat))
    return [title for title in titles if deed(title) in held]


def lies_on(state: State, title: str, commodity: str) -> int:
    """How many of the commodity lie on the title: houses, a mortgage…"""
    return state.holdings.of(attached(title), commodity)


def missing_of(
    state: State, seat: str, group: Iterable[str], without: Callable[[str], bool] = _never
) -> str | None:
    """The first title of the group that the seat does not own, or that counts for nothing (`without`).

    None when the seat holds the whole of the group.
    """
    held = state.holdings.account(player(seat))
    return next((title for title in group if deed(title) not in held or without(title)), None)


def holder_of(state: State, group: Iterable[str], without: Callable[[str], bool] = _never) -> str | None:
    """The seat that holds the whole of the group, every title of it counting; None when there is none."""
    titles = tuple(group)
    owner = owner_of(state, titles[0]) if titles else None
    return owner if owner is not None and missing_of(state, owner, titles, without) is None else None
