"""The tree of a log in tiles (C2SP tlog-tiles): 256 hashes each, so a proof reads only a few tiles.

Tile `index` of level 0 contains the leaves from `256 * index`. A hash of a higher level is the root over a
whole tile of the level below. A tile is written once, when full. The right edge of the tree, with its partial
tiles, is computed from the tiles below and from the last leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from ledger.kernel.journal.merkle import parent

HEIGHT = 8
WIDTH = 1 << HEIGHT
"""The number of hashes in a full tile."""
HASH = 32
"""The bytes of a hash."""


class Tile(msgspec.Struct, frozen=True, order=True):
    """A tile: the level, the index in the level, and the number of hashes; `WIDTH` for a full tile."""

    level: int
    index: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """The address of the tile in a log: "tile/0/x001/234", "tile/1/000.p/17"."""
        return f"tile/{self.level}/{_in_threes(self.index)}" + ("" if self.width == WIDTH else f".p/{self.width}")


def _in_threes(index: int) -> str:
    digits = f"{index:0{-(-len(str(index)) // 3) * 3}}"
    *leading, last = (digits[place : place + 3] for place in range(0, len(digits), 3))
    return "/".join([*(f"x{three}" for three in leading), last])


def tiles_of(size: int) -> Iterator[Tile]:
    """Yield the tiles of a log with this number of leaves, the lowest level first."""
    level, count = 0, size
    while count:
        full, remainder = divmod(count, WIDTH)
        yield from (Tile(level, index) for index in range(full))
        if remainder:
            yield Tile(level, full, remainder)
        level, count = level + 1, full


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Return the root over the hashes of a full tile."""
    return _pyramid(hashes)[HEIGHT][0]


def split(stored: bytes) -> list[bytes]:
    """Return the hashes of a stored tile."""
    return [stored[place : place + HASH] for place in range(0, len(stored), HASH)]


def _pyramid(hashes: Sequence[bytes]) -> list[list[bytes]]:
    """Compute the complete subtrees within a tile: the hashes, and a row above for each level."""
    rows = [list(hashes)]
    for _ in range(HEIGHT):
        below = rows[-1]
        rows.append([parent(below[place], below[place + 1]) for place in range(0, len(below) - 1, 2)])
    return rows


class Tiled:
    """A tree read from tiles. Takes the size and a function that returns the hashes of a tile.

    Every tile is read once. Full tiles are requested as `Tile(level, index)`, partial tiles with a width.
    """

    def __init__(self, size: int, read: Callable[[Tile], Sequence[bytes]]) -> None:
        self.size = size
        self._read = read
        self._rows: dict[tuple[int, int], list[list[bytes]]] = {}

    @property
    def tile_count(self) -> int:
        """The number of tiles read."""
        return len(self._rows)

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a complete subtree (a `proofs.Node`)."""
        tile_level, row = divmod(level, HEIGHT)
        tile_index, within = divmod(index, WIDTH >> row)
        rows = self._rows.get((tile_level, tile_index))
        if rows is None:
            width = min(WIDTH, (self.size >> (HEIGHT * tile_level)) - tile_index * WIDTH)
            rows = self._rows[tile_level, tile_index] = _pyramid(self._read(Tile(tile_level, tile_index, width)))
        return rows[row][within]


def joined(hashes: Iterable[bytes]) -> bytes:
    """Return the stored form of a tile's hashes."""
    return b"".join(hashes)
