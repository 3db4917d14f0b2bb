"""Openings: what a game is created with."""

from __future__ import annotations

import re
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from ledger.kernel.facts.refusals import Malformed
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.facts.values import SeatId, of_kind

_SEAT = re.compile(r"[A-Za-z0-9_-]{1,40}")


_NO_SEATS = ("banker", "system", "spectator")
"""Those who act or look on without being a player: a seat of that name would be taken for them."""


RESERVED = (*_NO_SEATS, "all", "bank", "none")
"""What requests and accounts mean by such a word; games from before this rule may have such a seat."""


S = TypeVar("S", bound=State)


Dice = Literal["table", "service", "shared", "shared_or_table"]
"""Who throws the dice and draws the cards: the table, the service from its own seed, or all seats together with
it. Where a seat does not reveal its value, it is left out of the throw (`shared`), or the table throws
(`shared_or_table`)."""


class SeatOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """Where a seat of a game comes from: the seat `was` of a game, after its last action `action`.

    `kept` is the money that goes along, in whole units.
    """

    seat: SeatId
    game: Annotated[str, of_kind("text")]
    action: Annotated[int, of_kind("quantity")]
    was: Annotated[str, of_kind("text")]
    kept: Annotated[int, of_kind("amount")] = 0


class Continuation(msgspec.Struct, frozen=True, kw_only=True):
    """What a new game goes on from: its first season, where each seat comes from, and who has come in exchange."""

    season: Annotated[int, of_kind("quantity")]
    arrived: SeatId
    seats: Annotated[tuple[SeatOrigin, ...], of_kind("players")]


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What a game is created with."""

    players: tuple[Seat, ...]
    settings: Any
    dice: Dice
    """Who throws the dice and shuffles the cards."""
    continues: Continuation | None = None
    """The ends of other games that it goes on from, if it does."""

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


class End(msgspec.Struct, Generic[S], frozen=True):
    """The end of a game that others go on from: its id, the number of its last action, and its state then."""

    game: str
    action: int
    state: S
