"""Counting the core's work, for whoever looks after the service."""

from typing import Literal

Work = Literal["actions_appended", "races_lost", "snapshots_found", "snapshots_missed"]
"""The kinds of counted work.

- `actions_appended`: actions written to a journal;
- `races_lost`: appends without a write, because another action had the number. Each is tried again;
- `snapshots_found`, `snapshots_missed`: searches for a snapshot.
"""


class Tally:
    """A counter of the core's work. The base class counts nothing; pass another instance to get the numbers."""

    def count(self, work: Work, times: int = 1) -> None:
        """Count finished work."""

    def opened(self, seconds: float) -> None:
        """Count a game loaded from the store, and the time of loading."""
