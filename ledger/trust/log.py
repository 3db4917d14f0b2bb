"""The log of a game: the tree over the hashes of its journal, as far as read.

The memory contains the edge of the tree and the partial tiles: at most 255 hashes for each level. Full tiles
are stored at once, and read again for proofs. Missing tiles are rebuilt from the journal.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from ledger.kernel.journal.merkle import Tree
from ledger.store.logs import Logs, StoredTile
from ledger.trust.proofs import consistency, inclusion, root
from ledger.trust.tiles import WIDTH, Tile, Tiled, joined, root_of, split

_TILES_HELD = 16
"""Maximum number of tiles of a size in memory between two proofs."""
_RUN = 20_000
"""So many hashes are read at once."""


class Log:
    """The log of a game. Takes the stored logs and the game's id."""

    def __init__(self, stored: Logs, game_id: str) -> None:
        self._stored = stored
        self.game_id = game_id
        self._tree = Tree()
        self._rows: list[list[bytes]] = [[]]
        """The hashes of the partial tile of each level."""
        self._latest_tiles: Tiled | None = None
        """The tiles of the last requested size, as far as read."""
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """The number of actions read from the journal."""
        return self._tree.size

    def reach(self, size: int) -> None:
        """Read the journal up to this number of actions, or to the end. Stores new full tiles."""
        with self._lock:
            while self.size < size:
                leaves = self._stored.leaves(self.game_id, self.size, min(size, self.size + _RUN))
                if not leaves:
                    return
                filled: list[StoredTile] = []
                for leaf in leaves:
                    filled += self._add(leaf)
                if filled:
                    self._stored.keep_tiles(self.game_id, filled)

    def _add(self, leaf: bytes) -> Iterable[StoredTile]:
        """Add a hash. Returns the tiles filled by the hash."""
        self._tree.add(leaf)
        filled: list[StoredTile] = []
        level, hashed = 0, leaf
        while True:
            if level == len(self._rows):
                self._rows.append([])
            row = self._rows[level]
            row.append(hashed)
            if len(row) < WIDTH:
                return filled
            hashed = root_of(row)
            index = (self.size >> (8 * (level + 1))) - 1
            filled.append(StoredTile(level, index, joined(row), hashed))
            row.clear()
            level += 1

    def root(self, size: int) -> bytes:
        """Return the root over the first `size` actions, at least one."""
        with self._lock:
            if size == self.size:
                return self._tree.root()
            return root(self._tiled(size).node, size)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the hashes from leaf `index` to the root over `size` leaves (see `proofs.inclusion`)."""
        with self._lock:
            return inclusion(self._tiled(size).node, index, size)

    def consistency(self, old: int, size: int) -> list[bytes]:
        """Return the hashes that prove only growth since `old` leaves (see `proofs.consistency`)."""
        with self._lock:
            return consistency(self._tiled(size).node, old, size)

    def tile(self, tile: Tile) -> Sequence[bytes]:
        """Return the hashes of a tile of the log."""
        with self._lock:
            return self._read(tile)

    def _tiled(self, size: int) -> Tiled:
        if (
            self._latest_tiles is None
            or self._latest_tiles.size != size
            or self._latest_tiles.tile_count > _TILES_HELD
        ):
            self._latest_tiles = Tiled(size, self._read)
        return self._latest_tiles

    def _read(self, tile: Tile) -> Sequence[bytes]:
        if tile.level < len(self._rows) and tile.index == self.size >> (8 * (tile.level + 1)):
            return self._rows[tile.level][: tile.width]
        stored = self._stored.tile(self.game_id, tile.level, tile.index)
        hashes = self._rebuild(tile) if stored is None else split(stored)
        return hashes[: tile.width]

    def _rebuild(self, tile: Tile) -> list[bytes]:
        """Rebuild the hashes of a full tile from the journal."""
        first = tile.index * WIDTH
        if tile.level:
            below = (self._read(Tile(tile.level - 1, index)) for index in range(first, first + WIDTH))
            hashes = [root_of(hashes_below) for hashes_below in below]
        else:
            hashes = self._stored.leaves(self.game_id, first, first + WIDTH)
        self._stored.keep_tiles(
            self.game_id, [StoredTile(tile.level, tile.index, joined(hashes), root_of(hashes))]
        )
        return hashes
