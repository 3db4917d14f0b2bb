"""The clock of a ledger: what time it is, and how time goes on in a game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from ledger.kernel.facts.state import State

_MOST = 1_000
"""For how many games it is known when the time of their last action was first met too early."""
TOLD = timedelta(minutes=1)
"""A clock that was set back by less is nobody's business."""


class Clock:
    """The time in UTC to the millisecond. Takes a function that returns the time.

    The times of a game only grow. A clock that was ahead and is set back must not stop the game: from its last
    action on, the time of the game then goes on as fast as the clock does, and stays ahead of it.
    """

    def __init__(self, source: Callable[[], datetime]) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._met: dict[datetime, datetime] = {}
        """The time of a last action that was still to come when it was first met, and when that was."""

    def now(self) -> datetime:
        """The current time."""
        at = self._source()
        return at.replace(microsecond=at.microsecond // 1000 * 1000)

    def after(self, state: State) -> datetime:
        """The time of a game in this state: never before its last action."""
        return self.later(state.last_at)

    def later(self, last_at: datetime | None) -> datetime:
        """The time of a game whose last action was at this time; None for no action."""
        now = self.now()
        if last_at is None:
            return now
        with self._lock:
            met = self._met.get(last_at)
            if met is None:
                if now >= last_at:
                    return now
                if len(self._met) >= _MOST:
                    del self._met[next(iter(self._met))]
                met = self._met[last_at] = now
            elif now < met:
                # It was set back once more.
                met = self._met[last_at] = now
        return max(now, last_at + (now - met))

    def ahead(self, state: State) -> timedelta:
        """By how much the time of a game is ahead of the clock; nothing for less than a minute."""
        ahead = self.after(state) - self.now()
        return ahead if ahead >= TOLD else timedelta()
