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
    start.wait()
    began = time.perf_counter()
    for path, body, headers in prepared:
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        failed += answer.status >= 400
    out.put((began, time.perf_counter(), failed))


def requests_per_second(
    address: tuple[str, int], scripts: Sequence[Sequence[tuple[str, dict[str, str], dict[str, Any]]]]
) -> float:
    """Send each script from a client of its own, all at once. Returns the answered requests per second.

    Raises RuntimeError when any answer is an error: a benchmark of refusals would measure something else.
    """
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(scripts))
    out = context.Queue()
    clients = [context.Process(target=_client, args=(address, script, start, out)) for script in scripts]
    for client in clients:
        client.start()
    results: list[tuple[float, float, int]] = [out.get() for _ in clients]
    for client in clients:
        client.join()
    if any(failed for _, _, failed in results):
        raise RuntimeError(f"{sum(failed for _, _, failed in results)} requests were refused")
    began, ended = min(one[0] for one in results), max(one[1] for one in results)
    return sum(len(script) for script in scripts) / (ended - began)
