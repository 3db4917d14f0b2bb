"""Followers of a game: clients that read a stream of Server-Sent Events, in an event loop of the scenario."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import jsonschema_rs

from api.console.describe import description
from api.front.asgi import Application, Message
from ledger.rulebooks import rulebooks_by_id
from tests.api.asgi import Call
from tests.api.evening import checker
from tests.tables.over_http import BASE, Caller

T = TypeVar("T")


@dataclass(frozen=True)
class Heard:
    """One message of a stream."""

    id: int
    kind: str
    data: Any


class Following(Call):
    """A client that follows a game. `messages` are those that have come whole, in order."""

    def __init__(
        self,
        caller: Caller,
        query: str = "",
        *,
        last: int | str | None = None,
        view_as: str | None = None,
        **how: Any,
    ) -> None:
        headers = {"Host": "table.example", "Authorization": f"Bearer {caller.token}"}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        if view_as is not None:
            headers["View-As"] = view_as
        super().__init__("GET", f"{BASE}/games/{caller._game}/stream{query}", headers, [b""], **how)
        self._news = asyncio.Event()

    async def _send(self, message: Message) -> None:
        await super()._send(message)
        self._news.set()

    @property
    def messages(self) -> list[Heard]:
        return [_read(block) for block in self.content.split(b"\n\n")[:-1]]

    def of(self, *kinds: str) -> list[Heard]:
        """The messages of these kinds."""
        return [one for one in self.messages if one.kind in kinds]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the entries, in the order in which they came."""
        return [one.data["number"] for one in self.of("entry")]

    async def until(self, holds: Callable[[Following], bool]) -> Following:
        """Wait until this holds of what has come."""
        while not holds(self):
            self._news.clear()
            if self.finished:
                raise AssertionError(f"the stream has ended: {self.status} {self.content[-500:]!r}")
            await self._news.wait()
        return self

    async def heard(self, kind: str, times: int = 1) -> Heard:
        """Wait for the message of this kind, or for several; returns the last."""
        await self.until(lambda one: len(one.of(kind)) >= times)
        return self.of(kind)[times - 1]


def _read(block: bytes) -> Heard:
    fields: dict[str, str] = {}
    for line in block.decode().splitlines():
        name, _, value = line.partition(": ")
        assert name not in fields, block
        fields[name] = value
    return Heard(int(fields["id"]), fields["event"], json.loads(fields["data"]))


@asynccontextmanager
async def following(front: Application, *streams: Following) -> AsyncIterator[None]:
    """Let the clients follow in the block, from the moment when each knows who is there."""
    tasks = [asyncio.ensure_future(one.with_(front)) for one in streams]
    try:
        for one in streams:
            await one.heard("presence")
        yield
    finally:
        for one in streams:
            one.left.set()
        await asyncio.gather(*tasks)
    for one in streams:
        for message in one.messages:
            _described()[message.kind].validate(message.data)


@cache
def _described() -> dict[str, jsonschema_rs.Validator]:
    """What the description says of each kind of message."""
    document = json.loads(description(rulebooks_by_id()))
    content = document["paths"][f"{BASE}/games/{{game}}/stream"]["get"]["responses"]["200"]["content"]
    messages = content["text/event-stream"]["schema"]["x-messages"]
    return {kind: checker(document, schema) for kind, schema in messages.items()}


async def aside(act: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """Do something that blocks, while the streams go on."""
    return await asyncio.to_thread(act, *arguments, **named)
