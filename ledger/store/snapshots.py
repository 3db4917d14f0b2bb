"""Snapshots of computed data of a game: a cache next to the journal, droppable at any time."""

from collections.abc import Collection, Sequence
from typing import LiteralString

import sqlalchemy
from sqlalchemy import func
from sqlalchemy.dialects import postgresql

from ledger.store.database import schema
from ledger.store.database.connection import driver_cursor, reading
from ledger.store.database.tally import Tally
from ledger.store.records import Head
from ledger.store.selecting import LARGEST, within_range

_LATEST: LiteralString = """
SELECT number, body FROM snapshots
 WHERE game_id = $1::text AND format = $2::text AND number <= $3::bigint
 ORDER BY number DESC
 LIMIT 1
"""


_HEADS: LiteralString = """
SELECT game.id, head.number, head.leaf, kept.body
  FROM unnest($1::text[]) AS game (id)
  LEFT JOIN LATERAL (SELECT number, leaf FROM actions WHERE game_id = game.id
                      ORDER BY number DESC LIMIT 1) AS head ON true
  LEFT JOIN LATERAL (SELECT body FROM snapshots
                      WHERE game_id = game.id AND number = head.number AND format = ANY ($2::text[])
                      LIMIT 1) AS kept ON true
"""

_REPLACE: LiteralString = """
WITH kept AS (
    INSERT INTO snapshots (game_id, number, format, body, created_at)
    VALUES ($1::text, $2::bigint, $3::text, $4::bytea, now())
    ON CONFLICT (game_id, number, format) DO UPDATE SET body = excluded.body, created_at = excluded.created_at
)
DELETE FROM snapshots
 WHERE game_id = $1::text AND number <= $2::bigint AND starts_with(format, $5::text)
   AND NOT (number = $2::bigint AND format = $3::text)
"""


class Snapshots:
    """The table `snapshots`."""

    def __init__(self, engine: sqlalchemy.Engine, tally: Tally) -> None:
        self.engine = engine
        self.tally = tally

    def save(self, game_id: str, number: int, format: str, body: bytes) -> None:  # noqa: A002
        """Save computed data of a game up to action `number` in a format.

        Replaces an earlier snapshot of the action.
        """
        statement = postgresql.insert(schema.snapshots).values(
            game_id=game_id, number=number, format=format, body=body, created_at=func.now()
        )
        renewed = {"body": statement.excluded.body, "created_at": statement.excluded.created_at}
        key = ["game_id", "number", "format"]
        with reading(self.engine) as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=key, set_=renewed))

    def replace(self, game_id: str, number: int, format: str, body: bytes, *, family: str) -> None:  # noqa: A002
        """Save a snapshot as `save` does, and delete earlier snapshots of a family.

        The formats of a family begin with `family`.
        """
        with driver_cursor(self.engine) as cursor:
            cursor.execute(_REPLACE, (game_id, number, format, body, family))

    def heads(self, game_ids: Sequence[str], formats: Collection[str]) -> dict[str, Head]:
        """Return the heads of these games, each with the snapshot at the head in any of the formats."""
        with driver_cursor(self.engine) as cursor:
            rows = cursor.execute(_HEADS, (list(game_ids), list(formats)), binary=True).fetchall()
        return {game_id: Head(number or 0, leaf or b"", kept) for game_id, number, leaf, kept in rows}

    def latest(self, game_id: str, format: str, upto: int | None = None) -> tuple[int, bytes] | None:  # noqa: A002
        """Return the number and body of the latest snapshot in this format, at or before action `upto`."""
        bound = LARGEST if upto is None else within_range(upto)
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_LATEST, (game_id, format, bound), binary=True).fetchone()
        self.tally.count("snapshots_missed" if row is None else "snapshots_found")
        return (row[0], row[1]) if row is not None else None
