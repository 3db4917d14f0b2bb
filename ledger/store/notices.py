"""Notices between processes: of every append, of changed tokens, and of messages between processes.

A notice of an append or of a token is sent at the commit of its transaction.
"""

from types import TracebackType
from typing import Any, Self

import psycopg
import sqlalchemy

from ledger.store.database.connection import dedicated_connection, driver_cursor, translated
from ledger.store.journal import CHANNEL
from ledger.store.records import Notice, Saying, TokensChanged

TOKENS = "mabligop_tokens"
"""The channel for every change of a game's tokens. A notice contains the game's id."""
_SAYINGS = "mabligop_sayings"
_CHANNELS = (CHANNEL, TOKENS, _SAYINGS)

Heard = Notice | TokensChanged | Saying


class Listener:
    """A receiver of the notices about all games, on a separate connection, beginning with the creation.

    A notice is a hint to read the journal, not a copy of the journal. If `wait` raises `StoreUnavailable`,
    notices may be lost: open another listener, then read from the last number seen.
    """

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self._connection: psycopg.Connection[Any] = dedicated_connection(engine)
        with translated():
            for channel in _CHANNELS:
                self._connection.execute(f"LISTEN {channel}")

    def wait(self, timeout: float) -> list[Heard]:
        """Return the notices since the last call, in order of commit.

        Waits up to `timeout` seconds for the first notice.
        """
        with translated():
            arrived = list(self._connection.notifies(timeout=timeout, stop_after=1))
        return [_heard(notification) for notification in arrived]

    def close(self) -> None:
        """Stop listening."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Notices:
    """The notices between processes."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def listen(self) -> Listener:
        """Listen to every future notice. Close the listener, or use it as a context manager."""
        return Listener(self.engine)

    def say(self, words: str) -> None:
        """Send a message to every listening process: fewer than 8,000 bytes of text. The message is not stored."""
        with driver_cursor(self.engine) as cursor:
            cursor.execute("SELECT pg_notify($1::text, $2::text)", (_SAYINGS, words))
            cursor.fetchone()


def _heard(notification: psycopg.Notify) -> Heard:
    if notification.channel == TOKENS:
        return TokensChanged(notification.payload)
    if notification.channel == _SAYINGS:
        return Saying(notification.payload)
    game_id, _, number = notification.payload.rpartition(":")
    return Notice(game_id, int(number))
