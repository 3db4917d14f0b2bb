"""The time that a ledger goes by."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ledger.kernel.state import State


class Clock:
    """Tells the time in UTC to the millisecond. Takes what gives it."""

    def __init__(self, source: Callable[[], datetime]) -> None:
        self._source = source

    def now(self) -> datetime:
        """The time."""
        at = self._source()
        return at.replace(microsecond=at.microsecond // 1000 * 1000)

    def after(self, state: State) -> datetime:
        """The time, never before the last action of a game: a clock set back reorders nothing."""
        at = self.now()
        return at if state.last_at is None else max(at, state.last_at)
