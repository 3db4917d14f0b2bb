"""The words of Negopoly: its accounts and commodities, and what players agree on or are worth."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.refusals import INT64_MAX
from ledger.kernel.state import Agreement
from ledger.kernel.wealth import Asset

MONEY = "NGD"
POLICE = "police"
USED = "used"

Amount = Annotated[int, Meta(ge=1, le=INT64_MAX, description="whole NegoDollars, or pieces")]
Die = Annotated[
    int, Meta(ge=1, le=6, description="what a die shows; never more than the sides this table plays with")
]
SeatId = Annotated[str, Meta(min_length=1, max_length=40)]
Text = Annotated[str, Meta(min_length=1, max_length=2000)]
AgreementId = Annotated[str, Meta(min_length=1, max_length=40, description="id of the agreement")]


def player(seat: str) -> str:
    """The account of a player."""
    return f"player:{seat}"


def attached(title: str) -> str:
    """The account of what is attached to a title: houses, mortgage, squat, charges, defences."""
    return f"property:{title}"


def deed(title: str) -> str:
    """The commodity that a title is."""
    return f"title:{title}"


# ----------------------------------------------------------------------------------------------
# Agreements
# ----------------------------------------------------------------------------------------------


class Leg(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One move that a deal promises: an amount of a commodity from one seat to another.

    The commodity is NGD (0 ₦ is a price too), an item ("dose", "rpg7") or a title ("title:negotown", amount 1).
    """

    giver: SeatId
    taker: SeatId
    commodity: Annotated[str, Meta(min_length=1, max_length=60)]
    amount: Annotated[int, Meta(ge=0, le=INT64_MAX, description="whole NegoDollars, or pieces")] = 1
    express: Literal["giver", "taker"] | None = None
    """Who has agreed to pay for an express delivery of these items (VIII.D.5); None: they travel ordinarily."""


class Deal(Agreement, frozen=True, kw_only=True, tag="deal"):
    """A private deal (I.A.1): clauses beside structured legs. status: proposed, concluded, broken, withdrawn."""

    parties: tuple[str, ...]
    legs: tuple[Leg, ...] = ()
    clauses: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    due: tuple[int, ...] = ()
    """Indices of item legs that their giver still has to send (II.D.1)."""
    broken_by: tuple[str, ...] = ()
    """The parties that have recorded it as broken, which changes nothing else (I.C.3)."""


class Delivery(Agreement, frozen=True, kw_only=True, tag="delivery"):
    """Goods on their way (VIII.D). status: open (in transit), arrived, returned."""

    sender: str
    recipient: str
    commodity: str
    amount: int
    sent_round: int


class Breach(msgspec.Struct, frozen=True):
    """What a party reports about a contract, in its own words; true or not (I.C.1)."""

    seat: str
    account: str


class Contract(Agreement, frozen=True, kw_only=True, tag="contract"):
    """A contract registered at the bank (X.A). status: proposed, open (in force), lapsed, withdrawn, ended."""

    parties: tuple[str, ...]
    clauses: tuple[str, ...]
    rounds: int
    payers: dict[str, int]
    """Who pays how much of the price, in whole ₦."""
    agreed: tuple[str, ...] = ()
    ends_round: int | None = None
    ends_seat: str | None = None
    """It lapses at the start of this seat's turn of that round (X.A.5)."""
    breaches: tuple[Breach, ...] = ()
    escrow: dict[str, int] = {}
    """What the bank holds for it, in whole ₦, by the party who deposited it (X.A.6)."""


class Bounty(Agreement, frozen=True, kw_only=True, tag="bounty"):
    """A bounty (X.B). status: posted (awaiting the bank), open, refused, awarded, refunded."""

    poster: str
    amount: int
    conditions: str
    claims: tuple[str, ...] = ()
    """Seats that say they have fulfilled the conditions, in the order in which they said so (X.B.4)."""
    winner: str | None = None


class Loan(Agreement, frozen=True, kw_only=True, tag="loan"):
    """A loan of the bank (X.C). status: open, repaid, collected, forgiven."""

    borrower: str
    principal: int
    outstanding: int
    """What is still to be paid back, interest included; the principal is paid back first."""
    interest: int = 0
    """Fixed when the loan is taken; 0 unless the table has set an interest."""
    passages: int = 0
    """Passages by Spawn since it was taken; due at the second (X.C.3)."""
    extension: int = 0
    """Passages by Spawn that rulings have granted beyond the second."""


AnyAgreement = Deal | Delivery | Contract | Bounty | Loan


# ----------------------------------------------------------------------------------------------
# Net worth
# ----------------------------------------------------------------------------------------------


class Statement(msgspec.Struct, frozen=True):
    """The net worth of a seat with the lines that make it up (II.E.5).

    The kinds of line are balance, title, houses, goods, transit, racket, bounty and loan.
    """

    seat: str
    total: int
    assets: tuple[Asset, ...]
