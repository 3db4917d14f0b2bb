"""The seats of a game as every screen shows them: names, letters and colours, in the order of turns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Any

import msgspec

from ledger.games.game import Game
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.rules.rulebook import Rulebook

COLOURS = 8
"""How many colours there are. A game with more seats begins again with the first colour."""


class SeatView(msgspec.Struct, frozen=True):
    """A player's seat.

    `letter` (A to Z) and `colour` (0 to 7) are the same on every screen and never change in a game: they follow
    the order in which the players were named when the game was created.
    """

    seat: str
    name: str
    letter: str
    colour: int


def seat_views(players: Sequence[Seat], order: Iterable[str]) -> tuple[SeatView, ...]:
    """The seats in the order of turns. `players` are all of them, in the order of the game's creation."""
    badges = _badges(tuple(players))
    return tuple(badges[seat] for seat in order)


def seated(game: Game, state: State) -> tuple[SeatView, ...]:
    """The seats of a game in the order of turns of a state."""
    return seat_views(game.setup.players, turn_order(game.rulebook, state))


def turn_order(rulebook: Rulebook[Any], state: State) -> Sequence[str]:
    """The seats in the order of turns; none before the table is laid out."""
    return rulebook.turn_order(state) if state.seats else ()


@lru_cache(maxsize=1000)
def _badges(players: tuple[Seat, ...]) -> dict[str, SeatView]:
    """The view of each seat by its id.

    The letter is the first one of the name; if it is taken, a later one of the name, else the next free one of the
    alphabet.
    """
    views: dict[str, SeatView] = {}
    taken: set[str] = set()
    for place, player in enumerate(players):
        wanted = (letter for letter in (*_letters(player.name), *ascii_uppercase) if letter not in taken)
        letter = next(wanted, "?")
        taken.add(letter)
        views[player.seat] = SeatView(player.seat, player.name, letter, place % COLOURS)
    return views


def _letters(name: str) -> list[str]:
    """The letters of a name as capitals of the Latin alphabet, without accents."""
    plain = unicodedata.normalize("NFKD", name).upper()
    return [one for one in plain if one in ascii_uppercase]
