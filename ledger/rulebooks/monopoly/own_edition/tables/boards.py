"""Fill the gaps of a table of squares, so that a board is fit to play. Each guess is recorded."""

from __future__ import annotations

import re

import msgspec

from ledger.kernel.facts.names import look
from ledger.rulebooks.monopoly.own_edition.checks import STREET_RENTS
from ledger.rulebooks.monopoly.own_edition.ids import id_from
from ledger.rulebooks.monopoly.own_edition.tables.columns import Row, Table, clean, kind_of
from ledger.rulebooks.monopoly.table.pieces import TITLES, Kind

_STEPS = (1, 5, 14, 38, 48, 58)
"""The usual rents of a street, as multiples of the rent without houses."""
_USUAL_PRICE = 400
"""The highest price on a usual board, with 200 for the salary and 1500 for the start."""
_COLOURS = {
    "brown": "#8b5a2b",
    "marron": "#8b5a2b",
    "light_blue": "#8ecae6",
    "bleu_ciel": "#8ecae6",
    "bleu_clair": "#8ecae6",
    "pink": "#d63384",
    "rose": "#d63384",
    "purple": "#7b4b94",
    "violet": "#7b4b94",
    "mauve": "#7b4b94",
    "orange": "#f08c1e",
    "red": "#d62828",
    "rouge": "#d62828",
    "yellow": "#f2cc0c",
    "jaune": "#f2cc0c",
    "green": "#2a9d4a",
    "vert": "#2a9d4a",
    "blue": "#1d4e9e",
    "bleu": "#1d4e9e",
    "dark_blue": "#1d3a8a",
    "bleu_fonce": "#1d3a8a",
    "black": "#2b2b2b",
    "noir": "#2b2b2b",
    "white": "#e6e6e6",
    "blanc": "#e6e6e6",
    "grey": "#94a3b8",
    "gray": "#94a3b8",
    "gris": "#94a3b8",
}
_SPARE = (
    "#7fb069",
    "#d98e4a",
    "#3d7ea6",
    "#7b4b94",
    "#3f3f46",
    "#94a3b8",
    "#b5473c",
    "#c9a227",
    "#4f8a8b",
    "#a26769",
)
_HEX = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")


class Square(msgspec.Struct, kw_only=True):
    """A square with the members of the kind, and the guesses by member ("" for the square itself)."""

    row: Row
    name: str
    kind: Kind
    group: str = ""
    price: int = 0
    rents: list[int] = []
    building_price: int = 0
    hotel_price: int = 0
    mortgage: int = 0
    amount: int = 0
    deck: str = ""
    guesses: dict[str, str] = {}


class Board(msgspec.Struct):
    """A whole board: squares, the colour of each group with the guessed colours, decks, and the scale."""

    squares: list[Square]
    colours: dict[str, str]
    guessed: set[str]
    decks: list[str]
    scale: int
    """Amounts as multiples of a usual board, in hundredths."""


