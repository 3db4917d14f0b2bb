"""Whole journals: read in stretches, and written in a single transaction."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, LiteralString

import psycopg
import sqlalchemy

from ledger.store.database.connection import driver_cursor, long_transaction, writing
from ledger.store.database.errors import JournalDamaged, RecordRefused
from ledger.store.journal import NOT_ITS_HASH, accounts_of, array_of
from ledger.store.records import ActionRecord, Credential, GameRecord, Stretch

# The database joins the bytes unchanged, so a whole stretch is a single value to fetch.
_STRETCH: LiteralString = """
WITH stretch AS MATERIALIZED (
    SELECT number, event_count, canonical, leaf
      FROM actions
     WHERE game_id = $1::text AND number > $2::bigint AND number <= $3::bigint
     ORDER BY number
     LIMIT $4::bigint
)
SELECT count(*), max(number), sum(event_count)::bigint, max(octet_length(canonical)),
       string_agg('{"entry":'::bytea || canonical || ',"leaf":"' || convert_to(encode(leaf, 'hex'), 'UTF8')
                  || E'"}\\n', ''::bytea)
  FROM stretch
"""

_ANY_OF: LiteralString = """
SELECT EXISTS (SELECT FROM events
                WHERE game_id = $1::text
                  AND (kind, version) IN (SELECT * FROM unnest($2::text[], $3::smallint[])))
"""

_WRITTEN_AT_ONCE = 2000


class Copies:
    """Reads and writes whole games: the tables `games`, `credentials`, `actions`, `events` and `touches`."""

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        self.engine = engine

    def stretches(self, game_id: str, *, start: int, upto: int, batch: int) -> Iterator[Stretch]:
        """Yield the entries after number `start`, up to and including `upto`, in stretches of up to `batch`.

        The entries come in order. No connection is occupied between two stretches, so a slow reader blocks
        nobody. Raises JournalDamaged.
        """
        while start < upto:
            with driver_cursor(self.engine) as cursor:
                row = cursor.execute(_STRETCH, (game_id, start, upto, batch), binary=True).fetchone()
            if row is None or not row[0]:
                raise JournalDamaged(game_id, start + 1, "it is missing, and so is everything after it")
            count, last, events, longest, lines = row
            if last - start != count:
                raise JournalDamaged(game_id, start + 1, "it is missing, or one soon after it")
            stretch = Stretch(start, last, count, events, longest, lines)
            damaged = stretch.damaged()
            if damaged is not None:
                raise JournalDamaged(game_id, damaged, NOT_ITS_HASH)
            yield stretch
            start = last

    def has_events_of(self, game_id: str, kinds_versions: Sequence[tuple[str, int]]) -> bool:
        """Return True if the game has an event stored as one of these (kind, version) pairs."""
        kinds, versions = [kind for kind, _ in kinds_versions], [version for _, version in kinds_versions]
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_ANY_OF, (game_id, kinds, versions)).fetchone()
        return row is not None and bool(row[0])

    def write(self, game: GameRecord, credentials: Sequence[Credential], actions: Iterable[ActionRecord]) -> bool:
        """Write a game with its credentials and its whole journal in a single transaction, or nothing.

        Takes all actions in order, with events numbered without a gap. An exception of `actions` undoes
        everything. Returns False, and writes nothing, if the game's id exists already. Raises the errors of
        `Journal.append`.
        """
        waiting = iter(actions)
        with writing(), long_transaction(self.engine) as cursor:
            created = cursor.execute(_GAME, _values(game))
            if created.rowcount != 1:
                return False
            for credential in credentials:
                cursor.execute(_CREDENTIAL, _values(credential))
            seq = 1
            while batch := list(islice(waiting, _WRITTEN_AT_ONCE)):
                _copy(cursor, _ACTIONS, _action_rows(game.game_id, batch, seq))
                _copy(cursor, _EVENTS, (row for action in batch for row in _event_rows(game.game_id, action)))
                _copy(cursor, _TOUCHES, (row for action in batch for row in _touch_rows(game.game_id, action)))
                seq += sum(len(action.events) for action in batch)
        return True


_GAME: LiteralString = """
INSERT INTO games (game_id, rulebook, title, created_at, setup, request_hash, sealed_answer)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (game_id) DO NOTHING
"""

_CREDENTIAL: LiteralString = """
INSERT INTO credentials (game_id, credential_id, token_hash, role, seat, created_at, revoked_at, sealed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""

_ACTIONS: LiteralString = """
COPY actions (game_id, number, kind, seat, by, recorded_at, first_seq, event_count,
              idempotency_key, request_hash, canonical, leaf) FROM STDIN
"""

_EVENTS: LiteralString = """
COPY events (game_id, seq, number, kind, version, rule, accounts, commodities, body) FROM STDIN
"""

_TOUCHES: LiteralString = "COPY touches (game_id, account, number) FROM STDIN"


def _values(record: GameRecord | Credential) -> tuple[Any, ...]:
    return tuple(getattr(record, name) for name in record.__slots__)


def _copy(cursor: psycopg.RawCursor[Any], statement: LiteralString, rows: Iterable[tuple[Any, ...]]) -> None:
    with cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _action_rows(game_id: str, actions: Iterable[ActionRecord], seq: int) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of consecutive actions. Event numbers must begin at `seq`."""
    for action in actions:
        if any(event.seq != seq + index for index, event in enumerate(action.events)):
            raise RecordRefused(f"the events of action {action.number} do not go on from {seq}")
        yield (
            game_id,
            action.number,
            action.kind,
            action.seat,
            action.by,
            action.recorded_at,
            seq,
            len(action.events),
            action.idempotency_key,
            action.request_hash,
            action.canonical,
            action.leaf,
        )
        seq += len(action.events)


def _event_rows(game_id: str, action: ActionRecord) -> Iterator[tuple[Any, ...]]:
    for event in action.events:
        yield (
            game_id,
            event.seq,
            action.number,
            event.kind,
            event.version,
            event.rule,
            array_of(event.accounts),
            array_of(event.commodities),
            event.body.decode(),
        )


def _touch_rows(game_id: str, action: ActionRecord) -> Iterator[tuple[Any, ...]]:
    for account in accounts_of(action):
        yield game_id, account, action.number
