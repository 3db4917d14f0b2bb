"""What does not fit together in a map: districts, arrondissements, adjacency, Titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ledger.rulebooks.parts.brought import Fault
from ledger.rulebooks.parts.reasons import listed, shown
from ledger.rulebooks.virtual_revolution.own_pieces.shape import Places
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces


def faults(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Every fault of the map, in the order of its tables."""
    yield from _districts(pieces, places)
    yield from _adjacency(pieces, places)
    yield from _connected(pieces, places)
    yield from _titles(pieces, places)


def twice(found: Iterable[tuple[str, str | int]]) -> Iterator[Fault]:
    """The faults of names that there are already: each name with its place, in their order."""
    first: dict[str | int, str] = {}
    for place, name in found:
        if name in first:
            yield Fault(
                place,
                f"{shown(name)} is named twice: {first[name]} has this id, too",
                f"{shown(name)} est nommé deux fois : {first[name]} a aussi cet identifiant",
            )
        first.setdefault(name, place)


def unknown_district(place: str, name: str, pieces: Pieces) -> Fault:
    """The fault of naming a district that is not on the map."""
    known = listed(pieces.districts)
    return Fault(
        place,
        f"there is no district {shown(name)}; there are: {known}",
        f"il n'y a pas de district {shown(name)} ; il y a : {known}",
    )


def _districts(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Every arrondissement belongs to a district, and every district has some (vr:setup.30)."""
    yield from twice((places.of("district", row, "id"), one.id) for row, one in enumerate(pieces.district))
    yield from twice(
        (places.of("arrondissement", row, "number"), one.number) for row, one in enumerate(pieces.arrondissement)
    )
    for row, place in enumerate(pieces.arrondissement):
        if place.district not in pieces.districts:
            yield unknown_district(places.of("arrondissement", row, "district"), place.district, pieces)
    for row, district in enumerate(pieces.district):
        if not pieces.members[district.id]:
            yield Fault(
                places.of("district", row, "id"),
                f"no arrondissement is in the district {shown(district.id)}",
                f"aucun arrondissement n'est dans le district {shown(district.id)}",
            )


def _adjacency(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Who shares a side with another shares it both ways, and not with itself (vr:setup.31)."""
    for row, place in enumerate(pieces.arrondissement):
        counts = Counter(place.adjacent)
        for step, near in enumerate(place.adjacent):
            where = places.of("arrondissement", row, "adjacent", step)
            if near == place.number or counts[near] > 1:
                yield Fault(
                    where,
                    f"arrondissement {place.number} is adjacent to others, to each once, and not to itself",
                    f"l'arrondissement {place.number} est adjacent à d'autres, une fois chacun, et pas à lui-même",
                )
            elif near not in pieces.places:
                known = listed(map(str, pieces.places))
                yield Fault(
                    where,
                    f"there is no arrondissement {near}; there are: {known}",
                    f"il n'y a pas d'arrondissement {near} ; il y a : {known}",
                )
            elif place.number not in pieces.places[near].adjacent:
                yield Fault(
                    where,
                    f"{near} is not adjacent to {place.number}: adjacency goes both ways",
                    f"{near} n'est pas adjacent à {place.number} : l'adjacence va dans les deux sens",
                )


def _connected(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Every arrondissement is reached from the first one."""
    known = pieces.places
    if any(near not in known for place in known.values() for near in place.adjacent):
        return  # told already
    first = pieces.arrondissement[0].number
    reached = pieces.steps[first]
    for row, place in enumerate(pieces.arrondissement):
        if place.number not in reached:
            yield Fault(
                places.of("arrondissement", row, "adjacent"),
                f"no way of adjacent arrondissements leads from {first} to {place.number}",
                f"aucun chemin de proche en proche ne mène de {first} à {place.number}",
            )


def _titles(pieces: Pieces, places: Places) -> Iterator[Fault]:
    """Each district has one Title (vr:setup.26)."""
    yield from twice((places.of("title", row, "district"), one.district) for row, one in enumerate(pieces.title))
    for row, title in enumerate(pieces.title):
        if title.district not in pieces.districts:
            yield unknown_district(places.of("title", row, "district"), title.district, pieces)
    for district in pieces.districts:
        if district not in pieces.titles:
            yield Fault(
                places.of("title"),
                f"the district {shown(district)} has no Title",
                f"le district {shown(district)} n'a pas de Titre",
            )
