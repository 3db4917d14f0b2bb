"""The map of the report: places, the sides that they share, and what lies on each of them."""

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
"""A colour that may stand in a style: a table's own pieces name any text."""
_RADIUS = 34
"""The radius of a place that is drawn as a disc, in units of the box."""


def map_of(export: Export, people: Mapping[str, Person]) -> Charted | None:
    """The map with what lies on it at the end, as the viewer sees it; None for a game without a map."""
    board = drawn(export.rulebook, export.state, export.language)
    if board is None or board.form != "map" or board.box is UNSET:
        return None
    say, names = Speech(export.language, None), Names(export.rulebook, export.state, export.language, "")
    shown = shown_on(export.rulebook, export.state, export.viewer, export.language)
    lying = shown.places
    tokens: dict[str, list[Person]] = {}
    for one in shown.tokens:
        tokens.setdefault(one.place, []).append(people[one.seat])
    places = tuple(
        _place(one, board, lying.get(one.id, PlaceView()), tuple(tokens.get(one.id, ())), people, names)
        for one in board.places
        if one.at is not UNSET or one.shape is not UNSET
    )
    at = {one.id: one for one in places}
    pairs = () if board.adjacent is UNSET else board.adjacent
    edges = ((at[one], at[other]) for one, other in pairs if one in at and other in at)
    return Charted(
        box=board.box,
        radius=_RADIUS,
        places=places,
        edges=tuple((one.x, one.y, other.x, other.y) for one, other in edges),
        groups=tuple((one.name, _colour(one.colour) or "transparent", one.mark) for one in board.groups),
        tokens=", ".join(
            say("of", name=person.name, value=place.name) for place in places for person in place.tokens
        )
        or say("none"),
    )


def _place(
    place: BoardPlace,
    board: BoardView,
    lying: PlaceView,
    tokens: tuple[Person, ...],
    people: Mapping[str, Person],
    names: Names,
) -> ChartedPlace:
    shape = () if place.shape is UNSET else place.shape
    x, y = place.at if place.at is not UNSET else _middle(shape)
    group = next((one for one in board.groups if one.id == place.group), None)
    marked = {one.id: one.name for one in board.marks}
    marks = () if lying.marks is UNSET else lying.marks
    pieces = () if lying.pieces is UNSET else lying.pieces
    said = [
        f"{one.amount}\u00a0× {names.commodity(one.commodity if one.commodity is not UNSET else str(one.veil))}"
        for one in pieces
    ]
    return ChartedPlace(
        id=place.id,
        x=x,
        y=y,
        points=" ".join(f"{across},{down}" for across, down in shape),
        name=place.name,
        short=place.name if place.short is UNSET else place.short,
        group="" if group is None else group.name,
        mark="" if group is None else group.mark,
        colour=None if group is None else _colour(group.colour),
        owner=None if lying.owner is UNSET else people.get(lying.owner),
        pieces=", ".join([*said, *(marked.get(one, one) for one in marks)]),
        many=sum(one.amount for one in pieces),
        tokens=tokens,
    )


def _middle(shape: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """The middle of the corners of a shape."""
    return sum(x for x, _ in shape) // len(shape), sum(y for _, y in shape) // len(shape)


def _colour(text: str) -> str | None:
    """A colour as #rrggbb; None for another text."""
    return text if _COLOUR.fullmatch(text) else None
