"""What is stored of the logs beside the journals: full tiles, signed checkpoints, the signatures of witnesses."""

from collections.abc import Sequence
from typing import LiteralString, NamedTuple

import sqlalchemy

from ledger.store.database.connection import driver_cursor, writing

_LEAVES: LiteralString = """
SELECT leaf FROM actions WHERE game_id = $1::text AND number > $2::bigint AND number <= $3::bigint ORDER BY number
"""

_TILE: LiteralString = """
SELECT hashes FROM tiles WHERE game_id = $1::text AND level = $2::smallint AND place = $3::bigint
"""

_KEEP_TILE: LiteralString = """
INSERT INTO tiles (game_id, level, place, hashes, root)
VALUES ($1::text, $2::smallint, $3::bigint, $4::bytea, $5::bytea) ON CONFLICT DO NOTHING
"""

_CHECKPOINTS: LiteralString = """
SELECT size, note FROM checkpoints WHERE game_id = $1::text AND origin = $2::text AND size <= $3::bigint
 ORDER BY size DESC LIMIT $4::bigint
"""

_KEEP_CHECKPOINT: LiteralString = """
INSERT INTO checkpoints (game_id, origin, size, note) VALUES ($1::text, $2::text, $3::bigint, $4::text)
ON CONFLICT DO NOTHING
"""

_COSIGNATURES: LiteralString = """
SELECT key, line FROM cosignatures
 WHERE game_id = $1::text AND origin = $2::text AND size = $3::bigint ORDER BY key
"""

_WITNESSES: LiteralString = """
SELECT DISTINCT key FROM cosignatures WHERE game_id = $1::text
"""

_KEEP_COSIGNATURE: LiteralString = """
INSERT INTO cosignatures (game_id, origin, size, key, line)
VALUES ($1::text, $2::text, $3::bigint, $4::text, $5::text) ON CONFLICT DO NOTHING
"""


class StoredTile(NamedTuple):
    """A full tile: its level, its place there, its 256 hashes one after the other, and the root over them."""

    level: int
    place: int
    hashes: bytes
    root: bytes


class Logs:
    """The tables `tiles`, `checkpoints` and `cosignatures`, and the hashes of the journal."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def leaves(self, game_id: str, after: int, upto: int) -> list[bytes]:
        """The stored hashes of the actions after number `after`, up to and including `upto`, in order."""
        with driver_cursor(self.engine) as cursor:
            return [bytes(row[0]) for row in cursor.execute(_LEAVES, (game_id, after, upto), binary=True)]

    def tile(self, game_id: str, level: int, place: int) -> bytes | None:
        """The hashes of a full tile; None when it is not stored."""
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_TILE, (game_id, level, place), binary=True).fetchone()
        return None if row is None else bytes(row[0])

    def keep_tiles(self, game_id: str, tiles: Sequence[StoredTile]) -> None:
        """Store full tiles, but for those that are stored."""
        with writing(), driver_cursor(self.engine) as cursor:
            for tile in tiles:
                cursor.execute(_KEEP_TILE, (game_id, *tile), binary=True)

    def checkpoints(self, game_id: str, origin: str, upto: int, limit: int) -> list[tuple[int, str]]:
        """The sizes and the texts of the newest checkpoints up to a size that were signed for an origin."""
        with driver_cursor(self.engine) as cursor:
            return cursor.execute(_CHECKPOINTS, (game_id, origin, upto, limit), binary=True).fetchall()

    def keep_checkpoint(self, game_id: str, origin: str, size: int, note: str) -> None:
        """Store a signed checkpoint, unless there is one of this size."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_KEEP_CHECKPOINT, (game_id, origin, size, note))

    def cosignatures(self, game_id: str, origin: str, size: int) -> list[tuple[str, str]]:
        """The keys of the witnesses of a checkpoint, and the lines with their signatures."""
        with driver_cursor(self.engine) as cursor:
            return cursor.execute(_COSIGNATURES, (game_id, origin, size), binary=True).fetchall()

    def witnesses(self, game_id: str) -> set[str]:
        """The keys that have signed checkpoints of the game."""
        with driver_cursor(self.engine) as cursor:
            return {row[0] for row in cursor.execute(_WITNESSES, (game_id,), binary=True)}

    def keep_cosignature(self, game_id: str, origin: str, size: int, key: str, line: str) -> None:
        """Store the line of a witness under a checkpoint, unless this key has signed it."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_KEEP_COSIGNATURE, (game_id, origin, size, key, line))
