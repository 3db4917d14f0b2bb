"""The values in the state of a game, and the names of accounts and commodities."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.values import of_kind
from ledger.rulebooks.monopoly.table.effects import Move
from ledger.rulebooks.parts.trades import Leg

STOCK = "stock"
"""The account of the houses and hotels left in the bank."""
POT = "pot"
ESCROW = "escrow:auction"
"""The account of the leading bid."""

HOUSE: Final = "house"
HOTEL: Final = "hotel"
TOWER: Final = "tower"
"""A level above the hotel."""
MORTGAGE = "mortgage"
"""The mark on a mortgaged title."""
PASS = "pass"  # noqa: S105 - a card of the game
"""A pass of the bank to get out of prison. Jail-free cards are commodities of their own."""

Piece = Literal["house", "hotel"]
"""A building for players to name, to ask for and to bid for."""
Building = Literal["house", "hotel", "tower"]
BUILDINGS: tuple[Building, ...] = (HOUSE, HOTEL, TOWER)

ONE_LINE = r"^[^\n\t]*$(?!\n)"
"""The form of texts quoted inside sentences: a second line could pass for a sentence of the game."""


DEBT = "debt:"
"""The prefix of a debt between two players as a thing in a trade: the creditor gives the release from the debt."""

STAY = "stay:"
"""The prefix of free stays on a title: "stay:mayfair"."""
NOTE = "note:"
"""The prefix of payments promised for a round: "note:ana:7", each unit a unit of money."""

DebtId = Annotated[str, Meta(min_length=1, max_length=40), of_kind("choice")]
"""The id of a debt."""


def treasury(seat: str) -> str:
    """Return the account of a merchant's profits, untouched by later seasons."""
    return f"treasury:{seat}"


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """What the square on which the seat has stopped asks of it, before it throws again or ends its turn.

    "buy" or decline a title, draw a "card", throw the chance "die", pay a "tax", "throw" for a rent, or throw to
    "go" on.
    """

    seat: str
    square: int
    todo: Literal["buy", "card", "die", "tax", "throw", "go"]
    multiplier: int = 0
    """The multiplier of a throw for the rent."""
    owner: str = ""
    """The seat entitled to the rent thrown for: the owner of the title at the stop."""
    price: int | UnsetType = UNSET
    """The price of the title to buy, if a card has changed it."""
    move: Move | UnsetType = UNSET
    """The move by a throw."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a card during a choice: the next effect, and the choices for the effect so far."""

    source: str
    """The id of the card, or "square:" and the id of the square."""
    seat: str
    """The seat obeying the card."""
    path: tuple[int, ...] = ()
    """The list of effects in the card: empty for the main list; else an effect with lists, and a list."""
    at: int = 0
    """The number of the next effect in the list; -1 while the card may still be refused."""
    whom: str = ""
    """The seat under the effect; empty before the effect begins."""
    thrown: int = 0
    """The throw of the chance die."""
    under: bool = False
    """True if the card goes under its deck at the end."""
    title: str = ""
    counterpart: str = ""
    """The title in exchange."""
    player: str = ""
    agreed: bool = False
    done: int = 0
    """The number of buildings dealt with."""
    challenged: tuple[str, ...] = ()
    """The seats with the chance to say no behind them."""
    spared: tuple[str, ...] = ()
    """The seats out of reach of the effect, by saying no."""


Ask = Literal["option", "title", "given", "player", "consent", "say_no", "refuse", "draw"]
"""The subject of a choice: an option, a title, a title to give, a player, the owner's consent, a kept card against
the effect or against the card drawn; or a card is to be drawn from a deck.
"""


class Choosing(msgspec.Struct, frozen=True, kw_only=True):
    """A choice holding up everything of the turn."""

    ask: Ask
    seat: str
    """The choosing seat."""
    task: Task
    deck: str = ""
    """The deck to draw from."""


class Rent(msgspec.Struct, frozen=True, kw_only=True):
    """A rent that its owner may claim: the amount, or a `multiplier` of dice to be thrown, as at the landing."""

    title: str
    owner: str
    lander: str
    amount: int
    multiplier: int
    rule: str
    claimed: bool = False
    """True for a claimed rent in need of the lander's throw."""


class Debt(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat owes, and to which account; nobody throws before it is paid, or the debtor is bankrupt."""

    id: str
    debtor: str
    creditor: str
    """The account to pay into: the bank, the pot, a player's."""
    amount: int
    rule: str
    cause: Literal["rent", "tax", "card", "fine", "interest", "award", "square", "promise"]
    title: str = ""
    """The title of a rent or an interest; or the square with a price."""


class Lot(msgspec.Struct, frozen=True, kw_only=True):
    """Something to be auctioned: a title, or one house or hotel."""

    kind: Literal["title", "house", "hotel"]
    cause: Literal["declined", "bankruptcy", "shortage"]
    title: str = ""


class Auction(msgspec.Struct, frozen=True, kw_only=True):
    """The auction under way. The leading bid is in escrow."""

    lot: Lot
    opened_by: str = ""
    """The seat of the player who declined the title."""
    bid: int = 0
    bidder: str | None = None
    place: str = ""
    """The leading bidder's site for a house or a hotel."""
    passed: tuple[str, ...] = ()
    """The seats out of the auction, in the order of passing."""
    closes_at: datetime | None = None


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A move held up by the fine: the throw to leave prison."""

    seat: str
    dice: tuple[int, ...]


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """A mortgaged title just received from a bankrupt, with the choice to lift the mortgage without interest."""

    seat: str
    title: str


class Trade(Agreement, frozen=True, kw_only=True, tag="trade"):
    """An offer of one seat to another: what each gives. It ends when it is accepted, refused or withdrawn."""

    by: str
    to: str
    legs: tuple[Leg, ...]
    lift: tuple[str, ...] | None = None
    """The mortgaged titles asked for, with mortgages to be lifted by the proposer; None if the proposal is
    silent.
    """
    terms: tuple[str, ...] = ()
    """The promises in the words of the parties, for people to keep."""
