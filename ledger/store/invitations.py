"""Invitations to games: writing, look-up by code, and ending."""

from datetime import datetime

import sqlalchemy
from sqlalchemy import func, or_, select, update
from sqlalchemy.dialects import postgresql

from ledger.store.database import schema
from ledger.store.database.connection import reading, transaction
from ledger.store.notices import TOKENS
from ledger.store.records import Credential, Invitation

_TABLE = schema.invitations.c
_CREDENTIALS = schema.credentials.c
_INVITATION = tuple(_TABLE[name] for name in Invitation.__slots__)


class Invitations:
    """The table `invitations`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def add(self, invitation: Invitation) -> bool:
        """Write an invitation. Returns False, and writes nothing, if the game has an invitation with this id."""
        row = {name: getattr(invitation, name) for name in Invitation.__slots__}
        statement = postgresql.insert(schema.invitations).values(row).on_conflict_do_nothing()
        with reading(self.engine) as connection:
            return connection.execute(statement.returning(_TABLE.invitation_id)).first() is not None

    def get(self, game_id: str, invitation_id: str) -> Invitation | None:
        """Return the invitation with this id, open or not, or None."""
        statement = select(*_INVITATION).where(_TABLE.game_id == game_id, _TABLE.invitation_id == invitation_id)
        with reading(self.engine) as connection:
            row = connection.execute(statement).first()
        return Invitation(*row) if row is not None else None

    def open_at(self, game_id: str, at: datetime) -> list[Invitation]:
        """Return the invitations of a game open at this time, oldest first."""
        statement = select(*_INVITATION).where(*_open(game_id, at))
        with reading(self.engine) as connection:
            rows = connection.execute(statement.order_by(_TABLE.created_at, _TABLE.invitation_id))
            return [Invitation(*row) for row in rows]

    def of_half(self, half_hash: bytes) -> list[Invitation]:
        """Return the invitations of all games, open or not, with this first half of the code, newest first."""
        statement = select(*_INVITATION).where(_TABLE.half_hash == half_hash)
        with reading(self.engine) as connection:
            rows = connection.execute(statement.order_by(_TABLE.created_at.desc(), _TABLE.invitation_id))
            return [Invitation(*row) for row in rows]

    def withdraw(self, game_id: str, invitation_id: str, at: datetime) -> bool:
        """End an invitation at this time. Returns False if the invitation is not open."""
        statement = (
            update(schema.invitations)
            .where(*_open(game_id, at), _TABLE.invitation_id == invitation_id)
            .values(ended_at=at)
            .returning(_TABLE.invitation_id)
        )
        with reading(self.engine) as connection:
            return connection.execute(statement).first() is not None

    def redeem(self, invitation: Invitation, credential: Credential, sealed_token: bytes | None) -> bool | None:
        """Use an invitation at the creation time of the new credential.

        Revokes the replaced credentials: for a seat all credentials of the seat, else the credential named by
        the invitation. Ends the seat's other open invitations, unless newer. Returns None, and writes nothing,
        if the invitation is no longer open. Returns False if the credential's id exists.
        """
        game_id, at = invitation.game_id, credential.created_at
        with transaction(self.engine) as connection:
            # All open invitations are locked, in a fixed order: of two codes for a seat, the second waits and
            # then sees the first.
            if invitation.invitation_id not in _locked(connection, game_id, at):
                return None
            written = connection.execute(
                postgresql.insert(schema.credentials)
                .values({name: getattr(credential, name) for name in Credential.__slots__})
                .on_conflict_do_nothing(index_elements=["game_id", "credential_id"])
                .returning(_CREDENTIALS.credential_id)
            ).first()
            if written is None:
                return False
            connection.execute(
                update(schema.invitations)
                .where(_TABLE.game_id == game_id, _TABLE.invitation_id == invitation.invitation_id)
                .values(ended_at=at, sealed_token=sealed_token)
            )
            replaced = _CREDENTIALS.credential_id == invitation.replaces
            if invitation.seat is not None:
                replaced = or_(replaced, _CREDENTIALS.seat == invitation.seat)
                connection.execute(
                    update(schema.invitations)
                    .where(
                        *_open(game_id, at),
                        _TABLE.seat == invitation.seat,
                        _TABLE.created_at <= invitation.created_at,
                    )
                    .values(ended_at=at)
                )
            connection.execute(
                update(schema.credentials)
                .where(
                    _CREDENTIALS.game_id == game_id,
                    replaced,
                    _CREDENTIALS.revoked_at.is_(None),
                    _CREDENTIALS.credential_id != credential.credential_id,
                )
                .values(revoked_at=at)
                .returning(func.pg_notify(TOKENS, game_id))
            ).all()
            return True


def _open(game_id: str, at: datetime) -> tuple[sqlalchemy.ColumnElement[bool], ...]:
    return _TABLE.game_id == game_id, _TABLE.ended_at.is_(None), _TABLE.expires_at > at


def _locked(connection: sqlalchemy.Connection, game_id: str, at: datetime) -> frozenset[str]:
    """Lock the open invitations of a game until the transaction ends. Returns their ids."""
    statement = select(_TABLE.invitation_id).where(*_open(game_id, at))
    rows = connection.execute(statement.order_by(_TABLE.invitation_id).with_for_update())
    return frozenset(row.invitation_id for row in rows)
