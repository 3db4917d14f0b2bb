"""Charts as SVG paths and positions.

Curves are drawn on a canvas of 1000 by 400, stretched to the available width. Labels are text of the page with
positions in percent, and stay readable on a narrow screen.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, cos, floor, log10, pi, sin

WIDTH, HEIGHT = 1000, 400


@dataclass(frozen=True, slots=True)
class Mark:
    """A label next to a chart, with the distance from the left or from the top in percent."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Flag(Mark):
    """A mark above a chart, with a row on a narrow screen and a row on a wide screen."""

    row: int
    wide: int


@dataclass(frozen=True, slots=True)
class Line:
    """A curve: the color (from 1), the path, the position of the name, and the style."""

    colour: int
    path: str
    end: Mark
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A filled area: the color (from 1; 0 for debts), the path, and the name."""

    colour: int
    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The labels along a side of a chart, and the position of 0 (None if 0 is not on the chart)."""

    ticks: tuple[Mark, ...]
    zero: float | None = None


class Scale:
    """The vertical scale of a chart, with 0 and all values in range, and lines at round numbers."""

    def __init__(self, values: Sequence[int], *, lines: int = 5) -> None:
        low, high = min(0, *values, 0), max(0, *values, 0)
        span = max(1, high - low)
        self._step = step = _round_step(span / lines)
        # The limits are multiples of half a step.
        self.low = floor(2 * low / step) * step / 2
        self.high = max(ceil(2 * high / step) / 2, self.low / step + 1) * step

    def y(self, value: float) -> float:
        """Return the distance of a value from the top of the canvas."""
        return HEIGHT * (self.high - value) / (self.high - self.low)

    def percent(self, value: float) -> float:
        """Return the distance of a value from the top in percent."""
        return _rounded(100 * (self.high - value) / (self.high - self.low))

    def axis(self, text: Callable[[int], str]) -> Axis:
        """Build the axis with the round numbers of the scale."""
        first, last = ceil(self.low / self._step), floor(self.high / self._step)
        values = [multiple * self._step for multiple in range(first, last + 1)]
        return Axis(tuple(Mark(self.percent(value), text(value)) for value in values), self.percent(0))


def _round_step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50… not less than `least`."""
    power = 10 ** max(0, floor(log10(least))) if least > 1 else 1
    return next(int(power * factor) for factor in (1, 2, 5, 10) if power * factor >= least)


def moments_across(moments: Sequence[int], text: Callable[[int], str], *, labels: int = 4) -> Axis:
    """Build the horizontal axis with round action numbers, for moments drawn at even distances."""
    first, last = moments[0], moments[-1]
    step = _round_step(max(1, last - first) / labels)
    ticks = []
    for value in range(-(-first // step) * step, last + 1, step):
        index = bisect_left(moments, value)
        lower, upper = moments[max(0, index - 1)], moments[index]
        between = (value - lower) / (upper - lower) if upper > lower else 1
        ticks.append(Mark(_rounded(100 * max(0, index - 1 + between) / max(1, len(moments) - 1)), text(value)))
    return Axis(tuple(ticks))


def rounds_across(rounds: Sequence[int | None], text: Callable[[int], str], *, labels: int = 9) -> Axis:
    """Build the horizontal axis with round numbers at the beginnings of rounds, for moments at even distances.

    `rounds` has the round of each moment, None before the first round. At least one moment must have a round.
    """
    numbers = [number or 0 for number in rounds]
    first, last = min(number for number in numbers if number), max(numbers)
    step = _round_step(max(1, last - first) / labels)
    ticks = []
    for value in range(-(-first // step) * step, last + 1, step):
        index = next(index for index, number in enumerate(numbers) if number >= value)
        ticks.append(Mark(_rounded(100 * index / max(1, len(numbers) - 1)), text(value)))
    return Axis(tuple(ticks))


def xs(count: int) -> list[float]:
    """Return the x positions of `count` moments, from the left edge to the right edge."""
    return [_rounded(WIDTH * index / max(1, count - 1)) for index in range(count)]


def stairs(across: Sequence[float], values: Sequence[int], scale: Scale) -> str:
    """Draw the path of a step function."""
    heights = [_rounded(scale.y(value)) for value in values]
    path = [f"M{_number(across[0])} {_number(heights[0])}"]
    for x, old, new in zip(across[1:], heights, heights[1:], strict=False):
        if new != old:
            path.append(f"H{_number(x)}V{_number(new)}")
    return "".join(path) + f"H{_number(across[-1])}"


def between(across: Sequence[float], low: Sequence[int], high: Sequence[int], scale: Scale) -> str:
    """Draw the path around the area between two step functions."""
    back = stairs(across, high, scale)
    heights = [_rounded(scale.y(value)) for value in low]
    forth = [
        f"H{_number(across[index])}V{_number(heights[index - 1])}"
        for index in range(len(heights) - 1, 0, -1)
        if heights[index] != heights[index - 1]
    ]
    return f"{back}V{_number(heights[-1])}{''.join(forth)}H{_number(across[0])}Z"


def stacked(parts: Mapping[str, Sequence[int]], scale: Scale, colours: Mapping[str, int]) -> list[Area]:
    """Stack the areas of parts: positive parts above 0, parts with negative values below 0."""
    count = len(next(iter(parts.values()), ()))
    across = xs(count)
    up, down = [0] * count, [0] * count
    areas: list[Area] = []
    for name, values in parts.items():
        base = down if any(value < 0 for value in values) else up
        above = [level + value for level, value in zip(base, values, strict=True)]
        areas.append(Area(colours[name], between(across, base, above, scale), name))
        base[:] = above
    return areas


def apart(positions: Sequence[float], least: float) -> list[float]:
    """Move positions as little as possible to keep them at least `least` apart, between 0 and 100."""
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    result = [0.0] * len(positions)
    below = -least
    for index in order:
        below = result[index] = max(positions[index], below + least)
    over = below - 100
    for index in reversed(order):
        if over <= 0:
            break
        result[index] -= over
        position = order.index(index)
        if position:
            over = result[order[position - 1]] + least - result[index]
    return [_rounded(value) for value in result]


def rows(positions: Sequence[float], least: float, count: int) -> list[int]:
    """Choose a row for each position, so that positions in a row do not touch while rows are free."""
    last = [-least] * count
    result = []
    for position in positions:
        row = next((index for index in range(count) if position - last[index] >= least), count - 1)
        last[row] = position
        result.append(row)
    return result


# ----------------------------------------------------------------------------------------------
# Ribbons
# ----------------------------------------------------------------------------------------------

RADIUS = 128
_BAND = 10
_GAP = 0.05
"""The angle between two arcs."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A party on the circle: the index, the path of the band, and the position of the name."""

    party: int
    path: str
    x: float
    y: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Ribbon:
    """The flow from one party to another, as a path."""

    source: int
    target: int
    path: str


