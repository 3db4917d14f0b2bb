"""The stored parts of the logs beside the journals: full tiles, signed checkpoints, cosignatures."""

from collections.abc import Callable, Sequence
from datetime import datetime
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

_ORIGINS: LiteralString = """
SELECT DISTINCT origin FROM checkpoints WHERE game_id = $1::text ORDER BY origin
"""

# Ranges on both sides of the origin: the index finds at once that there is nothing, as in most games.
_EARLIER: LiteralString = """
SELECT origin, size, recorded_at FROM (
    SELECT origin, max(size) AS size FROM checkpoints
     WHERE game_id = $1::text AND (origin < $2::text OR origin > $2::text) GROUP BY origin
) AS earlier JOIN actions ON game_id = $1::text AND number = size ORDER BY recorded_at, origin
"""

_SERVICES: LiteralString = """
SELECT split_part(origin, '/', 1) AS service, count(*), min(a.recorded_at), max(z.recorded_at)
  FROM (
    SELECT game_id, origin, min(size) AS first, max(size) AS last FROM checkpoints GROUP BY game_id, origin
  ) AS signed
  JOIN actions AS a ON a.game_id = signed.game_id AND a.number = signed.first
  JOIN actions AS z ON z.game_id = signed.game_id AND z.number = signed.last
 GROUP BY service ORDER BY 3, 1
"""

_KEEP_CHECKPOINT: LiteralString = """
INSERT INTO checkpoints (game_id, origin, size, note) VALUES ($1::text, $2::text, $3::bigint, $4::text)
ON CONFLICT DO NOTHING
"""

_COSIGNATURES: LiteralString = """
SELECT key, line FROM cosignatures
 WHERE game_id = $1::text AND origin = $2::text AND size = $3::bigint ORDER BY key
"""

# A lock until the end of the transaction, so that no two workers give the last place to two witnesses.
_LOCK: LiteralString = "SELECT pg_advisory_xact_lock($1::integer, hashtext($2::text))"
_PLACES = 0x7769746E

_WITNESSES: LiteralString = """
SELECT key, bool_or(credential_id IS NOT DISTINCT FROM $2::text), bool_and(role IS NOT DISTINCT FROM 'spectator')
  FROM cosignatures LEFT JOIN credentials USING (game_id, credential_id)
 WHERE game_id = $1::text GROUP BY key
"""

_KEEP_COSIGNATURE: LiteralString = """
INSERT INTO cosignatures (game_id, origin, size, key, line, credential_id)
VALUES ($1::text, $2::text, $3::bigint, $4::text, $5::text, $6::text) ON CONFLICT DO NOTHING
"""


class StoredTile(NamedTuple):
    """A full tile: the level, the index in the level, the 256 hashes in sequence, and their root."""

    level: int
    position: int
    hashes: bytes
    root: bytes


class EarlierLog(NamedTuple):
    """A log of a game under another origin: the largest signed size, and the time of the last signed action."""

    origin: str
    size: int
    at: datetime


class SigningService(NamedTuple):
    """A name under which checkpoints were signed: the number of games, and the times of the first and last signed
    action.
    """

    name: str
    games: int
    since: datetime
    upto: datetime


class StoredWitness(NamedTuple):
    """A witness of a game. `by_token`: brought by the asking token; `of_spectators`: by spectators alone."""

    key: str
    by_token: bool
    of_spectators: bool


class Logs:
    """The tables `tiles`, `checkpoints` and `cosignatures`, and the hashes of the journal."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def leaves(self, game_id: str, start: int, upto: int) -> list[bytes]:
        """Return the stored hashes of the actions after number `start`, up to and including `upto`, in order."""
        with driver_cursor(self.engine) as cursor:
            return [bytes(row[0]) for row in cursor.execute(_LEAVES, (game_id, start, upto), binary=True)]

    def tile(self, game_id: str, level: int, index: int) -> bytes | None:
        """Return the hashes of a full tile, or None if not stored."""
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_TILE, (game_id, level, index), binary=True).fetchone()
        return None if row is None else bytes(row[0])

    def keep_tiles(self, game_id: str, tiles: Sequence[StoredTile]) -> None:
        """Store full tiles, except tiles stored already."""
        with writing(), driver_cursor(self.engine) as cursor:
            for tile in tiles:
                cursor.execute(_KEEP_TILE, (game_id, *tile), binary=True)

    def checkpoints(self, game_id: str, origin: str, upto: int, limit: int) -> list[tuple[int, str]]:
        """Return the sizes and the texts of the newest checkpoints signed for an origin, up to a size."""
        with driver_cursor(self.engine) as cursor:
            return cursor.execute(_CHECKPOINTS, (game_id, origin, upto, limit), binary=True).fetchall()

    def origins(self, game_id: str) -> list[str]:
        """Return the origins for which checkpoints of the game were signed."""
        with driver_cursor(self.engine) as cursor:
            return [row[0] for row in cursor.execute(_ORIGINS, (game_id,), binary=True)]

    def earlier(self, game_id: str, origin: str) -> list[EarlierLog]:
        """Return the logs of a game under other origins, oldest first."""
        with driver_cursor(self.engine) as cursor:
            rows = cursor.execute(_EARLIER, (game_id, origin), binary=True).fetchall()
        return [EarlierLog(*row) for row in rows]

    def services(self) -> list[SigningService]:
        """Return all names under which checkpoints were signed, oldest first."""
        with driver_cursor(self.engine) as cursor:
            return [SigningService(*row) for row in cursor.execute(_SERVICES, (), binary=True)]

    def keep_checkpoint(self, game_id: str, origin: str, size: int, note: str) -> None:
        """Store a signed checkpoint, unless a checkpoint of this size is stored already."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_KEEP_CHECKPOINT, (game_id, origin, size, note))

    def cosignatures(self, game_id: str, origin: str, size: int) -> list[tuple[str, str]]:
        """Return the keys of the witnesses of a checkpoint, and the lines with their signatures."""
        with driver_cursor(self.engine) as cursor:
            return cursor.execute(_COSIGNATURES, (game_id, origin, size), binary=True).fetchall()

    def keep_cosignature(
        self,
        game_id: str,
        origin: str,
        size: int,
        key: str,
        line: str,
        *,
        credential_id: str | None,
        check: Callable[[list[StoredWitness]], None],
    ) -> None:
        """Store the line of a witness under a checkpoint, unless stored already for this key.

        `credential_id` is the token that brings the line. `check` gets all witnesses of the game, and refuses the
        line by an exception. Lines of a game are checked and stored one after the other, in all processes.
        """
        with writing(), driver_cursor(self.engine) as cursor, cursor.connection.transaction():
            cursor.execute(_LOCK, (_PLACES, game_id))
            rows = cursor.execute(_WITNESSES, (game_id, credential_id), binary=True).fetchall()
            check([StoredWitness(*row) for row in rows])
            cursor.execute(_KEEP_COSIGNATURE, (game_id, origin, size, key, line, credential_id))
