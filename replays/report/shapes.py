"""The types for the report's template. Their texts are in the viewer's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.kernel.facts.labels import Name
from replays.report.charts import Arc, Area, Axis, Flag, Line, Ribbon
from replays.report.words import Speech
from replays.statistics.shapes import Estate, SeatStanding, TurningPoint


@dataclass(frozen=True, slots=True)
class Person:
    """A party in the report. A seat has its letter and its color of every screen, counted from 1.

    Parties that are no players have initials, and the color 0.

    `short` is a short name, for narrow columns.
    """

    id: str
    name: str
    short: str
    colour: int
    initials: str


Arcs = tuple[tuple[Arc, Person], ...]
"""The parties on the circle."""

Ribbons = tuple[tuple[Ribbon, Person, str], ...]
"""The flows between the parties: the ribbon, the source, and the label."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: the label, the value in words, the length in percent, and the color."""

    label: str
    said: str
    width: float
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Rank:
    """A line of the final standings.

    Segments are (color of the part, width in percent); figures are (color, name, amount) of the existing parts.
    """

    place: int
    person: Person
    won: bool
    out: bool
    said: str
    offset: float
    segments: tuple[tuple[int, float], ...]
    figures: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with axes, and a description in words (`summary`)."""

    summary: str
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
    """True if the action has further sentences."""
    where: str
    summary: str
    grew: bool
    effects: tuple[tuple[Person, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of numbers, with parties as columns and rows, and a foot."""

    columns: tuple[Person, ...]
    rows: tuple[tuple[Person, tuple[str, ...]], ...]
    foot: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Flows:
    """Money between parties: a circle of ribbons, purposes, and a table."""

    arcs: Arcs
    ribbons: Ribbons
    purposes: tuple[Bar, ...]
    payments: Table


@dataclass(frozen=True, slots=True)
class Square:
    """A place of the board: the row and column, the owner, and the pieces."""

    row: int
    column: int
    side: str
    name: str
    kind: str
    colour: str | None
    owner: Person | None
    state: str
    """The buildings and marks of the place, in words."""
    built: int
    marked: bool
    tokens: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The board. `edge` is the number of places along a side, with both corners."""

    edge: int
    squares: tuple[Square, ...]
    tokens: str
    """The places of the tokens, in words."""
    owned: tuple[tuple[Person, str], ...]
    """The possessions of each player, in words."""
    legend: str


@dataclass(frozen=True, slots=True)
class ChartedPlace:
    """A place of a map: the position in the units of the box, the district, and the pieces in words.

    `points` are the corners of a polygon; without corners the place is a disc.
    """

    id: str
    x: int
    y: int
    points: str
    name: str
    short: str
    group: str
    mark: str
    colour: str | None
    owner: Person | None
    pieces: str
    many: int
    """The number of pieces on the place."""
    tokens: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Charted:
    """A map: the width and height, the places, and the lines between adjacent places."""

    box: tuple[int, int]
    radius: int
    places: tuple[ChartedPlace, ...]
    edges: tuple[tuple[int, int, int, int], ...]
    groups: tuple[tuple[str, str, str], ...]
    """The name, the colour and the mark of each district."""
    tokens: str
    """The places of the tokens, in words."""


@dataclass(frozen=True, slots=True)
class Title:
    """A line of the table of estates."""

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
    """A counted action: the number of occurrences, and the most active players."""

    name: str
    times: str
    money: str
    most: tuple[Person, ...]
    most_said: str


@dataclass(frozen=True, slots=True)
class RulingOrCorrection:
    """A ruling or a correction in words."""

    kind: str
    action: Name
    text: str
    details: tuple[str, ...]
    effects: tuple[tuple[Person, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Owed:
    """An obligation in words: the status, the sentence, the consequence, and the rule with its title."""

    status: str
    text: str
    follows: str
    rule: str


@dataclass(frozen=True, slots=True)
class Luck:
    """The dice thrown by a player: the faces as bars, and the level of fair dice."""

    name: str
    summary: str
    verdict: str
    faces: tuple[Bar, ...]
    level: float


@dataclass(frozen=True, slots=True)
class Player:
    """A player's section."""

    person: Person
    standing: SeatStanding
    worth: str
    chart: Chart | None
    parts: tuple[tuple[int, str], ...]
    """The colours and names of the parts in the chart."""
    received: tuple[Bar, ...]
    paid: tuple[Bar, ...]
    income: tuple[Bar, ...]
    spending: tuple[Bar, ...]
    deeds: tuple[tuple[str, str, str], ...]
    dice: tuple[Luck, ...]
    time: tuple[str, ...]
    holds: tuple[str, ...]

    @property
    def has_more(self) -> bool:
        """True if the section has content below its head."""
        lists = (self.received, self.paid, self.deeds, self.dice, self.time, self.holds)
        return self.chart is not None or any(lists)


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page, in the order of the template. Missing parts are None or empty."""

    say: Speech
    language: str
    rulebook: str
    headline: str
    sentence: str
    how: tuple[str, ...]
    """Sentences about the lead of the winner or of the current leader."""
    subtitle: str
    view_note: str | None
    rosette: tuple[str, ...]
    roster: tuple[Person, ...]
    people: Mapping[str, Person]
    winners: tuple[Person, ...]
    ranks: tuple[Rank, ...]
    wealth: Chart | None
    unit: str
    """The unit of time on the charts: rounds or actions."""
    scrubber: Mapping[str, Any]
    gini: Chart | None
    gini_end: str
    turns: tuple[Turn, ...]
    flows: Flows | None
    """The money between the players, or with the bank if no money passed between players."""
    flows_with_bank: Flows | None
    """All money, unless `flows` already shows all."""
    handed: tuple[tuple[Person, Person, str], ...]
    board: Board | None
    charted: Charted | None
    titles: tuple[Title, ...]
    titles_name: str
    deeds: tuple[Deed, ...]
    obligations: tuple[Owed, ...]
    players: tuple[Player, ...]
    mendings: tuple[RulingOrCorrection, ...]
