"""The journal: actions and their events, appended in order and never changed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, LiteralString

import sqlalchemy
from psycopg import RawCursor, Rollback

from ledger.kernel.journal.stored import leaf as leaf_of
from ledger.store.database.connection import driver_cursor, writing
from ledger.store.database.errors import JournalDamaged, RecordRefused
from ledger.store.database.storable import storable
from ledger.store.database.tally import Tally
from ledger.store.records import (
    ActionRecord,
    Appended,
    KeyReused,
    LostRace,
    Outcome,
    Replayed,
    Selection,
    StoredEntry,
)
from ledger.store.selecting import LARGEST, statement

CHANNEL = "mabligop_journal"

NOT_ITS_HASH = "its bytes do not have the hash that was stored with them"
WRITTEN_AGAIN = "it is not the entry that was here before: the journal was cut and written again"

# A single statement: a single round trip and a single commit. An action is inserted only directly after its
# predecessor, with consecutive events, and only if the predecessor is the action known to the caller. A first
# action needs an existing game. The two unique keys decide races and repeated requests: the second insert
# writes nothing. Then no event is written either, and nobody is notified.
APPEND: LiteralString = """
WITH place AS (
    SELECT first_seq + event_count AS next_seq FROM actions
     WHERE game_id = $1::text AND number = $2::bigint - 1 AND ($20::bytea IS NULL OR leaf = $20::bytea)
     UNION ALL SELECT 1 FROM games WHERE game_id = $1::text AND $2::bigint = 1
), appended AS (
    INSERT INTO actions (game_id, number, kind, seat, by, recorded_at, first_seq, event_count,
                         idempotency_key, request_hash, canonical, leaf)
    SELECT $1::text, $2::bigint, $3::text, $4::text, $5::text, $6::timestamptz, next_seq, $8::integer,
           $9::text, $10::bytea, $11::bytea, $12::bytea
      FROM place
     WHERE $7::bigint IS NULL OR next_seq = $7::bigint
    ON CONFLICT DO NOTHING
    RETURNING number, first_seq
), recorded AS (
    INSERT INTO events (game_id, seq, number, kind, version, rule, accounts, commodities, body)
    SELECT $1::text, first_seq + place - 1, number, event.kind, event.version, event.rule,
           event.accounts::text[], event.commodities::text[], event.body::json
      FROM appended,
           unnest($13::text[], $14::smallint[], $15::text[], $16::text[], $17::text[], $18::text[])
           WITH ORDINALITY AS event (kind, version, rule, accounts, commodities, body, place)
), touched AS (
    INSERT INTO touches (game_id, account, number)
    SELECT $1::text, account, number FROM appended, unnest($19::text[]) AS account
)
SELECT pg_notify('mabligop_journal', $1::text || ':' || number) FROM appended
"""

# Run only when nothing was appended: the use of the key, if any, the head, and the number of the next event.
_WHY_NOT: LiteralString = """
SELECT used.number, used.request_hash, head.number, head.next_seq,
       EXISTS (SELECT FROM games WHERE game_id = $1::text)
  FROM (SELECT) AS always
  LEFT JOIN (SELECT number, request_hash FROM actions
              WHERE game_id = $1::text AND idempotency_key = $2::text) AS used ON true
  LEFT JOIN (SELECT number, first_seq + event_count AS next_seq FROM actions
              WHERE game_id = $1::text ORDER BY number DESC LIMIT 1) AS head ON true
"""

_USED: LiteralString = """
SELECT number, request_hash FROM actions WHERE game_id = $1::text AND idempotency_key = $2::text
"""

_HEAD: LiteralString = """
SELECT number, leaf FROM actions WHERE game_id = $1::text ORDER BY number DESC LIMIT 1
"""

_ENTRY: LiteralString = """
SELECT number, canonical, leaf FROM actions WHERE game_id = $1::text AND number = $2::bigint
"""

_ENTRIES_OF: LiteralString = """
SELECT number, canonical, leaf FROM actions
 WHERE game_id = $1::text AND number = ANY ($2::bigint[])
 ORDER BY number
"""

_RUN: LiteralString = """
SELECT number, canonical, leaf FROM actions
 WHERE game_id = $1::text AND number > $2::bigint AND number <= $3::bigint
 ORDER BY number
 LIMIT $4::bigint
"""


# A quotation mark within a text is stored with a backslash, so the pattern matches no text.
_WITH_CHANCE: LiteralString = """
SELECT number, canonical, leaf FROM actions
 WHERE game_id = $1::text AND number > $2::bigint AND position('"chance":{"'::bytea IN canonical) > 0
 ORDER BY number
