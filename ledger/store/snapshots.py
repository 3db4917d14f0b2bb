"""Snapshots of what was computed of a game: a cache next to the journal, which can be dropped at any time."""

from typing import LiteralString

import sqlalchemy
from sqlalchemy import delete, func
from sqlalchemy.dialects import postgresql

from ledger.store import schema
from ledger.store.connection import driver_cursor, reading
from ledger.store.selecting import LARGEST, within_range

_LATEST: LiteralString = """
SELECT number, body FROM snapshots
 WHERE game_id = $1::text AND format = $2::text AND number <= $3::bigint
 ORDER BY number DESC
 LIMIT 1
"""


class Snapshots:
    """The table `snapshots`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def save_snapshot(self, game_id: str, number: int, format: str, body: bytes) -> None:  # noqa: A002
        """Save what was computed of a game up to action `number` in a format. It replaces an earlier one."""
        statement = postgresql.insert(schema.snapshots).values(
            game_id=game_id, number=number, format=format, body=body, created_at=func.now()
        )
        renewed = {"body": statement.excluded.body, "created_at": statement.excluded.created_at}
        key = ["game_id", "number", "format"]
        with reading(self.engine) as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=key, set_=renewed))

    def latest_snapshot(
        self,
        game_id: str,
        format: str,  # noqa: A002
        upto: int | None = None,
    ) -> tuple[int, bytes] | None:
        """The number and body of the latest snapshot in this format, at or before action `upto`."""
        bound = LARGEST if upto is None else within_range(upto)
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_LATEST, (game_id, format, bound), binary=True).fetchone()
        return (row[0], row[1]) if row is not None else None

    def drop_snapshots(self, game_id: str | None = None) -> None:
        """Delete the snapshots of one game, or of all games."""
        statement = delete(schema.snapshots)
        if game_id is not None:
            statement = statement.where(schema.snapshots.c.game_id == game_id)
        with reading(self.engine) as connection:
            connection.execute(statement)
