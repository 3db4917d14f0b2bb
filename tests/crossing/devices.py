"""Devices that take part in shared throws, as phones and `mabligop dice` do, through cuts and restarts."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import httpx

from api.command.terminal.failures import Failure
from api.command.throwing import Seat
from tests.command.service import trusted

_AGAIN_SECONDS = 0.1


class Device(threading.Thread):
    """A device of a seat. Its chains are kept in a file, as those of the command are."""

    def __init__(self, url: str, game: str, seat: str, token: str, folder: Path) -> None:
        super().__init__(name=f"{seat} throws", daemon=True)
        self._url, self._game, self._seat, self._token = url, game, seat, token
        self._file = folder / f"{game}-{seat}.chains"
        self._leaves = False
        self.begun = threading.Event()
        """Set once the seat has committed to a chain."""
        self.complaints: list[str] = []
        """The device's complaints about values left out, or requested too early."""

    def take(self, token: str) -> None:
        """Go on with another token of the same seat."""
        self._token = token

    def leave(self) -> None:
        """End this device when its stream ends."""
        self._leaves = True

    def run(self) -> None:
        """Take part until `leave`."""
        while not self._leaves:
            headers = {"Authorization": f"Bearer {self._token}"}
            with httpx.Client(
                base_url=self._url, headers=headers, timeout=30, verify=trusted(), trust_env=False
            ) as client:
                try:
                    for sentence in Seat(client, self._game, self._seat, self._file).follow():
                        self.begun.set()
                        if "leaves out" in sentence or "says that" in sentence:
                            self.complaints.append(sentence)
                        if self._leaves:
                            return
                except (httpx.HTTPError, Failure):
                    pass  # The service is away, or the token was replaced.
            time.sleep(_AGAIN_SECONDS)
