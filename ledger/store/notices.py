"""Notices of every append when it is committed."""

from types import TracebackType
from typing import Any, Self

import psycopg
import sqlalchemy

from ledger.store.connection import dedicated_connection, translated
from ledger.store.journal import CHANNEL
from ledger.store.records import Notice


class Listener:
    """Receives notices of the appends to all games, on a connection of its own, from its creation on.

    A notice is a hint to read the journal, not a copy of the journal. When `wait` raises `StoreUnavailable`,
    notices may be lost: open another listener, then read from the last number seen.
    """

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self._connection: psycopg.Connection[Any] = dedicated_connection(engine)
        with translated():
            self._connection.execute(f"LISTEN {CHANNEL}")

    def wait(self, timeout: float) -> list[Notice]:
        """The notices since the last call, in order of commit. Waits up to `timeout` seconds for the first one."""
        with translated():
            arrived = list(self._connection.notifies(timeout=timeout, stop_after=1))
        return [_notice(notification.payload) for notification in arrived]

    def close(self) -> None:
        """Stop listening."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _notice(payload: str) -> Notice:
    game_id, _, number = payload.rpartition(":")
    return Notice(game_id, int(number))
