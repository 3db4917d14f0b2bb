"""Loading games from the store: each once, however many ask for it at the same time, and few at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from ledger.games.queues import PATIENCE_SECONDS, GameBusy

Loaded = TypeVar("Loaded")

AT_ONCE = 4
"""How many games one process loads at a time. Loading folds, and the processors are few."""


class Loading(Generic[Loaded]):
    """What is being loaded now. Takes how many may be at a time, and how many seconds a caller waits."""

    def __init__(self, at_once: int = AT_ONCE, patience: float = PATIENCE_SECONDS) -> None:
        self._places = threading.BoundedSemaphore(at_once)
        self._patience = patience
        self._under_way: dict[str, Future[Loaded]] = {}
        self._lock = threading.Lock()

    def load(self, name: str, load: Callable[[], Loaded]) -> Loaded:
        """The result of `load`. Callers who ask for the same name meanwhile get the same result.

        They get the same exception, too, if there is one; who asks later, loads again. Raises GameBusy for those
        who have waited too long.
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
