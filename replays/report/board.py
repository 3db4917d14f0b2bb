"""The board as it lies, square by square, around the edge of a page."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.exporting import Export
from ledger.kernel.tallies import Place, Tallies
from replays.report.shapes import Board, Person, Square
from replays.report.words import Speech

_RING = 8
"""A board of fewer places is set in a row."""


def board_of(export: Export, people: Mapping[str, Person]) -> Board | None:
    """The board as everybody sees it; None for a game without one."""
    places = export.rulebook.places(export.state)
    if len(places) < _RING or len(places) % 4:
        return None
    say = Speech(export.language, None)
    tallies = export.rulebook.tallies
    positions = export.rulebook.positions(export.state)
    edge = len(places) // 4 + 1
    squares = []
    for index, place in enumerate(places):
        row, column, side = _around(index, edge)
        squares.append(
            Square(
                row=row,
                column=column,
                side=side,
                name=place.name,
                kind=place.kind,
                colour=place.colour,
                owner=None if place.owner is None else people[place.owner],
                state=state_said(place, tallies, say.language),
                built=place.built,
                marked=bool(place.marks),
                tokens=tuple(people[seat] for seat, at in sorted(positions.items()) if at == index),
            )
        )
    told = [f"{people[seat].name}: {places[at].name}" for seat, at in sorted(positions.items())]
    return Board(edge, tuple(squares), ", ".join(told) or say("none"))


def _around(index: int, edge: int) -> tuple[int, int, str]:
    """Row and column (from 1 on) of a place: the first in the corner at the lower right, then clockwise."""
    side, along = divmod(index, edge - 1)
    match side:
        case 0:
            return edge, edge - along, "bottom"
        case 1:
            return edge - along, 1, "left"
        case 2:
            return 1, 1 + along, "top"
        case _:
            return 1 + along, edge, "right"


def state_said(place: Place, tallies: Tallies, language: str) -> str:
    """What is built on a place and seen of it besides, in words."""
    told = []
    if place.built and tallies.built is not None:
        told.append(f"{tallies.built.said(language)}: {place.built}")
    told += [tallies.marks[mark].said(language) for mark in place.marks if mark in tallies.marks]
    return ", ".join(told)
