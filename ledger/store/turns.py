"""Turns: writers of one game, in several processes, one after the other."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import LiteralString

import sqlalchemy
from psycopg import sql

from ledger.store.database.connection import driver_cursor, keeping_connection
from ledger.store.database.errors import StoreBusy, StoreError

# A lock of the session, because an append is a transaction of its own and must be committed before its turn ends.
# The first key keeps these locks apart from all others. Two games whose names share the second one wait for each
# other, which does no harm. Both statements are one simple query, so one round trip and one transaction.
_TAKE: LiteralString = "SET LOCAL lock_timeout = {}; SELECT pg_advisory_lock({}, hashtext({}))"
_END: LiteralString = "SELECT pg_advisory_unlock($1::integer, hashtext($2::text))"
_TURNS = 0x6D61626C
_WAIT_MILLISECONDS = 1000


class Turns:
    """The turns of writers. An append needs none: the primary key settles races. Turns make losing them rare."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    @contextmanager
    def in_turn(self, game_id: str) -> Iterator[bool]:
        """Wait until no other process has the turn of this game, and have it during the block.

        Turns are given in the order in which they were asked for. The statements of this thread use one connection
        in the block. A turn ends with its process or its connection, too. Gives False when there is no turn: the
        process that has it does not end it, because it is stopped or lost, or there are too few connections to
        keep one. Then the races go on. Raises StoreUnavailable.
        """
        with keeping_connection(self.engine) as is_kept:
            if not is_kept or not self._take(game_id):
                yield False
                return
            try:
                yield True
            finally:
                self._end(game_id)

    def _take(self, game_id: str) -> bool:
        """Take a turn. Returns whether it came."""
        statement = sql.SQL(_TAKE).format(_WAIT_MILLISECONDS, _TURNS, game_id)
        try:
            with driver_cursor(self.engine) as cursor:
                cursor.execute(statement, prepare=False)
        except StoreBusy:
            return False
        return True

    def _end(self, game_id: str) -> None:
        """End a turn. When the database does not answer, its connection is closed, which ends the turn, too."""
        with suppress(StoreError), driver_cursor(self.engine) as cursor:
            try:
                cursor.execute(_END, (_TURNS, game_id))
            except Exception:
                cursor.connection.close()
                raise
