"""Snapshots of states: a cache beside the journal. Dropping them all changes nothing but time."""

import sqlalchemy
from sqlalchemy import delete, func, select
from sqlalchemy.dialects import postgresql

from ledger.store import schema
from ledger.store.connection import reading

_TABLE = schema.snapshots.c


class Snapshots:
    """The table `snapshots`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def save_snapshot(self, game_id: str, number: int, format: str, body: bytes) -> None:  # noqa: A002
        """Keep the state of a game as of action `number`, written in `format`; the last one saved counts."""
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
        """The number and body of the latest snapshot in this format, at `upto` or before it."""
        statement = (
            select(_TABLE.number, _TABLE.body)
            .where(_TABLE.game_id == game_id, _TABLE.format == format)
            .order_by(_TABLE.number.desc())
            .limit(1)
        )
        if upto is not None:
            statement = statement.where(_TABLE.number <= upto)
        with reading(self.engine) as connection:
            row = connection.execute(statement).first()
        return (row.number, row.body) if row is not None else None

    def drop_snapshots(self, game_id: str | None = None) -> None:
        """Forget the snapshots of one game, or of all of them."""
        statement = delete(schema.snapshots)
        if game_id is not None:
            statement = statement.where(_TABLE.game_id == game_id)
        with reading(self.engine) as connection:
            connection.execute(statement)
