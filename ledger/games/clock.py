"""The clock of a ledger: the current time, and the time within a game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from ledger.kernel.facts.state import State

_MOST = 1_000
"""The maximum number of games with a remembered last action ahead of the clock."""
TOLD = timedelta(minutes=1)
"""The smallest setback of a clock that is reported."""


class Clock:
    """The time in UTC to the millisecond. Takes a function that returns the time.

    The times of a game only grow. A clock that was ahead and is set back must not stop the game: from the last
    action on, the time of the game then advances at the speed of the clock, and stays ahead of the clock.
    """

    def __init__(self, source: Callable[[], datetime]) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._met: dict[datetime, datetime] = {}
        """The last actions ahead of the clock: the time of each, and the clock's time when the action was first
        met.
        """

    def current_time(self) -> datetime:
        """Return the current time."""
        at = self._source()
        return at.replace(microsecond=at.microsecond // 1000 * 1000)

    def game_time(self, state: State) -> datetime:
        """Return the time of a game in the state: never before the last action."""
        return self.later(state.last_at)

    def later(self, last_at: datetime | None) -> datetime:
        """Return the time of a game with the last action at this time; None for no action."""
        at = self.current_time()
        if last_at is None:
            return at
        with self._lock:
            met = self._met.get(last_at)
            if met is None:
                if at >= last_at:
                    return at
                if len(self._met) >= _MOST:
                    del self._met[next(iter(self._met))]
                met = self._met[last_at] = at
            elif at < met:
                # The clock was set back again.
                met = self._met[last_at] = at
        return max(at, last_at + (at - met))

    def ahead(self, state: State) -> timedelta:
        """Return the lead of the game's time over the clock; zero for less than a minute."""
        ahead = self.game_time(state) - self.current_time()
        return ahead if ahead >= TOLD else timedelta()
