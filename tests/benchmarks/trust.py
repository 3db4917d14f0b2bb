"""What the log of a game costs: an append with it and without, and a proof in a long log."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import LiteralString
from unittest.mock import patch

import psycopg
import sqlalchemy

from ledger import rulebooks
from ledger.kernel.journal import canonical
from ledger.service import Ledger
from ledger.store.connection import connect
from ledger.store.database_url import driver_parameters
from ledger.store.migration import migrate
from ledger.store.records import GameRecord
from ledger.store.store import Store
from ledger.trust.log import Log
from tests.benchmarks.exporting import Say
from tests.tables.ledgers import ANA, BOB, do, started

_COPY: LiteralString = """
COPY actions (game_id, number, kind, seat, by, recorded_at, first_seq, event_count, idempotency_key, request_hash,
              canonical, leaf) FROM STDIN
"""
LEAVES = 1_000_000
ROUNDS = 6
GIFTS = 200


def measured(url: str, say: Say, progress: Callable[[str], None]) -> None:
    """Append with and without parts for single seats, in turn; then prove leaves of a log of a million."""
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("CREATE DATABASE trust")
    ours = sqlalchemy.make_url(url).set(database="trust").render_as_string(hide_password=False)
    migrate(ours)
    engine = connect(ours)
    ledger = Ledger(Store(engine), rulebooks.known())
    progress("trust: appending")
    _appending(ledger, say)
    progress(f"trust: a log of {LEAVES:,} leaves")
    _proving(ledger, ours, say)
    engine.dispose()


def _appending(ledger: Ledger, say: Say) -> None:
    """Gifts are between two, so each is sealed: without that, its bytes are those of the first version."""
    games = [started(ledger, "ana", "bob") for _ in range(2)]

    def gifts(game: str) -> float:
        began = time.perf_counter()
        for _ in range(GIFTS):
            do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
            do(ledger, game, BOB, "transfer_money", to="ana", amount=1)
        return time.perf_counter() - began

    ratios: list[float] = []
    for _ in range(ROUNDS):
        sealed = gifts(games[0])
        with patch(
            "ledger.acting.appending.seal", lambda _book, _state, entry, _events, _touched: canonical(entry)
        ):
            plain = gifts(games[1])
        ratios.append(sealed / plain)
    say("a gift, sealed for three audiences", f"{statistics.median(ratios):.3f} times", "unsealed", "<= 1.03")


def _proving(ledger: Ledger, url: str, say: Say) -> None:
    """Rows with a hash and nothing else: proofs read no more of an action."""
    store = ledger.store
    store.create_game(GameRecord("long", "negopoly", "long", datetime.now(UTC), b"{}"), [])
    row = "long\t%d\tk\t\\N\tbanker\t2026-01-01T00:00:00Z\t%d\t1\t\\N\t\\N\t\\\\x00\t\\\\x%s\n"
    with psycopg.connect(**driver_parameters(url)) as owner, owner.cursor() as cursor:
        columns = (
            "game_id, number, kind, seat, by, recorded_at, first_seq, event_count, idempotency_key, request_hash"
        )
        with cursor.copy(f"COPY actions ({columns}, canonical, leaf) FROM STDIN") as copy:  # type: ignore[arg-type]
            for number in range(1, LEAVES + 1):
                copy.write(row % (number, number, sha256(number.to_bytes(8)).hexdigest()))
    began = time.perf_counter()
    log = Log(store, "long")
    log.reach(LEAVES)
    read = time.perf_counter() - began
    times: list[float] = []
    for index in range(7, LEAVES, LEAVES // 300):
        began = time.perf_counter()
        log.inclusion(index, LEAVES)
        times.append(time.perf_counter() - began)
    say(
        f"a proof in a log of {LEAVES:,}",
        f"{statistics.median(times) * 1e3:.2f} ms",
        f"from raw leaves {read:.1f} s",
        "<= 1 ms",
    )
    say("its receipt", f"{len(str(ledger.logs.receipt('long', 5, LEAVES)))} bytes", "-", "-")
