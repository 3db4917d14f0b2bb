"""Games and their credentials."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlalchemy import func, insert, select, tuple_, update
from sqlalchemy.dialects import postgresql

from ledger.store.database import schema
from ledger.store.database.connection import reading, transaction
from ledger.store.database.storable import storable
from ledger.store.notices import TOKENS
from ledger.store.records import Credential, GameRecord

_GAME = tuple(schema.games.c[name] for name in GameRecord.__slots__)
_CREDENTIAL = tuple(schema.credentials.c[name] for name in Credential.__slots__)


class Games:
    """The tables `games` and `credentials`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def create(self, game: GameRecord, credentials: Sequence[Credential]) -> bool:
        """Write a game with its first credentials, or nothing.

        Returns False, and writes nothing, if the game's id exists already.
        """
        with transaction(self.engine) as connection:
            statement = postgresql.insert(schema.games).values(_row(game))
            created = connection.execute(
                statement.on_conflict_do_nothing(index_elements=["game_id"]).returning(schema.games.c.game_id)
            ).first()
            if created is None:
                return False
            if credentials:
                connection.execute(insert(schema.credentials), [_row(credential) for credential in credentials])
            return True

    def get(self, game_id: str) -> GameRecord | None:
        """Return the game with this id, or None."""
        if not storable(game_id):
            return None
        statement = select(*_GAME).where(schema.games.c.game_id == game_id)
        with reading(self.engine) as connection:
            row = connection.execute(statement).first()
        return GameRecord(*row) if row is not None else None

    def exists(self, game_id: str) -> bool:
        """Return True if there is a game with this id."""
        statement = select(schema.games.c.game_id).where(schema.games.c.game_id == game_id)
        with reading(self.engine) as connection:
            return connection.execute(statement).first() is not None

    def newest(self, *, cursor: tuple[datetime, str] | None = None, limit: int = 100) -> list[GameRecord]:
        """Return games, newest first.

        `cursor` is the `(created_at, game_id)` of the previous page's last game.
        """
        position = tuple_(schema.games.c.created_at, schema.games.c.game_id)
        statement = select(*_GAME).order_by(schema.games.c.created_at.desc(), schema.games.c.game_id.desc())
        if cursor is not None:
            statement = statement.where(position < tuple_(*cursor))
        with reading(self.engine) as connection:
            return [GameRecord(*row) for row in connection.execute(statement.limit(limit))]

    def credential(self, game_id: str, token_hash: bytes) -> Credential | None:
        """Return the credential of the token with this hash, or None if missing or revoked."""
        if not storable(game_id):
            return None
        table = schema.credentials.c
        statement = select(*_CREDENTIAL).where(
            table.game_id == game_id, table.token_hash == token_hash, table.revoked_at.is_(None)
        )
        with reading(self.engine) as connection:
            row = connection.execute(statement).first()
        return Credential(*row) if row is not None else None

    def credentials(self, game_id: str) -> list[Credential]:
        """Return all credentials of a game, oldest first, including revoked credentials."""
        table = schema.credentials.c
        statement = select(*_CREDENTIAL).where(table.game_id == game_id)
        with reading(self.engine) as connection:
            rows = connection.execute(statement.order_by(table.created_at, table.credential_id))
            return [Credential(*row) for row in rows]

    def add_credential(self, credential: Credential) -> None:
        """Write another credential of a game."""
        with transaction(self.engine) as connection:
            connection.execute(insert(schema.credentials).values(_row(credential)))

    def revoke_credential(self, game_id: str, credential_id: str, at: datetime) -> bool:
        """Revoke a credential at this time. Returns False if the credential is missing or revoked already."""
        with reading(self.engine) as connection:
            return _revoke(connection, game_id, credential_id, at)

    def replace_credential(self, credential_id: str, replacement: Credential) -> bool:
        """Revoke a credential and write its replacement, at the creation time of the replacement.

        Both belong to the replacement's game. Returns False, and writes nothing, if the old credential is
        missing or revoked already, or if the replacement's id exists.
        """
        with transaction(self.engine) as connection:
            statement = postgresql.insert(schema.credentials).values(_row(replacement))
            written = connection.execute(
                statement.on_conflict_do_nothing(index_elements=["game_id", "credential_id"]).returning(
                    schema.credentials.c.credential_id
                )
            ).first()
            if written is not None and _revoke(
                connection, replacement.game_id, credential_id, replacement.created_at
            ):
                return True
            connection.rollback()
            return False


def _revoke(connection: sqlalchemy.Connection, game_id: str, credential_id: str, at: datetime) -> bool:
    """Revoke a valid credential, and notify every process. Returns False without a valid credential."""
    table = schema.credentials.c
    statement = (
        update(schema.credentials)
        .where(table.game_id == game_id, table.credential_id == credential_id, table.revoked_at.is_(None))
        .values(revoked_at=at)
        .returning(table.credential_id, func.pg_notify(TOKENS, game_id))
    )
    return connection.execute(statement).first() is not None


def _row(record: GameRecord | Credential) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}
