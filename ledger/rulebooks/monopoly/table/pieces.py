"""The pieces of an edition, the contents of its pieces.toml: squares, groups of titles, decks and cards, names.

Squares stand in the order of travel. Titles are the squares with a price:

- a `street` has six rents: without houses, with one to four, with a hotel (five in all where three houses make a
  hotel: the fourth is not used). `rents` of a `station` are by the number owned; those of a `utility` are
  what the dice are multiplied by, by the number owned.
- a square of kind `card` draws from the pile of its `deck`, or throws its chance die.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.language.wording import Phrase
from ledger.rulebooks.monopoly.table.effects import Effect, Keep
from ledger.rulebooks.parts.forms import COLOUR_FORM, SMALL_ID_FORM

Id = Annotated[str, Meta(pattern=SMALL_ID_FORM)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Amount = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Colour = Annotated[str, Meta(pattern=COLOUR_FORM)]

Kind = Literal["start", "street", "station", "utility", "card", "tax", "jail", "rest", "pot", "go_to_jail"]
TITLES: tuple[Kind, ...] = ("street", "station", "utility")


class Square(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A square of the board. `price` is the title's; `amount` is the salary of the start, or a tax."""

    id: Id
    name: Name
    kind: Kind
    group: str = ""
    price: Amount = 0
    rents: Annotated[tuple[Amount, ...], Meta(max_length=10)] = ()
    building_price: Amount = 0
    mortgage: Amount = 0
    deck: str = ""
    amount: Amount = 0


class Group(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Titles that count together: a colour of streets, the stations, the utilities."""

    id: Id
    name: Name
    colour: Colour = "#8a8a8a"


class Deck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pile of cards; or, with `faces`, a chance die."""

    id: Id
    name: Name
    faces: Annotated[int, Meta(ge=0, le=100)] = 0


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of a pile, or what a `face` of a chance die does."""

    id: Id
    deck: str
    title: Annotated[str, Meta(min_length=1, max_length=300)] | Phrase
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=10)]
    face: Annotated[int, Meta(ge=0, le=100)] = 0

    @property
    def words(self) -> Phrase:
        """Its text in English and French."""
        return self.title if isinstance(self.title, Phrase) else Phrase(en=self.title, fr=self.title)

    @property
    def is_kept(self) -> bool:
        """Whether whoever draws the card keeps it."""
        return any(isinstance(effect, Keep) for effect in self.effects)


class Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an edition calls its things, each with a name for one and a name for several."""

    symbol: Annotated[str, Meta(min_length=1, max_length=8)]
    """The sign of its money."""
    money: Phrase
    house: Phrase
    houses: Phrase
    hotel: Phrase
    hotels: Phrase
    jail_pass: Phrase
    """A pass of the bank that gets one out of prison; cards that one keeps have their own texts."""
    pot: Phrase
    tokens: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    """The tokens to choose from; any name where there are none."""
    any_token: bool = False
    """Whether a player may call the token otherwise; there are no more tokens for it."""


class Division(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A division in which seasons are played: 1 is the highest; `seats` 0 is no limit.

    `tax` is the part of the profits that the bank keeps, as a fraction.
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
    """How many jail-free passes the bank has."""

    @cached_property
    def titles(self) -> Mapping[str, Square]:
        """The titles, by id, in the order of the board."""
        return {one.id: one for one in self.squares if one.kind in TITLES}

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The number of each square, by id."""
        return {one.id: number for number, one in enumerate(self.squares)}

    @cached_property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """The titles of each group, in the order of the board."""
        found: dict[str, list[str]] = {}
        for one in self.titles.values():
            found.setdefault(one.group, []).append(one.id)
        return {group: tuple(titles) for group, titles in found.items()}

    @cached_property
    def street_groups(self) -> tuple[tuple[str, ...], ...]:
        """The streets of each group that has any, in the order of the board."""
        return tuple(group for group in self.members.values() if self.titles[group[0]].kind == "street")

    @cached_property
    def card(self) -> Mapping[str, Card]:
        """The cards, and the faces of dice, by id."""
        return {one.id: one for one in self.cards}

    @cached_property
    def deck(self) -> Mapping[str, Deck]:
        """The decks, by id."""
        return {one.id: one for one in self.decks}

    @cached_property
    def piles(self) -> tuple[str, ...]:
        """The ids of the decks that are piles of cards."""
        return tuple(one.id for one in self.decks if not one.faces)

    @cached_property
    def start(self) -> int:
        """The number of the start."""
        return self.first("start")

    @cached_property
    def jail(self) -> int:
        """The number of the prison's square."""
        return self.first("jail")

    def first(self, kind: Kind) -> int:
        """The number of the first square of this kind. Raises LookupError when there is none."""
        return next(iter(self.of_kind(kind)))

    def of_kind(self, kind: str) -> Iterator[int]:
        """The numbers of the squares of this kind."""
        return (number for number, one in enumerate(self.squares) if one.kind == kind)

    def cards_of(self, deck: str) -> Iterable[Card]:
        """The cards of a deck, or the faces of a die, in the order of the file."""
        return (one for one in self.cards if one.deck == deck)
