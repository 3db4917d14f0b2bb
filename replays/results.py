"""Results over many games, with intervals: wins and wealth of seats, and the settings of the games.

An interval contains the true value with a probability of 95 %, as far as the number of games allows. The seats
of one game are treated as independent, although usually only one seat wins.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import median_low
from typing import Any

import msgspec

from ledger.kernel.rules.rulebook import Rulebook

Spread = tuple[int, int, int]
"""The smallest of some numbers, the median (the lower of two), and the largest."""

_DEVIATIONS = 1.96
"""The standard deviations on either side of the mean that contain 95 % of a normal distribution."""
_ROOM = 24
"""The largest number of letters of a setting's value in a label."""


def spread(values: Sequence[int]) -> Spread:
    """Return the spread of some numbers; zeros for no numbers."""
    return (min(values), median_low(values), max(values)) if values else (0, 0, 0)


class Share(msgspec.Struct, frozen=True):
    """A share in percent with one decimal place, and its interval."""

    percent: float
    low: float
    high: float


def share(count: int, of: int) -> Share:
    """Return the share of a count, with the interval of Wilson (1927). Raises ValueError for a share of
    nothing.
    """
    if of < 1:
        raise ValueError("a share of nothing")
    part, square = count / of, _DEVIATIONS**2
    middle = (part + square / (2 * of)) / (1 + square / of)
    beside = _DEVIATIONS * sqrt(part * (1 - part) / of + square / (4 * of**2)) / (1 + square / of)
    low, high = max(0.0, middle - beside), min(1.0, middle + beside)
    return Share(round(100 * part, 1), round(100 * low, 1), round(100 * high, 1))


def median_interval(values: Sequence[int]) -> tuple[int, int]:
    """Return the interval of the median: two of the values, by rank. Raises ValueError without values."""
    if not values:
        raise ValueError("the median of nothing")
    order = sorted(values)
    rank = max(0, int((len(order) - _DEVIATIONS * sqrt(len(order))) / 2))
    return order[rank], order[-1 - rank]


# ----------------------------------------------------------------------------------------------
# Seats
# ----------------------------------------------------------------------------------------------


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The results, in ended games, of the seats with a strategy, or with a position in the order of play.

    `worth` is the wealth at the end, and `median` the interval of the median wealth.
    """

    name: str
    seats: int
    won: int
    share: Share
    worth: Spread
    median: tuple[int, int]


class Results:
    """Adds up seats by name; a name is shared by several seats."""

    def __init__(self) -> None:
        self._won: dict[str, int] = {}
        self._worth: dict[str, list[int]] = {}

    def take(self, name: str, *, won: bool, worth: int) -> None:
        """Add a seat of an ended game. A shared victory counts for each winner."""
        self._won[name] = self._won.get(name, 0) + won
        self._worth.setdefault(name, []).append(worth)

    def rows(self) -> tuple[Result, ...]:
        """Return the results by name. Names that are numbers are in numeric order."""
        names = sorted(self._worth, key=lambda name: (int(name) if name.isdecimal() else 0, name))
        return tuple(
            Result(
                name=name,
                seats=len(self._worth[name]),
                won=self._won[name],
                share=share(self._won[name], len(self._worth[name])),
                worth=spread(self._worth[name]),
                median=median_interval(self._worth[name]),
            )
            for name in names
        )


# ----------------------------------------------------------------------------------------------
# Settings
# ----------------------------------------------------------------------------------------------


def changed(rulebook: Rulebook[Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a game that differ from the rulebook's defaults, as plain data."""
    usual, chosen = (
        msgspec.json.decode(msgspec.json.encode(source))
        for source in (msgspec.convert({}, rulebook.settings), settings)
    )
    return {name: value for name, value in chosen.items() if name not in usual or usual[name] != value}


def label_of(settings: Mapping[str, Any]) -> str:
    """Write settings unlike the defaults on one line: "max_rounds=12, board=…"."""
    values = {name: json.dumps(value, ensure_ascii=False) for name, value in sorted(settings.items())}
    texts = (f"{name}={value if len(value) <= _ROOM else '…'}" for name, value in values.items())
    return ", ".join(texts) or "default settings"


class SettingsResult(msgspec.Struct, frozen=True, kw_only=True):
    """The games with equal settings: the settings unlike the defaults, and the lengths of the games.

    `median` is the interval of the median of `actions`.
    """

    settings: Mapping[str, Any]
    games: int
    ended: int
    actions: Spread
    median: tuple[int, int]


class BySettings:
    """Adds up games by their settings."""

    def __init__(self) -> None:
        self._settings: dict[bytes, Mapping[str, Any]] = {}
        self._actions: dict[bytes, list[int]] = {}
        self._ended: dict[bytes, int] = {}

    def take(self, settings: Mapping[str, Any], *, ended: bool, actions: int) -> None:
        """Add a game, by its settings unlike the defaults."""
        key = msgspec.json.encode(settings, order="sorted")
        self._settings.setdefault(key, settings)
        self._actions.setdefault(key, []).append(actions)
        self._ended[key] = self._ended.get(key, 0) + ended

    def rows(self) -> tuple[SettingsResult, ...]:
        """Return the results by settings, in descending order of games."""
        order: Iterable[bytes] = sorted(self._actions, key=lambda key: (-len(self._actions[key]), key))
        return tuple(
            SettingsResult(
                settings=self._settings[key],
                games=len(self._actions[key]),
                ended=self._ended[key],
                actions=spread(self._actions[key]),
                median=median_interval(self._actions[key]),
            )
            for key in order
        )
