"""Waiting for a game: for the other requests of this process, and for the turn among all processes."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, TypeVar

from ledger.store.database.errors import StoreBusy, StoreError

T = TypeVar("T")

MOST_IN_A_TURN = 8
"""The maximum number of waiting writers of a process served in a turn, before another process has a turn."""


PATIENCE_SECONDS = 10.0
"""The maximum time a request waits for another request of the game, or for the opening of a game."""


class GameBusy(StoreBusy):
    """Other requests have kept the game, or the loading of games, busy for too long."""


class PatientLock:
    """The lock of a game: a single thread at a time changes the game or brings it up to date.

    A thread may take the lock again while holding it. Waiting longer than `patience` seconds raises GameBusy.
    """

    __slots__ = ("_lock", "_patience")

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._lock = threading.RLock()
        self._patience = patience

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=self._patience):
            raise GameBusy(f"another request has had the game for {self._patience:g} seconds")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()


class Queue:
    """The waiting writers of one process in one game.

    Taking a turn costs more than writing, so the first writer with the turn also does the work of the next
    writers, in order.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._first = PatientLock(patience)
        self._waiting: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._serving: int | None = None

    def run(self, work: Callable[[], T], turn: Callable[[], AbstractContextManager[None]]) -> T:
        """Run the work in a turn, in this thread or in another writer's. Returns the result and raises the
        exceptions of the work.

        Work that is itself run in a turn may call this method again. If no turn is available (a StoreError),
        all waiting writers get this error. Raises GameBusy if the queue does not reach this work in time. Work
        not run before this exception is never run.
        """
        if self._serving == threading.get_ident():
            return work()
        mine: Future[T] = Future()
        waiting = (work, mine)
        self._waiting.append(waiting)
        try:
            with self._first:
                if not mine.done():
                    self._serve(mine, turn)
        except BaseException:
            if self._withdraw(waiting):
                raise
        return mine.result()

    def _withdraw(self, waiting: tuple[Callable[[], Any], Future[Any]]) -> bool:
        """Take work out of the queue. False if the work is running, or has run and has a result."""
        try:
            self._waiting.remove(waiting)
        except ValueError:
            return False
        return True

    def _serve(self, mine: Future[Any], turn: Callable[[], AbstractContextManager[None]]) -> None:
        self._serving = threading.get_ident()
        served = 0
        try:
            with turn():
                while self._waiting and (served < MOST_IN_A_TURN or not mine.done()):
                    _do(*self._waiting.popleft())
                    served += 1
        except StoreError as failure:
            while self._waiting:
                self._waiting.popleft()[1].set_exception(failure)
        finally:
            self._serving = None


def _do(work: Callable[[], Any], promised: Future[Any]) -> None:
    try:
        promised.set_result(work())
    except BaseException as raised:
        promised.set_exception(raised)
