"""What it costs to show an action to a table, and what a worker can send to a thousand streams.

A simulated game of six goes on over HTTP from action 300. The CPU time is that of the worker and of Postgres
together. Those who follow are in a process of their own, whose time does not count.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import multiprocessing
import re
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import fields

from ledger.kernel.facts.audience import BANKER, SPECTATOR, Viewer
from ledger.kernel.journal.entry import Entry
from ledger.reading.table.following import GameFeed, Listening
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Command, Ledger
from replays.keeping import keep
from replays.simulation import Series, game_of
from tests.benchmarks.bench import Bench, progress, say
from tests.benchmarks.live_moves import live_moves
from tests.benchmarks.processes import cpu_seconds, postmaster_of, used_between
from tests.benchmarks.serving import Worker, serving

Address = tuple[str, int]
Action = tuple[str | None, str, dict[str, Any]]

BEGUN = 300
SEED = 5
SLOWEST = timedelta(seconds=40)
"""No simulated action comes later than this after the one before."""
EACH = 60
"""How many actions are measured of each kind."""
MANY = 1_000
PER_SECOND = 20
SECONDS = 10
WRITERS = 8
PAYMENTS = 60
"""How many payments each of the writers makes without and with streams."""

_ENTRY = re.compile(rb"id: (\d+)\nevent: entry\n")
_LONGEST_HEAD = 64


def _series(seed: int, actions: int) -> Series:
    """Rich players, table dice, and no clock: the game goes on over HTTP as it went on in memory."""
    settings = {
        "starting_balance": 1_000_000,
        "max_rounds": 100_000,
        "game_ender_stock": 0,
        "turn_seconds": 86_400,
        "decks": {"chance": [], "kamtar": [], "meteo": []},
        "dice": "table",
    }
    return Series(
        rulebook="negopoly",
        games=1,
        players=6,
        seed=seed,
        strategies=("plain",),
        settings=settings,
        actions=actions,
    )


class Table:
    """A stored game, its banker's connection, and the actions with which it goes on."""

    def __init__(self, address: Address, game: str, banker: str, coming: Iterator[Action]) -> None:
        self.address = address
        self.path = f"/api/v1/games/{game}"
        self.coming = coming
        self._connection = http.client.HTTPConnection(*address)
        self._banker = banker
        self.tokens: dict[str, str] = {"banker": banker}
        for one in self.call("GET", "/tokens", None, banker)["tokens"]:
            if one["role"] != "banker":
                replaced = self.call("POST", f"/tokens/{one['id']}/replacement", None, banker)
                self.tokens[one["seat"] or "spectator"] = replaced["token"]

    def call(self, method: str, path: str, content: Any, token: str) -> Any:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._connection.request(
            method, self.path + path, None if content is None else json.dumps(content), headers
        )
        answer = self._connection.getresponse()
        body = json.loads(answer.read())
        return body if answer.status < http.HTTPStatus.BAD_REQUEST else {}

    def act(self) -> int:
        """Perform the next action that is accepted. Returns its number."""
        for seat, kind, params in self.coming:
            asked = {"kind": kind, "params": params} | ({"seat": seat} if seat else {})
            number = self.call("POST", "/actions", asked, self._banker).get("number")
            if number is not None:
                return int(number)
        raise RuntimeError("the simulated game was too short")


def measured(bench: Bench) -> None:
    """Measure what the table costs, and then a thousand streams."""
    ledger, url = bench.ledger, bench.url
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # A thousand connections, at both ends.
    for what, least, goal in (
        ("an action that nobody follows", "", "reported"),
        ("an action, its entry to 7 streams", "", "<= 3 ms"),
        ("the same with state and moves", "?with=state,moves", "<= 12 ms"),
    ):
        progress(what)
        with stored_table(bench, what) as (table, worker):
            viewers = [] if "nobody" in what else [who for who in table.tokens if who != "banker"]
            with _following(table, viewers, least) as followers:
                for _ in range(10):  # warm
                    table.act()
                used = []
                for _ in range(bench.size(EACH, 3)):
                    before = cpu_seconds(worker.pid, postmaster_of(url))
                    number = table.act()
                    followers.wait_for(number)
                    time.sleep(0.02)  # what is sent after the entry counts as well
                    used.append(used_between(before, cpu_seconds(worker.pid, postmaster_of(url))))
        say(what, f"{statistics.mean(used) * 1e3:.2f} ms", f"median {statistics.median(used) * 1e3:.2f} ms", goal)
    _one_entry(ledger, bench.size(EACH, 3))
    progress("moves and states alone")
    live_moves(bench)
    _many(bench)