def board_of(table: Table) -> Board:
    """Return a board fit to play."""
    highest = max((row.price for row in table.rows), default=0) or _USUAL_PRICE
    scale = 100 if 100 <= highest <= 1000 else max(1, 100 * highest // _USUAL_PRICE)
    squares = [_square(row) for row in table.rows]
    _add_corners(squares)
    _gather(squares)
    for square in squares:
        if square.kind in TITLES:
            _fill_title(square, squares, scale)
        elif square.kind == "start":
            _fill(square, "amount", square.row.amount, scaled(200, scale), "the usual salary")
        elif square.kind == "tax":
            paid = square.row.amount or square.row.price
            _fill(square, "amount", paid, scaled(100, scale), "no amount in the table")
        elif square.kind == "card":
            square.deck = square.row.deck or square.name
    _distinguish(squares)
    decks = _decks(squares)
    colours, guessed = _colours(squares)
    return Board(squares, colours, guessed, decks, scale)


def scaled(amount: int, scale: int) -> int:
    """Return an amount of a usual board at the scale of this board, at least 1."""
    return max(1, amount * scale // 100)


def _square(row: Row) -> Square:
    if row.kind is not None:
        square = Square(row=row, name=row.name, kind=row.kind)
    else:
        kind, why = _probable(row)
        square = Square(row=row, name=row.name, kind=kind, guesses={"kind": why})
    if square.kind in TITLES:
        square.group = row.group or row.colour
    return square


def _probable(row: Row) -> tuple[Kind, str]:
    """Guess the kind of a square from the name, or from the amounts."""
    named = kind_of(row.name)
    has_price = bool(row.price)
    of_group = kind_of(row.group) if row.group else None
    if of_group in ("station", "utility") and has_price:
        return of_group, "by the group"
    if has_price and (len(row.rents) >= len(_STEPS) or row.building):
        return "street", "by the rents or the building price"
    if named is not None and (named in TITLES) == (has_price or bool(row.rents)):
        return named, "by the name"
    if has_price and (row.group or row.rents):
        return "street", "by the price"
    if has_price or row.amount:
        return "tax", "a price or an amount, and neither a group nor rents"
    return ("rest", "nothing is known") if named in (None, *TITLES) else (named or "rest", "by the name")


def _add_corners(squares: list[Square]) -> None:
    """Let the board have one start and one prison, and at least four squares."""
    for square in [square for square in squares if square.kind == "start"][1:]:
        square.kind = "rest"
        square.guesses["kind"] = "a board has one start"
    if not any(square.kind in TITLES for square in squares):
        square = next((square for square in squares if square.kind == "rest"), squares[-1])
        square.kind = "street"
        square.guesses["kind"] = "a board has something to buy"
    if not any(square.kind == "start" for square in squares):
        squares.insert(0, _extra("Start", "start", "the table has no start"))
    if not any(square.kind == "jail" for square in squares):
        squares.insert(1 + len(squares) // 4, _extra("Prison", "jail", "the table has no prison"))
    while len(squares) < 4:
        squares.append(_extra("Garden", "rest", "a board has at least 4 squares"))


def _extra(name: str, kind: Kind, why: str) -> Square:
    return Square(row=Row(name=name), name=name, kind=kind, guesses={"": why})


def _gather(squares: list[Square]) -> None:
    """Give each title a group, with titles of one kind alone."""
    streets = 0
    for square in squares:
        if square.kind in TITLES and not square.group:
            square.group = {"station": "Stations", "utility": "Utilities"}.get(square.kind, "")
            if not square.group:
                square.group = f"Streets {1 + streets // 3}"
                streets += 1
            square.guesses["group"] = "no group in the table"
    first: dict[str, Kind] = {}
    for square in squares:
        if square.kind in TITLES:
            square.group = clean(square.group)[:48]
            kind = first.setdefault(look(square.group), square.kind)
            if kind != square.kind:
                square.group = f"{square.group} ({square.kind})"
                square.guesses["group"] = f"a group has one kind of titles, here {kind}"


def _fill(square: Square, member: str, written: int | None, guess: int, why: str) -> int:
    """Set a member to the written amount, or to a guess."""
    amount = written if written else guess
    if not written:
        square.guesses[member] = why
    setattr(square, member, amount)
    return amount


def _fill_title(square: Square, squares: list[Square], scale: int) -> None:
    row = square.row
    siblings = [other for other in squares if other.group == square.group and other.kind in TITLES]
    prices = [other.row.price for other in siblings if other.row.price]
    usual = sum(prices) // len(prices) if prices else scaled(150, scale)
    price = _fill(square, "price", row.price, usual, "about the price of the group")
    half = max(1, price // 2)
    if row.mortgage is None or row.mortgage > price:
        square.mortgage = half
        square.guesses["mortgage"] = "half the price"
    else:
        square.mortgage = row.mortgage
    if square.kind == "street":
        built = next((other.row.building for other in siblings if other.row.building), half)
        _fill(square, "building_price", row.building, built, "as in the group, or half the price")
        square.hotel_price = row.hotel if len(row.rents) >= len(_STEPS) else 0
        base = row.rents[0] if row.rents else max(1, price * 8 // 100)
        usual_rents = [step * base for step in _STEPS]
    elif square.kind == "station":
        base = row.rents[0] if row.rents else max(1, price // 8)
        usual_rents = [base * 2**number for number in range(min(len(siblings), 10))]
    else:
        usual_rents = [4, 10, 20, 30, 40, 50, 60, 70, 80, 90][: len(siblings)]
    limit = STREET_RENTS if square.kind == "street" else 10
    fewest = 2 if square.kind == "street" else len(usual_rents)
    rents = row.rents[:limit]
    why = []
    if len(row.rents) > limit:
        why.append(f"the table has {row.rents}")
    if len(rents) < fewest:
        why.append("the table has too few" if rents else "usual rents for the price")
        rents = [*rents, *usual_rents[len(rents) :]]
    if rents != sorted(rents):
        why.append("in rising order")
        rents = sorted(rents)
    square.rents = [min(rent, 1_000_000_000) for rent in rents]
    if why:
        square.guesses["rents"] = "; ".join(why)


def _distinguish(squares: list[Square]) -> None:
    """Number the names that cannot be told from an earlier name."""
    first: dict[str, Square] = {}
    for square in squares:
        twin = first.get(look(square.name))
        if twin is not None and (square.kind in TITLES or twin.kind != square.kind or square.name != twin.name):
            stem, number = square.name[:54], 2
            while look(f"{stem} {number}") in first:
                number += 1
            square.name = f"{stem} {number}"
            square.guesses["name"] = "another square has this name"
        first.setdefault(look(square.name), square)


def _decks(squares: list[Square]) -> list[str]:
    """Return the decks of card squares; decks of a similar name become one."""
    first: dict[str, str] = {}
    for square in squares:
        if square.kind == "card":
            square.deck = first.setdefault(id_from(square.deck) or look(square.deck), square.deck)
    return list(first.values())


def _colours(squares: list[Square]) -> tuple[dict[str, str], set[str]]:
    """Return the colour of each group, and the groups with a guessed colour."""
    first: dict[str, str] = {}
    for square in squares:
        if square.group:
            square.group = first.setdefault(look(square.group), square.group)
    colours: dict[str, str] = {}
    guessed = set()
    spare = iter(_SPARE)
    for square in squares:
        if square.group and square.group not in colours:
            written = square.row.colour
            colour = written if _HEX.fullmatch(written) else None
            colour = colour or _COLOURS.get(id_from(written)) or _COLOURS.get(id_from(square.group))
            if colour is None:
                guessed.add(square.group)
                colour = next((each for each in spare if each not in colours.values()), None)
            colours[square.group] = colour or _mixed(len(colours))
    return colours, guessed


def _mixed(number: int) -> str:
    return f"#{(number * 0x3F1D + 0x35507A) % 0xFFFFFF:06x}"
