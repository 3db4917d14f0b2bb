"""Lanes: the requests of a caller that may be answered at a time.

The bounds of `api.rest.admission.bounds` count a request after its answer. Without lanes a caller could send sixty
expensive requests at once, and all would begin below the bound. A request waits for its lane without a thread.

A narrow lane rests after an answer that took long, so a spectator's computing is spread over the minute instead of
beside every answer of the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from api.front.answers import Environ
from api.rest.admission.bounds import Bounds

REFUSAL_SECONDS = 0.1
"""The lane of a refused caller rests, so the caller asks less often."""


class Width(NamedTuple):
    """The width of a lane: requests answered at a time, and the largest share of an address's requests.

    `pause` is the rest after an answer, in times of its computing, once a caller has used a tenth of the bound.
    """

    answered: int
    waiting: Fraction
    pause: int = 0


WIDTHS: dict[str | None, Width] = {
    "banker": Width(8, Fraction(1)),
    "player": Width(4, Fraction(1, 2)),
    "spectator": Width(1, Fraction(1, 4), pause=9),
    None: Width(2, Fraction(1), pause=9),
}
"""The width by role; None for an address without a token in force. A table loads its pages by that lane."""


class LaneFullError(Exception):
    """The caller has as many requests in progress as its lane takes: `limit`."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class Lane:
    """The lane of a caller: a permit for each request to be answered at a time, and the requests in progress.

    `pause` returns the seconds of rest after computing for some seconds. `forget` is called once the lane has
    neither a request nor a rest.
    """

    __slots__ = ("_forget", "_free", "_resting", "pause", "requests")

    def __init__(self, width: int, pause: Callable[[float], float], forget: Callable[[], None]) -> None:
        self.pause = pause
        self.requests = 0
        self._resting = 0
        self._free = asyncio.Semaphore(width)
        self._forget = forget

    async def take(self) -> None:
        """Take a permit, once one is free."""
        await self._free.acquire()

    def give_back(self, pause: float) -> None:
        """Give a permit back, after a rest of some seconds."""
        if not pause:
            self._free.release()
            return
        self._resting += 1
        asyncio.get_running_loop().call_later(pause, self._wake)

    def leave(self) -> None:
        """End a request."""
        self.requests -= 1
        self._end()

    def _wake(self) -> None:
        self._resting -= 1
        self._free.release()
        self._end()

    def _end(self) -> None:
        if not self.requests and not self._resting:
            self._forget()


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
        lane = self._lanes.get(caller)
        if lane is None:
            lane = Lane(width.answered, partial(self._pause, caller, role), partial(self._forget, caller))
        if lane.requests >= limit:
            raise LaneFullError(limit)
        self._lanes[caller] = lane
        lane.requests += 1
        try:
            yield lane
        finally:
            lane.leave()

    def _forget(self, caller: int) -> None:
        self._lanes.pop(caller, None)

    def _pause(self, caller: int, role: str | None, seconds: float) -> float:
        """Return the rest of a caller's lane after computing for some seconds."""
        return WIDTHS[role].pause * seconds if self._bounds.is_busy(caller, role) else 0.0
