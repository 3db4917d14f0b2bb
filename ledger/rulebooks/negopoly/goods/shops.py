"""VIII.A, IX.A, IX.C. The shops with a stock, NC Custom and the bar: stock, prices, sales.

Goods in a fixed number of copies come out of the box at setup. The shops hold the copies until the sale. The
bank issues unlimited goods at the sale. In games set up before shops had a stock, the bank sells everything.

Examples:
    shops.price_of(state, "ana", "tank")            the price of the next copy for ana, in whole ₦
    shops.sell(draft, "ana", "glock26", rule="IX.A.1")  ana pays and gets a Glock
    shops.spent(state, "ana", "glock26")            the posting of a used copy

A shop declares its access check with `@counter`. Each sale (also for another player) calls `may_buy` first:
    @shops.counter(shops.BAR)
    def _at_the_bar(draft: Draft, item_id: str) -> str: ...   # refuses, or returns the rule: "IX.A.2"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from ledger.kernel.facts.accounts import BANK, BOX, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.table.pieces import ITEMS, Item
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, pay
from ledger.rulebooks.negopoly.table.terms import MONEY, USED, player
from ledger.rulebooks.parts.readers import Private

chapter = Chapter("VIII.A. Shops")

DEALER = "nc_custom"
"""The shop of vehicles, also the kind of its squares (VIII.A.1)."""

BAR = "bar"
"""The shop of weapons, also the kind of its squares (IX.A.1)."""

PERK_RESERVE = "trottinette"
"""The item with a stock that is also a starting perk: the bank reserves a copy for each player (II.A.4)."""


class _Shop(NamedTuple):
    """A shop: its name, the rule of its stock, and the rule of its last copies."""

    name: str
    stock: str
    last_copy: str


_SHOPS = {
    DEALER: _Shop("NC Custom", stock="VIII.A.2", last_copy="VIII.A.3"),
    BAR: _Shop("Bar à mercenaires", stock="IX.C.3", last_copy="IX.C.4"),
}

NAMES: Mapping[str, str] = {shop: one.name for shop, one in _SHOPS.items()}
"""The names of the shops for people."""

_COUNTED = {"vehicle", "weapon", "game_ender"}
"""The categories sold by the shops. The services of the bar are separate (IX.B.1)."""

_SOLD = {
    shop: tuple(item for item in ITEMS.values() if item.sold_at == shop and item.category in _COUNTED)
    for shop in _SHOPS
}
"""The goods of each shop."""

ACCOUNTS = frozenset(f"shop:{shop}" for shop in _SHOPS)

STOCKED: dict[str, Item] = {item.id: item for item in ITEMS.values() if item.stock >= 0}
"""The goods with a fixed number of copies."""


def account(item_id: str) -> str:
    """Return the account of the item's shop. All squares of a kind share a shop (VIII.A.2, IX.A.1)."""
    return f"shop:{ITEMS[item_id].sold_at}"


# ----------------------------------------------------------------------------------------------
# Stock
# ----------------------------------------------------------------------------------------------


@chapter.event
class ShopsStocked(Event, frozen=True, kw_only=True):
    """The shops get their stock from the box, and the bank its reserve of perks (VIII.A.2, II.A.4)."""

    en: ClassVar[str] = "The shops are stocked: {goods:list}."
    fr: ClassVar[str] = "Les magasins sont approvisionnés : {goods:list}."

    rule: str = "VIII.A.2"

    @property
    def goods(self) -> list[str]:
        """The stock of the shops as texts: a number and a name."""
        return [
            f"{posting.amount} × {ITEMS[posting.commodity].name}"
            for posting in self.postings
            if posting.target != BANK
        ]


def stock(draft: Draft) -> None:
    """Fill the shops at the start of a game, and the bank's reserve of perks unless the settings use the stock."""
    state = draft.state
    copies = {item_id: capacity(state, item_id) for item_id in STOCKED}
    filled = tuple(
        Posting(commodity, count, BOX, account(commodity)) for commodity, count in copies.items() if count
    )
    reserve = (Posting(PERK_RESERVE, len(state.seats), BOX, BANK),)
    draft.record(ShopsStocked(postings=filled if state.settings.starter_perks_use_stock else (*filled, *reserve)))


def capacity(state: Negopoly, item_id: str) -> int:
    """Return the first and largest stock of an item (VIII.A.2, IX.C.3)."""
    item = ITEMS[item_id]
    return int(state.settings.game_ender_stock) if item.category == "game_ender" else item.stock


