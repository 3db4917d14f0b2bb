"""What the log of a game costs: an append with it and without, and a proof in a long log."""

from __future__ import annotations

import statistics
import time
from datetime import UTC, datetime
from hashlib import sha256
from typing import LiteralString
from unittest.mock import patch

import psycopg

from ledger.kernel.journal.entry import canonical
from ledger.kernel.journal.stored import withheld
from ledger.service import Ledger
from ledger.store.database.database_url import driver_parameters
from ledger.store.records import GameRecord, Selection
from ledger.trust.log import Log
from tests.benchmarks.bench import Bench, progress, say
from tests.tables.ledgers import ANA, BOB, do, started

_COPY: LiteralString = """
COPY actions (game_id, number, kind, seat, by, recorded_at, first_seq, event_count, idempotency_key, request_hash,
              canonical, leaf) FROM STDIN
"""
LEAVES = 1_000_000
ROUNDS = 6
GIFTS = 200


def measured(bench: Bench) -> None:
    """Append with and without parts for single seats, in turn; then prove leaves of a log of a million."""
    leaves = bench.size(LEAVES, 300)
    with bench.apart("trust") as (url, ledger):
        progress("trust: appending")
        _appending(ledger, bench.size(GIFTS, 2), bench.rounds(ROUNDS))
        progress(f"trust: a log of {leaves:,} leaves")
        _proving(ledger, url, leaves)


def _appending(ledger: Ledger, count: int, rounds: int) -> None:
    """Gifts are between two, so each is sealed: without that, its bytes are those of the first version."""
    games = [started(ledger, "ana", "bob") for _ in range(2)]

    def gifts(game: str) -> float:
        began = time.perf_counter()
        for _ in range(count):
            do(ledger, game, ANA, "transfer_money", to="bob", amount=1)
            do(ledger, game, BOB, "transfer_money", to="ana", amount=1)
        return time.perf_counter() - began

    ratios: list[float] = []
    for _ in range(rounds):
        sealed = gifts(games[0])
        with patch(
            "ledger.acting.appending.seal", lambda _book, _state, entry, _events, _touched: canonical(entry)
        ):
            plain = gifts(games[1])
        ratios.append(sealed / plain)
    newest = [ledger.store.journal.entries(game, Selection(newest_first=True, limit=1))[0][1] for game in games]
    if [withheld(stored) is not None for stored in newest] != [True, False]:
        raise RuntimeError("the gifts of the first game are to be sealed, and those of the second are not")
    say("a gift, sealed for three audiences", f"{statistics.median(ratios):.3f} times", "unsealed", "<= 1.03")


def _proving(ledger: Ledger, url: str, leaves: int) -> None:
    """Rows with a hash and nothing else: proofs read no more of an action."""
    store = ledger.store
    store.games.create(GameRecord("long", "negopoly", "long", datetime.now(UTC), b"{}"), [])
    row = "long\t%d\tk\t\\N\tbanker\t2026-01-01T00:00:00Z\t%d\t1\t\\N\t\\N\t\\\\x00\t\\\\x%s\n"
    with psycopg.connect(**driver_parameters(url)) as owner, owner.cursor() as cursor:
        columns = (
            "game_id, number, kind, seat, by, recorded_at, first_seq, event_count, idempotency_key, request_hash"
        )
        with cursor.copy(f"COPY actions ({columns}, canonical, leaf) FROM STDIN") as copy:
            for number in range(1, leaves + 1):
                copy.write(row % (number, number, sha256(number.to_bytes(8)).hexdigest()))
    began = time.perf_counter()
    log = Log(store.logs, "long")
    log.reach(leaves)
    read = time.perf_counter() - began
    times: list[float] = []
    for index in range(7, leaves, max(1, leaves // 300)):
        began = time.perf_counter()
        log.inclusion(index, leaves)
        times.append(time.perf_counter() - began)
    say(
        f"a proof in a log of {leaves:,}",
        f"{statistics.median(times) * 1e3:.2f} ms",
        f"from raw leaves {read:.1f} s",
        "<= 1 ms",
    )
    say("its receipt", f"{len(str(ledger.logs.receipt('long', 5, leaves)))} bytes", "-", "-")
