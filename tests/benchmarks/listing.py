"""The cost of listing games: the CPU time of a worker and of Postgres together for a page of 100 games."""

from __future__ import annotations

import http.client
import json
import statistics
from collections.abc import Callable

import psycopg
import sqlalchemy

from ledger import rulebooks
from ledger.kernel.state import Seat
from ledger.service import Ledger
from ledger.store.connection import connect
from ledger.store.migration import migrate
from ledger.store.store import Store
from tests.benchmarks.exporting import Say
from tests.benchmarks.processes import cpu_seconds, postmaster_of, used_between
from tests.benchmarks.reading import Serving

FEW, MANY = 200, 3_200
"""How many games there are. A worker remembers 512 of them."""
PAGE = 100
PLAYERS = tuple(Seat(seat, seat.capitalize()) for seat in ("ana", "bob", "cleo", "dan"))
ROUNDS = 5


def measured(url: str, serving: Serving, say: Say, progress: Callable[[str], None]) -> None:
    """Create games in a database of their own, and list all of them when they are few and when they are many."""
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("CREATE DATABASE listing")
    ours = sqlalchemy.make_url(url).set(database="listing").render_as_string(hide_password=False)
    migrate(ours)
    engine = connect(ours)
    ledger = Ledger(Store(engine), rulebooks.known())
    costs: dict[int, float] = {}
    for before, count in ((0, FEW), (FEW, MANY)):
        progress(f"listing: creating {count - before:,} games")
        for _ in range(before, count):
            ledger.create("negopoly", title=None, players=PLAYERS, settings={}, dice="table")
        with psycopg.connect(ours, autocommit=True) as owner:
            owner.execute("VACUUM ANALYZE")
        with serving("api.server:front", ours) as worker:
            connection = http.client.HTTPConnection(*worker.address)
            processes = worker.pid, postmaster_of(ours)
            first = _cost(connection, processes, count)
            costs[count] = statistics.median(_cost(connection, processes, count) for _ in range(ROUNDS))
            connection.close()
        say(
            f"a page of {PAGE} of {count:,} games, listed again",
            f"{costs[count] * 1e3:.1f} ms = {costs[count] / costs[FEW]:.2f}",
            f"the first time {first * 1e3:.0f} ms",
            "<= 1.5 times" if count == MANY else "-",
        )
    engine.dispose()


def _cost(connection: http.client.HTTPConnection, processes: tuple[int, int], count: int) -> float:
    """The CPU seconds of a page when all games are listed. Raises RuntimeError when games are missing."""
    before = cpu_seconds(*processes)
    found, place = 0, ""
    while True:
        connection.request("GET", f"/api/v1/games?limit={PAGE}{place}")
        page = json.loads(connection.getresponse().read())
        found += len(page["games"])
        if page["next"] is None:
            break
        place = f"&cursor={page['next']}"
    if found != count:
        raise RuntimeError(f"{found} games of {count} were listed")
    return used_between(before, cpu_seconds(*processes)) / (count / PAGE)
