"""The pieces of an edition, the contents of its pieces.toml: squares, groups of titles, decks and cards, names.

Squares stand in the order of travel. Titles are the squares with a price:

- a `street` has six rents: without houses, with one to four, with a hotel (five in all if three houses make a
  hotel: the fourth is not used). `rents` of a `station` are by the number owned; `rents` of a `utility` are
  multipliers of the dice, by the number owned.
- a square of kind `card` draws from the pile of its `deck`, or throws its chance die.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.kernel.language.phrase import Phrase
from ledger.rulebooks.monopoly.table.effects import Effect, Keep
from ledger.rulebooks.parts.face.faces import Face
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
    """A group of titles: a colour of streets, the stations, the utilities."""

    id: Id
    name: Name
    colour: Colour = "#8a8a8a"


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
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=10)]
    face: Annotated[int, Meta(ge=0, le=100)] = 0

    @property
    def words(self) -> Phrase:
        """The text of the card in English and French."""
        return self.title if isinstance(self.title, Phrase) else Phrase(en=self.title, fr=self.title)

    @property
    def is_kept(self) -> bool:
        """True if the player keeps the card drawn."""
        return any(isinstance(effect, Keep) for effect in self.effects)


class Named(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The names of an edition's things, each with a singular and a plural."""

    symbol: Annotated[str, Meta(min_length=1, max_length=8)]
    """The sign of the money."""
    money: Phrase
    house: Phrase
    houses: Phrase
    hotel: Phrase
    hotels: Phrase
    jail_pass: Phrase
    """A pass of the bank to get out of prison; jail-free cards have texts of their own."""
    pot: Phrase
    tokens: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    """The tokens to choose from; any name if the list is empty."""
    any_token: bool = False
    """True if a player may choose another name for a token, within the same number of tokens."""


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
        """The titles of each group, in the order of the board."""
        by_group: dict[str, list[str]] = {}
        for square in self.titles.values():
            by_group.setdefault(square.group, []).append(square.id)
        return {group: tuple(titles) for group, titles in by_group.items()}

    @cached_property
    def street_groups(self) -> tuple[tuple[str, ...], ...]:
        """The streets of each group of streets, in the order of the board."""
        return tuple(group for group in self.members.values() if self.titles[group[0]].kind == "street")

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
        """The number of the prison's square."""
        return self.first("jail")

    def first(self, kind: Kind) -> int:
        """Return the number of the first square of a kind. Raises LookupError for a missing kind."""
        return next(iter(self.of_kind(kind)))

    def of_kind(self, kind: str) -> Iterator[int]:
        """Iterate over the numbers of the squares of a kind."""
        return (number for number, square in enumerate(self.squares) if square.kind == kind)

    def cards_of(self, deck: str) -> Iterable[Card]:
        """Return the cards of a deck, or the faces of a die, in the order of the file."""
        return (card for card in self.cards if card.deck == deck)
