"""The seats of a game for every screen: names, letters and colours, in the order of turns."""

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
"""Number of colours. A game with more seats reuses the colours, beginning with the first."""


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
    """Return the seats in the order of turns. `players` are all seats, in the order of the game's creation."""
    badges = _badges(tuple(players))
    return tuple(badges[seat] for seat in order)


def seated(game: Game, state: State) -> tuple[SeatView, ...]:
    """Return the seats of a game in the order of turns of a state."""
    return seat_views(game.setup.players, turn_order(game.rulebook, state))


def turn_order(rulebook: Rulebook[Any], state: State) -> Sequence[str]:
    """Return the seats in the order of turns. Empty before the table is laid out."""
    return rulebook.screen.turn_order(state) if state.seats else ()


@lru_cache(maxsize=1000)
def _badges(players: tuple[Seat, ...]) -> dict[str, SeatView]:
    """Return the view of each seat by id.

    The letter is the first free letter of the name, or else the next free letter of the alphabet.
    """
    views: dict[str, SeatView] = {}
    used: set[str] = set()
    for index, player in enumerate(players):
        candidates = (letter for letter in (*_letters(player.name), *ascii_uppercase) if letter not in used)
        letter = next(candidates, "?")
        used.add(letter)
        views[player.seat] = SeatView(player.seat, player.name, letter, index % COLOURS)
    return views


def _letters(name: str) -> list[str]:
    """Return the letters of a name as capitals of the Latin alphabet, without accents."""
    plain = unicodedata.normalize("NFKD", name).upper()
    return [letter for letter in plain if letter in ascii_uppercase]
