"""Lanes: the requests of a caller that may be answered at a time.

The bounds of `api.rest.admission.bounds` count a request after its answer. Without lanes a caller could send sixty
expensive requests at once, and all would begin below the bound. A request waits for its lane without a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import NamedTuple

from api.front.answers import Environ
from api.rest.admission.bounds import Bounds

REFUSAL_SECONDS = 0.1
"""A refused caller gets the answer 429 later, and asks less often."""


class Width(NamedTuple):
    """The width of a lane: requests answered at a time, and the largest share of an address's requests."""

    answered: int
    waiting: Fraction


WIDTHS: dict[str | None, Width] = {
    "banker": Width(8, Fraction(1)),
    "player": Width(4, Fraction(1, 2)),
    "spectator": Width(1, Fraction(1, 4)),
    None: Width(4, Fraction(1)),
}
"""The width by role; None for an address without a token in force. A table loads its pages by that lane."""


class LaneFullError(Exception):
    """The caller has as many requests in progress as its lane takes: `limit`."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Lane:
    """The lane of a caller: `free` has a permit for each further request to be answered, `requests` counts all."""

    __slots__ = ("free", "requests")

    def __init__(self, width: int) -> None:
        self.free = asyncio.Semaphore(width)
        self.requests = 0


class Lanes:
    """The lanes of the callers with requests in progress. An address may have `at_once` such requests."""

    def __init__(self, bounds: Bounds, at_once: int) -> None:
        self._bounds = bounds
        self._at_once = at_once
        self._lanes: dict[int, Lane] = {}

    @contextmanager
    def entered(self, environ: Environ) -> Iterator[Lane]:
        """Give the lane of a request's caller, for the time of the context. Raises LaneFullError."""
        caller, role = self._bounds.caller(environ)
        width = WIDTHS[role]
        limit = max(1, int(self._at_once * width.waiting))
        lane = self._lanes.get(caller) or Lane(width.answered)
        if lane.requests >= limit:
            raise LaneFullError(limit)
        self._lanes[caller] = lane
        lane.requests += 1
        try:
            yield lane
        finally:
            lane.requests -= 1
            if lane.requests == 0:
                del self._lanes[caller]
