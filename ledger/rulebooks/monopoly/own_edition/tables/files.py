"""Write a board as the files of an edition, with each guess as a comment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from ledger.kernel.rules.faces.editions import TableFiles
from ledger.rulebooks.monopoly.own_edition.tables.boards import Board, Square, board_of, scaled
from ledger.rulebooks.monopoly.own_edition.tables.columns import clean, read_table
from ledger.rulebooks.monopoly.table.pieces import TITLES

GUESSED = "# guessed:"
"""The beginning of a comment about a guess."""

_MONEY: Mapping[str, tuple[str, str]] = {
    "$": ("dollars", "dollars"),
    "€": ("euros", "euros"),
    "£": ("pounds", "livres"),
    "¥": ("yuan", "yuans"),
    "₹": ("rupees", "roupies"),
    "₽": ("roubles", "roubles"),
    "₺": ("lira", "lires"),
    "Kč": ("crowns", "couronnes"),
    "kr": ("crowns", "couronnes"),
    "zł": ("zlotys", "zlotys"),
    "R$": ("reais", "reals"),
    "CHF": ("francs", "francs"),
    "Ft": ("forints", "forints"),
}
_NAMED = """\
house = { en = "house", fr = "maison" }
houses = { en = "houses", fr = "maisons" }
hotel = { en = "hotel", fr = "hôtel" }
hotels = { en = "hotels", fr = "hôtels" }
jail_pass = { en = "pass", fr = "laissez-passer" }
pot = { en = "the pot", fr = "la cagnotte" }
"""


def edition_of(text: str, title: str) -> TableFiles:
    """Return the files of an edition from the text of a table. Raises Unreadable without squares to read."""
    table = read_table(text)
    board = board_of(table)
    head = [f"title = {_text(clean(title) or 'A board')}", "", "[options]", *_options(board)]
    files = {
        "edition.toml": "\n".join(head) + "\n",
        "pieces.toml": "\n".join([*_notes(table.unused), *_named(table.symbol), *_pieces(board)]) + "\n",
    }
    return TableFiles(files, sum(content.count(GUESSED) for content in files.values()))


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _options(board: Board) -> Iterator[str]:
    if board.scale != 100:
        yield f"{GUESSED} by the prices of the titles"
        for option, usual in (("starting_cash", 1500), ("jail_fine", 50)):
            yield f"{option} = {scaled(usual, board.scale)}"
    else:
        yield "# The options have their usual values; `mabligop edition new` writes all of these with comments."


def _notes(unused: list[str]) -> Iterator[str]:
    yield "# A board from a table of squares. Ids are made from the names; every guess has a comment."
    if unused:
        yield f"# Columns without a use: {', '.join(unused)}"
    yield ""


def _named(symbol: str) -> Iterator[str]:
    en, fr = _MONEY.get(symbol, ("coins", "pièces"))
    yield "[named]"
    yield f"{GUESSED} the names of things; a table says only numbers"
    yield f"symbol = {_text(symbol or '¤')}"
    yield f"money = {{ en = {_text(en)}, fr = {_text(fr)} }}"
    yield _NAMED


def _pieces(board: Board) -> Iterator[str]:
    for group, colour in board.colours.items():
        yield "[[groups]]"
        yield f"name = {_text(group)}"
        if group in board.guessed:
            yield f"{GUESSED} no colour in the table"
        yield f'colour = "{colour}"\n'
    for square in board.squares:
        yield from _square(square)
    for deck in board.decks:
        yield from _deck(deck, board.scale)


def _square(square: Square) -> Iterator[str]:
    yield "[[squares]]"
    if "" in square.guesses:
        yield f"{GUESSED} {square.guesses['']}"
    yield from _member(square, "name", _text(square.name))
    yield from _member(square, "kind", f'"{square.kind}"')
    if square.kind in TITLES:
        yield from _member(square, "group", _text(square.group))
        yield from _member(square, "price", square.price)
        yield from _member(square, "rents", square.rents)
        if square.kind == "street":
            yield from _member(square, "building_price", square.building_price)
            if square.hotel_price:
                yield from _member(square, "hotel_price", square.hotel_price)
        yield from _member(square, "mortgage", square.mortgage)
    elif square.kind == "card":
        yield from _member(square, "deck", _text(square.deck))
    elif square.kind in ("start", "tax"):
        yield from _member(square, "amount", square.amount)
    yield ""


def _member(square: Square, member: str, value: object) -> Iterator[str]:
    if member in square.guesses:
        yield f"{GUESSED} {square.guesses[member]}"
    yield f"{member} = {value}"


def _deck(deck: str, scale: int) -> Iterator[str]:
    amount = scaled(50, scale)
    yield "[[decks]]"
    yield f"name = {_text(deck)}\n"
    yield f"{GUESSED} a table of squares has no cards; two stand in for the cards of this deck"
    for op, en, fr in (
        ("receive", f"The bank pays you {amount}", f"La banque vous verse {amount}"),
        ("pay", f"Pay the bank {amount}", f"Payez {amount} à la banque"),
    ):
        yield "[[cards]]"
        yield f"deck = {_text(deck)}"
        yield f"title = {{ en = {_text(en)}, fr = {_text(fr)} }}"
        yield f'effects = [{{ op = "{op}", amount = {amount} }}]\n'
