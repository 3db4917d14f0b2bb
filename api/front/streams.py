"""The streams of a worker: limits on their number, and the pieces sent by each."""

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
from ledger.kernel.language.phrase import Phrase

log = logging.getLogger("mabligop.live")

_MOST_WAITING = 2_000
"""Largest number of pieces waiting for a slow client. Beyond, the stream ends, and the client may resume."""
_RETRY_AFTER = (("Retry-After", "5"),)


class StreamSlots:
    """A limit on streams: at most `in_all` in the worker, three quarters of them for an address, an eighth for a
    spectator's token, and a quarter for each other token.

    Threads take slots, and the event loop gives them back. `on_count` is called with each new number of
    streams.
    """

    def __init__(self, in_all: int, on_count: Callable[[int], None]) -> None:
        self._on_count = on_count
        self.used = 0
        self.closed = False
        self._in_all = in_all
        self._holders: Counter[str | bytes] = Counter()
        self._lock = threading.Lock()

    def take(self, follower: Follower) -> None:
        """Take a slot. Raises Problem: 429 if the address or the token has enough, 503 if the worker is full."""
        network = network_of(follower.address)
        of_address = max(1, self._in_all * 3 // 4)
        spectates = follower.joining.listening.viewer.role == "spectator"
        of_token = max(1, self._in_all // (8 if spectates else 4))
        with self._lock:
            if self.closed or self.used >= self._in_all:
                raise Problem(
                    "unavailable",
                    f"this worker sends {self._in_all} streams and takes no more now; all else is answered",
                    f"ce processus envoie {self._in_all} flux et n'en prend plus ; il répond à tout le reste",
                    headers=_RETRY_AFTER,
                )
            for holder, limit, who in (
                (network, of_address, Phrase("one address", "une adresse")),
                (follower.token, of_token, Phrase("your token", "votre jeton")),
            ):
                if self._holders[holder] >= limit:
                    raise Problem(
                        "too-many-requests",
                        f"{who.en} may have {limit} streams",
                        f"{who.fr} peut avoir {limit} flux",
                        headers=_RETRY_AFTER,
                        quota=at_once(limit, "streams"),
                    )
            self.used += 1
            self._holders.update((network, follower.token))
            self._on_count(self.used)

    def give_back(self, follower: Follower) -> None:
        """Give a slot back."""
        holders = (network_of(follower.address), follower.token)
        with self._lock:
            self.used -= 1
            self._on_count(self.used)
            self._holders.subtract(holders)
            for holder in holders:
                if not self._holders[holder]:
                    del self._holders[holder]


class Stream:
    """A stream: the pieces waiting to be sent, and the last version sent.

    A worker may have thousands of streams, and each action reaches all streams of its game. So one clock for
    all finds the clients that read nothing (`Live._beat`), instead of a timer for each piece.
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
        self.version = follower.joining.last_known or 0
        self.presence: Mapping[str, Any] | None = None
        """The presence last sent to the client."""
        self.sending = False
        self.sent_at = time.monotonic()
        """The time when the last piece was given to the connection, or offered to a blocked connection."""

    def push(self, piece: bytes) -> None:
        """Queue a piece to be sent."""
        if self.ending:
            return
        self.waiting.append(piece)
        if len(self.waiting) > _MOST_WAITING:
            log.info("a stream ends: its client reads too slowly")
            self.waiting.clear()
            self.ending = True
        self._wake()

    def end(self) -> None:
        """End the stream after sending the waiting pieces."""
        self.ending = True
        self._wake()

    def give_up(self) -> None:
        """End the stream at once, because the client reads nothing."""
        self.given_up = True
        if self.task is not None:
            self.task.cancel()

    def _wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the pieces to send. Pieces waiting at the same time are joined."""
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
