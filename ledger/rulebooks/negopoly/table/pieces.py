"""The pieces of Negopoly as data: titles (V.A), items and their prices, settings, squares of the board."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import msgspec

from ledger.rulebooks.negopoly.cards.vocabulary import DECKS, Card, is_card


class Title(msgspec.Struct, frozen=True):
    """A title of the table of V.A. Amounts in whole ₦; rents for 0 to 5 houses."""

    id: str
    name: str
    quarter: str
    price: int
    house_cost: int
    rents: tuple[int, ...]
    mortgage: int


class Item(msgspec.Struct, frozen=True):
    """Something that can be bought apart from the titles. stock -1 is unlimited, price 0 follows price_rule."""

    id: str
    name: str
    category: str
    price: int
    price_rule: str
    stock: int
    sold_at: str
    access: str
    effect: str


class Vehicle(msgspec.Struct, frozen=True):
    """What a vehicle of VIII.B does: squares by what its die shows, squares to choose from, or any square."""

    id: str
    rule: str
    tier: int
    die: tuple[int, ...] = ()
    """Squares when the die shows 1, 2, 3… (negative: backwards); empty where none is thrown."""
    steps: tuple[int, ...] = ()
    teleports: bool = False


class Square(msgspec.Struct, frozen=True):
    """A square of the board: its index from Spawn, its kind, its name, and its title if it has one."""

    index: int
    kind: str
    name: str
    property: str | None = None


_FOLDER = files("ledger.rulebooks.negopoly")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))


_prices = _read("table/prices.toml")

TITLES: dict[str, Title] = {row["id"]: msgspec.convert(row, Title) for row in _prices["property"]}
ITEMS: dict[str, Item] = {
    row["id"]: msgspec.convert(row, Item) for row in (*_prices["item"], *_prices["remainder"])
}
TIERS: dict[str, int] = _prices["tier"]
"""The tier of every weapon of IX.C (IX.C.1)."""
VEHICLES: dict[str, Vehicle] = {
    row["id"]: msgspec.convert(row, Vehicle) for row in _read("goods/vehicles.toml")["vehicle"]
}
SETTINGS: dict[str, dict[str, Any]] = _prices["settings"]
SIMULATED: tuple[dict[str, Any], ...] = tuple(_read("bots/simulated.toml")["table"])
"""The settings of the tables at which bots play, in turn."""
BOARD: tuple[Square, ...] = tuple(msgspec.convert(row, Square) for row in _read("board/board.toml")["square"])

CARDS: tuple[Card, ...] = tuple(
    msgspec.convert({**row, "deck": deck}, Card) for deck in DECKS for row in _read(f"cards/{deck}.toml")["card"]
)
"""The cards of the rulebook, deck by deck."""
OPERATIONS: dict[str, dict[str, str]] = _read("cards/operations.toml")
"""What each operation of the cards takes and does, for whoever writes a deck."""

WEAPONS: frozenset[str] = frozenset(
    item.id for item in ITEMS.values() if item.category in {"weapon", "game_ender"}
)
"""Every weapon of IX.C and IX.D, charges included: what VI.F.3 reads as a firearm."""

DELIVERABLE: frozenset[str] = frozenset(
    item.id for item in ITEMS.values() if item.category in {"drug", "weapon", "game_ender", "vehicle"}
) | {"ordonnance"}
"""What can travel from one inventory to another (VIII.D.1), cards apart."""


def travels(commodity: str) -> bool:
    """Whether it can be delivered: an object of an inventory, or a card (VIII.D.1)."""
    return commodity in DELIVERABLE or is_card(commodity)


def register_texts() -> tuple[str, str]:
    """The register of rules as TOML, in English and French."""
    return (
        (_FOLDER / "rules.toml").read_text(encoding="utf-8"),
        (_FOLDER / "rules.fr.toml").read_text(encoding="utf-8"),
    )