"""


class Journal:
    """The tables `actions`, `events` and `touches`."""

    def __init__(self, engine: sqlalchemy.Engine, tally: Tally) -> None:
        self.engine = engine
        self.tally = tally

    def append(self, game_id: str, action: ActionRecord) -> Outcome:
        """Append an action and its events to the journal, once.

        Returns `Appended`. Returns `Replayed` or `KeyReused` if the idempotency key was used before, for an
        equal or a different request. Returns `LostRace` if the action's number is not the next number. Only
        `Appended` means a write.

        Raises `StoreUnavailable` if the connection broke: the action may be in the journal, and a repetition
        with the same idempotency key finds out. Raises `NothingWritten` if the database was busy; the action is
        then not in the journal. Raises `RecordRefused` for a missing game, for events with a gap before them,
        and for values that the tables cannot hold.
        """
        parameters = append_parameters(game_id, action)
        with writing(), driver_cursor(self.engine) as cursor:
            cursor.execute(APPEND, parameters)
            outcome = Appended(action.number) if cursor.rowcount == 1 else _why_not(cursor, game_id, action)
        return self._counted(outcome, 1)

    def append_all(self, game_id: str, actions: Sequence[ActionRecord]) -> Outcome:
        """Append several actions, all or none, in a single transaction.

        Returns and raises as `append`: for the last action if all were written, else for the first failed
        action.
        """
        with writing(), driver_cursor(self.engine) as cursor:
            outcome: Outcome = Appended(actions[-1].number)
            with cursor.connection.transaction() as transaction:
                for action in actions:
                    cursor.execute(APPEND, append_parameters(game_id, action))
                    if cursor.rowcount != 1:
                        outcome = _why_not(cursor, game_id, action)
                        if isinstance(outcome, LostRace) and action is not actions[0]:
                            outcome = LostRace(actions[0].number - 1)  # the earlier actions are rolled back, too
                        raise Rollback(transaction)
        return self._counted(outcome, len(actions))

    def _counted(self, outcome: Outcome, actions: int) -> Outcome:
        match outcome:
            case Appended():
                self.tally.count("actions_appended", actions)
            case LostRace():
                self.tally.count("races_lost")
        return outcome

    def request(self, game_id: str, key: str, request_hash: bytes | None) -> Replayed | KeyReused | None:
        """Return the use of an idempotency key in this game: by an equal or a different request, or None."""
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_USED, (game_id, key)).fetchone()
        if row is None:
            return None
        return Replayed(row[0]) if row[1] == request_hash else KeyReused(row[0])

    def head(self, game_id: str) -> int:
        """Return the number of the last action; 0 for an empty journal."""
        return self.head_and_leaf(game_id)[0]

    def head_and_leaf(self, game_id: str) -> tuple[int, bytes]:
        """Return the number of the last action, and its stored hash; 0 and b"" for an empty journal."""
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_HEAD, (game_id,), binary=True).fetchone()
        return (row[0], row[1]) if row is not None else (0, b"")

    def entry(self, game_id: str, number: int) -> bytes | None:
        """Return the canonical bytes of an action, or None. Raises JournalDamaged."""
        if not 0 < number <= LARGEST:
            return None
        with driver_cursor(self.engine) as cursor:
            row = cursor.execute(_ENTRY, (game_id, number), binary=True).fetchone()
        if row is None:
            return None
        require_whole(game_id, (row,))
        canonical: bytes = row[1]
        return canonical

    def entries_of(self, game_id: str, numbers: Sequence[int]) -> list[tuple[int, bytes]]:
        """Return the numbers and canonical bytes of the existing actions among these numbers, in order.

        Raises JournalDamaged.
        """
        within = [number for number in numbers if 0 < number <= LARGEST]
        if not within:
            return []
        with driver_cursor(self.engine) as cursor:
            rows = cursor.execute(_ENTRIES_OF, (game_id, array_of(map(str, within))), binary=True).fetchall()
        require_whole(game_id, rows)
        return [(number, canonical) for number, canonical, _ in rows]

    def entries(self, game_id: str, selection: Selection) -> list[tuple[int, bytes]]:
        """Return the numbers and canonical bytes of the selected actions, at most `selection.limit`.

        Raises JournalDamaged, also for a gap between actions selected by numbers alone.
        """
        chosen = selection
        if not storable(game_id, chosen.seat, chosen.kind, chosen.account, chosen.commodity, chosen.rule):
            return []
        text, parameters = statement(game_id, selection)
        with driver_cursor(self.engine) as cursor:
            rows = cursor.execute(text, parameters, binary=True).fetchall()
        require_whole(game_id, rows)
        if selection.by_number_alone:
            numbers = sorted(number for number, _, _ in rows)
            forward = selection.above is not None and not selection.newest_first
            require_consecutive(game_id, numbers, max(selection.above or 0, 0) + 1 if forward else None)
        return [(number, canonical) for number, canonical, _ in rows]

    def entries_with_chance(self, game_id: str, start: int) -> list[tuple[int, bytes]]:
        """Return the numbers and canonical bytes of the later actions that may have a member `chance`.

        The actions come in order. Some may lack the member. Raises JournalDamaged.
        """
        with driver_cursor(self.engine) as cursor:
            rows = cursor.execute(_WITH_CHANCE, (game_id, start), binary=True).fetchall()
        require_whole(game_id, rows)
        return [(number, canonical) for number, canonical, _ in rows]

    def runs(
        self,
        game_id: str,
        *,
        start: int = 0,
        upto: int | None = None,
        leaf: bytes | None = None,
        batch: int = 1000,
    ) -> Iterator[list[StoredEntry]]:
        """Yield the entries after number `start` up to `upto` or the end, in runs of up to `batch`.

        The entry `upto` is included. No connection is occupied between two runs. With `leaf`, the entry `start`
        must still have this hash. Raises JournalDamaged.
        """
        last = LARGEST if upto is None else upto
        checks_leaf = leaf is not None and start > 0
        first = start if checks_leaf else start + 1
        while first <= last:
            with driver_cursor(self.engine) as cursor:
                rows = cursor.execute(_RUN, (game_id, first - 1, last, batch), binary=True).fetchall()
            run = list(map(StoredEntry._make, rows))
            require_whole(game_id, run)
            full = len(run) == batch
            require_consecutive(game_id, [entry.number for entry in run], first, None if full else upto)
            if run:
                first = run[-1].number + 1
            if checks_leaf:
                if not run or run[0].leaf != leaf:
                    raise JournalDamaged(game_id, start, WRITTEN_AGAIN)
                checks_leaf, run = False, run[1:]
            if run:
                yield run
            if not full:
                return


def require_whole(game_id: str, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
    """Raise JournalDamaged for the first entry whose canonical bytes contradict the stored hash."""
    for number, canonical, hashed in entries:
        if leaf_of(canonical) != hashed:
            raise JournalDamaged(game_id, number, NOT_ITS_HASH)


def require_consecutive(game_id: str, numbers: Sequence[int], first: int | None, last: int | None = None) -> None:
    """Raise JournalDamaged unless the numbers go from the first to the last without a gap.

    None as `first` or `last` stands for whatever comes first or last.
    """
    expected = first if first is not None or not numbers else numbers[0]
    for number in numbers:
        if number != expected:
            raise JournalDamaged(game_id, expected or number, f"it is missing before action {number}")
        expected += 1
    if last is not None and expected is not None and expected <= last:
        raise JournalDamaged(game_id, expected, "it is missing, and so is everything after it")


def append_parameters(game_id: str, action: ActionRecord) -> tuple[Any, ...]:
    """Return the parameters of `APPEND` for an action and its events."""
    events = action.events
    first = events[0].seq if events else None
    for index, event in enumerate(events):
        if event.seq != events[0].seq + index:
            raise RecordRefused(f"event {event.seq} of action {action.number} leaves a gap before it")
    try:
        bodies = [event.body.decode() for event in events]
    except UnicodeDecodeError as mistake:
        raise RecordRefused(f"an event of action {action.number} is not UTF-8: {mistake}") from mistake
    return (
        game_id,
        action.number,
        action.kind,
        action.seat,
        action.by,
        action.recorded_at,
        first,
        len(events),
        action.idempotency_key,
        action.request_hash,
        action.canonical,
        action.leaf,
        array_of([event.kind for event in events]),
        array_of([str(event.version) for event in events]),
        array_of([event.rule for event in events]),
        array_of([array_of(event.accounts) for event in events]),
        array_of([array_of(event.commodities) for event in events]),
        array_of(bodies),
        array_of(accounts_of(action)),
        action.previous,
    )


def accounts_of(action: ActionRecord) -> set[str]:
    """Return the accounts of the postings in an action's events."""
    return {account for event in action.events for account in event.accounts}


def array_of(elements: Iterable[str]) -> str:
    """Write an array in Postgres' text form. The text form saves most of the driver's time for an append."""
    quoted = [element.replace("\\", "\\\\").replace('"', '\\"') for element in elements]
    return '{"' + '","'.join(quoted) + '"}' if quoted else "{}"


def _why_not(cursor: RawCursor[Any], game_id: str, action: ActionRecord) -> Outcome:
    """Return the outcome for an action that was not appended."""
    row = cursor.execute(_WHY_NOT, (game_id, action.idempotency_key)).fetchone()
    assert row is not None  # noqa: S101 - the statement always gives one row
    used, request_hash, head, next_seq, game_exists = row
    if used is not None:
        return Replayed(used) if request_hash == action.request_hash else KeyReused(used)
    if not game_exists:
        raise RecordRefused(f"there is no game {game_id!r}")
    if head is None:
        head, next_seq = 0, 1
    if head == action.number - 1 and action.events and action.events[0].seq != next_seq:
        raise RecordRefused(f"the first event of action {action.number} is {next_seq}, not {action.events[0].seq}")
    return LostRace(head)
