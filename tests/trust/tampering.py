"""What the owner of a database can do to a journal, and the service cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from ledger.kernel.journal.stored import leaf
from tests.harness.storing import whole_of

GUARDED = ("games", "actions", "events", "touches")


class Owner:
    """The owner of a database, who has switched the guards of the tables off."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._guards("DISABLE")

    def close(self) -> None:
        """Switch the guards on again."""
        self._guards("ENABLE ALWAYS")
        self._connection.close()

    def _guards(self, switch: LiteralString) -> None:
        for table in GUARDED:
            self._connection.execute(
                sql.SQL("ALTER TABLE {} {} TRIGGER never_rewritten").format(sql.Identifier(table), sql.SQL(switch))
            )

    def run(self, statement: LiteralString | sql.Composed, *values: Any) -> None:
        """Run a statement, which must change something."""
        assert self._connection.execute(statement, values).rowcount > 0

    def canonical(self, game: str, number: int) -> bytes:
        """The canonical bytes of an action."""
        row = self._connection.execute(
            "SELECT canonical FROM actions WHERE game_id = %s AND number = %s", (game, number)
        ).fetchone()
        assert row is not None
        return bytes(row[0])

    def rewrite_entry(self, game: str, number: int, old: bytes, new: bytes, *, hashed: bool = False) -> None:
        """Replace a text in the canonical bytes of an action.

        `hashed` puts the hash right as well; the entry has no parts for single seats then, as older ones.
        """
        before = self.canonical(game, number)
        if hashed:
            before = whole_of(before)
        stored = before.replace(old, new)
        assert stored != before
        self.run("UPDATE actions SET canonical = %s WHERE game_id = %s AND number = %s", stored, game, number)
        if hashed:
            self.run("UPDATE actions SET leaf = %s WHERE game_id = %s AND number = %s", leaf(stored), game, number)

    def rewrite(self, game: str, number: int, stored: bytes) -> None:
        """Store other bytes of an action, with their hash."""
        self.run(
            "UPDATE actions SET canonical = %s, leaf = %s WHERE game_id = %s AND number = %s",
            *(stored, leaf(stored), game, number),
        )

    def rewrite_part(self, game: str, number: int, old: bytes, new: bytes) -> None:
        """Replace a text in what the seats see of an action of which they see only parts."""
        before = self.canonical(game, number)
        views = before.rindex(b',"views":')
        stored = before[:views] + before[views:].replace(old, new)
        assert stored != before
        self.run("UPDATE actions SET canonical = %s WHERE game_id = %s AND number = %s", stored, game, number)

    def repeat(self, game: str, number: int) -> None:
        """Store the last action of a game, which has this number, a second time right after itself."""
        self.run(
            "INSERT INTO actions SELECT game_id, number + 1, kind, seat, by, recorded_at, first_seq + event_count,"
            " event_count, NULL, NULL, canonical, leaf FROM actions WHERE game_id = %s AND number = %s",
            game,
            number,
        )
        self.run(
            "INSERT INTO events SELECT game_id, seq + count(*) OVER (), number + 1, kind, version, rule, accounts,"
            " commodities, body FROM events WHERE game_id = %s AND number = %s",
            game,
            number,
        )
        self._connection.execute(
            "INSERT INTO touches SELECT game_id, account, number + 1 FROM touches"
            " WHERE game_id = %s AND number = %s",
            (game, number),
        )

    def rewrite_events(self, game: str, number: int, old: str, new: str) -> None:
        """Replace a text in the rows of an action's events."""
        self.run(
            "UPDATE events SET body = replace(body::text, %s, %s)::json WHERE game_id = %s AND number = %s",
            old,
            new,
            game,
            number,
        )

    def delete(self, game: str, numbers: Sequence[int]) -> None:
        """Delete actions with their events and touches."""
        for table in ("actions", "events", "touches"):
            self._connection.execute(
                sql.SQL("DELETE FROM {} WHERE game_id = %s AND number = ANY (%s)").format(sql.Identifier(table)),
                (game, list(numbers)),
            )

    def swap(self, game: str, one: int, other: int) -> None:
        """Let two actions change places, each with its hash."""
        for number, new in ((one, -1), (other, one), (-1, other)):
            self.run("UPDATE actions SET number = %s WHERE game_id = %s AND number = %s", new, game, number)
