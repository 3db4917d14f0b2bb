"""The map of the report: places, shared sides, and pieces on each place."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import UNSET

from ledger.kernel.rules.display import BoardPlace, BoardView, PlaceView
from ledger.moving.exporting import Export
from ledger.reading.words.naming import Names
from ledger.rulebooks.parts.boards import drawn, shown_on
from replays.report.shapes import Charted, ChartedPlace, Person
from replays.report.words import Speech

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
"""A color that is safe in a style: a table's own pieces may name any text."""
_RADIUS = 34
"""The radius of a place drawn as a disc, in units of the box."""


def map_of(export: Export, people: Mapping[str, Person]) -> Charted | None:
    """Draw the map at the end of the game, as visible to the viewer; None for a game without a map."""
    board = drawn(export.rulebook, export.state, export.language)
    if board is None or board.form != "map" or board.box is UNSET:
        return None
    say, names = Speech(export.language, None), Names(export.rulebook, export.state, export.language, "")
    display = shown_on(export.rulebook, export.state, export.viewer, export.language)
    lying = display.places
    tokens: dict[str, list[Person]] = {}
    for item in display.tokens:
        tokens.setdefault(item.place, []).append(people[item.seat])
    places = tuple(
        _charted_place(item, board, lying.get(item.id, PlaceView()), tuple(tokens.get(item.id, ())), people, names)
        for item in board.places
        if item.at is not UNSET or item.shape is not UNSET
    )
    at = {item.id: item for item in places}
    pairs = () if board.adjacent is UNSET else board.adjacent
    edges = ((at[item], at[other]) for item, other in pairs if item in at and other in at)
    return Charted(
        box=board.box,
        radius=_RADIUS,
        places=places,
        edges=tuple((item.x, item.y, other.x, other.y) for item, other in edges),
        groups=tuple((item.name, _colour(item.colour) or "transparent", item.mark) for item in board.groups),
        tokens=", ".join(say("of", name=person.name, value=spot.name) for spot in places for person in spot.tokens)
        or say("none"),
    )


def _charted_place(
    spot: BoardPlace,
    board: BoardView,
    lying: PlaceView,
    tokens: tuple[Person, ...],
    people: Mapping[str, Person],
    names: Names,
) -> ChartedPlace:
    shape = () if spot.shape is UNSET else spot.shape
    x, y = spot.at if spot.at is not UNSET else _middle(shape)
    group = next((item for item in board.groups if item.id == spot.group), None)
    marked = {item.id: item.name for item in board.marks}
    marks = () if lying.marks is UNSET else lying.marks
    pieces = () if lying.pieces is UNSET else lying.pieces
    texts = [
        f"{item.amount}\u00a0× "
        f"{names.commodity(item.commodity if item.commodity is not UNSET else str(item.veil))}"
        for item in pieces
    ]
    return ChartedPlace(
        id=spot.id,
        x=x,
        y=y,
        points=" ".join(f"{across},{down}" for across, down in shape),
        name=spot.name,
        short=spot.name if spot.short is UNSET else spot.short,
        group="" if group is None else group.name,
        mark="" if group is None else group.mark,
        colour=None if group is None else _colour(group.colour),
        owner=None if lying.owner is UNSET else people.get(lying.owner),
        pieces=", ".join([*texts, *(marked.get(item, item) for item in marks)]),
        many=sum(item.amount for item in pieces),
        tokens=tokens,
    )


def _middle(shape: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """Return the mean of the corners of a shape."""
    return sum(x for x, _ in shape) // len(shape), sum(y for _, y in shape) // len(shape)


def _colour(text: str) -> str | None:
    """Return a color as #rrggbb, or None for any other text."""
    return text if _COLOUR.fullmatch(text) else None
