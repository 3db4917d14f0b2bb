"""Curves of wealth over time with a limited number of points, and the Gini coefficient."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

import msgspec

MOST = 360
"""The largest number of points of a curve."""

Worth = Mapping[str, Mapping[str, int]]
"""Wealth by seat, then by part."""


class Point(msgspec.Struct, frozen=True):
    """The wealth of every seat after an action, and the round, if the game has rounds."""

    moment: int
    at: datetime
    worth: Worth
    round: int | None = None


def _none() -> None:
    """Return None: the round of a game without rounds."""


class Curve:
    """Points of a game at even distances: every moment at first, then every second moment, then every fourth, …"""

    def __init__(self, limit: int = MOST) -> None:
        self._limit = limit
        self._step = 1
        self._passed = 0
        self._points: list[Point] = []

    def pass_by(
        self, moment: int, at: datetime, worth: Callable[[], Worth], number: Callable[[], int | None] = _none
    ) -> None:
        """Add the next moment, or skip it. `worth` and `number`, for the round, are called only for added
        moments.
        """
        if self._passed % self._step == 0:
            self._points.append(Point(moment, at, worth(), number()))
            if len(self._points) > self._limit:
                self._points = self._points[::2]
                self._step *= 2
        self._passed += 1

    def up_to(
        self, moment: int, at: datetime, worth: Callable[[], Worth], number: Callable[[], int | None] = _none
    ) -> Sequence[Point]:
        """Return the points, with the last moment of the game."""
        if self._points and self._points[-1].moment == moment:
            return self._points
        return [*self._points, Point(moment, at, worth(), number())]


def gini(worths: Sequence[int]) -> Fraction | None:
    """Return the Gini coefficient of wealth: 0 if all are equally rich; None if nobody owns anything.

    The coefficient is half the mean difference of two values, relative to the mean. Negative wealth counts as
    0, because otherwise the coefficient would have no upper limit.
    """
    owned = sorted(max(0, worth) for worth in worths)
    total, count = sum(owned), len(owned)
    if not total:
        return None
    ranked = sum(rank * worth for rank, worth in enumerate(owned, start=1))
    return Fraction(2 * ranked - (count + 1) * total, count * total)


def rounded(value: Fraction) -> int:
    """Return the nearest whole number. A half is rounded up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
