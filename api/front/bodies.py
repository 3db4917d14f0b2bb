"""Receive the body of a request, with a deadline and a minimum rate."""

from __future__ import annotations

import asyncio
from typing import Final

from api.front.asgi import Receive

LEAST_BYTES_PER_SECOND: Final = 1024
"""The minimum rate of a body in the second half of the time. The first half leaves time to send lost packets
again.
"""

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
        began = asyncio.get_running_loop().time()
        self._half = began + seconds / 2
        self._ends = began + seconds

    def __aiter__(self) -> _Chunks:
        return self

    async def __anext__(self) -> bytes:
        if not self._has_more:
            raise StopAsyncIteration
        due = self._half + self._size / LEAST_BYTES_PER_SECOND
        try:
            async with asyncio.timeout_at(min(due, self._ends)):
                message = await self._receive()
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
