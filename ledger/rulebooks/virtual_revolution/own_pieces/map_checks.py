"""Inconsistencies in a map: districts, arrondissements, adjacency, Titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ledger.kernel.rules.faces.editions import Fault
from ledger.rulebooks.parts.looks import repeated
from ledger.rulebooks.parts.reasons import excerpt, listed
from ledger.rulebooks.virtual_revolution.own_pieces.shape import Places
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces


def faults(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Yield every fault of the map, in the order of the tables."""
    yield from _districts(pieces, places)
    yield from _adjacency(pieces, places)
    yield from _connected(pieces, places)
    yield from _titles(pieces, places)


def unknown_district(pointer: str, name: str, pieces: Pieces) -> Fault:
    """Return the fault of naming a district missing from the map."""
    listing = listed(pieces.districts)
    return Fault(
        pointer,
        f"there is no district {excerpt(name)}; there are: {listing}",
        f"il n'y a pas de district {excerpt(name)} ; il y a : {listing}",
    )


def _districts(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Check that every arrondissement belongs to a district, and that every district has some (vr:setup.30)."""
    yield from repeated(
        (places.of("district", row, "id"), row_piece.id) for row, row_piece in enumerate(pieces.district)
    )
    yield from repeated(
        (places.of("arrondissement", row, "number"), row_piece.number)
        for row, row_piece in enumerate(pieces.arrondissement)
    )
    for row, area in enumerate(pieces.arrondissement):
        if area.district not in pieces.districts:
            yield unknown_district(places.of("arrondissement", row, "district"), area.district, pieces)
    for row, district in enumerate(pieces.district):
        if not pieces.members[district.id]:
            yield Fault(
                places.of("district", row, "id"),
                f"no arrondissement is in the district {excerpt(district.id)}",
                f"aucun arrondissement n'est dans le district {excerpt(district.id)}",
            )


def _adjacency(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Check adjacency: mutual, without repetition, and never of an arrondissement with itself (vr:setup.31)."""
    for row, area in enumerate(pieces.arrondissement):
        counts = Counter(area.adjacent)
        for step, near in enumerate(area.adjacent):
            where = places.of("arrondissement", row, "adjacent", step)
            if near == area.number or counts[near] > 1:
                yield Fault(
                    where,
                    f"arrondissement {area.number} is adjacent to others, to each once, and not to itself",
                    f"l'arrondissement {area.number} est adjacent à d'autres, une fois chacun, et pas à lui-même",
                )
            elif near not in pieces.places:
                listing = listed(map(str, pieces.places))
                yield Fault(
                    where,
                    f"there is no arrondissement {near}; there are: {listing}",
                    f"il n'y a pas d'arrondissement {near} ; il y a : {listing}",
                )
            elif area.number not in pieces.places[near].adjacent:
                yield Fault(
                    where,
                    f"{near} is not adjacent to {area.number}: adjacency goes both ways",
                    f"{near} n'est pas adjacent à {area.number} : l'adjacence va dans les deux sens",
                )


def _connected(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Check that a path leads from the first arrondissement to each of the rest."""
    areas = pieces.places
    if any(near not in areas for area in areas.values() for near in area.adjacent):
        return  # told already
    first = pieces.arrondissement[0].number
    reached = pieces.steps[first]
    for row, area in enumerate(pieces.arrondissement):
        if area.number not in reached:
            yield Fault(
                places.of("arrondissement", row, "adjacent"),
                f"no way of adjacent arrondissements leads from {first} to {area.number}",
                f"aucun chemin de proche en proche ne mène de {first} à {area.number}",
            )


def _titles(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Check that each district has one Title (vr:setup.26)."""
    yield from repeated(
        (places.of("title", row, "district"), row_piece.district) for row, row_piece in enumerate(pieces.title)
    )
    for row, title in enumerate(pieces.title):
        if title.district not in pieces.districts:
            yield unknown_district(places.of("title", row, "district"), title.district, pieces)
    for district in pieces.districts:
        if district not in pieces.titles:
            yield Fault(
                places.of("title"),
                f"the district {excerpt(district)} has no Title",
                f"le district {excerpt(district)} n'a pas de Titre",
            )
