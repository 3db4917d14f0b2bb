"""The words of Negopoly: its accounts and commodities, the turn under way, what players agree on or are worth."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.agreements import Agreement
from ledger.kernel.refusals import INT64_MAX
from ledger.kernel.wealth import Asset
from ledger.rulebooks.parts import trades
from ledger.rulebooks.parts.agreements import Named
from ledger.rulebooks.parts.questions import Question as Question
from ledger.rulebooks.parts.seats import player as player
from ledger.rulebooks.parts.titles import attached as attached
from ledger.rulebooks.parts.titles import deed as deed

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


# ----------------------------------------------------------------------------------------------
# Turns
# ----------------------------------------------------------------------------------------------


class Passage(msgspec.Struct, frozen=True):
    """A square that the token has passed by in this turn: crossed, or stopped on (II.B.6)."""

    square: int
    stop: bool = False
    forward: bool = True
    doses: int = 0
    """Doses held on arrival: as many may be offered there (VII.B.6)."""
    offered: int = 0
    licensed: bool = False
    """A licence was bought in this passage (VI.A.4)."""
    carded: bool = False
    """A Kamtar card was bought in this passage (VI.B.1)."""
    served: bool = False
    """A mercenary action was bought in this passage (IX.A.3)."""


class Stretch(msgspec.Struct, frozen=True):
    """A part of a movement: so many squares (negative: backwards), and the rule that adds them (II.B.5)."""

    steps: int
    rule: str


ROLL_FR: dict[str, str] = {"due": "à faire", "thrown": "déjà fait", "gone": "annulé"}
"""How the roll of a turn stands, in French."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """The turn under way."""

    seat: str
    started_at: datetime
    ends_at: datetime
    """When its five minutes are over (II.B.13)."""
    started_on: int | None = None
    """The square on which the token stood when the turn started (V.E.19)."""
    dice: tuple[int, ...] = ()
    roll: str = "due"
    """"due", "thrown", or "gone" (cancelled or replaced)."""
    drug_die: int | None = None
    drug_cancelled: bool = False
    """A card has cancelled the result of the drug die (III.B.6)."""
    passages: tuple[Passage, ...] = ()
    stop: int | None = None
    """The square that the player's own movement has stopped on, whose services are open (II.B.8)."""
    unresolved: bool = False
    """The mandatory effects of the stop square are still to be posted (II.B.7)."""
    rent_free: int | None = None
    """The stop square that no rent is owed for any more: its title was inert on arrival and came back to life
    under the player (V.A.8), or has been the player's own since (V.A.6)."""
    completed: tuple[str, ...] = ()
    """The quarters completed since the player stopped, which does nothing for this stop (V.E.1)."""
    cards_played: int = 0
    """How many cards count towards the one of this turn (II.B.9)."""
    roll_change: int = 0
    """What cards of the player's own add to the dice total of this turn."""
    weapons_used: int = 0
    """How many shots have been fired in the one weapon use of this turn (II.B.10)."""
    weapon: str | None = None
    """What that use is of, as `arsenal` names it; None while there is none."""
    vehicles: tuple[str, ...] = ()
    """The vehicle used in this turn (VIII.1); more than one by a waiver only."""
    extension: tuple[Stretch, ...] = ()
    """What a vehicle used before the roll will add to the move (VIII.C.3)."""
    halted: bool = False
    """A forced stop has ended the movement of this turn: nothing extends it (II.B.6, VIII.C.3)."""
    ahead: tuple[Stretch, ...] = ()
    """What is left of a movement that waits on the way for a decision."""
    paused_at: datetime | None = None
    """When a ruling stopped the clock, which it still does (IV.A.3)."""

    def is_over(self, at: datetime) -> bool:
        """Whether its time is over at this moment; a stopped clock runs out never."""
        return self.paused_at is None and at > self.ends_at


class Disruption(msgspec.Struct, frozen=True):
    """What forbids private meetings, by whom they are, and until when (IV.C.1)."""

    id: str
    source: str
    """A card ("card:kamtar_11"), or "banker"."""
    seats: tuple[str, ...] | None = None
    """Who may not meet; None for everybody."""
    until: str | None = None
    """It ends when this seat's next turn starts; None: when the banker says so."""


# ----------------------------------------------------------------------------------------------
# Agreements
# ----------------------------------------------------------------------------------------------


class Leg(trades.Leg, frozen=True, forbid_unknown_fields=True):
    """One move that a deal promises: an amount of a commodity from one seat to another.

    The commodity is NGD (0 ₦ is a price too), an item ("dose", "rpg7") or a title ("title:negotown", amount 1).
    """

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

AGREEMENTS: dict[str, Named] = {
    "deal": Named("deal", "l'accord", "d'accord"),
    "delivery": Named("delivery", "la livraison", "de livraison"),
    "contract": Named("contract", "le contrat", "de contrat"),
    "bounty": Named("bounty", "la prime", "de prime"),
    "loan": Named("loan", "le prêt", "de prêt"),
    "meeting": Named("meeting", "la réunion", "de réunion"),
}
"""What the kinds of agreement are called."""

STATUS_FR: dict[str, str] = {
    "proposed": "proposition",
    "concluded": "conclusion",
    "broken": "rupture",
    "withdrawn": "retrait",
    "arrived": "arrivée",
    "returned": "retour",
    "intercepted": "interception",
    "open": "en cours",
    "lapsed": "échéance",
    "ended": "fin",
    "posted": "dépôt",
    "refused": "refus",
    "awarded": "attribution",
    "refunded": "remboursement",
    "repaid": "remboursement",
    "collected": "recouvrement",
    "forgiven": "remise",
}
"""How an agreement stands, in French: what has happened to it last."""


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
