"""The pieces of an edition, the contents of its pieces.toml: squares, groups of titles, decks and cards, names.

Squares stand in the order of travel. Titles are the squares with a price:

- a `street` has a rent for each level of building: none, each number of houses, a hotel, each tower on the hotel
  (see `Square.levels`). `rents` of a `station` are by the number owned; `rents` of a `utility` are multipliers of
  the dice, by the number owned.
- a square of kind `card` draws from the pile of its `deck`, or throws its chance die.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.monopoly.table.effects import Effect, Keep, KeptUse, Share, Wealth
from ledger.rulebooks.parts.face.faces import Face
from ledger.rulebooks.parts.forms import COLOUR_FORM, SMALL_ID_FORM

Id = Annotated[str, Meta(pattern=SMALL_ID_FORM)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Amount = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Colour = Annotated[str, Meta(pattern=COLOUR_FORM)]

Effects = Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=10)]

Kind = Literal["start", "street", "station", "utility", "card", "tax", "jail", "rest", "pot", "go_to_jail"]
TITLES: tuple[Kind, ...] = ("street", "station", "utility")

CLASSIC_RENTS = 6
"""The number of rents of a street by the classic deed: without houses, with one to four, with a hotel."""
DICE = 2
"""The usual number of dice."""


class Square(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A square of the board. `price` is the title's; `amount` is the salary of the start, or a tax.

    A street without a `group` is a set of its own.
    """

    id: Id
    name: Name
    kind: Kind
    group: str = ""
    price: Amount = 0
    rents: Annotated[tuple[Amount, ...], Meta(max_length=12)] = ()
    building_price: Amount = 0
    hotel_price: Amount | UnsetType = UNSET
    """The price of a hotel; UNSET for the price of a house."""
    building_prices: Annotated[tuple[Amount, ...], Meta(min_length=1, max_length=11)] | UnsetType = UNSET
    """The price of each level, in the order of the rents, instead of the two prices above."""
    towers: Annotated[int, Meta(ge=0, le=10)] | UnsetType = UNSET
    """The number of rents above the hotel's; UNSET for all beyond the classic six."""
    mortgage: Amount = 0
    deck: str = ""
    amount: Amount = 0
    share: Share | UnsetType = UNSET
    """A tax by a share of money or worth, in place of an amount."""
    of: Wealth | UnsetType = UNSET
    effects: Effects | UnsetType = UNSET
    """The effects on a token stopping here, after the business of the kind; only on squares without a demand."""
    passing: Effects | UnsetType = UNSET
    """The payments for a token passing by."""

    @property
    def most_towers(self) -> int:
        """The number of towers on a finished hotel."""
        return max(0, len(self.rents) - CLASSIC_RENTS) if self.towers is UNSET else self.towers

    def most_houses(self, houses_per_hotel: int) -> int:
        """Return the maximum number of houses on the street."""
        return min(houses_per_hotel, max(0, len(self.rents) - 1)) if self.kind == "street" else 0

    def levels(self, houses_per_hotel: int) -> int:
        """Return the number of levels of building: houses, then a hotel, then towers; 0 for a bare title.

        A hotel needs a further rent above the houses; any rent between the two is not used.
        """
        houses = self.most_houses(houses_per_hotel)
        below = len(self.rents) - self.most_towers
        return houses + 1 + self.most_towers if houses and below >= houses_per_hotel + 2 else houses

    def _rung(self, level: int, houses_per_hotel: int) -> int:
        """Return the place of a level in the rents: houses from the start, a hotel and towers from the end."""
        if level > houses_per_hotel:
            level += len(self.rents) - self.most_towers - houses_per_hotel - 2
        return max(0, min(level, len(self.rents) - 1))

    def rent_at(self, level: int, houses_per_hotel: int) -> int:
        """Return the printed rent of a street built up to a level."""
        return self.rents[self._rung(level, houses_per_hotel)]

    def price_at(self, level: int, houses_per_hotel: int) -> int:
        """Return the printed price of a level of building, from 1."""
        if self.building_prices is not UNSET:
            return self.building_prices[min(self._rung(level, houses_per_hotel), len(self.building_prices)) - 1]
        if self.hotel_price is not UNSET and level == houses_per_hotel + 1:
            return self.hotel_price
        return self.building_price


