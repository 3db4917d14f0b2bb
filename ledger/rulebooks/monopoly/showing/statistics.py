"""The statistics of an edition's events, and the public places of the board."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec
from msgspec.structs import replace

from ledger.kernel.rules.faces.board import Board, Place
from ledger.kernel.rules.faces.tallies import Estates, Tallies
from ledger.rulebooks.monopoly.table.pieces import Pieces, Square
from ledger.rulebooks.monopoly.table.state import Monopoly, MonopolyEdition, is_mortgaged, level, pieces
from ledger.rulebooks.monopoly.table.terms import MORTGAGE
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.titles import owners_of

_TALLIES = reading.tallies(files(__package__))
"""The contents of statistics.toml."""


def tallies(board: Pieces, events: Collection[str]) -> Tallies:
    """Select the statistics for an edition's pieces and kinds of event."""
    estates = _TALLIES.estates
    counts = {
        name: replace(entry, of=tuple(counted for counted in entry.of if counted.event in events))
        for name, entry in _TALLIES.counts.items()
    }
    purposes = {
        name: replace(entry, events=tuple(kind for kind in entry.events if kind in events))
        for name, entry in _TALLIES.purposes.items()
    }
    sides = {"die": max((deck.faces for deck in board.decks), default=0)}
    dice = {
        name: replace(
            entry, sides=sides.get(name, entry.sides), of=tuple(t for t in entry.of if t.event in events)
        )
        for name, entry in _TALLIES.dice.items()
    }
    houses = board.named.houses
    return replace(
        _TALLIES,
        counts={name: entry for name, entry in counts.items() if entry.of},
        purposes={name: entry for name, entry in purposes.items() if entry.events},
        dice={name: entry for name, entry in dice.items() if entry.of and entry.sides},
        estates=None if estates is None else _select_estates(estates, events),
        won_by=tuple(kind for kind in _TALLIES.won_by if kind in events),
        colours={group.id: group.colour for group in board.groups},
        built=houses,
    )


def _select_estates(estates: Estates, events: Collection[str]) -> Estates:
    return replace(estates, of=tuple(income for income in estates.of if income.event in events))


def _public_place(state: Monopoly, square: Square, owner: str | None, colour: str | None) -> Place:
    if not square.price:
        return Place(name=square.name, kind=square.kind)
    return Place(
        name=square.name,
        kind=square.kind,
        colour=colour,
        owner=owner,
        built=level(state, square.id),
        marks=(MORTGAGE,) if is_mortgaged(state, square.id) else (),
        asset=square.id,
    )


class MonopolyBoard(Board[Monopoly]):
    """The board, and the places on it."""

    def __init__(self, edition: MonopolyEdition) -> None:
        self.edition = edition

    def squares(self) -> list[dict[str, Any]]:
        """Return the squares of the edition's board."""
        return [msgspec.to_builtins(square) for square in self.edition.pieces.squares]

    def places(self, state: Monopoly) -> Sequence[Place]:
        """Return the squares of the table's board in order, each with the owner and the buildings.

        A hotel counts as the replaced houses and one more building.
        """
        board, owners = pieces(state), owners_of(state)
        colours = {group.id: group.colour for group in board.groups}
        return tuple(
            _public_place(state, square, owners.get(square.id), colours.get(square.group))
            for square in board.squares
        )

    def positions(self, state: Monopoly) -> Mapping[str, int]:
        """Return the squares of the tokens."""
        return state.positions
