"""A worker process that answers over HTTP during a measurement."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import httpx

CONNECTIONS = 2_000
"""How many clients may be connected at a time."""


class Worker(NamedTuple):
    """The address and the process of a worker."""

    address: tuple[str, int]
    pid: int


UNBOUNDED = {
    "MABLIGOP_REQUESTS_PER_MINUTE": "100000000",
    "MABLIGOP_COMPUTE_SECONDS_PER_MINUTE": "100000",
    "MABLIGOP_ROWS_PER_MINUTE": "100000000",
    "MABLIGOP_STREAMS": "8192",
}
"""A client of a benchmark asks more than a table does: it has all that a worker can give."""


@contextmanager
def serving(target: str, url: str, **settings: str) -> Iterator[Worker]:
    """A granian worker process with this application factory, on the database of this URL.

    A factory named `front` makes an ASGI application, any other one a WSGI application. `settings` are variables
    of the worker; without them no client of a benchmark meets a bound.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    asgi = ["--interface", "asginl", "--http", "1", "--backpressure", str(CONNECTIONS)]
    wsgi = ["--interface", "wsgi", "--blocking-threads", "8"]
    command = [sys.executable, "-m", "granian", *(asgi if target.endswith(":front") else wsgi)]
    command += ["--factory", "--port", str(port), "--workers", "1", "--no-log", target]
    process = subprocess.Popen(command, env=os.environ | UNBOUNDED | {"DATABASE_URL": url} | settings)
    try:
        while process.poll() is None:
            try:
                httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=1)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        else:
            raise RuntimeError(f"{target} ended with exit code {process.returncode}")
        yield Worker(("127.0.0.1", port), process.pid)
    finally:
        process.terminate()
        process.wait(30)
