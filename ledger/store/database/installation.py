"""The secret of the installation: random, made by the migration, shared by all processes of a database."""

import hashlib
import hmac
from typing import LiteralString

import sqlalchemy

from ledger.store.database.connection import driver_cursor
from ledger.store.database.errors import NotMigrated

_STORED: LiteralString = "SELECT value FROM installation WHERE name = 'secret'"


class Installation:
    """The table `installation`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def secret(self, purpose: str) -> bytes:
        """Return the 32 bytes of the secret for a purpose, independent of other purposes (RFC 2104, HMAC).

        Reads the database at every call. Raises NotMigrated without a secret, StoreUnavailable.
        """
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_STORED, binary=True).fetchone()
        if row is None:
            raise NotMigrated("the table `installation` has no secret: restore it from a backup")
        return hmac.digest(row[0], purpose.encode(), hashlib.sha256)
