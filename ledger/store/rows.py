"""The raw rows of a game, unchecked, for verification."""

from collections.abc import Iterator
from datetime import datetime
from typing import LiteralString, NamedTuple

import sqlalchemy

from ledger.store.database.connection import driver_cursor
from ledger.store.selecting import LARGEST

_ACTIONS: LiteralString = """
SELECT number, kind, seat, by, recorded_at, first_seq, event_count, canonical, leaf FROM actions
 WHERE game_id = $1::text AND number > $2::bigint AND number <= $3::bigint ORDER BY number LIMIT $4::bigint
"""

_EVENTS: LiteralString = """
SELECT seq, number, kind, version, rule, accounts, commodities, body::text FROM events
 WHERE game_id = $1::text AND seq > $2::bigint AND seq <= $3::bigint ORDER BY seq LIMIT $4::bigint
"""

_TOUCHES: LiteralString = """
SELECT account, number FROM touches
 WHERE game_id = $1::text AND (account, number) > ($2::text, $3::bigint) ORDER BY account, number LIMIT $4::bigint
"""

_SNAPSHOTS: LiteralString = """
SELECT number, format FROM snapshots WHERE game_id = $1::text AND starts_with(format, $2::text)
"""

_SNAPSHOT: LiteralString = """
SELECT body FROM snapshots WHERE game_id = $1::text AND number = $2::bigint AND format = $3::text
"""


class ActionRow(NamedTuple):
    """A row of `actions`, without the idempotency key."""

    number: int
    kind: str
    seat: str | None
    by: str
    recorded_at: datetime
    first_seq: int
    event_count: int
    canonical: bytes
    leaf: bytes


class EventRow(NamedTuple):
    """A row of `events`."""

    seq: int
    number: int
    kind: str
    version: int
    rule: str
    accounts: list[str]
    commodities: list[str]
    body: str


EventParts = tuple[int, int, str, int, str, list[str], list[str], str]
"""The values of an EventRow in a plain tuple, created much faster."""


class Rows:
    """The rows of `actions`, `events`, `touches` and `snapshots` in the order of their keys.

    Rows are read in batches, and no connection is occupied between two batches. Rows appended during the
    reading are read, too.
    """

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def actions(
        self, game_id: str, *, start: int = -LARGEST, upto: int = LARGEST, batch: int = 1000
    ) -> Iterator[list[ActionRow]]:
        """Yield the actions of a game after number `start` up to `upto`, in batches."""
        while True:
            with driver_cursor(self.engine) as cursor:
                rows = cursor.execute(_ACTIONS, (game_id, start, upto, batch), binary=True).fetchall()
            if rows:
                yield list(map(ActionRow._make, rows))
                start = rows[-1][0]
            if len(rows) < batch:
                return

    def events(
        self, game_id: str, *, start: int = -LARGEST, upto: int = LARGEST, batch: int = 4000
    ) -> Iterator[list[EventParts]]:
        """Yield the events of a game after number `start` up to `upto`, in batches."""
        while True:
            with driver_cursor(self.engine) as cursor:
                rows = cursor.execute(_EVENTS, (game_id, start, upto, batch), binary=True).fetchall()
            if rows:
                yield rows
                start = rows[-1][0]
            if len(rows) < batch:
                return

    def touches(self, game_id: str, *, batch: int = 10_000) -> Iterator[tuple[str, int]]:
        """Yield the accounts of a game with the actions that touch them, account by account."""
        account, number = "", -LARGEST
        while True:
            with driver_cursor(self.engine) as cursor:
                rows = cursor.execute(_TOUCHES, (game_id, account, number, batch), binary=True).fetchall()
            yield from rows
            if len(rows) < batch:
                return
            account, number = rows[-1]

    def snapshots(self, game_id: str, made_by: str) -> list[tuple[int, str]]:
        """Return the number and the format of a game's snapshots in the formats that begin with `made_by`."""
        with driver_cursor(self.engine) as cursor:
            return cursor.execute(_SNAPSHOTS, (game_id, made_by), binary=True).fetchall()

    def snapshot(self, game_id: str, number: int, format: str) -> bytes | None:  # noqa: A002
        """Return the body of a snapshot, or None after its deletion."""
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_SNAPSHOT, (game_id, number, format), binary=True).fetchone()
        return None if row is None else bytes(row[0])
