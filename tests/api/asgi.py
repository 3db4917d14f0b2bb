"""A client of an ASGI application, in this process: it sends and reads as slowly as a scenario wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from api.front.asgi import Application, Message


class Call:
    """One request, and what has come of its answer.

    `pieces` are the pieces of the body; with `complete` False more are announced and never come. A client that
    `reads` False takes the head of the answer and nothing more. `left` is set when the client closes.
    `answered_unread` says whether the answer began before anything of the body was asked for.
    """

    def __init__(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        pieces: Iterable[bytes],
        *,
        complete: bool = True,
        reads: bool = True,
        address: str = "192.0.2.7",
    ) -> None:
        self.pieces = list(pieces)
        self.status = 0
        self.headers: dict[str, str] = {}
        self.content = b""
        self.finished = False
        self.body_was_asked_for = False
        self.answered_unread = False
        self.left = asyncio.Event()
        self.answered = asyncio.Event()
        self._complete = complete
        self._reads = reads
        path, _, query = path.partition("?")
        self.scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": (address, 50000),
            "server": ("127.0.0.1", 8000),
        }

    async def with_(self, application: Application) -> Call:
        """Let the application answer the request."""
        await application(self.scope, self._receive, self._send)
        return self

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    async def _receive(self) -> Message:
        self.body_was_asked_for = True
        if self.pieces:
            piece = self.pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(self.pieces) or not self._complete}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.answered_unread = not self.body_was_asked_for
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            return
        self.answered.set()
        if not self._reads:
            await asyncio.Event().wait()
        self.content += message["body"]
        self.finished = not message.get("more_body", False)


def get(path: str, token: str | None = None, **how: Any) -> Call:
    """A request without a body."""
    headers = {"Host": "table.example"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return Call("GET", path, headers, [b""], **how)


def post(path: str, *pieces: bytes, token: str | None = None, length: int | None = None, **how: Any) -> Call:
    """A request with a body in these pieces, of this announced length; without a length it is chunked."""
    headers = {"Host": "table.example", "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if length is None:
        headers["Transfer-Encoding"] = "chunked"
    else:
        headers["Content-Length"] = str(length)
    return Call("POST", path, headers, pieces, **how)
