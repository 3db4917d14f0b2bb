"""The words of Negopoly: its accounts and commodities, and what players agree on or are worth."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

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
Drawn = (
    Annotated[
        tuple[Annotated[int, Meta(ge=1, le=6)] | Annotated[str, Meta(min_length=1, max_length=40)], ...],
        Meta(
            max_length=20,
            description="where the table throws and draws: what came of it, dice (1 to 6) and cards (ids) in "
            "order, for whatever the action turns out to need",
        ),
    ]
    | None
)
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
    """Goods on their way (VIII.D). status: open (in transit), arrived, returned, intercepted."""

    sender: str
    recipient: str
    commodity: str
    amount: int
    sent_round: int
    rounds: int = 1
    """How many rounds it takes (VIII.D.3)."""


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


class Meeting(Agreement, frozen=True, kw_only=True, tag="meeting"):
    """A private meeting in another room (IV.B); what is said there is never kept. status: open, ended."""

    launcher: str
    invited: tuple[str, ...]
    """Whom the launcher has named, and who may join."""
    present: tuple[str, ...]
    """Who is in the room, in the order of arrival."""
    attended: tuple[str, ...]
    """Everybody who has been there."""
    minutes: int
    """As booked at the launch."""
    paid: int
    """In whole ₦; 0 in the launcher's own turn (IV.B.4)."""
    own_turn: bool
    """It takes its time from the launcher's turn, and ends with it at the latest (IV.B.4)."""
    round: int
    started_at: datetime
    ends_at: datetime
    """When it is over: as booked while it lasts, as it was once it has ended."""
    exempt: bool = False
    """The banker lets it be held in spite of what forbids meetings."""


AnyAgreement = Deal | Delivery | Contract | Bounty | Loan | Meeting


# ----------------------------------------------------------------------------------------------
# Reactions
# ----------------------------------------------------------------------------------------------


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """A hostile act against titles or players, from the moment it is paid for until it takes effect (IX.B.14)."""

    kind: str
    """What strikes: the id of a weapon or of a mercenary action."""
    by: str
    rule: str
    """The rule by which it takes effect."""
    titles: tuple[str, ...] = ()
    victims: tuple[str, ...] = ()
    """The players struck in person."""
    about: dict[str, Any] = {}
    """What else carrying it out needs, as plain JSON values."""
    spared: tuple[str, ...] = ()
    """The players whose security team has stopped it, for all that is theirs."""
    asked: bool = False
    """Those it strikes have been asked; it waits no longer for something else."""
    id: str = ""
    """Given when it is launched."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a player is asked while something happens to them, and the rest of it waits for (IX.B.15)."""

    id: str
    kind: str
    """What it is about: "security_team", or the id of a card."""
    seat: str
    """Who is asked."""
    by: str
    """Whose action waits for the answer."""
    rule: str
    about: dict[str, Any] = {}
    """What the answer is needed for, as plain JSON values; public unless the question is `private`."""
    private: bool = False


# ----------------------------------------------------------------------------------------------
# Net worth
# ----------------------------------------------------------------------------------------------


class Statement(msgspec.Struct, frozen=True):
    """The net worth of a seat with the lines that make it up (II.E.5).

    The kinds of line are balance, title, houses, defences, goods, transit, racket, bounty and loan.
    """

    seat: str
    total: int
    assets: tuple[Asset, ...]
