"""Building: houses, hotels and towers out of a limited stock, put on whole groups evenly, and sold back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import TitleId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses import shortage
from ledger.rulebooks.monopoly.houses.places import (
    built_evenly,
    can_place,
    next_piece,
    price_of,
    printed_prices,
    require_place,
    stock_of,
    whole_streets,
)
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.settings import fraction
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    builds_apart,
    cite,
    currency,
    has_hotel,
    has_role,
    holds_group,
    houses_on,
    level,
    levels,
    owner_of,
    pieces,
    player_in_play,
    title_named,
    titles_of,
)
from ledger.rulebooks.monopoly.table.terms import BUILDINGS, HOTEL, HOUSE, STOCK, TOWER, Building, Piece
from ledger.rulebooks.parts import titles
from ledger.rulebooks.parts.seats import player as purse

chapter = shortage.chapter

_MOST_WAYS = 30
"""Maximum number of offered ways to share the remaining houses."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class BuildingPlaced(Event, frozen=True, kw_only=True):
    """A building is put on a title; a hotel takes the place of its houses, which go back to the stock, and a tower
    stands on the hotel.
    """

    en: ClassVar[str] = "{seat:seat} builds on {title:title}: {piece:goods}, for {price:money}."
    fr: ClassVar[str] = "{seat:seat} construit sur {title:title} : {piece:goods}, pour {price:money}."

    seat: str
    title: str
    piece: Building
    price: int

    def apply(self, state: Monopoly) -> None:
        """Store the price paid, and drop the seat's wish for the piece."""
        state.costs[self.title] = (*state.costs.get(self.title, ()), self.price)
        if state.wishes.get(self.seat) == self.piece:
            shortage.forget(state, self.seat)


@chapter.event
class BuildingSold(Event, frozen=True, kw_only=True):
    """A house, a hotel that becomes houses again, or a tower is sold back to the bank."""

    en: ClassVar[str] = "{seat:seat} sells back from {title:title}: {piece:goods}, for {amount:money}."
    fr: ClassVar[str] = "{seat:seat} revend de {title:title} : {piece:goods}, pour {amount:money}."

    seat: str
    title: str
    piece: Building
    amount: int

    def apply(self, state: Monopoly) -> None:
        """Drop the last price paid."""
        _remember(state, self.title, level(state, self.title))


@chapter.event
class HotelsBrokenUp(Event, frozen=True, kw_only=True):
    """A hotel is sold while the bank lacks the houses for it, with what must be sold along in its group."""

    en: ClassVar[str] = (
        "{seat:seat} sells back from {title:title}: {sold:pieces}, and what the bank lacks in exchange, "
        "for {amount:money} in all; left on the group: {kept:pieces}."
    )
    fr: ClassVar[str] = (
        "{seat:seat} revend de {title:title} : {sold:pieces}, et ce qui manque à la banque en échange, "
        "pour {amount:money} en tout ; il reste sur le groupe : {kept:pieces}."
    )

    seat: str
    title: str
    hotels: tuple[str, ...]
    """The titles of the hotels sold."""
    left: tuple[tuple[str, int], ...]
    """The titles of the group, each with the number of houses after the sale."""
    amount: int

    @property
    def sold(self) -> tuple[str, int]:
        """The number of hotels sold."""
        return HOTEL, len(self.hotels)

    @property
    def kept(self) -> tuple[str, int]:
        """The number of houses left on the group."""
        return HOUSE, sum(count for _, count in self.left)

    def apply(self, state: Monopoly) -> None:
        """Drop the last prices paid for each title."""
        for title, count in self.left:
            _remember(state, title, count)


@chapter.event
class BuildingsCleared(Event, frozen=True, kw_only=True):
    """All that stands on a title goes back to the bank."""

    en: ClassVar[str] = "All that {seat:seat} has built on {title:title} goes back to the bank for {amount:money}."
    fr: ClassVar[str] = (
        "Tout ce que {seat:seat} a construit sur {title:title} retourne à la banque pour {amount:money}."
    )

    seat: str
    title: str
    amount: int

    def apply(self, state: Monopoly) -> None:
        """Drop all prices paid for the title."""
        _remember(state, self.title, 0)


