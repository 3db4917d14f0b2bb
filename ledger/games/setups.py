"""Setups: the players, settings and origin of a game, as they are stored with its journal."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Continuation
from ledger.store.records import GameRecord


class Origin(msgspec.Struct, frozen=True):
    """The game that a game continues, and the number of the last action that the two have in common."""

    game: str
    action: int


class Simulated(msgspec.Struct, frozen=True, kw_only=True):
    """How bots played a game: the seed, and the name of each seat's strategy, in the order of the seats."""

    seed: int
    strategies: dict[str, str]


class Setup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The players of a game, its settings as plain data, and who throws the dice."""

    players: tuple[Seat, ...]
    settings: dict[str, Any]
    dice: str
    """Who draws: a `kernel.opening.Dice`."""
    origin: Origin | None = None
    """The game that this game continues, if it continues another."""
    continues: Continuation | None = None
    """Where the seats come from, of a game that goes on from the ends of others."""
    simulated: Simulated | None = None
    """How bots played the game, if they did."""


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """The players and the origin of a game: of its setup, what lists of games tell.

    Settings may be large, as a table's own board is, and are not decoded for it.
    """

    players: tuple[Seat, ...]
    origin: Origin | None = None


_decoder = msgspec.json.Decoder(Setup)
_seating = msgspec.json.Decoder(Seating)


def setup_of(record: GameRecord) -> Setup:
    """Decode the stored setup of a game. Raises msgspec.DecodeError or UnicodeDecodeError for bad bytes."""
    return _decoder.decode(record.setup)


def seating_of(record: GameRecord) -> Seating:
    """Decode the players and the origin in the stored setup of a game. Raises as `setup_of` does."""
    return _seating.decode(record.setup)
