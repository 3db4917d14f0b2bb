"""What the seats bring to shared throws: chains, the throws that were asked for, and revealed values."""

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
    """The chain that a seat committed to last: its end (32 bytes), and how many values it has."""

    seat: str
    end: bytes
    length: int


class AskedThrow(NamedTuple):
    """A throw that was asked for: after which action, and who did not reveal a value where the table threw."""

    after: int
    missing: tuple[str, ...] | None


class Dice:
    """The tables `dice_chains`, `dice_throws` and `dice_values`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def commit_chain(self, game_id: str, chain: StoredChain) -> None:
        """Store the chain of a seat, in place of the one before."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_COMMIT, (game_id, *chain), binary=True)

    def chains(self, game_id: str) -> list[StoredChain]:
        """The chain that each seat committed to last."""
        with driver_cursor(self.engine) as cursor:
            return [
                StoredChain(seat, bytes(end), length)
                for seat, end, length in cursor.execute(_CHAINS, (game_id,), binary=True)
            ]

    def ask_throw(self, game_id: str, throw: int, after: int) -> AskedThrow:
        """Store that a throw is asked for after an action, unless it was already; return what is stored."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_ASK, (game_id, throw, after), binary=True)
        return self.asked_throw(game_id, throw) or AskedThrow(after, None)

    def asked_throw(self, game_id: str, throw: int) -> AskedThrow | None:
        """A throw that was asked for; None when it was not."""
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_ASKED, (game_id, throw), binary=True).fetchone()
        return None if row is None else AskedThrow(row[0], None if row[1] is None else tuple(row[1]))

    def miss_values(self, game_id: str, throw: int, seats: Sequence[str]) -> None:
        """Store who did not reveal a value for a throw, so that the table throws."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_MISS, (game_id, throw, list(seats)), binary=True)

    def reveal(self, game_id: str, throw: int, seat: str, value: bytes) -> None:
        """Store the value of a seat for a throw, unless it has one."""
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(_REVEAL, (game_id, throw, seat, value), binary=True)

    def revealed(self, game_id: str, throw: int) -> dict[str, bytes]:
        """The values that were revealed for a throw, by seat."""
        with driver_cursor(self.engine) as cursor:
            return {seat: bytes(value) for seat, value in cursor.execute(_REVEALED, (game_id, throw), binary=True)}
