"""What must be true of a journal after any fault: what was acknowledged is stored, once and unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import psycopg

_ROWS = """
    SELECT number, kind, seat, by, first_seq, event_count, canonical, leaf,
           (SELECT count(*) FROM events
             WHERE events.game_id = actions.game_id AND events.number = actions.number) AS events
      FROM actions WHERE game_id = %s ORDER BY number
"""


@dataclass(frozen=True)
class Row:
    """An action as it is stored. `events` is the number of its rows in the table of events."""

    number: int
    kind: str
    seat: str | None
    by: str
    first_seq: int | None
    event_count: int
    canonical: bytes
    leaf: bytes
    events: int


@dataclass(frozen=True)
class Acknowledged:
    """A request that the service answered with an entry: its key, and what the answer said."""

    key: str
    number: int
    kind: str
    seat: str | None
    params: dict[str, Any]
    leaf: str


def stored(url: str, game: str) -> list[Row]:
    """The journal of a game, read from the database without the service."""
    with psycopg.connect(url) as connection:
        return [Row(*row) for row in connection.execute(_ROWS, (game,))]


def findings(rows: Sequence[Row], acknowledged: Iterable[Acknowledged]) -> list[str]:
    """What is wrong with a journal of which every request has had its answer. Empty when nothing is.

    Takes every action that was acknowledged in this game; the same one twice when its request was repeated. What
    the service does by itself (`by` is "system") needs no acknowledgement.
    """
    by_number = {row.number: row for row in rows}
    keys: dict[int, str] = {}
    found = [*_unsound(rows)]
    for one in acknowledged:
        if keys.setdefault(one.number, one.key) != one.key:
            found.append(f"action {one.number} was the answer to two requests: {keys[one.number]} and {one.key}")
        row = by_number.get(one.number)
        if row is None:
            found.append(f"action {one.number} ({one.kind}, {one.key}) was acknowledged and is lost")
        elif difference := _difference(row, one):
            found.append(f"action {one.number} ({one.kind}, {one.key}) was changed: {difference}")
    found += [
        f"action {row.number} ({row.kind}) is stored, but no request was answered with it: it was doubled or "
        "refused"
        for row in rows
        if row.by != "system" and row.number not in keys
    ]
    return found


def _unsound(rows: Sequence[Row]) -> Iterable[str]:
    """What is wrong with a journal in itself."""
    sequence = 1
    for place, row in enumerate(rows, start=1):
        if row.number != place:
            yield f"action {row.number} stands at place {place}: there is a gap"
            return
        if sha256(b"\x00" + row.canonical).digest() != row.leaf:
            yield f"action {row.number} has not the hash of its bytes"
        if row.events != row.event_count:
            yield f"action {row.number} has {row.events} events instead of {row.event_count}"
        if row.event_count and row.first_seq != sequence:
            yield f"action {row.number} begins with event {row.first_seq} instead of {sequence}"
        sequence += row.event_count


def _difference(row: Row, one: Acknowledged) -> str | None:
    """How a stored action differs from the answer that acknowledged it."""
    if row.leaf.hex() != one.leaf:
        return f"its hash is {row.leaf.hex()[:12]}…, the receipt says {one.leaf[:12]}…"
    entry = json.loads(row.canonical)
    for name, said in (("number", one.number), ("kind", one.kind), ("seat", one.seat), ("params", one.params)):
        if entry[name] != said:
            return f"its {name} is {entry[name]!r}, the answer said {said!r}"
    return None
