"""A table beside a mean spectator: the time of the table's answers, with bounds and without.

A banker and six seats ask at a steady pace, as their screens do. A spectator, with its token and without, asks for
all that is dear over many connections, and does not heed any refusal.
"""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from tests.benchmarks.bench import Bench, progress, say
from tests.benchmarks.live import Address, Table, stored_table
from tests.benchmarks.serving import UNBOUNDED

SECONDS = 60
EACH_SECONDS = 0.35
"""Each screen asks so often."""
CONNECTIONS = 12
DEAR = (
    "/export?format=html",
    "/audit?format=csv",
    "/export?format=parquet",
    "/actions?q=a&limit=200&totals=true",
    "/replay?limit=200",
    "/statistics",
    "/why?account=bank&commodity=NGD&limit=200",
    "/export?format=beancount",
)
BOUNDED = dict(zip(UNBOUNDED, ("60000", "40", "20000", "4096"), strict=True))
"""The limits of a service without settings."""


def measured(bench: Bench) -> None:
    """Measure the table alone and beside the spectator, with the usual bounds and without any."""
    seconds = bench.size(SECONDS, 2)
    for name, settings in (("with bounds", BOUNDED), ("without bounds", {})):
        with stored_table(bench, f"a mean spectator {name}", **settings) as (table, _):
            progress(f"{name}: the table alone")
            alone, refused_alone = _asked(table, seconds)
            progress(f"{name}: beside a spectator")
            with _mean(table) as answered:
                beside, refused = _asked(table, seconds)
            if refused_alone or refused:
                raise RuntimeError(f"the table was refused {refused_alone + refused} times")
            many = answered[0]
        ratio = _late(beside) / _late(alone)
        say(
            f"a table beside a mean spectator, {name}: p99",
            f"{_late(beside) * 1e3:,.0f} ms = {ratio:.1f}",
            f"alone {_late(alone) * 1e3:,.0f} ms",
            "<= 2.0" if settings else "-",
        )
        say(f"    answers to the spectator in {seconds} s", _counted(many), "-", "-")


def _late(taken: Sequence[float]) -> float:
    return sorted(taken)[min(len(taken) - 1, len(taken) * 99 // 100)]


def _counted(answers: Counter[int]) -> str:
    return ", ".join(f"{count} x {status}" for status, count in sorted(answers.items())) or "none"


def _asked(table: Table, seconds: float) -> tuple[list[float], int]:
    """The seconds of each answer to the screens of the table, and the number of refusals."""
    taken: list[float] = []
    refused: list[int] = []
    end = time.monotonic() + seconds

    def screen(place: int, name: str) -> None:
        connection = http.client.HTTPConnection(*table.address)
        headers = {"Authorization": f"Bearer {table.tokens[name]}", "Content-Type": "application/json"}
        to = next(seat for seat in table.tokens if seat not in {name, "banker", "spectator"})
        pay = {"kind": "transfer_money", "params": {"to": to, "amount": 1}, "dry_run": name == "banker"}
        if name == "banker":
            pay["seat"] = next(seat for seat in table.tokens if seat not in {to, "banker", "spectator"})
        asked: Iterator[tuple[str, str, Any]] = itertools.cycle(
            [
                ("GET", "/state", None),
                ("POST", "/actions", {**pay, "dry_run": True}),
                ("GET", "/moves", None),
                ("POST", "/actions", pay),
                ("GET", "/actions?limit=20&order=newest", None),
            ]
        )
        time.sleep(EACH_SECONDS * place / 7)
        for method, path, content in asked:
            began = time.monotonic()
            if began >= end:
                return
            body = None if content is None else json.dumps(content)
            connection.request(method, table.path + path, body, headers)
            answer = connection.getresponse()
            answer.read()
            taken.append(time.monotonic() - began)
            if answer.status == http.HTTPStatus.TOO_MANY_REQUESTS:
                refused.append(answer.status)
            time.sleep(max(0.0, EACH_SECONDS - (time.monotonic() - began)))

    names = [name for name in table.tokens if name != "spectator"]
    with ThreadPoolExecutor(len(names)) as screens:
        for one in [screens.submit(screen, place, name) for place, name in enumerate(names)]:
            one.result()
    return taken, len(refused)


@contextmanager
def _mean(table: Table) -> Iterator[list[Counter[int]]]:
    """Let the spectator ask in the block, from a process of its own. The list gets the number of each status."""
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(
        target=_ask_all, args=(table.address, table.path, table.tokens["spectator"], there), daemon=True
    )
    process.start()
    there.close()
    counted: list[Counter[int]] = []
    here.recv()
    try:
        yield counted
    finally:
        here.send("end")
        counted.append(here.recv())
        process.join(30)


def _ask_all(address: Address, path: str, token: str, pipe: Any) -> None:
    """Ask over several connections until told to end. Every third connection has no token."""
    answers: Counter[int] = Counter()
    over = threading.Event()
    counting = threading.Lock()

    def ask(place: int) -> None:
        headers = {} if place % 3 == 2 else {"Authorization": f"Bearer {token}"}
        paths = itertools.cycle(DEAR[place % len(DEAR) :] + DEAR[: place % len(DEAR)])
        connection = http.client.HTTPConnection(*address, timeout=60)
        while not over.is_set():
            below = "/api/v1/rulebooks/negopoly/rules" if not headers else path + next(paths)
            try:
                connection.request("GET", below, headers=headers)
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                connection.close()
                continue
            with counting:
                answers[answer.status] += 1

    with ThreadPoolExecutor(CONNECTIONS) as asking:
        for place in range(CONNECTIONS):
            asking.submit(ask, place)
        pipe.send("ready")
        pipe.recv()
        over.set()
    pipe.send(answers)
