"""Loading games from the store: each game once, for any number of simultaneous callers, and few games at a
time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from ledger.games.queues import PATIENCE_SECONDS, GameBusy

Loaded = TypeVar("Loaded")

AT_ONCE = 4
"""The maximum number of games loaded at a time by one process. Loading folds, and the processors are few."""


class Loading(Generic[Loaded]):
    """The loads under way. Takes the maximum number at a time, and the maximum waiting time of a caller in
    seconds.
    """

    def __init__(self, at_once: int = AT_ONCE, patience: float = PATIENCE_SECONDS) -> None:
        self._places = threading.BoundedSemaphore(at_once)
        self._patience = patience
        self._under_way: dict[str, Future[Loaded]] = {}
        self._lock = threading.Lock()

    def load(self, name: str, load: Callable[[], Loaded]) -> Loaded:
        """Return the result of `load`. Simultaneous callers with equal names share the result.

        The callers share an exception too; a later caller loads again. Raises GameBusy after too long a wait.
        """
        with self._lock:
            others = self._under_way.get(name)
            if others is None:
                mine: Future[Loaded] = Future()
                self._under_way[name] = mine
        if others is not None:
            return self._awaited(others)
        try:
            loaded = self._in_its_place(load)
        except BaseException as fault:
            self._end(name)
            mine.set_exception(fault)
            raise
        self._end(name)
        mine.set_result(loaded)
        return loaded

    def _in_its_place(self, load: Callable[[], Loaded]) -> Loaded:
        if not self._places.acquire(timeout=self._patience):
            raise GameBusy(f"other games have been loading for {self._patience:g} seconds")
        try:
            return load()
        finally:
            self._places.release()

    def _awaited(self, others: Future[Loaded]) -> Loaded:
        if not wait([others], timeout=self._patience).done:
            raise GameBusy(f"the game has been loading for {self._patience:g} seconds")
        return others.result()

    def _end(self, name: str) -> None:
        with self._lock:
            del self._under_way[name]