def _remember(state: Monopoly, title: str, built: int) -> None:
    """Keep the prices paid for the first `built` buildings of a title."""
    paid = state.costs.pop(title, ())[:built]
    if paid:
        state.costs[title] = paid


# ----------------------------------------------------------------------------------------------
# Building
# ----------------------------------------------------------------------------------------------


def put_piece(
    draft: Draft, seat: str, square: Square, piece: Building, *, price: int, rule: str, paid: tuple[Posting, ...]
) -> None:
    """Record the placing of a piece on a title. `paid` are the postings of the price."""
    state, lot = draft.state, titles.attached(square.id)
    back = draft.move(HOUSE, houses_on(state, square.id), lot, STOCK) if piece == HOTEL else ()
    draft.record(
        BuildingPlaced(
            rule=rule,
            seat=seat,
            title=square.id,
            piece=piece,
            price=price,
            postings=(*paid, *back, Posting(piece, 1, STOCK, lot)),
        )
    )


@chapter.action(
    summary=("build on one's title", "construire sur son titre"),
    when=("when one owns the whole group", "quand on possède tout le groupe"),
)
class Build(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Buy a house or a hotel from the bank and put it on a title: what is built there next, unless it is named."""

    title: TitleId
    piece: Piece | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse outside the whole group, unevenly, beyond the stock, or when others want the last pieces."""
        state, seat = draft.state, player_in_play(draft)
        square = title_named(draft, self.title, cite(state, "build_group"))
        _require_time(draft, seat)
        piece: Building = self.piece or next_piece(state, square.id)
        require_place(draft, seat, square, piece)
        shortage.require_stock(draft, square, piece)
        shortage.require_uncontended(draft, piece)
        price = price_of(state, square.id, piece)
        bought = cite(state, "build_price", square)
        alone = piece == HOUSE and not holds_group(state, seat, square.id) and has_role(state, "build_alone")
        rules: dict[Building, Role] = {HOTEL: "hotel", TOWER: "build_levels"}
        if alone:
            rules[HOUSE] = "build_alone"
        put_piece(
            draft,
            seat,
            square,
            piece,
            price=price,
            rule=cite(state, rules[piece], square) if piece in rules else bought,
            paid=debts.spend(draft, seat, price, bought),
        )

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each title open to building within the player's money."""
        if state.stage != "play" or not (state.settings.build_off_turn or state.turn == seat):
            return
        money = debts.spare(state, seat)
        for title in whole_streets(state, seat):
            piece = next_piece(state, title)
            price = price_of(state, title, piece)
            if price <= money and stock_of(state, piece) and can_place(state, seat, title, piece):
                yield Choice({"title": title}, alike=piece, cost=price)


def _require_time(draft: Draft, seat: str) -> None:
    """Refuse to build out of turn, if the table allows building only in turn."""
    state = draft.state
    draft.require(
        state.settings.build_off_turn or state.turn == seat,
        cite(state, "build_time"),
        "{seat:seat} builds on their own turn only; it is {turn:seat}'s",
        "{seat:seat} ne construit qu'à son tour ; c'est celui {turn:de|seat}",
        seat=seat,
        turn=state.turn,
    )


# ----------------------------------------------------------------------------------------------
# Selling
# ----------------------------------------------------------------------------------------------


def resale_price(state: Monopoly, title: str, above: int = 0) -> int:
    """Return the bank's price for all that stands on a title above a level; level by level."""
    return sum(fraction(price, state.settings.building_resale) for price in printed_prices(state, title, above))


def resale_value(state: Monopoly, seat: str) -> int:
    """Return the resale value of all buildings of a player; a hotel counts with the houses below."""
    return sum(resale_price(state, title) for title in titles_of(state, seat))


def sell_everything(draft: Draft, seat: str, *, rule: str, group: str | None = None) -> None:
    """Record the sale of a player's buildings to the bank, title by title: all, or those of one group.

    The sale may be uneven, and a hotel counts with the houses below.
    """
    for title in titles_of(draft.state, seat):
        built = level(draft.state, title)
        if not built or group not in (None, pieces(draft.state).titles[title].group):
            continue
        amount, lot = resale_price(draft.state, title), titles.attached(title)
        back = [
            posting
            for piece in BUILDINGS
            for posting in draft.move(piece, titles.lies_on(draft.state, title, piece), lot, STOCK)
        ]
        paid = draft.move(currency(draft.state), amount, BANK, purse(seat))
        draft.record(BuildingsCleared(rule=rule, seat=seat, title=title, amount=amount, postings=(*back, *paid)))


@chapter.action(
    summary=("sell a building back", "revendre un bâtiment"),
    when=("when something stands on one's titles", "quand un bâtiment se trouve sur ses titres"),
)
class SellBuilding(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sell houses or a hotel of a title back to the bank, the last built first."""

    title: TitleId
    amount: Annotated[int, Meta(ge=1, le=10, description="how many, one after the other"), of_kind("quantity")] = 1
    keep: Annotated[
        tuple[TitleId, ...],
        Meta(
            max_length=20,
            description="the titles that keep one house more, where a hotel is sold and the bank lacks houses",
        ),
    ] = ()

    def decide(self, draft: Draft) -> None:
        """Refuse another player's title, a title without buildings, and an uneven sale."""
        seat = player_in_play(draft)
        square = title_named(draft, self.title, cite(draft.state, "sell"))
        rule = cite(draft.state, "sell", square)
        if owner_of(draft.state, square.id) != seat:
            raise Impossible(
                rule,
                "{seat:seat} does not own {title:title}",
                "{seat:seat} ne possède pas {title:title}",
                seat=seat,
                title=square.id,
            )
        for _ in range(self.amount):
            if not level(draft.state, square.id):
                raise Impossible(
                    rule,
                    "there is nothing on {title:title} to be sold",
                    "il n'y a rien à vendre sur {title:title}",
                    title=square.id,
                )
            _require_even(draft, square)
            _sell(draft, seat, square, self.keep)

    @classmethod
    def legal(cls, state: Monopoly, seat: str, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield the parameters of each legal sale of one piece, with up to `limit` ways of sharing the remaining
        houses for each title; None for all ways.
        """
        if state.stage != "play":
            return
        for title in titles_of(state, seat):
            built = level(state, title)
            if not built or any(level(state, member) > built for member in built_evenly(state, title)):
                continue
            group = _exchanging(state, title)
            extra = (_left_of_group(state, title) or 0) % len(group)
            for keep in islice(combinations(group, extra), limit):
                yield {"title": title, "keep": list(keep)} if keep else {"title": title}

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer each title with a next piece to sell, with some ways of sharing the remaining houses."""
        return (Choice(params, alike="sell") for params in cls.legal(state, seat, _MOST_WAYS))


def _require_even(draft: Draft, square: Square) -> None:
    """Refuse a sale from a title with fewer buildings than another of the group."""
    state, built = draft.state, level(draft.state, square.id)
    highest = max(built_evenly(state, square.id), key=lambda member: level(state, member))
    draft.require(
        level(state, highest) <= built,
        cite(state, "sell_even", square),
        "buildings are sold evenly: {highest:title} has more than {title:title} and comes first",
        "les bâtiments se vendent uniformément : {highest:title} en a plus que {title:title} et passe d'abord",
        highest=highest,
        title=square.id,
    )


def _exchanging(state: Monopoly, title: str) -> tuple[str, ...]:
    """Return the titles that share the houses left in the bank with a title whose hotel is sold: the
    titles built evenly with the title and open to a hotel.
    """
    per_hotel = state.settings.houses_per_hotel
    least = per_hotel if builds_apart(state) else 0

    def shares(member: str) -> bool:
        high = levels(state, member) > per_hotel and level(state, member) >= least
        return high and not titles.lies_on(state, member, TOWER)

    return tuple(member for member in built_evenly(state, title) if member == title or shares(member))


def _left_of_group(state: Monopoly, title: str) -> int | None:
    """Count the houses kept by the group if its hotels are sold for lack of houses; None if no houses are
    lacking, or a tower is sold.
    """
    per_hotel = state.settings.houses_per_hotel
    sells_hotel = has_hotel(state, title) and not titles.lies_on(state, title, TOWER)
    if not sells_hotel or stock_of(state, HOUSE) >= per_hotel:
        return None
    group = _exchanging(state, title)
    return min(sum(houses_on(state, member) for member in group) + stock_of(state, HOUSE), per_hotel * len(group))


def _sell(draft: Draft, seat: str, square: Square, keep: tuple[str, ...]) -> None:
    """Sell the topmost piece of a title."""
    state, title = draft.state, square.id
    lot, price = titles.attached(title), resale_price(draft.state, title, level(state, title) - 1)
    paid = draft.move(currency(state), price, BANK, purse(seat))
    tower = titles.lies_on(state, title, TOWER) > 0
    if tower or not has_hotel(state, title):
        top: Building = TOWER if tower else HOUSE
        moved = (Posting(top, 1, lot, STOCK), *paid)
        rule = cite(state, "sell", square)
        draft.record(BuildingSold(rule=rule, seat=seat, title=title, piece=top, amount=price, postings=moved))
        return
    rule = cite(state, "hotel_back", square)
    remaining = _left_of_group(state, title)
    if remaining is not None:
        _break_up(draft, seat, square, remaining, keep, rule)
        return
    moved = (Posting(HOTEL, 1, lot, STOCK), Posting(HOUSE, state.settings.houses_per_hotel, STOCK, lot), *paid)
    draft.record(BuildingSold(rule=rule, seat=seat, title=title, piece=HOTEL, amount=price, postings=moved))


def _break_up(draft: Draft, seat: str, square: Square, remaining: int, keep: tuple[str, ...], rule: str) -> None:
    """Sell the hotels of a group with the houses lacking in the bank; the remaining houses lie evenly on the
    group.
    """
    state, group = draft.state, _exchanging(draft.state, square.id)
    each, extra = divmod(remaining, len(group))
    fuller = {title.removeprefix("title:") for title in keep} or set(group[len(group) - extra :])
    if len(fuller) != extra or not fuller <= set(group):
        raise Impossible(
            rule,
            "{left} × {house:goods} are left for {group:each|title}: name {more} of these titles to keep one more",
            "il reste {left} × {house:goods} pour {group:each|title} : nommez {more} de ces titres pour en "
            "garder un de plus",
            house=HOUSE,
            left=remaining,
            group=group,
            more=extra,
        )
    remains = {title: each + (title in fuller) for title in group}
    sold = sum(resale_price(state, title, remains[title]) for title in group)
    postings = [Posting(HOTEL, 1, titles.attached(title), STOCK) for title in group if has_hotel(state, title)]
    changes = [(titles.attached(title), remains[title] - houses_on(state, title)) for title in group]
    postings += [Posting(HOUSE, -change, lot, STOCK) for lot, change in changes if change < 0]
    postings += [Posting(HOUSE, change, STOCK, lot) for lot, change in changes if change > 0]
    draft.record(
        HotelsBrokenUp(
            rule=rule,
            seat=seat,
            title=square.id,
            hotels=tuple(title for title in group if has_hotel(state, title)),
            left=tuple(remains.items()),
            amount=sold,
            postings=(*postings, *draft.move(currency(state), sold, BANK, purse(seat))),
        )
    )
