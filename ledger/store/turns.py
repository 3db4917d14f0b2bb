"""Turns: an order of the writers of a game in several processes."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import LiteralString

import sqlalchemy
from psycopg import sql

from ledger.store.database.connection import driver_cursor, keeping_connection
from ledger.store.database.errors import StoreBusy, StoreError

# A lock of the session, because an append has its own transaction, committed before the turn ends. The first
# key separates these locks from all others. Two games with equal second keys wait for each other, without harm.
# Both statements are a simple query, so they take a single round trip and a single transaction.
_TAKE: LiteralString = "SET LOCAL lock_timeout = {}; SELECT pg_advisory_lock({}, hashtext({}))"
_END: LiteralString = "SELECT pg_advisory_unlock($1::integer, hashtext($2::text))"
_TURNS = 0x6D61626C
_WAIT_MILLISECONDS = 1000


class Turns:
    """The turns of writers. An append needs no turn: the primary key settles races. Turns make lost races rare."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    @contextmanager
    def in_turn(self, game_id: str) -> Iterator[bool]:
        """Wait for the turn of the game among all processes, and keep it during the block.

        Turns are given in the order of requests. The statements of the thread use a single connection in the
        block. A turn ends with the process or the connection, too. Yields False without a turn: the process
        with the turn is stopped or lost, or the pool has too few connections for a reservation. Then the races
        go on. Raises StoreUnavailable.
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
        """Take a turn. Returns False after the time limit."""
        statement = sql.SQL(_TAKE).format(_WAIT_MILLISECONDS, _TURNS, game_id)
        try:
            with driver_cursor(self.engine) as cursor:
                cursor.execute(statement, prepare=False)
        except StoreBusy:
            return False
        return True

    def _end(self, game_id: str) -> None:
        """End a turn. If the database does not answer, the connection is closed: this ends the turn, too."""
        with suppress(StoreError), driver_cursor(self.engine) as cursor:
            try:
                cursor.execute(_END, (_TURNS, game_id))
            except Exception:
                cursor.connection.close()
                raise
