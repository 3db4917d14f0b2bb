"""How many requests one caller may make in a minute."""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import Flask, request

from api.rest.problems import Problem

_WINDOW_SECONDS = 60


class Window:
    """A count per caller that starts anew every minute (a fixed window). Takes a clock in seconds."""

    def __init__(self, allowed: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowed = allowed
        self._clock = clock
        self._ends = 0.0
        self._counts: dict[int, int] = {}

    def take(self, caller: int) -> int:
        """Count one request of the caller. Gives 0, or the seconds to wait when there were too many."""
        now = self._clock()
        if now >= self._ends:
            self._ends = now + _WINDOW_SECONDS
            self._counts = {}
        count = self._counts.get(caller, 0) + 1
        self._counts[caller] = count
        return 0 if count <= self._allowed else max(1, round(self._ends - now))


def limit(app: Flask, allowed: int | None) -> None:
    """Answer 429 to a token, or to an address without a token, beyond this many requests in a minute."""
    if allowed is None:
        return
    window = Window(allowed)

    @app.before_request
    def count() -> None:
        caller = request.environ.get("HTTP_AUTHORIZATION") or request.remote_addr
        # The hash, so that no token is kept.
        wait = window.take(hash(caller))
        if wait:
            raise Problem(
                "too-many-requests",
                f"one caller may make {allowed} requests a minute; wait {wait} seconds",
                f"un appelant peut faire {allowed} requêtes par minute ; attendez {wait} secondes",
                headers=[("Retry-After", str(wait))],
            )
