"""The band in which the count of a face lies on most evenings with fair dice."""

from __future__ import annotations

from functools import lru_cache

_TAIL = 40
"""Each side of the band is left on at most one in 40 evenings."""


@lru_cache(maxsize=1000)
def fair_band(dice: int, sides: int) -> tuple[int, int]:
    """Return the least and the largest usual count of a face among `dice` fair dice with `sides` sides.

    Exact: the ways to throw a face k times are counted in whole numbers (binomial distribution).
    """
    every = sides**dice
    ways, fewer, low, high = (sides - 1) ** dice, 0, 0, dice
    for count in range(dice + 1):
        if fewer * _TAIL <= every:
            low = count
        if (every - fewer - ways) * _TAIL <= every:
            high = count
            break
        fewer += ways
        ways = ways * (dice - count) // ((count + 1) * (sides - 1)) if sides > 1 else 0
    return low, high
