"""Receive the body of a request, with a deadline and a minimum rate.

Only the time in which the worker runs counts: a worker may be stopped, or its machine suspended, and a body that
comes meanwhile is not late.
"""

from __future__ import annotations

import asyncio
import math
from typing import Final

from api.front.asgi import Receive

LEAST_BYTES_PER_SECOND: Final = 1024
"""The minimum rate of a body in the second half of the time. The first half leaves time to send lost packets
again.
"""

_TICK_SECONDS: Final = 1.0
_LATE_SECONDS: Final = 0.5
"""The delay of a tick that shows that the worker did not run."""

_MOST_DRAINED: Final = 16 * 1024 * 1024


class BodyTimeoutError(Exception):
    """The body did not come in time."""


class BodyTooLargeError(Exception):
    """The body is larger than the service reads."""


class DisconnectedError(Exception):
    """The client closed the connection, or the server cannot read the body."""


async def collect(receive: Receive, declared: int, max_bytes: int, seconds: float) -> bytes:
    """Receive the whole body: at most `max_bytes` bytes, within `seconds` seconds.

    `declared` is the length announced by the request (0: none). The body ends after `declared` bytes, without
    waiting for a last message. In the second half of the time, the body also needs a rate of at least 1 KiB/s.
    Raises BodyTimeoutError, BodyTooLargeError and DisconnectedError.
    """
    return b"".join([chunk async for chunk in _Chunks(receive, declared, max_bytes, seconds)])


async def discard(receive: Receive, declared: int, seconds: float) -> None:
    """Receive a body and drop its bytes, so that the client goes on to read the answer already sent.

    A client loses the answer if the server closes the connection while the client is still sending. A body that
    is far too large or too slow is not read to its end: the server closes the connection.
    """
    if declared > _MOST_DRAINED:
        return
    try:
        async for _ in _Chunks(receive, declared, _MOST_DRAINED, seconds):
            pass
    except (BodyTimeoutError, BodyTooLargeError, DisconnectedError):
        return


class _Chunks:
    """An asynchronous iterator over the chunks of a body."""

    def __init__(self, receive: Receive, declared: int, max_bytes: int, seconds: float) -> None:
        self._receive = receive
        self._declared = declared
        self._max_bytes = max_bytes
        self._size = 0
        self._has_more = True
        self._loop = asyncio.get_running_loop()
        self._tick = began = self._loop.time()
        self._half = began + seconds / 2
        self._ends = began + seconds

    def __aiter__(self) -> _Chunks:
        return self

    async def __anext__(self) -> bytes:
        if not self._has_more:
            raise StopAsyncIteration
        try:
            async with asyncio.timeout(None) as waiting:
                self._plan(waiting, self._due())
                try:
                    message = await self._receive()
                finally:
                    self._timer.cancel()
                    self._excuse()
        except TimeoutError:
            raise BodyTimeoutError from None
        if message["type"] != "http.request":
            raise DisconnectedError
        chunk: bytes = message.get("body", b"")
        self._size += len(chunk)
        self._has_more = message.get("more_body", False) and self._size != self._declared
        if self._size > self._max_bytes:
            raise BodyTooLargeError
        return chunk

    def _due(self) -> float:
        return min(self._half + self._size / LEAST_BYTES_PER_SECOND, self._ends)

    def _plan(self, waiting: asyncio.Timeout, due: float) -> None:
        """Look at the time again when the chunk is due, and after a tick at the latest."""
        self._tick = min(due, self._loop.time() + _TICK_SECONDS)
        self._timer = self._loop.call_at(self._tick, self._judge, waiting)

    def _judge(self, waiting: asyncio.Timeout) -> None:
        if self._excuse():
            # First read what has come meanwhile.
            self._plan(waiting, math.inf)
        elif self._loop.time() >= self._due():
            waiting.reschedule(self._loop.time())
        else:
            self._plan(waiting, self._due())

    def _excuse(self) -> bool:
        """Add the time in which the worker did not run to the deadline. Returns True after such a time."""
        late = self._loop.time() - self._tick
        if late < _LATE_SECONDS:
            return False
        self._half += late
        self._ends += late
        return True
