"""What the report's page is made of: things in the words of its language, ready to be set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from replays.report.charts import Arc, Area, Axis, Flag, Line, Ribbon
from replays.report.words import Speech
from replays.statistics.shapes import Estate, SeatStanding, TurningPoint


@dataclass(frozen=True, slots=True)
class Person:
    """A party as it is shown: its colour (from 1 on; 0 for the bank and what is nobody's) and its initials.

    `short` is what it is called where there is little room.
    """

    id: str
    name: str
    short: str
    colour: int
    initials: str


Arcs = tuple[tuple[Arc, Person], ...]
"""Parties on a circle."""

Ribbons = tuple[tuple[Ribbon, Person, str], ...]
"""What went between them: of whom, and what it says."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: its name, what it is worth in words, how long it is in percent, and whose colour it has."""

    label: str
    said: str
    width: float
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Rank:
    """A line of the final standings; segments are widths in percent with their part's colour."""

    place: int
    person: Person
    won: bool
    said: str
    offset: float
    segments: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with what is written around it, and what it shows in words."""

    told: str
    across: Axis
    upright: Axis
    lines: tuple[Line, ...] = ()
    areas: tuple[Area, ...] = ()
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A turning point in words."""

    number: int
    point: TurningPoint
    sentences: tuple[str, ...]
    more: bool
    """Whether there are more sentences than these."""
    told: str
    grew: bool
    effects: tuple[tuple[Person, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of numbers in words: whose its columns and rows are, and what stands below."""

    columns: tuple[Person, ...]
    rows: tuple[tuple[Person, tuple[str, ...]], ...]
    foot: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Square:
    """A place of the board: the row and column it lies in, and what lies there."""

    row: int
    column: int
    side: str
    name: str
    kind: str
    colour: str | None
    owner: Person | None
    state: str
    """What is built there and seen besides, in words."""
    built: int
    marked: bool
    tokens: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """All places; `edge` is how many lie along a side, both corners included."""

    edge: int
    squares: tuple[Square, ...]
    tokens: str
    """Where the tokens stand, in words."""
    owned: tuple[tuple[Person, str], ...]
    """What of it is whose, in words."""
    legend: str


@dataclass(frozen=True, slots=True)
class Title:
    """A line of the table of what brings a return."""

    estate: Estate
    colour: str | None
    owner: Person | None
    state: str
    cost: str
    income: str
    rents: str
    percent: str
    bar: float


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done at the table: how often, and by whom most."""

    name: str
    times: str
    money: str
    most: tuple[Person, ...]
    most_said: str


@dataclass(frozen=True, slots=True)
class Mending:
    """A ruling or a correction in words."""

    kind: str
    action: str
    text: str
    details: tuple[str, ...]
    effects: tuple[tuple[Person, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Luck:
    """Dice that a player threw: faces as bars, with how high fair dice would stand."""

    name: str
    told: str
    verdict: str
    faces: tuple[Bar, ...]
    level: float


@dataclass(frozen=True, slots=True)
class Player:
    """A player's page."""

    person: Person
    standing: SeatStanding
    worth: str
    chart: Chart | None
    received: tuple[Bar, ...]
    paid: tuple[Bar, ...]
    income: tuple[Bar, ...]
    spending: tuple[Bar, ...]
    deeds: tuple[tuple[str, str, str], ...]
    dice: tuple[Luck, ...]
    time: tuple[str, ...]
    holds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All that the template sets out, in its order; what a game does not have is None, or empty."""

    say: Speech
    language: str
    rulebook: str
    headline: str
    sentence: str
    how: tuple[str, ...]
    """How it was won, or how whoever leads does."""
    subtitle: str
    view_note: str | None
    rosette: tuple[str, ...]
    roster: tuple[Person, ...]
    people: Mapping[str, Person]
    winners: tuple[Person, ...]
    ranks: tuple[Rank, ...]
    parts: tuple[tuple[int, str], ...]
    wealth: Chart | None
    scrubber: Mapping[str, Any]
    gini: Chart | None
    gini_end: str
    turns: tuple[Turn, ...]
    arcs: Arcs
    ribbons: Ribbons
    payments: Table | None
    purposes: tuple[Bar, ...]
    handed: tuple[tuple[Person, Person, str], ...]
    board: Board | None
    titles: tuple[Title, ...]
    titles_name: str
    deeds: tuple[Deed, ...]
    players: tuple[Player, ...]
    mendings: tuple[Mending, ...]
