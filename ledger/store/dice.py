"""The seats' contributions to shared throws: chains, requested throws, and revealed values."""

from collections.abc import Sequence
from typing import LiteralString, NamedTuple

import sqlalchemy

from ledger.store.database.connection import driver_cursor, writing

_COMMIT: LiteralString = """
INSERT INTO dice_chains (game_id, seat, "end", length) VALUES ($1::text, $2::text, $3::bytea, $4::integer)
ON CONFLICT (game_id, seat) DO UPDATE SET "end" = EXCLUDED."end", length = EXCLUDED.length
"""

_CHAINS: LiteralString = """
SELECT seat, "end", length FROM dice_chains WHERE game_id = $1::text ORDER BY seat
"""

_ASK: LiteralString = """
INSERT INTO dice_throws (game_id, throw, after) VALUES ($1::text, $2::bigint, $3::bigint) ON CONFLICT DO NOTHING
"""

_ASKED: LiteralString = """
SELECT after, missing FROM dice_throws WHERE game_id = $1::text AND throw = $2::bigint
"""

_MISS: LiteralString = """
UPDATE dice_throws SET missing = $3::text[] WHERE game_id = $1::text AND throw = $2::bigint
"""

_REVEAL: LiteralString = """
INSERT INTO dice_values (game_id, throw, seat, value) VALUES ($1::text, $2::bigint, $3::text, $4::bytea)
ON CONFLICT DO NOTHING
"""

_REVEALED: LiteralString = """
SELECT seat, value FROM dice_values WHERE game_id = $1::text AND throw = $2::bigint ORDER BY seat
"""


class StoredChain(NamedTuple):
    """The chain of a seat's last commitment: its end (32 bytes) and its number of values."""

    seat: str
    end: bytes
    length: int


class AskedThrow(NamedTuple):
    """A requested throw: the action before, and the seats without a revealed value if the table threw instead."""

    action: int
    missing: tuple[str, ...] | None


class Dice:
    """The tables `dice_chains`, `dice_throws` and `dice_values`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def commit_chain(self, game_id: str, chain: StoredChain) -> None:
        """Store the chain of a seat, replacing the previous chain."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_COMMIT, (game_id, *chain), binary=True)

    def chains(self, game_id: str) -> list[StoredChain]:
        """Return the chain of each seat's last commitment."""
        with driver_cursor(self.engine) as cursor:
            return [
                StoredChain(seat, bytes(end), length)
                for seat, end, length in cursor.execute(_CHAINS, (game_id,), binary=True)
            ]

    def ask_throw(self, game_id: str, throw: int, action: int) -> AskedThrow:
        """Store the request for a throw after an action, unless stored already, and return the stored request."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_ASK, (game_id, throw, action), binary=True)
        return self.asked_throw(game_id, throw) or AskedThrow(action, None)

    def asked_throw(self, game_id: str, throw: int) -> AskedThrow | None:
        """Return a requested throw, or None without a request."""
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_ASKED, (game_id, throw), binary=True).fetchone()
        return None if row is None else AskedThrow(row[0], None if row[1] is None else tuple(row[1]))

    def miss_values(self, game_id: str, throw: int, seats: Sequence[str]) -> None:
        """Store the seats without a revealed value for a throw. The table then throws."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_MISS, (game_id, throw, list(seats)), binary=True)

    def reveal(self, game_id: str, throw: int, seat: str, value: bytes) -> None:
        """Store the value of a seat for a throw, unless a value is stored already."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_REVEAL, (game_id, throw, seat, value), binary=True)

    def revealed(self, game_id: str, throw: int) -> dict[str, bytes]:
        """Return the values revealed for a throw, by seat."""
        with driver_cursor(self.engine) as cursor:
            return {seat: bytes(value) for seat, value in cursor.execute(_REVEALED, (game_id, throw), binary=True)}
