"""The board and the pieces for a screen, in the same shapes for every game.

All of it is plain data. Empty members are left out and never null, so that a JSON Merge Patch (RFC 7396) can
carry every change. Labels and names are in the requested language, "en" or "fr".
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.kernel.rules.face import BoardFace
from ledger.kernel.rules.icons import Icon


class RentLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a deed: the rent of a stop in the named case ("2 houses"), in the game's money.

    `amount` is the rent, `per_pip` the rent for each pip of a throw.
    """

    label: str
    amount: int | UnsetType = UNSET
    per_pip: int | UnsetType = UNSET


class PlacePrices(msgspec.Struct, frozen=True, kw_only=True):
    """The printed prices of a place, in the game's money. No printed price changes in a game.

    `price` is the bank's price of the place, `building` the price of each building, and `mortgage` the bank's loan
    on the place. `amount` is the income of a stop (the start) or the cost (a tax). `rents` are the rents of a stop
    by the number named in `rents_by`: buildings, from 0, the last with a hotel; or titles of the group in the
    owner's hands, from 1. With dice, a rent counts times the throw. `deed` has the possible rents in words.
    """

    price: int | UnsetType = UNSET
    building: int | UnsetType = UNSET
    mortgage: int | UnsetType = UNSET
    amount: int | UnsetType = UNSET
    rents: tuple[int, ...] | UnsetType = UNSET
    rents_by: Literal["buildings", "titles", "titles and dice"] | UnsetType = UNSET
    deed: tuple[RentLine, ...] | UnsetType = UNSET


class DeedBuilding(msgspec.Struct, frozen=True, kw_only=True):
    """The buildings on a place: the commodity, the price of each in the game's money, and their maximum."""

    commodity: str
    price: int
    maximum: int = msgspec.field(name="most")


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """The deed of a place as printed, in the game's money: the bank's price, the possible rents of a stop, the
    buildings, and the bank's loan on the place.

    `due_text` says how a visitor pays.
    """

    price: int | UnsetType = UNSET
    rents: tuple[RentLine, ...] = ()
    building: DeedBuilding | UnsetType = UNSET
    mortgage: int | UnsetType = UNSET
    due_text: str | UnsetType = UNSET


class BoardPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A place of the board: a square of a ring, a district of a map."""

    id: str
    """The id in `display.places` and in tokens: "square:1", "district:5"."""
    number: int
    name: str
    short: str | UnsetType = UNSET
    """A name for narrow places, if different from `name`."""
    group: str | UnsetType = UNSET
    icon: Icon | UnsetType = UNSET
    commodity: str | UnsetType = UNSET
    """The commodity held by the owner of the place: "title:negotown"."""
    prices: PlacePrices | UnsetType = UNSET
    deed: Deed | UnsetType = UNSET
    text: str | UnsetType = UNSET
    """The effect of a stop or of a passage, in words, on boards with such places."""
    sells: tuple[str, ...] | UnsetType = UNSET
    """The commodities on sale by the bank at a stop. The usual prices are in the names of the game."""
    at: tuple[int, int] | UnsetType = UNSET
    """On a map: the position, in units of the `box`."""
    shape: tuple[tuple[int, int], ...] | UnsetType = UNSET
    """On a map: the corners of the place; a place without a shape is a disc."""


class BoardGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A group of places, such as a quarter: its colour (#rrggbb), and a mark of two letters beside the colour."""

    id: str
    name: str
    colour: str
    mark: str


class BoardMark(msgspec.Struct, frozen=True, kw_only=True):
    """A mark that a place or a token may have: "mortgaged"."""

    id: str
    name: str
    icon: Icon | UnsetType = UNSET


class BoardZone(msgspec.Struct, frozen=True, kw_only=True):
    """A zone of a table on which things lie, or one that each seat has.

    `hidden` is true for a zone with things that a seat may hide from other seats, such as a hand. A screen in the
    middle of the table leaves such a zone out.
    """

    id: str
    name: str
    icon: Icon | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET


class BoardView(msgspec.Struct, frozen=True, kw_only=True):
    """The geometry of a game's board. It never changes in a game.

    A `ring` has `places` in the order of travel: `sides` are the numbers of places from one corner to the next,
    and the first place is the corner at `start`; a ring without sides is drawn as a circle. A `map` has places in
    a `box` and the pairs that are `adjacent`. A `table` has `zones`, and zones that each seat has. `face` is the
    look of the game. `phases` are the steps of a turn in order, in a word or two. The phase of a state is one of
    them by its id, or none: a question, the set-up, the end.
    """

    form: Literal["ring", "map", "table"]
    face: BoardFace
    sides: tuple[int, ...] | UnsetType = UNSET
    start: Literal["south-east", "south-west", "north-west", "north-east"] | UnsetType = UNSET
    direction: Literal["clockwise", "counter-clockwise"] | UnsetType = UNSET
    box: tuple[int, int] | UnsetType = UNSET
    adjacent: tuple[tuple[str, str], ...] | UnsetType = UNSET
    places: tuple[BoardPlace, ...] = ()
    groups: tuple[BoardGroup, ...] = ()
    marks: tuple[BoardMark, ...] = ()
    zones: tuple[BoardZone, ...] = ()
    each_seat: tuple[BoardZone, ...] = ()
    phases: tuple[PhaseView, ...] = ()


