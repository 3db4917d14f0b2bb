"""The statistics of Negopoly's events, and the board with its public contents (I.C.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec
from msgspec.structs import replace

from ledger.kernel.rules.faces.board import Board, Place
from ledger.kernel.rules.faces.tallies import Counted, Tallies
from ledger.rulebooks.negopoly.table.pieces import ARSENAL, BOARD, TITLES, Square
from ledger.rulebooks.negopoly.table.state import Negopoly, houses_on, owner_of
from ledger.rulebooks.negopoly.table.terms import attached
from ledger.rulebooks.parts import reading


def _with_weapons(tallies: Tallies) -> Tallies:
    """Add the event of each weapon to the tallies, as a use of the weapon."""
    used = tuple(Counted(event=weapon.used, seat="seat", item=weapon.id) for weapon in ARSENAL.values())
    counts = {**tallies.counts, "weapons_used": replace(tallies.counts["weapons_used"], of=used)}
    return replace(tallies, counts=counts)


TALLIES = _with_weapons(reading.tallies(files(__package__)))
"""statistics.toml, read, with the weapons."""


def _build_place(state: Negopoly, square: Square) -> Place:
    title = square.property
    if title is None:
        return Place(name=square.name, kind=square.kind)
    attachments = {commodity.partition(":")[0] for commodity in state.holdings.account(attached(title))}
    return Place(
        name=square.name,
        kind=square.kind,
        colour=TALLIES.colours.get(TITLES[title].quarter),
        owner=owner_of(state, title),
        built=houses_on(state, title),
        marks=tuple(mark for mark in TALLIES.marks if mark in attachments),
        asset=title,
    )


class NegopolyBoard(Board[Negopoly]):
    """The board, and the places on it."""

    def positions(self, state: Negopoly) -> Mapping[str, int]:
        """Return the positions of the tokens, which are public (II.B)."""
        return state.positions

    def squares(self) -> list[dict[str, Any]]:
        """Return the 40 squares of the default board."""
        return [msgspec.to_builtins(square) for square in BOARD]

    def places(self, state: Negopoly) -> Sequence[Place]:
        """Return the squares of the table's board in order, each with its owner and contents except defences."""
        return tuple(_build_place(state, square) for square in state.board)
