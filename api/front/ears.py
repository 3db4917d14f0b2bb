"""Listening to the database for an event loop."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any

from ledger.service import Ledger
from ledger.store.database.errors import StoreError
from ledger.store.notices import Heard

log = logging.getLogger("mabligop.live")

_PATIENCE_SECONDS = 0.5
"""Longest wait for a notice before the thread checks whether `close` was called."""
_AGAIN_SECONDS = 1.0


class Ears:
    """A thread that listens to the database and passes notices to the running event loop.

    The loop calls `heard` with a list of notices, and `listens` whenever the thread begins to listen.
    """

    def __init__(self, ledger: Ledger, heard: Callable[[list[Heard]], None], listens: Callable[[], None]) -> None:
        self.listening = False
        """True while all current notices are heard. Belongs to the event loop."""
        self._ledger = ledger
        self._heard = heard
        self._listens = listens
        self._loop = asyncio.get_running_loop()
        self._closed = threading.Event()
        threading.Thread(target=self._run, name="listen", daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self.listening = False
        self._closed.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                with self._ledger.store.notices.listen() as listener:
                    self._call(self._began)
                    while not self._closed.is_set():
                        heard = listener.wait(_PATIENCE_SECONDS)
                        if heard:
                            self._call(self._pass_on, heard)
            except StoreError as fault:
                log.warning("streams wait for the database: %s", type(fault).__name__)
                self._closed.wait(_AGAIN_SECONDS)

    def _call(self, call: Callable[..., None], *arguments: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # The event loop has ended.
            self._closed.set()

    def _began(self) -> None:
        if not self._closed.is_set():
            self.listening = True
            self._listens()

    def _pass_on(self, heard: list[Heard]) -> None:
        if not self._closed.is_set():
            self._heard(heard)
