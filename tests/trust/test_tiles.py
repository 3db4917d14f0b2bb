"""The tree in tiles: the paths of the format, and the same proofs as from the leaves."""

from __future__ import annotations

import pytest

from ledger.kernel.journal.stored import leaf
from ledger.trust.proofs import consistency, inclusion, root
from ledger.trust.tiles import (
    WIDTH,
    Tile,
    Tiled,
    joined,
    root_of,
    split,
    tiles_of,
)
from tests.kernel.test_merkle import root_of as literally

LEAVES = [leaf(str(number).encode()) for number in range(70_000)]
"""As many as in the example of the format's text."""


def hashes_of(tile: Tile) -> list[bytes]:
    """The hashes of a tile by their definition."""
    span = WIDTH**tile.level
    first = tile.index * WIDTH
    return [literally(LEAVES[(first + i) * span : (first + i + 1) * span]) for i in range(tile.width)]


def test_where_tiles_are_served() -> None:
    assert Tile(0, 1_234_067).path == "tile/0/x001/x234/067"
    assert Tile(1, 0, 17).path == "tile/1/000.p/17"
    assert Tile(0, 273, 112).path == "tile/0/273.p/112"


def test_the_tiles_of_seventy_thousand_leaves() -> None:
    """The example of the format: 273 full tiles and one of 112, one full and one of 17, one of 1."""
    tiles = list(tiles_of(70_000))
    assert [one for one in tiles if one.level == 0] == [*(Tile(0, n) for n in range(273)), Tile(0, 273, 112)]
    assert [one for one in tiles if one.level] == [Tile(1, 0), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert list(tiles_of(256)) == [Tile(0, 0), Tile(1, 0, 1)]
    assert list(tiles_of(0)) == []


@pytest.mark.parametrize("size", [1, 255, 256, 257, 65_535, 65_536, 65_537, 70_000])
def test_proofs_from_tiles(size: int) -> None:
    """They are those from the leaves, and read a handful of tiles."""
    read: list[Tile] = []

    def kept(tile: Tile) -> list[bytes]:
        assert tile in set(tiles_of(size))
        read.append(tile)
        return split(joined(hashes_of(tile)))

    def raw(level: int, index: int) -> bytes:
        return literally(LEAVES[index << level : (index + 1) << level])

    head = literally(LEAVES[:size])
    for index in {0, size // 3, size - 1}:
        tiled = Tiled(size, kept)
        read.clear()
        assert inclusion(tiled.node, index, size) == inclusion(raw, index, size)
        assert len(read) <= 5
        assert root(tiled.node, size) == head
    for old in {1, size // 2 + 1, size}:
        assert consistency(Tiled(size, kept).node, old, size) == consistency(raw, old, size)


def test_the_root_over_a_full_tile() -> None:
    assert root_of(LEAVES[:WIDTH]) == literally(LEAVES[:WIDTH])
