"""Followers who read the stream of a table through every fault, and remember what it brought."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

import httpx
from httpx_sse import SSEError, connect_sse

from tests.faults.checking import Row
from tests.faults.players import API, Table

_AGAIN_SECONDS = 0.2
_SILENCE_SECONDS = 20.0
"""A stream that is silent for so long is broken: there is a heartbeat every 15 seconds."""
_LOOK_SECONDS = 0.05


class Follower(threading.Thread):
    """Follows the games of a table, one after another, as their banker.

    Comes back to the next of the services after a break.
    `brought` has the entries of each game as they came: the number and the hash of each.
    """

    def __init__(self, urls: Sequence[str], table: Table) -> None:
        super().__init__(name=f"{table.rulebook} follower", daemon=True)
        self._urls = deque(urls)
        self._table = table
        self._leaves = False
        self.brought: dict[str, list[tuple[int, str]]] = {}

    def leave(self) -> None:
        """End this follower, as soon as its stream brings something or is silent for too long."""
        self._leaves = True

    def run(self) -> None:
        """Follow until `leave`, and come back whenever the stream breaks."""
        while not self._leaves:
            self._urls.rotate()
            if self._table.games:
                with suppress(httpx.HTTPError, SSEError):  # The service is away, or refuses.
                    self._follow(self._table.game)
            time.sleep(_AGAIN_SECONDS)

    def _follow(self, game: str) -> None:
        brought = self.brought.setdefault(game, [])
        last = str(brought[-1][0]) if brought else "0"
        headers = {"Authorization": f"Bearer {self._table.tokens[game]['banker']}", "Last-Event-ID": last}
        with (
            httpx.Client(timeout=_SILENCE_SECONDS, trust_env=False) as client,
            connect_sse(client, "GET", f"{self._urls[0]}{API}/games/{game}/stream", headers=headers) as stream,
        ):
            for message in stream.iter_sse():
                if message.event == "entry":
                    entry = message.json()
                    brought.append((entry["number"], entry["receipt"]["leaf"]))
                elif message.event == "gap":
                    brought += self._missed(client, game, **message.json())
                if self._leaves or self._table.game != game:
                    return

    def _missed(self, client: httpx.Client, game: str, *, after: int, version: int) -> list[tuple[int, str]]:
        """The entries that the stream left out because they were too many: whoever follows reads them."""
        headers = {"Authorization": f"Bearer {self._table.tokens[game]['banker']}"}
        found: list[tuple[int, str]] = []
        page: str | None = None
        while not found or page is not None:
            asked = {} if page is None else {"cursor": page}
            answer = client.get(f"{self._urls[0]}{API}/games/{game}/actions", params=asked, headers=headers)
            read = answer.raise_for_status().json()
            found += [(entry["number"], entry["receipt"]["leaf"]) for entry in read["actions"]]
            page = read["next"]
        return [one for one in found if after < one[0] <= version]

    def catches_up(self, game: str, head: int, patience: float) -> bool:
        """Wait until the stream has brought everything up to this action. Returns whether it has."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            brought = self.brought.get(game)
            if brought and brought[-1][0] >= head:
                return True
            time.sleep(_LOOK_SECONDS)
        return False


def missed(rows: Sequence[Row], brought: Sequence[tuple[int, str]]) -> list[str]:
    """What is wrong with what a stream brought of a journal, up to the last entry that it brought."""
    for place, (number, leaf) in enumerate(brought, start=1):
        if number != place:
            return [f"the stream brought action {number} where action {place} was to come"]
        if place > len(rows):
            return [f"the stream brought action {number}, which is not stored"]
        if rows[place - 1].leaf.hex() != leaf:
            return [f"the stream brought another action {number} than the one that is stored"]
    return []
