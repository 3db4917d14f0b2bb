"""Setups: the players, settings and origin of a game, as stored with the journal."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from ledger.access.credentials import as_game_id
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.opening import Continuation
from ledger.store.records import GameRecord


class Origin(msgspec.Struct, frozen=True):
    """The game that a game continues, and the number of the last action that the two have in common."""

    game: str
    action: int


class Simulated(msgspec.Struct, frozen=True, kw_only=True):
    """A game played by bots: the seed, and the strategy of each seat, in the order of the seats."""

    seed: int
    strategies: dict[str, str]


class Setup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The players of a game, the settings as plain data, and the source of the dice."""

    players: tuple[Seat, ...]
    settings: dict[str, Any]
    dice: str
    """The source of draws: a `kernel.rules.opening.Dice`."""
    origin: Origin | None = None
    """The game continued by the game, if any."""
    continues: Continuation | None = None
    """The origin of the seats of a game that continues the ends of earlier games."""
    simulated: Simulated | None = None
    """The data of a game played by bots, or None."""
    order: tuple[str, ...] = ()
    """The seats in the order of the first action, if another order than that of `players`.

    Letters and colours follow `players`: a table that plays again keeps both, and sits in a new order.
    """

    def seated(self) -> tuple[Seat, ...]:
        """Return the players in the order of the first action."""
        return tuple(sorted(self.players, key=lambda player: self.order.index(player.seat) if self.order else 0))


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """The players and the origin of a game: the part of the setup shown in lists of games.

    The settings may be large, such as a table's own board, and are not decoded for lists.
    """

    players: tuple[Seat, ...]
    origin: Origin | None = None


_decoder = msgspec.json.Decoder(Setup)
_seating = msgspec.json.Decoder(Seating)


def next_game(game_id: str) -> str:
    """Return the id of the game that the table of a game plays next, if it plays again.

    The id follows from the first game alone, so a table plays again once, in one game for all its devices.
    """
    return as_game_id(hashlib.sha256(f"again\0{game_id}".encode()).digest())


def setup_of(record: GameRecord) -> Setup:
    """Decode the stored setup of a game. Raises msgspec.DecodeError or UnicodeDecodeError for bad bytes."""
    return _decoder.decode(record.setup)


def seating_of(record: GameRecord) -> Seating:
    """Decode the players and the origin in the stored setup of a game. Raises the exceptions of `setup_of`."""
    return _seating.decode(record.setup)
