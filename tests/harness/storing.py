"""Stored games as tests change and read them."""

from __future__ import annotations

from sqlalchemy import delete

from ledger.kernel.journal.stored import withheld_index
from ledger.store.database import schema
from ledger.store.database.connection import reading
from ledger.store.store import Store


def whole_of(stored: bytes) -> bytes:
    """Return the bytes of the entry alone, as in the first version."""
    cut = withheld_index(stored)
    return stored if cut is None else stored[:cut] + b"}"


def drop_snapshots(store: Store, game_id: str | None = None) -> None:
    """Delete the snapshots of a game, or of all games."""
    statement = delete(schema.snapshots)
    if game_id is not None:
        statement = statement.where(schema.snapshots.c.game_id == game_id)
    with reading(store.engine) as connection:
        connection.execute(statement)