class TokenView(msgspec.Struct, frozen=True):
    """The token of a seat: the place where it stands, and the id of a mark of the board."""

    seat: str
    place: str
    mark: str | UnsetType = UNSET


class PieceView(msgspec.Struct, frozen=True, kw_only=True):
    """Some pieces of one kind.

    `commodity` is what they are; where the viewer sees only how many there are, a `veil` stands for it: "card".
    `face` says of a card that lies on a table that it lies face down: it is hidden from others.
    """

    commodity: str | UnsetType = UNSET
    veil: str | UnsetType = UNSET
    face: Literal["down"] | UnsetType = UNSET
    amount: int


class Toll(msgspec.Struct, frozen=True, kw_only=True):
    """A visitor's payment for a stop now: an `amount` in the game's money, or a `text` where a throw decides."""

    amount: int | UnsetType = UNSET
    text: str | UnsetType = UNSET


class PlaceView(msgspec.Struct, frozen=True, kw_only=True):
    """The things on a place: the seat of the owner, the buildings, and ids of marks of the board.

    In the game's money: `rent` is the rent of a stop now, and `rent_per_pip` the rent for each pip of a throw.
    `lift` is the price to lift the mortgage now. `toll` is a visitor's payment for a stop now; nothing without it.
    """

    owner: str | UnsetType = UNSET
    pieces: tuple[PieceView, ...] | UnsetType = UNSET
    marks: tuple[str, ...] | UnsetType = UNSET
    rent: int | UnsetType = UNSET
    rent_per_pip: int | UnsetType = UNSET
    lift: int | UnsetType = UNSET
    toll: Toll | UnsetType = UNSET


class ZoneView(msgspec.Struct, frozen=True, kw_only=True):
    """What lies in a zone of a table; `seat` where the zone is one that each seat has."""

    zone: str
    seat: str | UnsetType = UNSET
    items: tuple[PieceView, ...] = ()


class NoticeView(msgspec.Struct, frozen=True, kw_only=True):
    """Something that holds for the whole table now, in words, until when, and by which rule."""

    text: str
    until: str | UnsetType = UNSET
    rule: str | UnsetType = UNSET


class PileView(msgspec.Struct, frozen=True):
    """A pile of cards, and how many are left in it."""

    id: str
    name: str
    left: int


class Display(msgspec.Struct, frozen=True, kw_only=True):
    """What lies on the board as one viewer sees it. A place on which nothing lies is left out of `places`."""

    tokens: tuple[TokenView, ...] = ()
    places: dict[str, PlaceView] = {}
    zones: tuple[ZoneView, ...] = ()
    notices: tuple[NoticeView, ...] = ()
    piles: tuple[PileView, ...] = ()


class TurnView(msgspec.Struct, frozen=True):
    """The turn under way."""

    seat: str
    started_at: datetime | UnsetType = UNSET


class PhaseView(msgspec.Struct, frozen=True):
    """What the game, or the turn under way, has come to."""

    id: str
    label: str


class ClockView(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of a turn: `until` while it runs, `paused_at` and the `seconds` left while it stands."""

    running: bool
    until: datetime | UnsetType = UNSET
    paused_at: datetime | UnsetType = UNSET
    seconds: int | UnsetType = UNSET


class AwaitedView(msgspec.Struct, frozen=True, kw_only=True):
    """What the game waits for: who (a seat, or "banker"), to do what, by which moves.

    `moves` are ids of moves (`GET …/moves`), all of them legal. Of somebody else's moves those are left out whose
    legality is a secret.

    `until` is the time at which the `default` happens by itself; both are left out where nothing does.
    """

    seat: str
    label: str
    moves: tuple[str, ...]
    until: datetime | UnsetType = UNSET
    default: str | UnsetType = UNSET


Status = Literal["in_play", "out", "won", "lost"]


class ProgressView(msgspec.Struct, frozen=True):
    """A count on the way to a victory: `have` of `of`, and the word for what is counted: 5 of 8 goods."""

    label: str
    have: int
    of: int


class StandingView(msgspec.Struct, frozen=True, kw_only=True):
    """The standing of a seat: the cash in the game's money, and the worth in the unit of worth (`worth` of the
    names), as far as the viewer may see.

    `shown` is the worth of the things open to everybody, and equal for every viewer. It is no cash: `shown_label`
    are the words beside it ("in titles"), there whenever `shown` is. `place` is the place by worth, from 1, for a
    viewer with sight of the worth of every seat; winners come first. `progress` are the visible counts on the way
    to a victory; left out in a game without such counts.
    """

    seat: str
    status: Status
    shown: int | UnsetType = UNSET
    shown_label: str | UnsetType = UNSET
    cash: int | UnsetType = UNSET
    worth: int | UnsetType = UNSET
    place: int | UnsetType = UNSET
    progress: tuple[ProgressView, ...] | UnsetType = UNSET
