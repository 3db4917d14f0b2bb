"""The map of Néo Paris as it is drawn: arrondissements, which ones share a side, and their districts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from ledger.kernel.rules.display import BoardGroup, BoardMark, BoardPlace, BoardView, BoardZone, Icon
from ledger.rulebooks.parts.speaking import Both, said
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.terms import spot

BOX = (1000, 720)
"""The width and the height of the map."""
_EDGE = 60
_PALETTE = ("#7A4FA3", "#2F7FB8", "#C2410C", "#3F7D20", "#A16207", "#B91C5C", "#0F766E", "#4B5563")
"""The colours of districts that name none, in their order."""

ZONES: tuple[tuple[str, Both, Icon], ...] = (
    ("offers", ("Agents on offer", "Agents disponibles"), "offer"),
    ("display", ("Verses on display", "Verses disponibles"), "market"),
    ("boosts", ("Boost cards", "Cartes Boost"), "card"),
    ("titles", ("Titles", "Titres"), "title"),
    ("recycling", ("Recycling zone", "Zone de Recyclage"), "district"),
    ("necro", ("Necro cards turned up", "Cartes Nécro révélées"), "bomb"),
)
"""The zones beside the map."""
EACH_SEAT: tuple[tuple[str, Both, Icon], ...] = (
    ("board", ("board", "plateau"), "coin"),
    ("service", ("Agents in service", "Agents en service"), "police"),
    ("boosts", ("Boosts", "Boosts"), "card"),
    ("verses", ("Verses", "Verses"), "card"),
    ("retired", ("retired Agents", "Agents à la retraite"), "hospital"),
    ("hand", ("Corruption cards", "cartes Corruption"), "hand"),
    ("raid", ("cards of the raid", "cartes de la perquisition"), "wanted"),
    ("objectives", ("Objectives", "Objectifs"), "hand"),
)
"""The zones of each seat."""


def drawn(pieces: Pieces, language: str) -> BoardView:
    """The map of a game with these pieces."""
    at = positions(pieces)
    groups = {one.id: one for one in pieces.district}
    edges = sorted(
        {(min(one.number, near), max(one.number, near)) for one in pieces.arrondissement for near in one.adjacent}
    )
    return BoardView(
        form="map",
        box=BOX,
        adjacent=tuple((spot(one), spot(other)) for one, other in edges),
        places=tuple(
            BoardPlace(
                id=spot(one.number),
                number=one.number,
                name=place_name(one.number, language),
                short=str(one.number),
                group=one.district if one.district in groups else UNSET,
                icon="district",
                at=at[one.number],
            )
            for one in pieces.arrondissement
        ),
        groups=tuple(_groups(pieces)),
        marks=(BoardMark(id="shared", name=said(("two control it", "contrôlé par deux joueurs"), language)),),
        zones=_zones(ZONES, language),
        each_seat=_zones(EACH_SEAT, language),
    )


def _groups(pieces: Pieces) -> Iterator[BoardGroup]:
    """The districts, each with a mark of two letters that no other one has."""
    taken: set[str] = set()
    for number, one in enumerate(pieces.district):
        first, *others = [letter for letter in one.id.upper() if letter.isalnum()] or ["X"]
        marks = (*(first + other for other in others), *(f"{spare:02}" for spare in range(100)))
        mark = next(found for found in marks if found not in taken)
        taken.add(mark)
        yield BoardGroup(
            id=one.id, name=one.name, colour=one.colour or _PALETTE[number % len(_PALETTE)], mark=mark
        )


def place_name(number: int, language: str) -> str:
    """What an arrondissement is called: "5th", "5e"."""
    if language == "fr":
        return "1er" if number == 1 else f"{number}e"
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _zones(zones: tuple[tuple[str, Both, Icon], ...], language: str) -> tuple[BoardZone, ...]:
    return tuple(BoardZone(id=name, name=said(words, language), icon=icon) for name, words, icon in zones)


def positions(pieces: Pieces) -> Mapping[int, tuple[int, int]]:
    """Where each arrondissement is drawn: as the pieces say, or else by how far it is from the first one.

    Those at the same distance stand above one another, so that sides mostly lead from one column to the next.
    """
    if all(one.at is not None for one in pieces.arrondissement):
        return {one.number: one.at for one in pieces.arrondissement if one.at is not None}
    first = pieces.arrondissement[0].number
    away = pieces.steps[first]
    far = max(away.values(), default=0) + 1
    columns: dict[int, list[int]] = {}
    for one in pieces.arrondissement:
        columns.setdefault(away.get(one.number, far), []).append(one.number)
    width, height = BOX
    found: dict[int, tuple[int, int]] = {}
    for number, column in enumerate(sorted(columns)):
        x = _EDGE + (width - 2 * _EDGE) * number // max(1, len(columns) - 1)
        for row, place in enumerate(columns[column]):
            found[place] = x, height * (2 * row + 1) // (2 * len(columns[column]))
    return found
