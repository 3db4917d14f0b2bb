"""Clients that send the next request at every answer: one process and one open connection each."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import time
from collections.abc import Sequence
from typing import Any

Script = list[tuple[str, dict[str, str], dict[str, Any]]]
"""Requests of a client: a path, headers, and a body."""


def _client(address: tuple[str, int], requests: Script, start: Any, results: Any) -> None:
    try:
        connection = http.client.HTTPConnection(*address)
        connection.connect()
        prepared = [
            (path, json.dumps(body), {"Content-Type": "application/json", **headers})
            for path, headers, body in requests
        ]
        start.wait()
    except BaseException:
        start.abort()  # Nobody waits for a client that cannot begin.
        raise
    refused: list[str] = []
    taken: list[float] = []
    began = time.perf_counter()
    for path, body, headers in prepared:
        sent = time.perf_counter()
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
        taken.append(time.perf_counter() - sent)
        if answer.status >= http.HTTPStatus.BAD_REQUEST:
            refused.append(f"{answer.status} {text.decode()}")
    results.send((began, time.perf_counter(), refused, taken))


def requests_per_second(address: tuple[str, int], scripts: Sequence[Script]) -> float:
    """Send each script from a client of its own, all at once. Returns the answered requests per second.

    Raises RuntimeError when any answer is an error: a benchmark of refusals would measure something else.
    """
    began, ended, taken = answered(address, scripts)
    return len(taken) / (ended - began)


def answered(address: tuple[str, int], scripts: Sequence[Script]) -> tuple[float, float, list[float]]:
    """Send each script from a client of its own, all at once.

    Returns when the first began and when the last ended, and the seconds of each answer. Raises as
    `requests_per_second` does, and RuntimeError when a client fails.
    """
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(scripts))
    pipes = [context.Pipe(duplex=False) for _ in scripts]
    clients = [
        context.Process(target=_client, args=(address, script, start, there))
        for script, (_, there) in zip(scripts, pipes, strict=True)
    ]
    for client in clients:
        client.start()
    for _, there in pipes:
        there.close()  # So that the end of a client is noticed here.
    try:
        results: list[tuple[float, float, list[str], list[float]]] = [here.recv() for here, _ in pipes]
    except EOFError:
        raise RuntimeError("a client failed: its own lines say why") from None
    finally:
        for client in clients:
            client.join()
    refused = [text for _, _, texts, _ in results for text in texts]
    if refused:
        raise RuntimeError(f"{len(refused)} requests were refused, the first with {refused[0]}")
    began, ended = min(result[0] for result in results), max(result[1] for result in results)
    return began, ended, [seconds for result in results for seconds in result[3]]
