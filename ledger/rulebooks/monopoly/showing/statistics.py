"""The statistics of an edition's events, and the public places of its board."""

from __future__ import annotations

from collections.abc import Collection
from importlib.resources import files

from msgspec.structs import replace

from ledger.rulebooks.monopoly.table.pieces import Pieces, Square
from ledger.rulebooks.monopoly.table.state import Monopoly, is_mortgaged, level, pieces
from ledger.rulebooks.monopoly.table.terms import MORTGAGE
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.boards import Place
from ledger.rulebooks.parts.tallies import Estates, Tallies, Words
from ledger.rulebooks.parts.titles import owners_of

_TALLIES = reading.tallies(files(__package__))
"""statistics.toml, read."""


def tallies(found: Pieces, events: Collection[str]) -> Tallies:
    """The statistics of an edition with these pieces and these kinds of event."""
    estates = _TALLIES.estates
    counts = {
        name: replace(one, of=tuple(counted for counted in one.of if counted.event in events))
        for name, one in _TALLIES.counts.items()
    }
    purposes = {
        name: replace(one, events=tuple(kind for kind in one.events if kind in events))
        for name, one in _TALLIES.purposes.items()
    }
    sides = {"die": max((deck.faces for deck in found.decks), default=0)}
    dice = {
        name: replace(one, sides=sides.get(name, one.sides), of=tuple(t for t in one.of if t.event in events))
        for name, one in _TALLIES.dice.items()
    }
    houses = found.named.houses
    return replace(
        _TALLIES,
        counts={name: one for name, one in counts.items() if one.of},
        purposes={name: one for name, one in purposes.items() if one.events},
        dice={name: one for name, one in dice.items() if one.of and one.sides},
        estates=None if estates is None else _kept(estates, events),
        won_by=tuple(kind for kind in _TALLIES.won_by if kind in events),
        colours={group.id: group.colour for group in found.groups},
        built=Words(en=houses.en, fr=houses.fr),
    )


def _kept(estates: Estates, events: Collection[str]) -> Estates:
    return replace(estates, of=tuple(one for one in estates.of if one.event in events))


def places(state: Monopoly) -> tuple[Place, ...]:
    """The squares of this table's board in order, each with its owner and what stands on it.

    A hotel counts as one building more than the houses that it stands for.
    """
    found, owners = pieces(state), owners_of(state)
    colours = {group.id: group.colour for group in found.groups}
    return tuple(
        _place(state, square, owners.get(square.id), colours.get(square.group)) for square in found.squares
    )


def _place(state: Monopoly, square: Square, owner: str | None, colour: str | None) -> Place:
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
