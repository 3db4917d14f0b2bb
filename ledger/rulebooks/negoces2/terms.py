"""The terms of Négoces 2: accounts, sales, offers, claims, and the types of parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.values import of_kind
from ledger.rulebooks.negoces2.cards import CARDS

SALE_CARD = "market:sale_card"
SALE_COINS = "market:sale_coins"
SECOND_CARD = "market:second_card"
VEIL = "card"
"""The name of a hidden card for viewers who may not see it."""

Face = Literal["up", "down"]
CardId = Annotated[
    Literal["good:1", "good:2", "good:3", "good:4", "good:5", "good:6", "good:7", "good:8", "contraband"],
    Meta(description="a card by its commodity"),
    of_kind("commodity"),
]
Coins = Annotated[int, Meta(ge=1, le=60, description="gold coins"), of_kind("amount")]
FromHidden = Annotated[
    int,
    Meta(ge=0, le=60, description="how many of the coins are hidden ones; visible ones first when it is left out"),
    of_kind("amount"),
]


def hand(seat: str) -> str:
    """The account of a player's hand."""
    return f"hand:{seat}"


def visible(seat: str) -> str:
    """The account of a player's visible coins."""
    return f"coins_visible:{seat}"


def hidden(seat: str) -> str:
    """The account of a player's hidden coins."""
    return f"coins_hidden:{seat}"


def offer_card(seat: str) -> str:
    """The account of the card that a buyer offers."""
    return f"offer_card:{seat}"


def offer_coins(seat: str) -> str:
    """The account of the coins that a buyer offers."""
    return f"offer_coins:{seat}"


def layout(seat: str) -> str:
    """The account of a buyer's laid-out cards in a forced sale."""
    return f"layout:{seat}"


# ----------------------------------------------------------------------------------------------
# Sales and offers
# ----------------------------------------------------------------------------------------------


class Sale(msgspec.Struct, frozen=True, kw_only=True):
    """The sale in progress; its cards and coins are holdings of the market."""

    seller: str
    face: Face
    """How the card for sale lies; it is never turned over (sale.3)."""
    hidden: int = 0
    """The number of its coins that were the seller's hidden ones."""
    forced: bool = False
    good: int | None = None
    """The number of the good named in a forced sale."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A standing offer; its card and coins are holdings of the buyer's offer accounts (setup.9)."""

    revision: str
    """The number that an acceptance names: that of the action that last made the offer."""
    face: Face | None = None
    """How its card lies; None without a card."""
    coins: int = 0
    hidden: int = 0
    """The number of its coins that were hidden, and become hidden again (sale.9)."""
    stale: bool = False
    """The seller has taken coins off the card since the offer was made (sale.16)."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim of victory, by 31 coins or by the eight goods."""

    way: Literal["coins", "cards"]
    coins: int | None = None
    """The coins shown; None for a claim by cards."""


# ----------------------------------------------------------------------------------------------
# Visibility
# ----------------------------------------------------------------------------------------------


def veiled(postings: Iterable[Posting], secret: Callable[[Posting], bool]) -> tuple[Posting, ...]:
    """The postings without secrets: secret cards are replaced by "a card"."""
    return tuple(
        Posting(VEIL, posting.amount, posting.source, posting.target)
        if posting.commodity in CARDS and secret(posting)
        else posting
        for posting in postings
    )


def into_account(account: str) -> Callable[[Posting], bool]:
    """Whether a posting goes to this account."""
    return lambda posting: posting.target == account
