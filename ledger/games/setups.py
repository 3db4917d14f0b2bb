"""What a game was created with, as it is stored beside its journal."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.kernel.state import Seat
from ledger.store.records import GameRecord


class Origin(msgspec.Struct, frozen=True):
    """What a game goes on from: another game, and the number of the last action that it has in common with it."""

    game: str
    action: int


class Setup(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a game was created with: its players, the settings as plain data, and who throws the dice."""

    players: tuple[Seat, ...]
    settings: dict[str, Any]
    dice: str
    """"table" or "service"."""
    origin: Origin | None = None
    """What it goes on from, if it did not begin with its own first action."""


_decoder = msgspec.json.Decoder(Setup)


def setup_of(record: GameRecord) -> Setup:
    """The setup stored with a game. Raises msgspec.DecodeError or UnicodeDecodeError for bytes that are none."""
    return _decoder.decode(record.setup)


def origin_of(record: GameRecord) -> Origin | None:
    """What a game goes on from; None for one that began with its own first action."""
    return setup_of(record).origin
