"""The cost of listing games: the CPU time of a worker and of Postgres together for a page of 100 games."""

from __future__ import annotations

import http.client
import json
import statistics

import psycopg

from ledger.kernel.facts.state import Seat
from tests.benchmarks.bench import Bench, progress, say
from tests.benchmarks.processes import cpu_seconds, postmaster_of, used_between
from tests.benchmarks.serving import serving

FEW, MANY = 200, 3_200
"""The numbers of games. A worker remembers 512 games."""
PAGE = 100
PLAYERS = tuple(Seat(seat, seat.capitalize()) for seat in ("ana", "bob", "cleo", "dan"))
ROUNDS = 5


def measured(bench: Bench) -> None:
    """Create games in a database of their own, and list all of them when they are few and when they are many."""
    few, many, size = bench.size(FEW, 4), bench.size(MANY, 8), bench.size(PAGE, 3)
    costs: dict[int, float] = {}
    with bench.apart("listing") as (url, ledger):
        for before, count in ((0, few), (few, many)):
            progress(f"listing: creating {count - before:,} games")
            for _ in range(before, count):
                ledger.create("negopoly", title=None, players=PLAYERS, settings={}, dice="table")
            with psycopg.connect(url, autocommit=True) as owner:
                owner.execute("VACUUM ANALYZE")
            with serving("api.server:front", url) as worker:
                connection = http.client.HTTPConnection(*worker.address)
                processes = worker.pid, postmaster_of(url)
                first = _cost(connection, processes, count, size)
                rounds = range(bench.rounds(ROUNDS))
                costs[count] = statistics.median(_cost(connection, processes, count, size) for _ in rounds)
                connection.close()
            say(
                f"a page of {size} of {count:,} games, listed again",
                f"{costs[count] * 1e3:.1f} ms = {costs[count] / costs[few]:.2f}",
                f"the first time {first * 1e3:.0f} ms",
                "<= 1.5 times" if count == many else "-",
            )


def _cost(connection: http.client.HTTPConnection, processes: tuple[int, int], count: int, size: int) -> float:
    """The CPU seconds of a page when all games are listed. Raises RuntimeError when games are missing."""
    before = cpu_seconds(*processes)
    found, place = 0, ""
    while True:
        connection.request("GET", f"/api/v1/games?limit={size}{place}")
        page = json.loads(connection.getresponse().read())
        found += len(page["games"])
        if page["next"] is None:
            break
        place = f"&cursor={page['next']}"
    if found != count:
        raise RuntimeError(f"{found} games of {count} were listed")
    return used_between(before, cpu_seconds(*processes)) / (count / size)
