"""The players concerned by an effect: named by `who`, and under the condition `when`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import UNSET

from ledger.rulebooks.monopoly.houses.wealth import hotels_of, houses_of, worth_of
from ledger.rulebooks.monopoly.table.effects import BaseEffect, Holding
from ledger.rulebooks.monopoly.table.state import Monopoly, cash, in_play, titles_of


def concerned(state: Monopoly, drawer: str, effect: BaseEffect) -> list[str]:
    """Return the seats for which an effect is carried out, in the order of play after the drawer.

    The drawer comes last: a move of the drawer may end the turn.
    """
    when = effect.when
    seats = _named(state, drawer, effect)
    return [seat for seat in seats if when is UNSET or _holds(state, drawer, seat, when)]


def opponents(state: Monopoly, seat: str) -> list[str]:
    """Return the opponents of a seat, in the order of play after the seat."""
    playing = in_play(state)
    index = playing.index(seat)
    return [*playing[index + 1 :], *playing[:index]]


def _named(state: Monopoly, drawer: str, effect: BaseEffect) -> list[str]:
    around = opponents(state, drawer)
    everybody = [*around, drawer]
    match effect.who:
        case "others" | "chosen":
            return around
        case "all":
            return everybody
        case "next":
            return around[:1]
        case "previous":
            return around[-1:]
        case "poorest":
            lowest = min(cash(state, seat) for seat in everybody)
            return [seat for seat in everybody if cash(state, seat) == lowest]
        case "richest":
            highest = max(cash(state, seat) for seat in everybody)
            return [seat for seat in everybody if cash(state, seat) == highest]
        case _:
            return [drawer]


_COUNTED: Mapping[str, Callable[[Monopoly, str], int]] = {
    "cash": cash,
    "worth": worth_of,
    "houses": lambda state, seat: houses_of(state, seat) + hotels_of(state, seat),
    "titles": lambda state, seat: len(titles_of(state, seat)),
}


def _holds(state: Monopoly, drawer: str, seat: str, when: Holding) -> bool:
    """Return True if a player meets a condition."""
    count = _COUNTED[when.of]
    number = count(state, seat)
    below, above = (count(state, drawer) if bound == "drawer" else bound for bound in (when.below, when.above))
    return (below is UNSET or number < below) and (above is UNSET or number > above)