def circle(amounts: Mapping[tuple[int, int], int], count: int) -> tuple[list[Arc], list[Ribbon]]:
    """Draw arcs of a circle for the parties, in proportion to their payments, and ribbons for the amounts."""
    sizes = [sum(amount for pair, amount in amounts.items() if party in pair) for party in range(count)]
    met = [party for party in range(count) if sizes[party]]
    whole = sum(sizes)
    if not whole:
        return [], []
    turn = (2 * pi - _GAP * len(met)) / whole
    begins: dict[int, float] = {}
    angle = -pi / 2
    arcs: list[Arc] = []
    for party in met:
        begins[party] = angle
        end = angle + sizes[party] * turn
        arcs.append(_arc(party, angle, end))
        angle = end + _GAP
    # Each arc is divided so that a ribbon leaves on the side of the neighbour.
    spans: dict[tuple[int, int, bool], tuple[float, float]] = {}
    for party in met:
        start = begins[party]
        ends = [(pair, pair[0] == party) for pair in amounts if party in pair and amounts[pair]]
        ends.sort(key=lambda item: ((party - (item[0][1] if item[1] else item[0][0])) % count, not item[1]))
        for pair, leaves in ends:
            end = start + amounts[pair] * turn
            spans[(*pair, leaves)] = start, end
            start = end
    ribbons = [
        Ribbon(*pair, _ribbon(spans[(*pair, True)], spans[(*pair, False)]))
        for pair in sorted(amounts, key=lambda item: -amounts[item])
        if amounts[pair]
    ]
    return arcs, ribbons


def _arc(party: int, start: float, end: float) -> Arc:
    outer, inner = RADIUS + _BAND, RADIUS
    large = int(end - start > pi)
    path = (
        f"M{_at(outer, start)}A{outer} {outer} 0 {large} 1 {_at(outer, end)}"
        f"L{_at(inner, end)}A{inner} {inner} 0 {large} 0 {_at(inner, start)}Z"
    )
    middle = (start + end) / 2
    x, y = (RADIUS + _BAND + 8) * cos(middle), (RADIUS + _BAND + 8) * sin(middle)
    anchor = "middle" if abs(x) < 25 else "start" if x > 0 else "end"
    return Arc(party, path, _rounded(x), _rounded(y + (12 if y > 100 else -2 if y < -100 else 4)), anchor)


def _ribbon(source: tuple[float, float], target: tuple[float, float]) -> str:
    inner = RADIUS - 2
    large_source, large_target = (int(end - start > pi) for start, end in (source, target))
    return (
        f"M{_at(inner, source[0])}A{inner} {inner} 0 {large_source} 1 {_at(inner, source[1])}"
        f"Q0 0 {_at(inner, target[0])}A{inner} {inner} 0 {large_target} 1 {_at(inner, target[1])}"
        f"Q0 0 {_at(inner, source[0])}Z"
    )


def rosette(seed: str) -> tuple[str, ...]:
    """Draw closed curves around a center, as on a banknote. Each seed gives a different figure."""
    drawn = hashlib.sha256(seed.encode()).digest()
    paths = []
    for turn in range(4):
        petals, waves = 5 + drawn[0] % 4 * 2, 12 + drawn[1] % 5 * 3
        shift = turn * pi / 2 / petals
        points = []
        for step in range(361):
            angle = 2 * pi * step / 360
            radius = 120 + 46 * sin(petals * angle + shift * petals) + 16 * cos(waves * angle + shift)
            points.append(f"{_number(_rounded(radius * cos(angle)))} {_number(_rounded(radius * sin(angle)))}")
        paths.append(f"M{'L'.join(points)}Z")
    return tuple(paths)


def _at(radius: float, angle: float) -> str:
    return f"{_number(_rounded(radius * cos(angle)))} {_number(_rounded(radius * sin(angle)))}"


def _rounded(value: float) -> float:
    return round(value, 1)


def _number(value: float) -> str:
    """Write a number as short as possible."""
    return f"{value:g}" if value else "0"
