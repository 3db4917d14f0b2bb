"""The clock of a ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ledger.kernel.state import State


class Clock:
    """The time in UTC to the millisecond. Takes a function that returns the time."""

    def __init__(self, source: Callable[[], datetime]) -> None:
        self._source = source

    def now(self) -> datetime:
        """The current time."""
        at = self._source()
        return at.replace(microsecond=at.microsecond // 1000 * 1000)

    def after(self, state: State) -> datetime:
        """The current time, but never before the last action of a game, even when the clock was set back."""
        at = self.now()
        return at if state.last_at is None else max(at, state.last_at)
