"""What must be true of a journal after any fault: what was acknowledged is stored, once and unchanged.

The hashes are worked out here a second time, by the description in `kernel.journal.stored` and with Python's own
JSON. So a fault in the code of the service cannot hide from this check.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

import psycopg

_ROWS = """
    SELECT game_id, number, kind, seat, by, first_seq, event_count, canonical, leaf,
           (SELECT count(*) FROM events
             WHERE events.game_id = actions.game_id AND events.number = actions.number) AS events
      FROM actions WHERE game_id = %(game)s AND (%(numbers)s::bigint[] IS NULL OR number = ANY(%(numbers)s))
     ORDER BY number
"""


@dataclass(frozen=True)
class Row:
    """An action as it is stored. `events` is the number of its rows in the table of events."""

    game: str
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


def stored(url: str, game: str, numbers: Sequence[int] | None = None) -> list[Row]:
    """The journal of a game, or these actions of it, read from the database without the service."""
    chosen = {"game": game, "numbers": None if numbers is None else list(numbers)}
    with psycopg.connect(url) as connection:
        return [Row(*row) for row in connection.execute(_ROWS, chosen)]


def findings(rows: Sequence[Row], acknowledged: Iterable[Acknowledged]) -> list[str]:
    """What is wrong with a journal of which every request has had its answer. Empty when nothing is.

    Takes every action that was acknowledged in this game; the same one twice when its request was repeated. What
    the service does by itself (`by` is "system") needs no acknowledgement.
    """
    answers = list(acknowledged)
    numbers = {answer.number for answer in answers}
    return [
        *_unsound(rows),
        *losses(rows, answers),
        *(
            f"action {row.number} ({row.kind}) is stored, but no request was answered with it: it was doubled or "
            "refused"
            for row in rows
            if row.by != "system" and row.number not in numbers
        ),
    ]


def losses(rows: Sequence[Row], acknowledged: Iterable[Acknowledged]) -> Iterator[str]:
    """What is wrong with these answers: their actions are lost, changed, or the answers to two requests.

    Takes the actions that have the numbers of the answers. Others may be under way meanwhile.
    """
    by_number = {row.number: row for row in rows}
    keys: dict[int, str] = {}
    for one in acknowledged:
        if keys.setdefault(one.number, one.key) != one.key:
            yield f"action {one.number} was the answer to two requests: {keys[one.number]} and {one.key}"
        row = by_number.get(one.number)
        if row is None:
            yield f"action {one.number} ({one.kind}, {one.key}) was acknowledged and is lost"
        elif difference := _difference(row, one):
            yield f"action {one.number} ({one.kind}, {one.key}) was changed: {difference}"


def _unsound(rows: Sequence[Row]) -> Iterator[str]:
    """What is wrong with a journal in itself."""
    sequence, earlier = 1, None
    for place, row in enumerate(rows, start=1):
        if row.number != place:
            yield f"action {row.number} stands at place {place}: there is a gap"
            return
        for fault in _unlike_its_hash(row):
            yield f"action {row.number} {fault}"
        recorded = _recorded_at(row)
        if recorded is not None and earlier is not None and recorded < earlier:
            yield f"action {row.number} was recorded at {recorded}, before the action before it ({earlier})"
        earlier = recorded or earlier
        if row.events != row.event_count:
            yield f"action {row.number} has {row.events} events instead of {row.event_count}"
        if row.event_count and row.first_seq != sequence:
            yield f"action {row.number} begins with event {row.first_seq} instead of {sequence}"
        sequence += row.event_count


def _recorded_at(row: Row) -> datetime | None:
    """The time of an action; None if it cannot be read."""
    try:
        return datetime.fromisoformat(json.loads(row.canonical)["recorded_at"])
    except (ValueError, KeyError):
        return None


def _unlike_its_hash(row: Row) -> Iterator[str]:
    """What is wrong with the bytes of an action and the hashes of them.

    The leaf of an entry that everybody sees whole is the hash of its bytes. The leaf of any other is the hash of a
    list of hashes: of the whole entry, and of the part of each audience with a salt of its own.
    """
    try:
        entry = json.loads(row.canonical)
    except ValueError as fault:
        yield f"cannot be read: {fault}"
        return
    if _written(entry) != row.canonical:
        yield "is not written in the canonical form"
    if (entry["game"], entry["number"]) != (row.game, row.number):
        yield f"holds the bytes of action {entry['number']} of game {entry['game']}"
    withheld = entry.pop("withheld", None)
    hashed = _written(entry)
    if withheld is not None:
        sealed = withheld["leaf"]
        salt, views = entry["salt"], withheld["views"]
        parts = {audience: _part_hash(salt, audience, view) for audience, view in views.items()}
        parts["journal"] = _leaf_hash(hashed).hex()
        for audience in sorted(parts.keys() | sealed["parts"].keys()):
            if parts.get(audience) != sealed["parts"].get(audience):
                yield f"has not the hash that was sealed for what {audience} sees of it"
        if (sealed["game"], sealed["number"]) != (row.game, row.number):
            yield f"is sealed as action {sealed['number']} of game {sealed['game']}"
        hashed = _written(sealed)
    if _leaf_hash(hashed) != row.leaf:
        yield "has not the hash of its bytes"


def _written(value: Any) -> bytes:
    """The canonical JSON of a value: keys sorted, no white space, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _leaf_hash(hashed: bytes) -> bytes:
    """The hash of a leaf (RFC 9162, 2.1.1)."""
    return sha256(b"\x00" + hashed).digest()


def _part_hash(salt: str, audience: str, view: Any) -> str:
    """The hash of what an audience sees of an entry, in hexadecimal."""
    own_salt = hmac.digest(salt.encode(), audience.encode(), "sha256")[:16].hex()
    return sha256(own_salt.encode() + _written(view)).hexdigest()


def _difference(row: Row, one: Acknowledged) -> str | None:
    """How a stored action differs from the answer that acknowledged it."""
    if row.leaf.hex() != one.leaf:
        return f"its hash is {row.leaf.hex()[:12]}…, the receipt says {one.leaf[:12]}…"
    entry = json.loads(row.canonical)
    for name, said in (("number", one.number), ("kind", one.kind), ("seat", one.seat), ("params", one.params)):
        if entry[name] != said:
            return f"its {name} is {entry[name]!r}, the answer said {said!r}"
    return None
