"""Clients that send the next request at every answer: one process and one open connection each."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import time
from collections.abc import Sequence
from typing import Any


def _client(
    address: tuple[str, int], requests: Sequence[tuple[str, dict[str, str], dict[str, Any]]], start: Any, out: Any
) -> None:
    connection = http.client.HTTPConnection(*address)
    connection.connect()
    prepared = [
        (path, json.dumps(body), {"Content-Type": "application/json", **headers})
        for path, headers, body in requests
    ]
    failed = 0
    taken: list[float] = []
    start.wait()
    began = time.perf_counter()
    for path, body, headers in prepared:
        asked = time.perf_counter()
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        taken.append(time.perf_counter() - asked)
        failed += answer.status >= 400
    out.put((began, time.perf_counter(), failed, taken))


def requests_per_second(
    address: tuple[str, int], scripts: Sequence[Sequence[tuple[str, dict[str, str], dict[str, Any]]]]
) -> float:
    """Send each script from a client of its own, all at once. Returns the answered requests per second.

    Raises RuntimeError when any answer is an error: a benchmark of refusals would measure something else.
    """
    began, ended, taken = answered(address, scripts)
    return len(taken) / (ended - began)


def answered(
    address: tuple[str, int], scripts: Sequence[Sequence[tuple[str, dict[str, str], dict[str, Any]]]]
) -> tuple[float, float, list[float]]:
    """Send each script from a client of its own, all at once.

    Returns when the first began and when the last ended, and the seconds of each answer. Raises as
    `requests_per_second` does.
    """
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(scripts))
    out = context.Queue()
    clients = [context.Process(target=_client, args=(address, script, start, out)) for script in scripts]
    for client in clients:
        client.start()
    results: list[tuple[float, float, int, list[float]]] = [out.get() for _ in clients]
    for client in clients:
        client.join()
    if any(failed for _, _, failed, _ in results):
        raise RuntimeError(f"{sum(failed for _, _, failed, _ in results)} requests were refused")
    began, ended = min(one[0] for one in results), max(one[1] for one in results)
    return began, ended, [seconds for one in results for seconds in one[3]]
