"""What titles are worth to simulated players, in whole units of money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import Monopoly, is_mortgaged, level, pieces
from ledger.rulebooks.parts import titles

Owners = Mapping[str, str]
"""The seat that owns each title, by title; without those of the bank."""

_COMPLETES = {"street": 2.4, "station": 1.3, "utility": 1.2}
"""What the last title of a group is worth to who has the others, in prices."""
_BLOCKS = 1.5
"""And to a player whom it would otherwise cost as much."""
_SHARE = 0.25
"""What each other title of the group adds, in prices."""


def owners(state: Monopoly) -> Owners:
    """Who owns which title."""
    return titles.owners_of(state)


def value(state: Monopoly, seat: str, title: str, owned: Owners) -> float:
    """What a title is worth to a player, without or within their hands."""
    square = pieces(state).titles[title]
    others = [owned.get(one) for one in pieces(state).members[square.group] if one != title]
    worth = square.price * _factor(square, seat, others)
    if is_mortgaged(state, title):
        worth -= 1.1 * square.mortgage
    return max(worth, 1.0)


def _factor(square: Square, seat: str, others: list[str | None]) -> float:
    mine = others.count(seat)
    if others and mine == len(others):
        return _COMPLETES[square.kind]
    if others and others[0] not in (None, seat) and len(set(others)) == 1:
        return _BLOCKS
    return 1.0 + _SHARE * mine


def lacking(state: Monopoly, seat: str, owned: Owners) -> list[str]:
    """The titles of other players that a player lacks for a whole group of streets, where nothing is built."""
    found = []
    for group in pieces(state).members.values():
        missing = [one for one in group if owned.get(one) != seat]
        if len(missing) == 1 and len(group) > 1 and missing[0] in owned and is_free(state, missing[0]):
            found.append(missing[0])
    return found


def wanted(state: Monopoly, seat: str, owned: Owners) -> list[str]:
    """The titles of other players in groups of which a player has some part, where nothing is built."""
    mine = Counter(pieces(state).titles[title].group for title, owner in owned.items() if owner == seat)
    return [
        title
        for title, owner in owned.items()
        if owner != seat and mine[pieces(state).titles[title].group] and is_free(state, title)
    ]


def is_free(state: Monopoly, title: str) -> bool:
    """Whether nothing is built in the group of the title."""
    return not any(level(state, one) for one in pieces(state).members[pieces(state).titles[title].group])


def dearest_rent(state: Monopoly, seat: str, owned: Owners) -> int:
    """The highest rent of streets that other players have built on: what a careful player keeps in hand."""
    most = 0
    for title, owner in owned.items():
        if owner != seat:
            rents = pieces(state).titles[title].rents
            built = level(state, title)
            if built:
                most = max(most, rents[min(built, len(rents) - 1)])
    return most
