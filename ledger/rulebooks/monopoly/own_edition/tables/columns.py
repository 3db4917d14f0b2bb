"""Read a table of squares: separators, headers in English and French, numbers with signs, kinds by many names."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Literal

import msgspec

from ledger.kernel.facts import texts
from ledger.rulebooks.monopoly.own_edition.ids import id_from
from ledger.rulebooks.monopoly.table.pieces import Kind
from ledger.rulebooks.parts.reasons import listed

MOST_ROWS = 200
LARGEST = 100_000_000
Column = Literal[
    "place", "name", "kind", "group", "colour", "deck", "price", "rents", "building", "hotel", "mortgage", "amount"
]


class Unreadable(ValueError):  # noqa: N818 - a finding about a table
    """The table has no squares to read."""


class Row(msgspec.Struct, kw_only=True):
    """A row of the table, as written. `kind` is None for an unknown word, and 0 stands for a missing amount."""

    name: str
    kind: Kind | None = None
    group: str = ""
    colour: str = ""
    deck: str = ""
    price: int = 0
    rents: list[int] = []
    building: int = 0
    hotel: int = 0
    mortgage: int | None = None
    amount: int = 0


class Table(msgspec.Struct):
    """The rows in the order of travel, the sign of the money, and the headers of unused columns."""

    rows: list[Row]
    symbol: str
    unused: list[str]


_WORDS: Sequence[tuple[Column, str]] = (
    ("place", "position pos place number no num index order numero ordre rank"),
    ("name", "name nom square case space property title titre propriete intitule libelle square_name field"),
    ("kind", "kind type category categorie sorte genre square_type property_type"),
    ("group", "group groupe set color_group colour_group color_set groupe_de_couleur family famille"),
    ("colour", "color colour couleur hex"),
    ("deck", "deck pioche pile"),
    ("price", "price prix cost cout purchase_price prix_d_achat prix_dachat buy_price buying_price achat"),
    ("price", "price_to_buy valeur value prix_terrain"),
    ("rents", "rents loyers"),
    ("building", "building_price house_price house_cost price_per_house cost_per_house building_cost build_cost"),
    ("building", "prix_maison prix_de_la_maison prix_d_une_maison prix_batiment prix_construction cost_of_house"),
    ("building", "price_of_house houses_cost housing_cost build_price construction prix_des_maisons"),
    ("hotel", "hotel_price hotel_cost price_per_hotel cost_per_hotel prix_hotel prix_de_l_hotel prix_de_lhotel"),
    ("mortgage", "mortgage mortgage_value hypotheque valeur_hypothecaire valeur_d_hypotheque mortgaged"),
    ("amount", "amount montant tax taxe salary salaire fee"),
)
_HEADERS: Mapping[str, Column] = {header: column for column, headers in _WORDS for header in headers.split()}
_RENT = re.compile(
    r"(?:(?:rent|loyer)s?_?(?:with_|avec_)?)?(?:(?P<number>\d{1,2})_?(?:houses?|maisons?|h)?|"
    r"(?:house|maison|h)_?(?P<level>\d)|(?P<hotel>hotel|an_hotel|un_hotel|with_hotel|avec_hotel))"
)
_BASE = frozenset(
    {
        "rent",
        "loyer",
        "base_rent",
        "basic_rent",
        "rent_base",
        "rent_site",
        "site_rent",
        "site_only",
        "loyer_de_base",
        "loyer_nu",
        "terrain_nu",
        "unimproved",
    }
)
_KINDS: Sequence[tuple[Kind, str]] = (
    ("go_to_jail", r"go_?to_?(jail|prison)|allez_en_prison|aller_en_prison|goto_?jail"),
    ("jail", r"jail|prison|just_visiting|simple_visite"),
    ("start", r"start|go|depart|case_depart|begin"),
    ("tax", r"(\w+_)?tax(es?)?(_\w+)?|impots?(_\w+)?|(\w+_)?taxe"),
    ("pot", r"pot|cagnotte|jackpot"),
    ("card", r"card|cards|chance|community_chest|caisse_de_communaute|carte|event|chest|surprise|action"),
    (
        "station",
        r"stations?|rail\w*|gares?|train_station|transport|airport|(\w+_)?(railroad|railway|station)|gare_\w+",
    ),
    ("utility", r"utilit\w+|company|compagnies?(_\w+)?|services?(_publics?)?|(\w+_)?(company|works)"),
    ("rest", r"rest|free_parking|parking|parc_gratuit|corner|none|nothing|repos|special|free"),
    ("street", r"street|property|propriete|rue|terrain|lot|title|titre|land|avenue|real_estate"),
)
_SIGN = re.compile(r"[$€£¥₹₽₺₩₴₪฿₫]|\b(?:Kč|zł|kr|Ft|lei|CHF|R\$|M)(?![a-z])")
_NUMBER = re.compile(r"\d[\d.,'’\s\u00a0\u202f]*")


def read_table(text: str) -> Table:
    """Read the text of a table. Raises Unreadable without names, and for too few or too many squares."""
    lines = text.splitlines()
    head = next((line for line in lines if line.strip()), "")
    separator = max(",;\t|", key=head.count)
    try:
        # Each of the three ends of a line is a line feed here.
        rows_read = list(csv.reader(StringIO(text, newline=None), delimiter=separator))
    except csv.Error as fault:
        message = f"it is no table: {fault}"
        raise Unreadable(message) from fault
    cells = [row for row in rows_read if any(cell.strip() for cell in row)]
    if not cells:
        message = "the table is empty"
        raise Unreadable(message)
    columns, rents, unused = _columns(cells[0])
    if "name" not in columns:
        message = f"no column is called name (or nom); there are: {listed(map(clean, cells[0]))}"
        raise Unreadable(message)
    body = cells[1:]
    if "place" in columns:
        places = [_number(_cell(row, columns["place"])) for row in body]
        if all(number is not None for number in places):
            body = [row for _, row in sorted(zip(places, body, strict=True), key=lambda pair: pair[0] or 0)]
    rows = [_row(row, columns, rents) for row in body if clean(_cell(row, columns["name"]))]
    if len(rows) < 2 or len(rows) > MOST_ROWS - 2:
        message = f"a board has at least 4 squares and at most {MOST_ROWS}, and the table has {len(rows)}"
        raise Unreadable(message)
    signs = _SIGN.search(" ".join(cell for row in body for cell in row))
    return Table(rows, signs[0] if signs else "", unused)


def kind_of(text: str) -> Kind | None:
    """Return the kind of squares meant by a word or a name; None for an unknown word."""
    word = id_from(text)
    return next((kind for kind, form in _KINDS if re.fullmatch(form, word)), None)


def clean(text: str) -> str:
    """Return a text on one line, without refused characters, of at most 60 characters."""
    line = " ".join("".join(character for character in text if texts.unfit(character) is None).split())
    return line[:60].strip()


def _columns(header: Sequence[str]) -> tuple[dict[Column, int], dict[int, int], list[str]]:
    """Return the column of each member, the column of each rent (0: bare, 99: hotel), and the unused headers."""
    columns: dict[Column, int] = {}
    rents: dict[int, int] = {}
    unused = []
    for number, title in enumerate(header):
        word = id_from(title)
        column = _HEADERS.get(word)
        rent = _RENT.fullmatch(word)
        if column is not None and column not in columns:
            columns[column] = number
        elif word in _BASE:
            rents.setdefault(0, number)
        elif rent is not None:
            level = 99 if rent["hotel"] else int(rent["number"] or rent["level"] or 0)
            rents.setdefault(level, number)
        elif title.strip():
            unused.append(clean(title))
    return columns, rents, unused


def _row(cells: Sequence[str], columns: Mapping[Column, int], rents: Mapping[int, int]) -> Row:
    def at(column: Column) -> str:
        return _cell(cells, columns[column]) if column in columns else ""

    listed = [number for number in map(_number, re.split(r"[;/|]|,\s|\s+", at("rents"))) if number is not None]
    leveled = [_number(_cell(cells, rents[level])) for level in sorted(rents)]
    kind = kind_of(at("kind"))
    return Row(
        name=clean(at("name")),
        kind=kind,
        group=clean(at("group")),
        colour=clean(at("colour")),
        deck=clean(at("deck")),
        price=_number(at("price")) or 0,
        rents=listed or [rent for rent in leveled if rent is not None],
        building=_number(at("building")) or 0,
        hotel=_number(at("hotel")) or 0,
        mortgage=_number(at("mortgage")),
        amount=_number(at("amount")) or 0,
    )


def _cell(cells: Sequence[str], number: int) -> str:
    return cells[number].strip() if number < len(cells) else ""


def _number(text: str) -> int | None:
    """Return the amount in a cell, without signs and marks between thousands; None for a cell without a number."""
    matched = _NUMBER.search(text)
    if matched is None:
        return None
    digits = re.sub(r"[\s\u00a0\u202f'’]", "", matched[0])
    digits = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", digits)
    whole = re.split(r"[.,]", digits)[0]
    return min(int(whole[:12]), LARGEST)
