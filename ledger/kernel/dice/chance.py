"""A source of chance: what draws numbers and shuffles."""

from __future__ import annotations

from typing import Protocol


class Chance(Protocol):
    """A source of randomness passed in by the caller, such as `random.Random` or `secrets.SystemRandom`."""

    def randint(self, a: int, b: int, /) -> int:
        """Return a whole number from a to b, both included."""

    def shuffle(self, x: list[str], /) -> None:
        """Shuffle the list in place."""
