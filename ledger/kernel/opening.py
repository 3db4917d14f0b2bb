"""Openings: what a game is created with."""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

from ledger.kernel.refusals import Malformed
from ledger.kernel.state import Seat

_SEAT = re.compile(r"[A-Za-z0-9_-]{1,40}")
_NO_SEATS = ("banker", "system", "spectator")
"""Those who act or look on without being a player: a seat of that name would be taken for them."""

Dice = Literal["table", "service"]


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What a game is created with."""

    players: tuple[Seat, ...]
    settings: Any
    dice: Dice
    """Who throws the dice and shuffles the cards."""

    def __post_init__(self) -> None:
        """Raises Malformed for a seat that could not be told from others, or from who is no player at all."""
        named: set[str] = set()
        for player in self.players:
            if not _SEAT.fullmatch(player.seat) or player.seat in _NO_SEATS or player.seat in named:
                raise Malformed(
                    "{seat!r} cannot be a seat: a seat has its own name of up to 40 letters, digits, - and _, "
                    "and is none of {taken}",
                    "{seat!r} ne peut pas être un siège : un siège porte un nom à lui, de 40 lettres, chiffres, - "
                    "et _ au plus, et n'est aucun de {taken}",
                    seat=player.seat,
                    taken=", ".join(_NO_SEATS),
                )
            named.add(player.seat)
