"""The worth of titles to simulated players, in whole units of money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import Monopoly, is_mortgaged, level, pieces
from ledger.rulebooks.parts import titles

Owners = Mapping[str, str]
"""The seat of the owner of each title, without the bank's titles."""

_COMPLETES = {"street": 2.4, "station": 1.3, "utility": 1.2}
"""Worth of the last title of a group to the owner of the rest, in prices."""
_BLOCKS = 1.5
"""Worth of the last title to a rival of the owner of the rest, in prices."""
_SHARE = 0.25
"""Extra worth for each further title of the group, in prices."""


def owners(state: Monopoly) -> Owners:
    """Return the owner of each title."""
    return titles.owners_of(state)


def value(state: Monopoly, seat: str, title: str, owned: Owners) -> float:
    """Return the worth of a title to a player, owned or not."""
    square = pieces(state).titles[title]
    others = [owned.get(member) for member in pieces(state).group_of(title) if member != title]
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
    """Return the titles of other players missing from a player's otherwise whole groups of streets, if nothing
    is built.
    """
    result = []
    for group in pieces(state).members.values():
        missing = [title for title in group if owned.get(title) != seat]
        if len(missing) == 1 and len(group) > 1 and missing[0] in owned and is_free(state, missing[0]):
            result.append(missing[0])
    return result


def useful_titles(state: Monopoly, seat: str, owned: Owners) -> list[str]:
    """Return the titles of other players in groups partly owned by a player, if nothing is built."""
    mine = Counter(pieces(state).titles[title].group for title, owner in owned.items() if owner == seat)
    mine[""] = 0
    return [
        title
        for title, owner in owned.items()
        if owner != seat and mine[pieces(state).titles[title].group] and is_free(state, title)
    ]


def is_free(state: Monopoly, title: str) -> bool:
    """Return True if the group of the title has no buildings."""
    return not any(level(state, member) for member in pieces(state).group_of(title))


def dearest_rent(state: Monopoly, seat: str, owned: Owners) -> int:
    """Return the highest rent of other players' built streets: the reserve of a careful player."""
    highest = 0
    for title, owner in owned.items():
        if owner != seat:
            rents = pieces(state).titles[title].rents
            built = level(state, title)
            if built:
                highest = max(highest, rents[min(built, len(rents) - 1)])
    return highest
