"""Counting the core's work, for whoever looks after the service."""

from typing import Literal

Work = Literal["actions_appended", "races_lost", "snapshots_found", "snapshots_missed"]
"""What is counted.

- `actions_appended`: actions that were written to a journal;
- `races_lost`: appends that wrote nothing, because another action had the number. Each is tried again;
- `snapshots_found`, `snapshots_missed`: how often a snapshot was looked for.
"""


class Tally:
    """Is told of the core's work. This one forgets it; whoever wants the numbers passes in another."""

    def count(self, work: Work, times: int = 1) -> None:
        """Count work that was done."""

    def opened(self, seconds: float) -> None:
        """Count a game that was loaded from the store, and the time that took."""
