"""A service of several workers: sixteen clients on one game, and on sixteen games."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx

from tests.benchmarks.load import answered

_CLIENTS = 16
_ROUNDS = 3
_Script = list[tuple[str, dict[str, str], dict[str, Any]]]


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
    process = subprocess.Popen(command, env={**os.environ, "DATABASE_URL": url}, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                if httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=1).is_success:
                    break
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        time.sleep(2)  # Until the other workers have started, too.
        yield "127.0.0.1", port
    finally:
        process.terminate()
        process.wait(30)


def _speed(address: tuple[str, int], scripts: list[_Script]) -> _Speed:
    began, ended, taken = answered(address, scripts)
    taken.sort()
    return _Speed(len(taken) / (ended - began), statistics.median(taken), taken[len(taken) * 99 // 100])


def measured(
    url: str,
    transfers: Callable[[tuple[str, int], int], _Script],
    say: Callable[[str, str, str, str], None],
    progress: Callable[[str], None],
) -> None:
    """Compare four workers with one, on one hot game and on as many games as clients.

    `transfers` starts a game and gives a script of actions in it. Clients and Postgres use the same processors.
    """
    count = 100
    one_game: dict[int, list[_Speed]] = {1: [], 4: []}
    many_games: dict[int, list[_Speed]] = {1: [], 4: []}
    with _service(url, 1) as single, _service(url, 4) as several:
        for turn in range(_ROUNDS):
            for workers, address in ((1, single), (4, several)):
                progress(f"round {turn + 1}: {workers} workers")
                script = transfers(address, count)
                one_game[workers].append(_speed(address, [script] * _CLIENTS))
                scripts = [transfers(address, count) for _ in range(_CLIENTS)]
                many_games[workers].append(_speed(address, scripts))
    hot, alone = _middle(one_game[4]), _middle(one_game[1])
    say(
        "16 clients on one game, 4 workers",
        f"{hot.rate:,.0f}/s = {_gain(one_game):.2f}",
        f"1 worker {alone.rate:,.0f}/s",
        ">= 1.0",
    )
    say(
        "    99th percentile of an answer's time",
        f"{hot.slowest * 1e3:,.0f} ms = {hot.slowest / hot.median:.1f}",
        f"median {hot.median * 1e3:,.0f} ms",
        "<= 3.0",
    )
    spread, alone = _middle(many_games[4]), _middle(many_games[1])
    say(
        "16 clients on 16 games, 4 workers",
        f"{spread.rate:,.0f}/s = {_gain(many_games):.2f}",
        f"1 worker {alone.rate:,.0f}/s",
        ">= 1.6",
    )


def _middle(speeds: list[_Speed]) -> _Speed:
    return sorted(speeds)[len(speeds) // 2]


def _gain(speeds: dict[int, list[_Speed]]) -> float:
    """How many times the rate of one worker four workers reach, in the median of the rounds."""
    return statistics.median(four.rate / one.rate for one, four in zip(speeds[1], speeds[4], strict=True))