def perk_source(draft: Draft, commodity: str) -> str:
    """Return the account that gives a starting perk: the bank, or the shop if the setting says so (II.A.4).

    Refuses by VIII.A.2 when the shop has no copy left.
    """
    state = draft.state
    if commodity not in STOCKED or not state.settings.starter_perks_use_stock or not keeps_stock(state):
        return BANK
    _require_stock(state, commodity, 1)
    return account(commodity)


def keeps_stock(state: Negopoly) -> bool:
    """Return True if the game counts copies: the shops were stocked at setup."""
    boxed = state.holdings.account(BOX)
    return any(item_id in boxed for item_id in STOCKED)


def copies_left(state: Negopoly, item_id: str) -> int | None:
    """Return the number of copies in the item's shop. None for unlimited goods and in games without a stock."""
    if item_id not in STOCKED or not keeps_stock(state):
        return None
    return state.holdings.of(account(item_id), item_id)


def spent(state: Negopoly, seat: str, item_id: str) -> Posting:
    """Return the posting of a used copy: out of play, or back to a shop with room for the copy.

    Used copies go back only with the setting restock_used; VIII.2, IX.C.2.
    """
    room = copies_left(state, item_id)
    restocked = state.settings.restock_used and room is not None and room < capacity(state, item_id)
    return Posting(item_id, 1, player(seat), account(item_id) if restocked else USED)


# ----------------------------------------------------------------------------------------------
# Prices
# ----------------------------------------------------------------------------------------------


def price_of(state: Negopoly, seat: str, item_id: str) -> int:
    """Return the price of the next copy for the seat, in whole ₦. Without a copy left, the last price stays."""
    return prices(state, seat, item_id)[0]


def offer_of(state: Negopoly, seat: str, item_id: str) -> tuple[tuple[Any, ...], int]:
    """Return the key for `Choice.alike` of buying a copy, and the price.

    The key names the shop and says whether a copy is left and whether the seat can pay.
    """
    price, remaining = price_of(state, seat, item_id), copies_left(state, item_id)
    enough = state.settings.voluntary_overdraft or state.holdings.of(player(seat), MONEY) >= price
    return (ITEMS[item_id].sold_at, remaining is None or remaining > 0, enough), price


def prices(
    state: Negopoly, seat: str, item_id: str, quantity: int = 1, *, to: str | None = None
) -> tuple[int, ...]:
    """Return the price of each of the next copies for the seat, in whole ₦, in the order of sale.

    The last copy of a stock costs 25 % more (VIII.A.3, IX.C.4). A weapon costs the holder of Jaune 25 % less
    (V.E.11). A charge costs more for each charge of the receiver, `to` or the buyer (IX.C.10, VIII.D.6). Each
    copy is rounded up once, with all changes together, for any number bought (I.B.1).
    """
    item = ITEMS[item_id]
    stock_left = copies_left(state, item_id)
    owned = state.holdings.of(player(to or seat), item_id)
    discount = _discount(state, seat) if item.category == "weapon" else 0
    return tuple(_price(state, item, stock_left, owned, discount, sold) for sold in range(quantity))


def _discount(state: Negopoly, seat: str) -> int:
    """Return the seat's discount on weapons in percent; the holder of Jaune has a discount (V.E.11)."""
    return state.settings.yellow_discount_percent if quarters.has_ability(state, seat, "jaune") else 0