@contextmanager
def stored_table(bench: Bench, what: str, **settings: str) -> Iterator[tuple[Table, Worker]]:
    """A worker with these settings, and the table of a stored game on it, in the block."""
    began = datetime.now(UTC) - BEGUN * SLOWEST
    seed, whole = next(
        (seed, played)
        for seed in count(SEED + sum(what.encode()))
        if not (played := game_of(_series(seed, BEGUN + 200), 0, began)).ended
    )
    banker = keep(bench.ledger, game_of(_series(seed, BEGUN), 0, began))
    coming = [(one.seat, one.kind, _given(one)) for one in whole.game.journal[BEGUN:] if one.by != "system"]
    with serving("api.server:front", bench.url, **settings) as worker:
        yield Table(worker.address, whole.game.name, banker, iter(coming)), worker


def _given(entry: Entry) -> dict[str, Any]:
    """The parameters of an action of the simulation, with what was thrown and drawn as a table gives it."""
    params: dict[str, Any] = json.loads(bytes(entry.params))
    thrown = [list(values) for values in entry.draws.values()]
    takes = {field.name for field in fields(RULEBOOK.actions[entry.kind])}
    if thrown and "dice" in takes:
        params["dice"] = thrown.pop(0)
    if thrown and "draws" in takes:
        params["draws"] = [value for values in thrown for value in values]
    return params


def _one_entry(ledger: Ledger, times: int) -> None:
    """Write the newest entry for six seats, the banker and a spectator, in this process."""
    series = _series(SEED, BEGUN)
    played = game_of(series, 0, datetime.now(UTC) - BEGUN * SLOWEST)
    keep(ledger, played)
    game, seats = played.game.name, list(played.game.state.seats)
    viewers = [BANKER, SPECTATOR, *(Viewer("player", seat) for seat in seats)]
    listening = [Listening(viewer, "en") for viewer in viewers]
    following = GameFeed(ledger.games, ledger.clock, game)
    following.poll(listening, [])
    used = []
    for turn in range(times):
        payer, payee = seats[turn % 6], seats[(turn + 1) % 6]
        command = Command(kind="transfer_money", params={"to": payee, "amount": 1})
        ledger.perform(game, Viewer("player", payer), command)
        began = time.process_time()
        told = following.poll(listening, []).changes
        used.append(time.process_time() - began)
        if any(len(messages) != 1 for messages in told.values()):
            raise RuntimeError("somebody was not told of the payment")
    say("one entry for 8 viewers, read and written", f"{statistics.median(used) * 1e3:.2f} ms", "-", "<= 1.5 ms")


def _many(bench: Bench) -> None:
    """A thousand spectators follow one game, at a steady pace and at full speed."""
    many, seconds, payments = bench.size(MANY, 3), bench.size(SECONDS, 1), bench.size(PAYMENTS, 2)
    with stored_table(bench, "a thousand streams") as (table, worker):
        alone = _at_full_speed(table, payments)
        empty = _memory(worker.pid)
        progress(f"{many:,} streams begin")
        with _following(table, ["spectator"] * many, "") as followers:
            used = (_memory(worker.pid) - empty) / many
            say("memory of a stream", f"{used / 1e3:.0f} KB", "-", "<= 150 KB")
            progress(f"{many:,} streams at {PER_SECOND} actions a second")
            sent: dict[int, float] = {}
            due = time.monotonic()
            for _ in range(PER_SECOND * seconds):
                due += 1 / PER_SECOND
                time.sleep(max(0.0, due - time.monotonic()))
                asked = time.monotonic()
                sent[_pay(table)] = asked
            followers.wait_for(max(sent))
            taken = followers.seconds_after(sent)
            say(
                f"{many:,} streams, {PER_SECOND} actions a second: entry after POST",
                f"p99 {_at(taken, 0.99) * 1e3:.0f} ms",
                f"median {_at(taken, 0.5) * 1e3:.0f} ms",
                "<= 100 ms",
            )
            progress(f"{many:,} streams at full speed")
            sent = {}
            rate = _at_full_speed(table, payments, sent)
            followers.wait_for(max(sent))
            taken = followers.seconds_after(sent)
            say(
                f"{WRITERS} writers and {many:,} streams, nothing lost",
                f"p99 {_at(taken, 0.99):.2f} s",
                f"median {_at(taken, 0.5):.2f} s",
                "<= 3 s",
            )
            say(
                "the same: actions per second",
                f"{rate:,.0f}/s = {rate / alone:.2f}",
                f"alone {alone:,.0f}/s",
                ">= 0.40",
            )


def _pay(table: Table) -> int:
    paid = {"kind": "transfer_money", "seat": "ana", "params": {"to": "bob", "amount": 1}}
    return int(table.call("POST", "/actions", paid, table.tokens["banker"])["number"])


