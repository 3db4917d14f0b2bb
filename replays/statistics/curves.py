"""What everybody is worth over time, and how evenly: curves that take no more room however long a game is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

import msgspec

MOST = 360
"""How many moments a curve has at most."""

Worth = Mapping[str, Mapping[str, int]]
"""By seat, and by part."""


class Point(msgspec.Struct, frozen=True):
    """What every seat is worth after an action."""

    moment: int
    at: datetime
    worth: Worth


class Curve:
    """Points of a game, evenly chosen: every one at first, every second one once there are too many, and so on."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._step = 1
        self._passed = 0
        self._points: list[Point] = []

    def pass_by(self, moment: int, at: datetime, worth: Callable[[], Worth]) -> None:
        """Take the next moment, or pass it by; what everybody is worth is asked for only if it is taken."""
        if self._passed % self._step == 0:
            self._points.append(Point(moment, at, worth()))
            if len(self._points) > self._most:
                self._points = self._points[::2]
                self._step *= 2
        self._passed += 1

    def up_to(self, moment: int, at: datetime, worth: Callable[[], Worth]) -> Sequence[Point]:
        """The points, with the last moment there was, which has been passed by."""
        if self._points and self._points[-1].moment == moment:
            return self._points
        return [*self._points, Point(moment, at, worth())]


def gini(worths: Sequence[int]) -> Fraction | None:
    """The Gini coefficient of what people are worth: 0 when all are worth the same; None when all have nothing.

    Half the mean difference of two of them, relative to the mean. Debts count as nothing, since with them it would
    have no upper end.
    """
    owned = sorted(max(0, worth) for worth in worths)
    total, count = sum(owned), len(owned)
    if not total:
        return None
    ranked = sum(rank * worth for rank, worth in enumerate(owned, start=1))
    return Fraction(2 * ranked - (count + 1) * total, count * total)


def rounded(value: Fraction) -> int:
    """The nearest whole number, a half rounded up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
