"""The drawn shapes of the arrondissements: those of the map, with its neighbours and no others."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from msgspec import UNSET
from msgspec.structs import replace

from ledger.kernel.rules.display import BoardPlace
from ledger.rulebooks.virtual_revolution.showing.drawing import BOX, drawn
from ledger.rulebooks.virtual_revolution.table.edition import EDITION

Point = tuple[int, int]


def outline(place: BoardPlace) -> tuple[Point, ...]:
    assert place.shape is not UNSET
    return place.shape


def sides(shape: tuple[Point, ...]) -> list[frozenset[Point]]:
    return [frozenset(side) for side in zip(shape, (*shape[1:], shape[0]), strict=True)]


def surrounds(shape: tuple[Point, ...], point: Point) -> bool:
    """Whether a point lies on the same side of all sides of a convex shape."""
    turns = {
        (second[0] - first[0]) * (point[1] - first[1]) > (second[1] - first[1]) * (point[0] - first[0])
        for first, second in zip(shape, (*shape[1:], shape[0]), strict=True)
    }
    return len(turns) == 1


def test_two_arrondissements_share_a_border_exactly_where_they_are_adjacent() -> None:
    """51 borders, each at least 18 units long; the shapes lie in the box, each around its point."""
    board = drawn(EDITION.pieces, "en")
    borders: dict[frozenset[str], float] = defaultdict(float)
    for first, second in combinations(board.places, 2):
        for side in set(sides(outline(first))) & set(sides(outline(second))):
            (ax, ay), (bx, by) = side
            borders[frozenset({first.id, second.id})] += ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5
    assert board.adjacent is not UNSET
    assert set(borders) == {frozenset(pair) for pair in board.adjacent}
    assert len(borders) == 51
    assert min(borders.values()) >= 18
    for place in board.places:
        assert place.at is not UNSET
        assert surrounds(outline(place), place.at), place.id
        assert all(0 <= x <= BOX[0] and 0 <= y <= BOX[1] for x, y in outline(place)), place.id


def test_another_map_has_no_shapes() -> None:
    """A table's own names and prices leave the shapes; a moved arrondissement does not fit them."""
    first, *others = EDITION.pieces.arrondissement
    renamed = replace(EDITION.pieces, district=tuple(replace(row, name="Old") for row in EDITION.pieces.district))
    assert all(place.shape is not UNSET for place in drawn(renamed, "en").places)
    moved = replace(EDITION.pieces, arrondissement=(replace(first, at=(1, 1)), *others))
    assert all(place.shape is UNSET for place in drawn(moved, "en").places)