def _price(state: Negopoly, item: Item, stock_left: int | None, owned: int, discount: int, sold: int = 0) -> int:
    """Return the price of a copy after `sold` copies (see `prices`), with stock and inventory before the sale."""
    base = item.price * (owned + sold + 1) if item.id == "c4" else item.price
    surcharge = state.settings.last_copy_surcharge_percent if is_last(stock_left, sold) else 0
    return -(-base * (100 + surcharge) * (100 - discount) // 10_000)


def is_last(stock_left: int | None, sold: int = 0) -> bool:
    """Return True if the next copy is the last of the stock, after `sold` copies."""
    return stock_left is not None and stock_left - sold <= 1


def view(state: Negopoly, seat: str | None) -> dict[str, list[dict[str, Any]]]:
    """Return the goods of each shop: the price of the next copy for the seat, and the number `left` if counted.

    Without a seat, the prices are for a player without weapons and without a quarter.
    """
    counted, discount = keeps_stock(state), _discount(state, seat or "")
    inventory = state.holdings.account(player(seat or ""))

    def offer(item: Item, stock: Mapping[str, int]) -> dict[str, Any]:
        stock_left = stock.get(item.id, 0) if counted and item.id in STOCKED else None
        less = discount if item.category == "weapon" else 0
        price = _price(state, item, stock_left, inventory.get(item.id, 0), less)
        offered = {"item": item.id, "price": price}
        return offered if stock_left is None else {**offered, "left": stock_left}

    return {
        shop: [offer(item, state.holdings.account(f"shop:{shop}")) for item in items]
        for shop, items in _SOLD.items()
    }


# ----------------------------------------------------------------------------------------------
# Selling
# ----------------------------------------------------------------------------------------------

Counter = Callable[[Draft, str], str]
"""An access check of a shop: refuses unless the acting seat may buy the item, or returns the shop's rule."""

_COUNTERS: dict[str, Counter] = {}


def counter(shop: str) -> Callable[[Counter], Counter]:
    """Declare the check of a shop ("nc_custom", "bar")."""

    def declare(access: Counter) -> Counter:
        _COUNTERS[shop] = access
        return access

    return declare


def may_buy(draft: Draft, item_id: str) -> str:
    """Refuse unless the acting seat may buy the item now. Return the shop's rule."""
    return _COUNTERS[ITEMS[item_id].sold_at](draft, item_id)


@chapter.event
class ItemBought(Private, frozen=True, kw_only=True):  # inventories are private
    """A player buys goods in a shop (VIII.A.1, IX.A.1)."""

    en: ClassVar[str] = "{seat:seat} buys {quantity} × {item:goods} for {price:money}."
    fr: ClassVar[str] = "{seat:seat} achète {quantity} × {item:goods} pour {price:money}."

    rule: str
    item: str
    quantity: int
    unit_prices: tuple[int, ...]

    @property
    def price(self) -> int:
        """The cost of the purchase, in whole ₦."""
        return sum(self.unit_prices)


def sell(draft: Draft, seat: str, item_id: str, quantity: int = 1, *, rule: str) -> ItemBought:
    """Sell copies from the shop's stock to the seat, record the event and return it.

    `rule` opens the shop. If the last copy or Jaune changes the price, the event cites the rule of the change
    instead. Refuses if the stock or the funds are too small (VIII.A.2, IX.C.3). The caller checks the access.
    """
    unit_prices, postings, price_rule = handed_over(draft, seat, item_id, quantity, rule=rule)
    bought = ItemBought(
        rule=price_rule or rule,
        seat=seat,
        item=item_id,
        quantity=quantity,
        unit_prices=unit_prices,
        postings=postings,
    )
    draft.record(bought)
    return bought


def handed_over(
    draft: Draft, seat: str, item_id: str, quantity: int, *, rule: str, to: str | None = None
) -> tuple[tuple[int, ...], tuple[Posting, ...], str | None]:
    """Return the prices and the postings of a purchase, and the rule that changed the price, if any.

    The seat pays the bank. The copies go from the shop to `to`, or to the buyer. Refuses as `sell` does.
    """
    state = draft.state
    stock_left = copies_left(state, item_id)
    _require_stock(state, item_id, quantity)
    unit_prices = prices(state, seat, item_id, quantity, to=to)
    paid = pay(draft, seat, sum(unit_prices), rule)
    handed = Posting(item_id, quantity, BANK if stock_left is None else account(item_id), player(to or seat))
    price_rule = None
    if is_last(stock_left, quantity - 1):
        price_rule = _SHOPS[ITEMS[item_id].sold_at].last_copy
    elif ITEMS[item_id].category == "weapon" and quarters.has_ability(state, seat, "jaune"):
        price_rule = "V.E.11"
    return unit_prices, (*paid, handed), price_rule


def _require_stock(state: Negopoly, item_id: str, quantity: int) -> None:
    """Refuse when the shop has fewer copies; no waiver applies."""
    stock_left = copies_left(state, item_id)
    if stock_left is None or stock_left >= quantity:
        return
    shop = _SHOPS[ITEMS[item_id].sold_at]
    raise Impossible(
        shop.stock,
        "{shop} has {left} × {item} left and cannot give {quantity}",
        "{shop} n'a plus que {left} × {item} et ne peut pas en fournir {quantity}",
        shop=shop.name,
        left=stock_left,
        item=ITEMS[item_id].name,
        quantity=quantity,
    )
