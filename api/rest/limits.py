"""The limit of requests per minute for each caller, counted in this process.

Every answer has the two headers of draft-ietf-httpapi-ratelimit-headers-10: the limit (`RateLimit-Policy`) and
what is left of the limit (`RateLimit`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from flask import Flask, Response, g, request

from api.rest.problems import Problem

_WINDOW_SECONDS = 60


class Use(NamedTuple):
    """How much of the limit a caller has left.

    `remaining` is the number of requests left (-1: this request was too many), `seconds` the time until the count
    starts again.
    """

    remaining: int
    seconds: int


class Window:
    """Count the requests of every caller in windows of one minute. `clock` returns seconds."""

    def __init__(self, allowed: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowed = allowed
        self._clock = clock
        self._ends = 0.0
        self._counts: dict[int, int] = {}

    def take(self, caller: int) -> Use:
        """Count one request of a caller."""
        now = self._clock()
        if now >= self._ends:
            self._ends = now + _WINDOW_SECONDS
            self._counts = {}
        count = self._counts.get(caller, 0) + 1
        self._counts[caller] = count
        return Use(max(-1, self._allowed - count), max(1, round(self._ends - now)))


def limit(app: Flask, allowed: int | None) -> None:
    """Answer with 429 when a token, or an address without a token, makes more requests in a minute than allowed.

    Requests to paths that do not exist are counted too.
    """
    if allowed is None:
        return
    window = Window(allowed)
    policy = f'"caller";q={allowed};w={_WINDOW_SECONDS}'

    @app.before_request
    def count() -> None:
        caller = request.environ.get("HTTP_AUTHORIZATION") or request.remote_addr
        # Only the hash is stored, never a token.
        use = g.use = window.take(hash(caller))
        if use.remaining < 0:
            raise Problem(
                "too-many-requests",
                f"one caller may make {allowed} requests a minute; wait {use.seconds} seconds",
                f"un appelant peut faire {allowed} requêtes par minute ; attendez {use.seconds} secondes",
                headers=[("Retry-After", str(use.seconds))],
            )

    @app.after_request
    def tell(response: Response) -> Response:
        use: Use = g.use
        left = f'"caller";r={max(0, use.remaining)};t={use.seconds}'
        response.headers.extend((("RateLimit-Policy", policy), ("RateLimit", left)))
        return response
