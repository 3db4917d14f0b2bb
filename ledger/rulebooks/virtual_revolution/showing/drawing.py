"""The drawing of the map of Néo Paris: arrondissements, common sides, and districts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import UNSET

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.display import (
    BoardGroup,
    BoardMark,
    BoardPlace,
    BoardView,
    BoardZone,
    Deed,
    DeedBuilding,
    PlacePrices,
)
from ledger.kernel.rules.icons import Icon
from ledger.rulebooks.parts import boards, reading
from ledger.rulebooks.parts.face import faces
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.terms import spot

Shape = tuple[tuple[int, int], ...]
_FOLDER = files("ledger.rulebooks.virtual_revolution")
_SHAPES = msgspec.convert(reading.data(_FOLDER, "shapes.toml")["shapes"], dict[str, Shape])
BOX = (1000, 720)
"""The width and the height of the map."""
_EDGE = 60
_PALETTE = ("#7A4FA3", "#2F7FB8", "#C2410C", "#3F7D20", "#A16207", "#B91C5C", "#0F766E", "#4B5563")
"""The colours of districts without a colour, in order."""

ZONES: tuple[tuple[str, Phrase, Icon], ...] = (
    ("offers", Phrase("Agents on offer", "Agents disponibles"), "offer"),
    ("display", Phrase("Verses on display", "Verses disponibles"), "market"),
    ("boosts", Phrase("Boost cards", "Cartes Boost"), "card"),
    ("titles", Phrase("Titles", "Titres"), "title"),
    ("recycling", Phrase("Recycling zone", "Zone de Recyclage"), "district"),
    ("necro", Phrase("Necro cards turned up", "Cartes Nécro révélées"), "bomb"),
)
"""The zones beside the map."""
EACH_SEAT: tuple[tuple[str, Phrase, Icon], ...] = (
    ("board", Phrase("board", "plateau"), "coin"),
    ("service", Phrase("Agents in service", "Agents en service"), "police"),
    ("boosts", Phrase("Boosts", "Boosts"), "card"),
    ("verses", Phrase("Verses", "Verses"), "card"),
    ("retired", Phrase("retired Agents", "Agents à la retraite"), "hospital"),
    ("hand", Phrase("Corruption cards", "cartes Corruption"), "hand"),
    ("raid", Phrase("cards of the raid", "cartes de la perquisition"), "wanted"),
    ("objectives", Phrase("Objectives", "Objectifs"), "hand"),
)
"""The zones of each seat."""
_HIDDEN = {"hand", "raid", "objectives"}
"""The zones with cards of which only the seat knows the faces."""
_STEPS: Mapping[str, Phrase] = {
    "turn_1": Phrase("Director", "Directeur"),
    "turn_2": Phrase("Influence", "Influence"),
    "turn_3": Phrase("Action", "Action"),
    "turn_4": Phrase("After it", "Ensuite"),
}
"""The steps of a turn."""


def drawn(pieces: Pieces, language: str) -> BoardView:
    """Return the map of a game with the pieces."""
    at = positions(pieces)
    shapes = _shapes(pieces)
    groups = {item.id: item for item in pieces.district}
    edges = sorted(
        {
            (min(item.number, near), max(item.number, near))
            for item in pieces.arrondissement
            for near in item.adjacent
        }
    )
    return BoardView(
        form="map",
        face=faces.board_face(language, pieces.face, EDITION.face),
        box=BOX,
        adjacent=tuple((spot(item), spot(other)) for item, other in edges),
        places=tuple(
            BoardPlace(
                id=spot(item.number),
                number=item.number,
                name=place_name(item.number, language),
                short=str(item.number),
                group=item.district if item.district in groups else UNSET,
                icon="district",
                at=at[item.number],
                shape=shapes.get(item.number, UNSET),
                prices=PlacePrices(building=pieces.amounts.server_price),
                deed=Deed(building=DeedBuilding(commodity="server", price=pieces.amounts.server_price, maximum=1)),
            )
            for item in pieces.arrondissement
        ),
        groups=tuple(_groups(pieces)),
        marks=(
            BoardMark(
                id="shared", name=Phrase("two control it", "contrôlé par deux joueurs").in_language(language)
            ),
        ),
        zones=_zones(ZONES, language),
        each_seat=_zones(EACH_SEAT, language),
        phases=boards.phases_of(_STEPS, language),
    )


def _shapes(pieces: Pieces) -> Mapping[int, Shape]:
    """Return the shapes of the arrondissements; none for another map than the rulebook's."""
    if _outline(pieces) != _outline(EDITION.pieces):
        return {}
    return {int(number): shape for number, shape in _SHAPES.items()}


def _outline(pieces: Pieces) -> set[tuple[Any, ...]]:
    return {(area.number, frozenset(area.adjacent), area.at) for area in pieces.arrondissement}


def _groups(pieces: Pieces) -> Iterator[BoardGroup]:
    """Yield the districts, each with a unique mark of two characters."""
    face_marks = faces.marks((pieces.face, EDITION.face))
    used: set[str] = set(face_marks.values())
    for number, district in enumerate(pieces.district):
        first, *others = [letter for letter in district.id.upper() if letter.isalnum()] or ["X"]
        marks = (*(first + other for other in others), *(f"{spare:02}" for spare in range(100)))
        mark = face_marks.get(district.id) or next(candidate for candidate in marks if candidate not in used)
        used.add(mark)
        yield BoardGroup(
            id=district.id,
            name=district.name,
            colour=district.colour or _PALETTE[number % len(_PALETTE)],
            mark=mark,
        )


def place_name(number: int, language: str) -> str:
    """Return the name of an arrondissement: "5th", "5e"."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return Phrase(f"{number}{ending}", "1er" if number == 1 else f"{number}e").in_language(language)


def _zones(zones: tuple[tuple[str, Phrase, Icon], ...], language: str) -> tuple[BoardZone, ...]:
    return tuple(
        BoardZone(id=name, name=words.in_language(language), icon=icon, hidden=True if name in _HIDDEN else UNSET)
        for name, words, icon in zones
    )


def positions(pieces: Pieces) -> Mapping[int, tuple[int, int]]:
    """Return the drawn point of each arrondissement: given by the pieces, or computed from the distance to the
    first.

    Arrondissements at equal distance form a column, so that sides mostly lead from one column to the next.
    """
    if all(area.at is not None for area in pieces.arrondissement):
        return {area.number: area.at for area in pieces.arrondissement if area.at is not None}
    first = pieces.arrondissement[0].number
    away = pieces.steps[first]
    far = max(away.values(), default=0) + 1
    columns: dict[int, list[int]] = {}
    for area in pieces.arrondissement:
        columns.setdefault(away.get(area.number, far), []).append(area.number)
    width, height = BOX
    points: dict[int, tuple[int, int]] = {}
    for number, column in enumerate(sorted(columns)):
        x = _EDGE + (width - 2 * _EDGE) * number // max(1, len(columns) - 1)
        for row, area_number in enumerate(columns[column]):
            points[area_number] = x, height * (2 * row + 1) // (2 * len(columns[column]))
    return points
