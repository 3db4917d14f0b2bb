"""The cost of reading a game: the CPU time of a worker and of Postgres together, in multiples of a glance.

A glance is `GET …/games/{game}`. A player of a simulated game of six reads everything over HTTP, many times in a
round. Each round gives the cost of each kind of read as a multiple of a glance in the same round. Places in the
game are random for every request, so that the memory of a worker helps as much as for real users.
"""

from __future__ import annotations

import http.client
import json
import random
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg

from replays.keeping import keep
from replays.simulation import Series, game_of
from tests.benchmarks.bench import Bench, progress, say
from tests.benchmarks.processes import cpu_seconds, postmaster_of, used_between
from tests.benchmarks.serving import serving

GAMES = {1: 500, 2: 5_000}
"""The seeds of the games that are played, and after how many actions each is read."""
PLAYERS = 6
SEAT = "ana"
"""The player who reads."""
SETTINGS = {"starting_balance": 1_000_000, "max_rounds": 100_000, "game_ender_stock": 0}
"""Rich players, and no end but the number of actions."""

ROUNDS = 5
ASKED = 30
GLANCES = 120
"""A glance is the measure of all others: it is taken more often."""
SNAPSHOTS_APART = 501
"""A journal that was written at once gets its snapshots when a moment so far from the last one is read."""

Place = Callable[[random.Random], str]


@dataclass(frozen=True, slots=True)
class Read:
    """A kind of read: its name, the number of glances that it may cost, and a function for a random path."""

    name: str
    goal: float
    place: Place


class Table:
    """A served game, and one player's connection to it."""

    def __init__(self, address: tuple[str, int], game: str, banker: str) -> None:
        self.root = f"/api/v1/games/{game}"
        self._connection = http.client.HTTPConnection(*address)
        self._headers = {"Authorization": f"Bearer {banker}"}
        tokens = self.json("GET", "/tokens")["tokens"]
        player = next(one for one in tokens if one["seat"] == SEAT)
        replaced = self.json("POST", f"/tokens/{player['id']}/replacement")
        self._headers = {"Authorization": f"Bearer {replaced['token']}"}

    def ask(self, path: str, method: str = "GET") -> bytes:
        """The body of an answer. Raises RuntimeError for a refusal."""
        self._connection.request(method, self.root + path, headers=self._headers)
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status >= http.HTTPStatus.BAD_REQUEST:
            raise RuntimeError(f"{path} answered {answer.status}: {body.decode()}")
        return body

    def json(self, method: str, path: str) -> Any:
        """The decoded answer."""
        return json.loads(self.ask(path, method))

    def pages(self, path: str) -> list[str]:
        """The paths of all pages except the last one, which may be short."""
        found, following = [path], self.json("GET", path)["next"]
        while following is not None:
            found.append(f"{path}?cursor={following}")
            following = self.json("GET", found[-1])["next"]
        return found[:-1] or found

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def reads_of(table: Table, actions: int) -> list[Read]:
    """The kinds of read of a game with this many actions, the glance first."""
    account = f"player:{SEAT}"
    journal, audit = table.pages("/actions"), table.pages("/audit")
    statement = table.pages(f"/accounts/{account}/statement")
    for moment in range(SNAPSHOTS_APART, actions, SNAPSHOTS_APART):
        table.ask(f"/state?at={moment}")
    return [
        Read("a game at a glance", 1, lambda _: ""),
        Read("the state", 2, lambda _: "/state"),
        Read("the state at any moment", 3, lambda chance: f"/state?at={chance.randint(1, actions)}"),
        Read("one entry of the journal", 1.5, lambda chance: f"/actions/{chance.randint(1, actions)}"),
        Read("50 entries of the journal", 5, lambda chance: chance.choice(journal)),
        Read("50 lines of the audit", 6, lambda chance: chance.choice(audit)),
        Read("the accounts", 1.5, lambda _: "/accounts"),
        Read("50 lines of a statement", 5, lambda chance: chance.choice(statement)),
        Read("why an amount is what it is", 8, lambda _: f"/why?account={account}&commodity=NGD"),
        Read("50 frames of a replay", 20, lambda chance: f"/replay?from={chance.randint(1, actions - 50)}"),
    ]


def measured(bench: Bench) -> None:
    """Simulate a short game and a long one, and measure the reads of both."""
    for seed, actions in ({1: 120} if bench.smallest else GAMES).items():
        progress(f"reading a game of {actions:,} actions")
        series = Series(
            rulebook="negopoly",
            games=1,
            players=PLAYERS,
            seed=seed,
            strategies=("plain", "random"),
            tables="varied",
            settings=SETTINGS,
            actions=actions,
        )
        played = game_of(series, 0)
        banker = keep(bench.ledger, played)
        # A database does this by itself after some time.
        with psycopg.connect(bench.url, autocommit=True) as owner:
            owner.execute("VACUUM ANALYZE")
        with serving("api.server:front", bench.url) as worker:
            table = Table(worker.address, played.game.name, banker)
            _read(bench, table, played.game.state.version, (worker.pid, postmaster_of(bench.url)))
            table.close()


def _read(bench: Bench, table: Table, actions: int, processes: tuple[int, int]) -> None:
    reads = reads_of(table, actions)
    chance = random.Random(actions)
    costs: dict[str, list[float]] = {read.name: [] for read in reads}
    sizes: dict[str, float] = {}
    for turn in range(-1, bench.rounds(ROUNDS)):  # The first round warms up.
        for read in reads:
            asked = bench.size(GLANCES if read is reads[0] else ASKED, 2)
            paths = [read.place(chance) for _ in range(asked)]
            before = cpu_seconds(*processes)
            sizes[read.name] = statistics.mean([len(table.ask(path)) for path in paths])
            if turn >= 0:
                costs[read.name].append(used_between(before, cpu_seconds(*processes)) / asked)
    glances = costs[reads[0].name]
    for read in reads:
        multiple = statistics.median(cost / glance for cost, glance in zip(costs[read.name], glances, strict=True))
        say(
            f"{read.name}, game of {actions:,}: {sizes[read.name] / 1e3:.1f} K",
            f"{statistics.median(costs[read.name]) * 1e3:.2f} ms = {multiple:.1f}",
            f"a glance {statistics.median(glances) * 1e3:.2f} ms",
            f"<= {read.goal:g}",
        )
