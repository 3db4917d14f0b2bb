"""The pieces of Negopoly as data: titles (V.A), items and their prices, settings, squares of the board."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import msgspec


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


class Square(msgspec.Struct, frozen=True):
    """A square of the board: its index from Spawn, its kind, its name, and its title if it has one."""

    index: int
    kind: str
    name: str
    property: str | None = None


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / name).read_text(encoding="utf-8"))


_prices = _read("prices.toml")

TITLES: dict[str, Title] = {row["id"]: msgspec.convert(row, Title) for row in _prices["property"]}
ITEMS: dict[str, Item] = {row["id"]: msgspec.convert(row, Item) for row in _prices["item"]}
SETTINGS: dict[str, dict[str, Any]] = _prices["settings"]
BOARD: tuple[Square, ...] = tuple(msgspec.convert(row, Square) for row in _read("board.toml")["square"])

WEAPONS: frozenset[str] = frozenset(
    item.id for item in ITEMS.values() if item.category in {"weapon", "game_ender"}
)
"""Every weapon of IX.C and IX.D, charges included: what VI.F.3 reads as a firearm."""

DELIVERABLE: frozenset[str] = frozenset(
    item.id for item in ITEMS.values() if item.category in {"drug", "weapon", "game_ender", "vehicle"}
) | {"ordonnance"}
"""What can travel from one inventory to another (VIII.D.1), cards apart."""


def register_texts() -> tuple[str, str]:
    """The register of rules as TOML, in English and French."""
    folder = files(__package__)
    return (
        (folder / "rules.toml").read_text(encoding="utf-8"),
        (folder / "rules.fr.toml").read_text(encoding="utf-8"),
    )