class Group(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of titles: a colour of streets, the stations, the utilities."""

    id: Id
    name: Name
    colour: Colour = "#8a8a8a"
    doubles: bool | UnsetType = UNSET
    """False if the rent of a street does not rise with the whole group in one hand."""


class Deck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pile of cards; or, with `faces`, a chance die; or several equal `dice`, read by their total."""

    id: Id
    name: Name
    faces: Annotated[int, Meta(ge=0, le=100)] = 0
    dice: Annotated[int, Meta(ge=1, le=10)] | UnsetType = UNSET

    @property
    def thrown(self) -> int:
        """The number of dice thrown for a chance die."""
        return 1 if self.dice is UNSET else self.dice

    @property
    def totals(self) -> range:
        """The possible totals of a throw."""
        return range(self.thrown, self.thrown * self.faces + 1)


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of a pile, or the effect of a `face` (a total) of a chance die: without one, of all faces that no
    other card describes.
    """

    id: Id
    deck: str
    title: Annotated[str, Meta(min_length=1, max_length=300)] | Phrase
    effects: Effects
    face: Annotated[int, Meta(ge=0, le=100)] = 0

    @property
    def words(self) -> Phrase:
        """The text of the card in English and French."""
        return self.title if isinstance(self.title, Phrase) else Phrase(en=self.title, fr=self.title)

    @property
    def is_kept(self) -> bool:
        """True if the player keeps the card drawn."""
        return self.keep is not None

    @property
    def keep(self) -> Keep | None:
        """The effect of keeping the card, or None."""
        return next((effect for effect in self.effects if isinstance(effect, Keep)), None)

    @property
    def use(self) -> KeptUse:
        """The use of the card, if kept."""
        return "leave_prison" if self.keep is None or self.keep.use is UNSET else self.keep.use


class Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The names of an edition's things, each with a singular and a plural."""

    symbol: Annotated[str, Meta(min_length=1, max_length=8)]
    """The sign of the money."""
    money: Phrase
    house: Phrase
    houses: Phrase
    hotel: Phrase
    hotels: Phrase
    tower: Phrase | UnsetType = UNSET
    """A level above the hotel."""
    towers: Phrase | UnsetType = UNSET
    jail_pass: Phrase
    """A pass of the bank to get out of prison; jail-free cards have texts of their own."""
    pot: Phrase
    tokens: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    """The tokens to choose from; any name if the list is empty."""
    any_token: bool = False
    """True if a player may choose another name for a token, within the same number of tokens."""

    @property
    def tower_words(self) -> tuple[Phrase, Phrase]:
        """The singular and the plural of a level above the hotel."""
        if self.tower is UNSET:
            return Phrase("skyscraper", "gratte-ciel"), Phrase("skyscrapers", "gratte-ciel")
        return self.tower, self.tower if self.towers is UNSET else self.towers


class Division(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A division for seasons: 1 is the highest; `seats` 0 is no limit.

    `tax` is the part of the profits kept by the bank, as a fraction.
    """

    id: Id
    name: Name
    level: Annotated[int, Meta(ge=1, le=100)]
    seats: Annotated[int, Meta(ge=0, le=100)] = 0
    tax: tuple[Annotated[int, Meta(ge=0, le=100)], Annotated[int, Meta(ge=1, le=100)]] = (0, 1)


class Pieces(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The pieces of an edition."""

    named: Named
    squares: Annotated[tuple[Square, ...], Meta(min_length=4, max_length=200)]
    groups: Annotated[tuple[Group, ...], Meta(max_length=100)] = ()
    decks: Annotated[tuple[Deck, ...], Meta(max_length=20)] = ()
    cards: Annotated[tuple[Card, ...], Meta(max_length=500)] = ()
    divisions: Annotated[tuple[Division, ...], Meta(max_length=20)] = ()
    passes: Annotated[int, Meta(ge=0, le=100)] = 0
    """The number of jail-free passes of the bank."""
    dice: Annotated[int, Meta(ge=1, le=3)] | UnsetType = UNSET
    """The number of dice of a throw; UNSET for two."""
    face: Face | UnsetType = UNSET
    """The look on a screen; without it, the edition's."""

    @cached_property
    def titles(self) -> Mapping[str, Square]:
        """The titles, by id, in the order of the board."""
        return {square.id: square for square in self.squares if square.kind in TITLES}

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each square, by id."""
        return {square.id: number for number, square in enumerate(self.squares)}

    @cached_property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """The titles of each group, in the order of the board; a street without a group is one by itself."""
        by_group: dict[str, list[str]] = {}
        for square in self.titles.values():
            by_group.setdefault(square.group or f"title:{square.id}", []).append(square.id)
        return {group: tuple(titles) for group, titles in by_group.items()}

    def group_of(self, title: str) -> tuple[str, ...]:
        """Return the titles in the group of a title, the title included, in the order of the board."""
        return self.members[self.titles[title].group or f"title:{title}"]

    @cached_property
    def unrisen(self) -> frozenset[str]:
        """The groups whose rents do not rise with the whole group in one hand; "" is no group at all."""
        return frozenset({"", *(group.id for group in self.groups if group.doubles is False)})

    @cached_property
    def has_towers(self) -> bool:
        """True if a street has a level above the hotel."""
        return any(square.kind == "street" and square.most_towers for square in self.squares)

    @property
    def thrown(self) -> int:
        """The number of dice of a throw."""
        return DICE if self.dice is UNSET else self.dice

    @cached_property
    def street_groups(self) -> tuple[tuple[str, ...], ...]:
        """The streets of each group of streets, in the order of the board."""
        return tuple(group for group in self.members.values() if self.titles[group[0]].kind == "street")

    @cached_property
    def streets(self) -> tuple[str, ...]:
        """The streets, in the order of the board."""
        return tuple(square.id for square in self.titles.values() if square.kind == "street")

    @cached_property
    def card(self) -> Mapping[str, Card]:
        """The cards, and the faces of dice, by id."""
        return {row.id: row for row in self.cards}

    @cached_property
    def deck(self) -> Mapping[str, Deck]:
        """The decks, by id."""
        return {row.id: row for row in self.decks}

    @cached_property
    def piles(self) -> tuple[str, ...]:
        """The ids of the decks with piles of cards."""
        return tuple(deck.id for deck in self.decks if not deck.faces)

    @cached_property
    def start(self) -> int:
        """The number of the start."""
        return self.first("start")

    @cached_property
    def jail(self) -> int:
        """The number of the first prison's square. Raises LookupError for a board without a prison."""
        return self.first("jail")

    @cached_property
    def jails(self) -> tuple[int, ...]:
        """The numbers of the prisons' squares."""
        return tuple(self.of_kind("jail"))

    def jail_ahead(self, square: int) -> int:
        """Return the number of the next prison's square from a square on. Raises LookupError without a prison."""
        return next((number for number in self.jails if number >= square), self.jail)

    def first(self, kind: Kind) -> int:
        """Return the number of the first square of a kind. Raises LookupError for a missing kind."""
        for number in self.of_kind(kind):
            return number
        raise LookupError(kind)

    def of_kind(self, kind: str) -> Iterator[int]:
        """Iterate over the numbers of the squares of a kind."""
        return (number for number, square in enumerate(self.squares) if square.kind == kind)

    def cards_of(self, deck: str) -> Iterable[Card]:
        """Return the cards of a deck, or the faces of a die, in the order of the file."""
        return (card for card in self.cards if card.deck == deck)
