"""The streams of one worker: how many there may be, and what each of them sends."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from api.rest.actions.stream import Follower
from api.rest.admission.addresses import network_of
from api.rest.admission.limits import at_once
from api.rest.problems.problems import Problem

log = logging.getLogger("mabligop.live")

_MOST_WAITING = 2_000
"""How many pieces wait for a client that reads too slowly. Then its stream ends, and it may resume."""
_RETRY_AFTER = (("Retry-After", "5"),)


class StreamPlaces:
    """How many streams a worker sends: at most `in_all`, and at most `of_address` to one address.

    Threads take places, and the event loop gives them back. `told` is told how many are taken.
    """

    def __init__(self, in_all: int, of_address: int, told: Callable[[int], None]) -> None:
        self._told = told
        self.taken = 0
        self.closed = False
        self._in_all = in_all
        self._of_address = of_address
        self._addresses: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, address: str) -> None:
        """Take a place. Raises a Problem: 429 when the address has too many, 503 when there are too many."""
        network = network_of(address)
        with self._lock:
            if self.closed or self.taken >= self._in_all:
                raise Problem(
                    "unavailable",
                    f"this worker sends {self._in_all} streams and takes no more now; all else is answered",
                    f"ce processus envoie {self._in_all} flux et n'en prend plus ; il répond à tout le reste",
                    headers=_RETRY_AFTER,
                )
            if self._addresses[network] >= self._of_address:
                raise Problem(
                    "too-many-requests",
                    f"one address may have {self._of_address} streams",
                    f"une adresse peut avoir {self._of_address} flux",
                    headers=_RETRY_AFTER,
                    quota=at_once(self._of_address, "streams"),
                )
            self.taken += 1
            self._addresses[network] += 1
            self._told(self.taken)

    def give_back(self, address: str) -> None:
        """Give a place back."""
        network = network_of(address)
        with self._lock:
            self.taken -= 1
            self._told(self.taken)
            self._addresses[network] -= 1
            if not self._addresses[network]:
                del self._addresses[network]


class Stream:
    """One stream: what waits to be sent, and the version up to which it has been told.

    A worker may have thousands, each told of every action. So there is no timer for each piece, but one clock
    for all clients that read nothing (`Live._beat`).
    """

    __slots__ = (
        "ending",
        "follower",
        "given_up",
        "presence",
        "sending",
        "sent_at",
        "task",
        "version",
        "waiter",
        "waiting",
    )

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self.waiting: deque[bytes] = deque()
        self.waiter: asyncio.Future[None] | None = None
        self.task = asyncio.current_task()
        self.ending = False
        self.given_up = False
        self.version = follower.joining.after or 0
        self.presence: Mapping[str, Any] | None = None
        """Who the client was told is connected."""
        self.sending = False
        self.sent_at = time.monotonic()
        """When the last piece was given to the connection, or offered while it takes none."""

    def push(self, piece: bytes) -> None:
        """Let a piece be sent."""
        if self.ending:
            return
        self.waiting.append(piece)
        if len(self.waiting) > _MOST_WAITING:
            log.info("a stream ends: its client reads too slowly")
            self.waiting.clear()
            self.ending = True
        self._wake()

    def end(self) -> None:
        """End the stream when what waits has been sent."""
        self.ending = True
        self._wake()

    def give_up(self) -> None:
        """End the stream at once, because its client takes nothing of it."""
        self.given_up = True
        if self.task is not None:
            self.task.cancel()

    def _wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    async def pieces(self) -> AsyncIterator[bytes]:
        """What is to be sent, as it comes; all that waits at a time."""
        loop = asyncio.get_running_loop()
        while True:
            while not self.waiting:
                if self.ending:
                    return
                self.waiter = loop.create_future()
                await self.waiter
                self.waiter = None
            piece = self.waiting[0] if len(self.waiting) == 1 else b"".join(self.waiting)
            self.waiting.clear()
            yield piece
