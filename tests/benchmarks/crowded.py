"""A service of several workers: sixteen clients on one game, and on sixteen games."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import httpx

from tests.benchmarks.acting import transfers
from tests.benchmarks.bench import Bench, progress, say
from tests.benchmarks.load import Script, answered
from tests.benchmarks.serving import UNBOUNDED

_CLIENTS = 16
_ACTIONS = 100
_WORKERS = 4
_ROUNDS = 3


class _Speed(NamedTuple):
    """What clients got: answers per second, and the median and the 99th percentile of the seconds of one."""

    rate: float
    median: float
    slowest: float


@contextmanager
def _service(url: str, workers: int) -> Iterator[tuple[str, int]]:
    """A whole service on this database, with this many workers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", "from api.command.main import main; main()", "serve", "--no-demo"]
    command += ["--port", str(port), "--workers", str(workers)]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, env=os.environ | UNBOUNDED | {"DATABASE_URL": url}, stdout=quiet, stderr=quiet
    )
    try:
        while process.poll() is None:
            try:
                if httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=1).is_success:
                    break
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        else:
            raise RuntimeError(f"the service ended with exit code {process.returncode}")
        time.sleep(2)  # Until the other workers have started, too.
        yield "127.0.0.1", port
    finally:
        process.terminate()
        process.wait(30)


def _speed(address: tuple[str, int], scripts: list[Script]) -> _Speed:
    began, ended, taken = answered(address, scripts)
    taken.sort()
    return _Speed(len(taken) / (ended - began), statistics.median(taken), taken[len(taken) * 99 // 100])


def measured(bench: Bench) -> None:
    """Compare four workers with one, on one hot game and on as many games as clients.

    Clients and Postgres use the same processors.
    """
    count, clients, most = bench.size(_ACTIONS, 2), bench.size(_CLIENTS, 2), bench.size(_WORKERS, 2)
    one_game: dict[int, list[_Speed]] = {1: [], most: []}
    many_games: dict[int, list[_Speed]] = {1: [], most: []}
    with _service(bench.url, 1) as single, _service(bench.url, most) as several:
        for turn in range(bench.rounds(_ROUNDS)):
            for workers, address in ((1, single), (most, several)):
                progress(f"round {turn + 1}: {workers} workers")
                script = transfers(address, count)
                one_game[workers].append(_speed(address, [script] * clients))
                scripts = [transfers(address, count) for _ in range(clients)]
                many_games[workers].append(_speed(address, scripts))
    hot, alone = _middle(one_game[most]), _middle(one_game[1])
    say(
        f"{clients} clients on one game, {most} workers",
        f"{hot.rate:,.0f}/s = {_gain(one_game[most], one_game[1]):.2f}",
        f"1 worker {alone.rate:,.0f}/s",
        ">= 1.0",
    )
    say(
        "    99th percentile of an answer's time",
        f"{hot.slowest * 1e3:,.0f} ms = {hot.slowest / hot.median:.1f}",
        f"median {hot.median * 1e3:,.0f} ms",
        "<= 3.0",
    )
    spread, alone = _middle(many_games[most]), _middle(many_games[1])
    say(
        f"{clients} clients on {clients} games, {most} workers",
        f"{spread.rate:,.0f}/s = {_gain(many_games[most], many_games[1]):.2f}",
        f"1 worker {alone.rate:,.0f}/s",
        ">= 1.6",
    )


def _middle(speeds: list[_Speed]) -> _Speed:
    return sorted(speeds)[len(speeds) // 2]


def _gain(several: list[_Speed], single: list[_Speed]) -> float:
    """How many times the rate of one worker several workers reach, in the median of the rounds."""
    return statistics.median(speed.rate / alone.rate for speed, alone in zip(several, single, strict=True))