def _at_full_speed(table: Table, payments: int, sent: dict[int, float] | None = None) -> float:
    """Let each of the writers pay so often without a pause. Returns the actions per second."""

    def write() -> None:
        connection = http.client.HTTPConnection(*table.address)
        headers = {"Authorization": f"Bearer {table.tokens['ana']}", "Content-Type": "application/json"}
        body = json.dumps({"kind": "transfer_money", "params": {"to": "bob", "amount": 1}})
        for _ in range(payments):
            began = time.monotonic()
            connection.request("POST", f"{table.path}/actions", body, headers)
            number = json.loads(connection.getresponse().read())["number"]
            if sent is not None:
                sent[number] = began

    began = time.monotonic()
    with ThreadPoolExecutor(WRITERS) as writers:
        for writing in [writers.submit(write) for _ in range(WRITERS)]:
            writing.result()
    return WRITERS * payments / (time.monotonic() - began)


def _memory(process: int) -> int:
    """The memory of a process and its children that is not in files, in bytes."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            told = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except (OSError, ValueError):
            continue
        if int(status.parent.name) == process or int(told["PPid"]) == process:
            total += int(told.get("RssAnon", "0 kB").split()[0]) * 1024
    return total


def _at(taken: Sequence[float], share: float) -> float:
    return sorted(taken)[min(len(taken) - 1, int(len(taken) * share))]


# The followers ----------------------------------------------------------------------------------


class Followers:
    """Streams that another process reads. Raises RuntimeError when one of them lost or repeated an entry."""

    def __init__(self, pipe: Any, count: int) -> None:
        self._pipe = pipe
        self._count = count

    def wait_for(self, number: int) -> None:
        """Wait until every stream has brought this entry."""
        if self._count:
            self._pipe.send(("until", number))
            if self._pipe.recv() != "there":
                raise RuntimeError("a stream broke off, or lost an entry")

    def seconds_after(self, sent: dict[int, float]) -> list[float]:
        """For every stream and every entry the seconds since it was sent."""
        self._pipe.send(("times", None))
        times: dict[int, list[float]] = self._pipe.recv()
        return [came - at for number, at in sent.items() for came in times[number]]


@contextmanager
def _following(table: Table, viewers: Sequence[str], query: str) -> Iterator[Followers]:
    """Let these viewers follow from another process in the block, from the moment when each has begun."""
    if not viewers:
        yield Followers(None, 0)
        return
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    tokens = [table.tokens[who] for who in viewers]
    process = context.Process(target=_follow, args=(table.address, f"{table.path}/stream{query}", tokens, there))
    process.start()
    there.close()  # So that the end of the process is noticed here.
    try:
        if here.recv() != "ready":
            raise RuntimeError("a stream did not begin")
        yield Followers(here, len(viewers))
    finally:
        with suppress(OSError):
            here.send(("end", None))
        process.join(30)


class _Stream(asyncio.Protocol):
    """One connection that follows: the numbers of its entries, and when they came."""

    def __init__(self, path: str, token: str, news: asyncio.Event) -> None:
        self._ask = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        self._news = news
        self._rest = b""
        self.begun = False
        self.broken = False
        self.numbers: list[int] = []
        self.times: list[float] = []

    def connection_made(self, transport: Any) -> None:
        transport.write(self._ask)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        text = self._rest + data
        self.begun = self.begun or b"event: presence" in text
        end = 0
        for found in _ENTRY.finditer(text):
            number = int(found[1])
            if self.numbers and number != self.numbers[-1] + 1:
                self.broken = True
            self.numbers.append(number)
            self.times.append(now)
            end = found.end()
        self._rest = text[max(end, len(text) - _LONGEST_HEAD) :]
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.broken = True
        self._news.set()


def _has_brought(number: int, stream: _Stream) -> bool:
    return bool(stream.numbers) and stream.numbers[-1] >= number


def _follow(address: Address, path: str, tokens: Sequence[str], pipe: Any) -> None:
    """Follow with each of these tokens, until told to end. Runs in a process of its own."""
    asyncio.run(_followed(address, path, tokens, pipe))


async def _followed(address: Address, path: str, tokens: Sequence[str], pipe: Any) -> None:
    loop, news = asyncio.get_running_loop(), asyncio.Event()
    streams: list[_Stream] = []
    connections: list[Any] = []
    for token in tokens:
        transport, stream = await loop.create_connection(partial(_Stream, path, token, news), *address)
        streams.append(stream)
        connections.append(transport)

    async def until(holds: Callable[[_Stream], bool]) -> bool:
        waiting = list(streams)
        while waiting := [one for one in waiting if not holds(one)]:
            if any(one.broken for one in streams):
                return False
            news.clear()
            await news.wait()
            await asyncio.sleep(0)
        return not any(one.broken for one in streams)

    pipe.send("ready" if await until(lambda one: one.begun) else "broken")
    while True:
        what, number = await asyncio.to_thread(pipe.recv)
        match what:
            case "until":
                came = await until(partial(_has_brought, number))
                pipe.send("there" if came else "broken")
            case "times":
                times: dict[int, list[float]] = {}
                for one in streams:
                    for name, at in zip(one.numbers, one.times, strict=True):
                        times.setdefault(name, []).append(at)
                pipe.send(times)
            case _:
                for connection in connections:
                    connection.close()
                return
