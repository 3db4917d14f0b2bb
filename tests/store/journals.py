"""Short ways to make the records of the store's tests."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ledger.kernel.journal.stored import leaf
from ledger.store.records import ActionRecord, Credential, EventRecord, GameRecord
from ledger.store.rows import EventRow
from ledger.store.store import Store

NOON = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)


def game(game_id: str, *, minutes: int = 0) -> GameRecord:
    created_at = NOON + timedelta(minutes=minutes)
    return GameRecord(game_id, "negopoly", f"Table {game_id}", created_at, b'{"dice":"table"}')


def new_game(store: Store) -> str:
    game_id = f"game-{secrets.token_hex(6)}"
    assert store.games.create(game(game_id), [])
    return game_id


def event_rows(store: Store, game_id: str) -> list[EventRow]:
    """The rows of a game's events."""
    return [EventRow._make(row) for batch in store.rows.events(game_id) for row in batch]


def credential(game_id: str, credential_id: str, token_hash: bytes, seat: str | None = "ana") -> Credential:
    return Credential(game_id, credential_id, token_hash, "player", seat, NOON)


def event(
    seq: int,
    *,
    kind: str = "doses_bought",
    version: int = 1,
    rule: str = "VII.A.3",
    accounts: Sequence[str] = ("player:ana", "bank"),
    commodities: Sequence[str] = ("NGD", "dose"),
    body: bytes | None = None,
) -> EventRecord:
    return EventRecord(seq, kind, version, rule, accounts, commodities, body or b'{"seq":%d}' % seq)


def action(
    number: int,
    *events: EventRecord,
    kind: str = "buy_doses",
    seat: str | None = "ana",
    by: str = "player",
    minutes: int = 0,
    canonical: bytes | None = None,
    key: str | None = None,
    request: bytes | None = None,
) -> ActionRecord:
    stored = canonical or b"entry %d" % number
    return ActionRecord(
        number=number,
        kind=kind,
        seat=seat,
        by=by,
        recorded_at=NOON + timedelta(minutes=minutes),
        canonical=stored,
        leaf=leaf(stored),
        events=events,
        idempotency_key=key,
        request_hash=request,
    )
