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
"""The name of a hidden card for viewers who may not see the face."""

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
    """Return the account of a player's hand."""
    return f"hand:{seat}"


def visible(seat: str) -> str:
    """Return the account of a player's visible coins."""
    return f"coins_visible:{seat}"


def hidden(seat: str) -> str:
    """Return the account of a player's hidden coins."""
    return f"coins_hidden:{seat}"


def offer_card(seat: str) -> str:
    """Return the account of the card offered by a buyer."""
    return f"offer_card:{seat}"


def offer_coins(seat: str) -> str:
    """Return the account of the coins offered by a buyer."""
    return f"offer_coins:{seat}"


def layout(seat: str) -> str:
    """Return the account of a buyer's laid-out cards in a forced sale."""
    return f"layout:{seat}"


# ----------------------------------------------------------------------------------------------
# Sales and offers
# ----------------------------------------------------------------------------------------------


class Sale(msgspec.Struct, frozen=True, kw_only=True):
    """The sale in progress. The cards and coins are holdings of the market."""

    seller: str
    face: Face
    """The face of the card for sale, which is never turned over (sale.3)."""
    hidden: int = 0
    """The number of coins from the seller's hidden coins."""
    forced: bool = False
    good: int | None = None
    """The number of the good named in a forced sale."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A standing offer. The card and the coins are holdings of the buyer's offer accounts (setup.9)."""

    revision: str
    """The number cited by an acceptance: the number of the last action that made the offer."""
    face: Face | None = None
    """The face of the card; None without a card."""
    coins: int = 0
    hidden: int = 0
    """The number of coins that were hidden, and become hidden again (sale.9)."""
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
    """Return the postings without secrets: "a card" replaces secret cards."""
    return tuple(
        Posting(VEIL, posting.amount, posting.source, posting.target)
        if posting.commodity in CARDS and secret(posting)
        else posting
        for posting in postings
    )


def into_account(account: str) -> Callable[[Posting], bool]:
    """Return a check whether a posting goes to the account."""
    return lambda posting: posting.target == account
