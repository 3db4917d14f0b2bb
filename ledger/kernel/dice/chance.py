"""A source of chance: what draws numbers and shuffles."""

from __future__ import annotations

from typing import Protocol


class Chance(Protocol):
    """A source of randomness that the caller passes in; `random.Random` and `secrets.SystemRandom` are two."""

    def randint(self, a: int, b: int, /) -> int:
        """A whole number from a to b, both included."""

    def shuffle(self, x: list[str], /) -> None:
        """Put the list in a random order, in place."""
