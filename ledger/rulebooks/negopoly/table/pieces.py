"""The pieces of Negopoly as data: titles (V.A), items with prices, settings, squares of the board."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from ledger.kernel.facts.values import of_kind
from ledger.rulebooks.negopoly.cards.vocabulary import DECKS, Card, is_card
from ledger.rulebooks.parts import reading


class Title(msgspec.Struct, frozen=True):
    """A title of the table of V.A. Amounts are in whole ₦; `rents` has a rent for each number of houses."""

    id: str
    name: str
    quarter: str
    price: int
    house_cost: int
    rents: tuple[int, ...]
    mortgage: int


class Item(msgspec.Struct, frozen=True):
    """Goods for sale other than titles. stock -1 is unlimited; with price 0, `price_rule` gives the price."""

    id: str
    name: str
    category: str
    price: int
    price_rule: str
    stock: int
    sold_at: str
    access: str
    effect: str


class Weapon(Item, frozen=True):
    """A weapon of the bar (IX.C, IX.D)."""

    used: str
    """The kind of event of the weapon's use."""
    tier: int | None = None
    """The tier of the weapon (IX.C.1); None for a Game Ender."""
    sale: str | None = None
    """The rule of the weapon's sale, if special."""


class Wish(msgspec.Struct, frozen=True):
    """A weapon action of simulated players, with its likelihood, and whether the action is hostile."""

    action: str
    likely: float
    adverse: bool


class Vehicle(msgspec.Struct, frozen=True):
    """A vehicle of VIII.B with squares by die value, a choice of squares, or a free choice of square."""

    id: str
    rule: str
    tier: int
    die: tuple[int, ...] = ()
    """Squares for a die of 1, 2, 3… (negative: backwards); empty for a vehicle without a die."""
    steps: tuple[int, ...] = ()
    teleports: bool = False


class Square(msgspec.Struct, frozen=True):
    """A square of the board: the index from Spawn, the kind, the name, and the title if any."""

    index: int
    kind: str
    name: str
    property: str | None = None


_FOLDER = files("ledger.rulebooks.negopoly")
_prices = reading.data(_FOLDER, "table/prices.toml")

TITLES = reading.pieces(_prices["property"], Title)
_arsenal = reading.data(_FOLDER, "arsenal/actions.toml")
ARSENAL = reading.pieces(_arsenal["weapon"], Weapon)
"""The weapons of IX.C and IX.D on sale at the bar."""
WISHES = msgspec.convert(_arsenal["wish"], tuple[Wish, ...])
ITEMS = reading.pieces((*_prices["item"], *_arsenal["weapon"], *_prices["service"], *_arsenal["remainder"]), Item)
VEHICLES = reading.pieces(reading.data(_FOLDER, "goods/vehicles.toml")["vehicle"], Vehicle)
SETTINGS: dict[str, dict[str, Any]] = _prices["settings"]
SIMULATED: tuple[dict[str, Any], ...] = tuple(reading.data(_FOLDER, "bots/simulated.toml")["table"])
"""The settings of the tables of simulated games, used in turn."""
BOARD = msgspec.convert(reading.data(_FOLDER, "board/board.toml")["square"], tuple[Square, ...])

CARDS: tuple[Card, ...] = tuple(
    msgspec.convert({**row, "deck": deck}, Card)
    for deck in DECKS
    for row in reading.data(_FOLDER, f"cards/{deck}.toml")["card"]
)
"""The cards of the rulebook, deck by deck."""
OPERATIONS: dict[str, dict[str, str]] = reading.data(_FOLDER, "cards/operations.toml")
"""The parameters and the effect of each card operation, for authors of decks."""


def in_short(params: dict[str, Any]) -> dict[str, Any]:
    """Shorten the `commodity` of the parameters if given with a category: "weapon:rpg7" becomes "rpg7"."""
    full = params.get("commodity")
    return {**params, "commodity": short(full)} if isinstance(full, str) else params


def short(full: str) -> str:
    """Return the id of goods named in full, with a category. Return other names unchanged."""
    category, _, name = full.partition(":")
    item = ITEMS.get(name)
    return full if item is None or item.category != category else name


WEAPONS: frozenset[str] = frozenset(
    item.id for item in ITEMS.values() if item.category in {"weapon", "game_ender"}
)
"""Every weapon of IX.C and IX.D, charges included: the firearms of VI.F.3."""

DELIVERABLE: frozenset[str] = frozenset(
    item.id for item in ITEMS.values() if item.category in {"drug", "weapon", "game_ender", "vehicle"}
) | {"ordonnance"}
"""The goods that players can deliver to each other (VIII.D.1), cards apart."""


SOLD: tuple[str, ...] = tuple(
    item.id for item in ITEMS.values() if item.id in DELIVERABLE and item.sold_at != "nowhere"
)
"""The goods that shops sell: doses at Spawn (VII.A), forged prescriptions at Hôpital (VI.C.3), vehicles at NC
Custom (VIII.A), weapons at the bar (IX.A)."""

if TYPE_CHECKING:
    WeaponId = str
    VehicleId = str
    SoldId = str
else:
    WeaponId = Annotated[Literal[tuple(ARSENAL)], of_kind("commodity")]
    VehicleId = Annotated[Literal[tuple(VEHICLES)], of_kind("commodity")]
    SoldId = Annotated[Literal[SOLD], of_kind("commodity")]


def travels(commodity: str) -> bool:
    """Return True if players can deliver the commodity: goods, or a card (VIII.D.1)."""
    return commodity in DELIVERABLE or is_card(commodity)
