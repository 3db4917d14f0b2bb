"""Followers: each reads a stream through cuts and restarts, and patches the state that it was sent."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import httpx
from httpx_sse import SSEError, connect_sse

from tests.command.service import trusted
from tests.crossing.house import API

PATIENCE_SECONDS = 60.0
"""How long a follower may lag behind the journal. Only a stream that is broken takes so long."""
_AGAIN_SECONDS = 0.05
_SILENCE_SECONDS = 20.0


def merged(target: Any, patch: Any) -> Any:
    """Apply a JSON Merge Patch (RFC 7396, section 2)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


class Follower(threading.Thread):
    """Follow a game as one viewer, with states and moves, from the entry after `since` on.

    `shown` has the state at each version as the stream told it live; a version that was skipped is not there.
    """

    def __init__(self, url: str, game: str, viewer: str, token: str, language: str, since: int) -> None:
        super().__init__(name=f"{viewer} follows", daemon=True)
        self.viewer = viewer
        self._url = f"{url}{API}/games/{game}/stream"
        self._language = language
        self._token = token
        self._news = threading.Condition()
        self._leaves = False
        self._stream: httpx.Response | None = None
        self.since = self.version = since
        self.state: Any = None
        self.state_version = -1
        self.moves: Any = None
        self.entries: dict[int, Any] = {}
        self.rewritten: list[Mapping[str, Any]] = []
        self.shown: dict[int, Any] = {}
        self.faults: list[str] = []
        self.ended = 0
        self.closed = False
        self.messages = 0
        self.last_fault = ""
        """The reason for the end of the last connection, in words."""

    def leave(self) -> None:
        """End this follower."""
        self._leaves = True
        self.cut()

    def cut(self) -> None:
        """Cut the connection, as a tunnel does. The follower comes back by itself."""
        stream = self._stream
        if stream is not None:
            with suppress(Exception):
                network = stream.extensions["network_stream"].get_extra_info("socket")
                network.shutdown(2)

    def take(self, token: str) -> None:
        """Go on with another token of the same viewer."""
        self._token = token
        self.closed = False
        self.cut()

    def wait(self, version: int) -> bool:
        """Wait until the stream has told this version. Returns whether it has."""
        with self._news:
            return self._news.wait_for(
                lambda: self.version >= version and self.state_version >= version, PATIENCE_SECONDS
            )

    def run(self) -> None:
        """Follow until `leave`, and come back whenever the stream breaks."""
        while not self._leaves:
            if not self.closed:
                try:
                    self._follow()
                except (httpx.HTTPError, SSEError, OSError) as fault:
                    self.last_fault = f"{type(fault).__name__}: {fault}"
            time.sleep(_AGAIN_SECONDS)

    def _follow(self) -> None:
        token = self._token
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept-Language": self._language,
            "Last-Event-ID": str(self.version),
        }
        with (
            httpx.Client(timeout=_SILENCE_SECONDS, trust_env=False, verify=trusted()) as client,
            connect_sse(client, "GET", self._url, params={"with": "state,moves"}, headers=headers) as stream,
        ):
            self._stream = stream.response
            if not stream.response.is_success:
                self.last_fault = f"the stream is answered with {stream.response.status_code}"
                return
            for message in stream.iter_sse():
                with self._news:
                    if message.event == "closed":
                        # Another token may have been given meanwhile.
                        self.closed = token == self._token
                        return
                    self._take(message.event, message.json())
                    self._news.notify_all()
                if self._leaves:
                    return

    def _take(self, kind: str, content: Any) -> None:
        self.messages += 1
        match kind:
            case "entry":
                number = content["number"]
                if number != self.version + 1:
                    self.faults.append(f"entry {number} came after version {self.version}")
                self.entries[number] = content
                self.version = number
            case "rewritten":
                self.rewritten.append({"version": self.version, **content})
            case "state":
                if "state" in content:
                    self.state = content["state"]
                else:
                    if content["since"] != self.state_version:
                        self.faults.append(
                            f"a patch since {content['since']} came to the state of {self.state_version}"
                        )
                    self.state = merged(self.state, content["patch"])
                self.state_version = content["version"]
                self.shown[self.state_version] = self.state
            case "moves":
                self.moves = content
            case "ended":
                self.ended += 1
            case "gap":
                self.faults.append(f"a gap after {content['after']}, though fewer than 200 entries were missed")
                self.version = content["version"]
            case _:
                pass
