"""The tree of a log in tiles (C2SP tlog-tiles): 256 hashes each, so that a proof reads a few of them.

Tile `index` of level 0 holds the leaves from `256 * index` on. A hash of a higher level is the root over a whole
tile of the level below. A tile is written once it is full. The right edge of the tree, where tiles are not full
yet, is computed from the tiles below and from the last leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from ledger.kernel.journal.merkle import parent
from ledger.trust.proofs import Node

HEIGHT = 8
WIDTH = 1 << HEIGHT
"""The hashes in a full tile."""
HASH = 32
"""The bytes of a hash."""


class Tile(msgspec.Struct, frozen=True, order=True):
    """A tile: its level, its index there, and how many hashes it has; `WIDTH` when it is full."""

    level: int
    index: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Where a log serves the tile: "tile/0/x001/234", "tile/1/000.p/17"."""
        return f"tile/{self.level}/{_in_threes(self.index)}" + ("" if self.width == WIDTH else f".p/{self.width}")


def entries_path(index: int, width: int = WIDTH) -> str:
    """Where a log serves the entries whose hashes are tile `index` of level 0."""
    return f"tile/entries/{_in_threes(index)}" + ("" if width == WIDTH else f".p/{width}")


def _in_threes(index: int) -> str:
    digits = f"{index:0{-(-len(str(index)) // 3) * 3}}"
    *leading, last = (digits[place : place + 3] for place in range(0, len(digits), 3))
    return "/".join([*(f"x{three}" for three in leading), last])


def tiles_of(size: int) -> Iterator[Tile]:
    """The tiles of a log with so many leaves, the lowest level first."""
    level, count = 0, size
    while count:
        full, rest = divmod(count, WIDTH)
        yield from (Tile(level, index) for index in range(full))
        if rest:
            yield Tile(level, full, rest)
        level, count = level + 1, full


def filled_by(size: int) -> Iterator[Tile]:
    """The full tiles that leaf number `size`, counted from 1, completes, the lowest first."""
    level = 0
    while size and size % WIDTH == 0:
        size //= WIDTH
        yield Tile(level, size - 1)
        level += 1


def filled_between(old: int, size: int) -> Iterator[Tile]:
    """The full tiles that a log of `size` leaves has and a log of `old` leaves had not, the lowest level first."""
    level, before, now = 0, old // WIDTH, size // WIDTH
    while now:
        yield from (Tile(level, index) for index in range(before, now))
        level, before, now = level + 1, before // WIDTH, now // WIDTH


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The root over the hashes of a full tile."""
    return _pyramid(hashes)[HEIGHT][0]


def split(stored: bytes) -> list[bytes]:
    """The hashes of a stored tile."""
    return [stored[place : place + HASH] for place in range(0, len(stored), HASH)]


def _pyramid(hashes: Sequence[bytes]) -> list[list[bytes]]:
    """The complete subtrees within a tile: its hashes, and above them one row for each level up to the next."""
    rows = [list(hashes)]
    for _ in range(HEIGHT):
        below = rows[-1]
        rows.append([parent(below[place], below[place + 1]) for place in range(0, len(below) - 1, 2)])
    return rows


class Tiled:
    """A tree that is read from tiles. Takes its size and a function that gives the hashes of a tile.

    Every tile is read once. Full tiles are asked for by `Tile(level, index)`, others with their width.
    """

    def __init__(self, size: int, read: Callable[[Tile], Sequence[bytes]]) -> None:
        self.size = size
        self._read = read
        self._rows: dict[tuple[int, int], list[list[bytes]]] = {}

    @property
    def held(self) -> int:
        """How many tiles have been read."""
        return len(self._rows)

    def node(self, level: int, index: int) -> bytes:
        """The hash of a complete subtree (a `proofs.Node`)."""
        tile_level, row = divmod(level, HEIGHT)
        place, within = divmod(index, WIDTH >> row)
        rows = self._rows.get((tile_level, place))
        if rows is None:
            width = min(WIDTH, (self.size >> (HEIGHT * tile_level)) - place * WIDTH)
            rows = self._rows[tile_level, place] = _pyramid(self._read(Tile(tile_level, place, width)))
        return rows[row][within]


def tiles_for(asked: Callable[[Node], object], size: int) -> set[Tile]:
    """The tiles that a question about a tree of this size reads, so that they can be fetched together."""
    needed: set[Tile] = set()

    def note(tile: Tile) -> Sequence[bytes]:
        needed.add(tile)
        return [bytes(HASH)] * tile.width

    asked(Tiled(size, note).node)
    return needed


def joined(hashes: Iterable[bytes]) -> bytes:
    """The stored form of a tile's hashes."""
    return b"".join(hashes)
