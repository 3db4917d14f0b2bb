"""The terms of Negopoly: accounts and commodities, the turn under way, agreements, strikes and net worth."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.values import of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.parts import trades
from ledger.rulebooks.parts.agreements import Named
from ledger.rulebooks.parts.questions import Question as Question
from ledger.rulebooks.parts.seats import player as player
from ledger.rulebooks.parts.titles import attached as attached
from ledger.rulebooks.parts.titles import deed as deed

MONEY = "NGD"
POLICE = "police"
USED = "used"


def money_words(amount: int | str) -> Phrase:
    """Write an amount of money: "₦200"; from five digits on in thousands: "₦12,500", "12 500 ₦".

    Digits given as text, such as in a report, stay unchanged.
    """
    digits = f"{amount:,}" if isinstance(amount, int) and abs(amount) >= 10_000 else str(amount)
    return Phrase(f"₦{digits}", digits.replace(",", "\N{NARROW NO-BREAK SPACE}") + " ₦")


Die = Annotated[
    int,
    Meta(ge=1, le=6, description="what a die shows; never more than the sides this table plays with"),
    of_kind("die"),
]
OneDie = Annotated[tuple[Die, ...], Meta(min_length=1, max_length=1, description="the die thrown")]
Drawn = (
    Annotated[
        tuple[
            Annotated[
                Annotated[int, Meta(ge=1, le=6), of_kind("die")]
                | Annotated[str, Meta(min_length=1, max_length=40), of_kind("card")],
                of_kind("draw"),
            ],
            ...,
        ],
        Meta(
            max_length=20,
            description="where the table throws and draws: what came of it, dice (1 to 6) and cards (ids) in "
            "order, for whatever the action turns out to need",
        ),
    ]
    | None
)
Pieces = Annotated[int, Meta(ge=1, le=1000), of_kind("quantity")]
AgreementId = Annotated[str, Meta(min_length=1, max_length=40, description="id of the agreement")]
DealId = Annotated[AgreementId, of_kind("agreement", collection="deals")]
ContractId = Annotated[AgreementId, of_kind("agreement", collection="contracts")]
BountyId = Annotated[AgreementId, of_kind("agreement", collection="bounties")]
LoanId = Annotated[AgreementId, of_kind("agreement", collection="loans")]
DeliveryId = Annotated[AgreementId, of_kind("agreement", collection="deliveries")]
MeetingId = Annotated[AgreementId, of_kind("agreement", collection="meetings")]


# ----------------------------------------------------------------------------------------------
# Turns
# ----------------------------------------------------------------------------------------------


class Passage(msgspec.Struct, frozen=True):
    """A square crossed by the token in the turn, or a stop (II.B.6)."""

    square: int
    stop: bool = False
    forward: bool = True
    doses: int = 0
    """Doses in the inventory on arrival: the number that the player may offer in the passage (VII.B.6)."""
    offered: int = 0
    licensed: bool = False
    """The player has bought a licence in the passage (VI.A.4)."""
    carded: bool = False
    """The player has bought a Kamtar card in the passage (VI.B.1)."""
    served: bool = False
    """The player has bought a mercenary action in the passage (IX.A.3)."""


class Stretch(msgspec.Struct, frozen=True):
    """A part of a movement: a number of squares (negative: backwards), and the rule that adds them (II.B.5)."""

    steps: int
    rule: str


ROLL_FR: dict[str, str] = {"due": "à faire", "thrown": "déjà fait", "gone": "annulé"}
"""The status of a turn's roll, in French."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """The turn under way."""

    seat: str
    started_at: datetime
    ends_at: datetime
    """The end of the five minutes (II.B.13)."""
    started_on: int | None = None
    """The square of the token at the start of the turn (V.E.19)."""
    dice: tuple[int, ...] = ()
    roll: str = "due"
    """"due", "thrown", or "gone" (cancelled or replaced)."""
    drug_die: int | None = None
    drug_cancelled: bool = False
    """A card has cancelled the result of the drug die (III.B.6)."""
    passages: tuple[Passage, ...] = ()
    stop: int | None = None
    """The square where the player's own movement has stopped, with open services (II.B.8)."""
    unresolved: bool = False
    """The mandatory effects of the stop square are not posted yet (II.B.7)."""
    rent_free: int | None = None
    """The stop square, if the rent is waived: the title was inert on arrival and became active again (V.A.8),
    or has belonged to the player since (V.A.6).
    """
    completed: tuple[str, ...] = ()
    """The quarters completed after the player's stop, without effect on the stop (V.E.1)."""
    cards_played: int = 0
    """The number of the player's cards that count as the one card of the turn (II.B.9)."""
    roll_change: int = 0
    """The amount that the player's own cards add to the dice total of the turn."""
    weapons_used: int = 0
    """Shots fired in the one weapon use of the turn (II.B.10)."""
    weapon: str | None = None
    """The name of the weapon use (`weapons.Use.use`); None before any use."""
    vehicles: tuple[str, ...] = ()
    """The vehicle used in the turn (VIII.1); several only by a waiver."""
    extension: tuple[Stretch, ...] = ()
    """The squares added to the move by a vehicle used before the roll (VIII.C.3)."""
    halted: bool = False
    """A forced stop has ended the movement of the turn: nothing can extend the movement (II.B.6, VIII.C.3)."""
    ahead: tuple[Stretch, ...] = ()
    """The rest of a movement interrupted by a decision."""
    paused_at: datetime | None = None
    """The time at which a ruling stopped the clock; None while the clock runs (IV.A.3)."""

    def is_over(self, at: datetime) -> bool:
        """Return True if the turn's time is over at a moment; never while the clock is stopped."""
        return self.paused_at is None and at > self.ends_at


class Disruption(msgspec.Struct, frozen=True):
    """A ban of private meetings: its cause, its seats and its end (IV.C.1)."""

    id: str
    source: str
    """A card ("card:kamtar_11"), or "banker"."""
    seats: tuple[str, ...] | None = None
    """The seats banned from meetings; None for all seats."""
    until: str | None = None
    """The seat at whose next turn the ban ends; None for a ban until the banker's decision."""


# ----------------------------------------------------------------------------------------------
# Agreements
# ----------------------------------------------------------------------------------------------


class Leg(trades.Leg, frozen=True, forbid_unknown_fields=True):
    """One transfer that a deal promises: an amount of a commodity from one seat to another.

    The commodity is NGD (₦0 is allowed), an item ("dose", "rpg7") or a title ("title:negotown", amount 1).
    """

    express: Literal["giver", "taker"] | None = None
    """The seat that has agreed to pay for an express delivery of the items (VIII.D.5); None: ordinary delivery."""


class Deal(Agreement, frozen=True, kw_only=True, tag="deal"):
    """A private deal (I.A.1): clauses and legs. status: proposed, concluded, broken, withdrawn."""

    parties: tuple[str, ...]
    legs: tuple[Leg, ...] = ()
    clauses: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    due: tuple[int, ...] = ()
    """Indices of the item legs still to be sent (II.D.1)."""
    broken_by: tuple[str, ...] = ()
    """The parties that have recorded the deal as broken, without any further effect (I.C.3)."""


class Delivery(Agreement, frozen=True, kw_only=True, tag="delivery"):
    """Goods in transit (VIII.D). status: open (in transit), arrived, returned, intercepted."""

    sender: str
    recipient: str
    commodity: str
    amount: int
    sent_round: int
    rounds: int = 1
    """The duration of the delivery in rounds (VIII.D.3)."""


class Breach(msgspec.Struct, frozen=True):
    """A party's report that a contract is broken, in its own words, true or false (I.C.1)."""

    seat: str
    account: str


class Contract(Agreement, frozen=True, kw_only=True, tag="contract"):
    """A contract registered at the bank (X.A). status: proposed, open (in force), lapsed, withdrawn, ended."""

    parties: tuple[str, ...]
    clauses: tuple[str, ...]
    rounds: int
    payers: dict[str, int]
    """The share of the price of each payer, in whole ₦."""
    agreed: tuple[str, ...] = ()
    ends_round: int | None = None
    ends_seat: str | None = None
    """The contract lapses at the start of the seat's turn of round `ends_round` (X.A.5)."""
    breaches: tuple[Breach, ...] = ()
    escrow: dict[str, int] = {}
    """The deposits held in escrow by the bank for the contract, in whole ₦, by depositor (X.A.6)."""


class Bounty(Agreement, frozen=True, kw_only=True, tag="bounty"):
    """A bounty (X.B). status: posted (awaiting the bank), open, refused, awarded, refunded."""

    poster: str
    amount: int
    conditions: str
    claims: tuple[str, ...] = ()
    """The seats claiming the bounty, in the order of their claims (X.B.4)."""
    winner: str | None = None


class Loan(Agreement, frozen=True, kw_only=True, tag="loan"):
    """A loan of the bank (X.C). status: open, repaid, collected, forgiven."""

    borrower: str
    principal: int
    outstanding: int
    """The amount still due, interest included; payments reduce the principal first."""
    interest: int = 0
    """Fixed when the loan is taken; 0 unless the table sets an interest."""
    passages: int = 0
    """Passages by Spawn since the start of the loan, which is due at the second (X.C.3)."""
    extension: int = 0
    """Passages by Spawn beyond the second, granted by rulings."""


class Meeting(Agreement, frozen=True, kw_only=True, tag="meeting"):
    """A private meeting in another room (IV.B). Its conversation is never recorded. status: open, ended."""

    launcher: str
    invited: tuple[str, ...]
    """The seats invited by the launcher."""
    present: tuple[str, ...]
    """The seats in the room, in the order of arrival."""
    attended: tuple[str, ...]
    """All seats that have ever been in the room."""
    minutes: int
    """The minutes booked at the launch."""
    paid: int
    """In whole ₦; 0 in the launcher's own turn (IV.B.4)."""
    own_turn: bool
    """The meeting uses the time of the launcher's turn and ends with the turn at the latest (IV.B.4)."""
    round: int
    started_at: datetime
    ends_at: datetime
    """The booked end while the meeting lasts; the actual end afterwards."""
    exempt: bool = False
    """The banker has allowed the meeting despite a ban."""


AnyAgreement = Deal | Delivery | Contract | Bounty | Loan | Meeting

AGREEMENTS: dict[str, Named] = {
    "deal": Named("deal", "l'accord", "d'accord"),
    "delivery": Named("delivery", "la livraison", "de livraison"),
    "contract": Named("contract", "le contrat", "de contrat"),
    "bounty": Named("bounty", "la prime", "de prime"),
    "loan": Named("loan", "le prêt", "de prêt"),
    "meeting": Named("meeting", "la réunion", "de réunion"),
}
"""The names of the kinds of agreement."""

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
"""The status of an agreement in French."""


# ----------------------------------------------------------------------------------------------
# Reactions
# ----------------------------------------------------------------------------------------------


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """A hostile act against titles or players, from its payment until it takes effect (IX.B.14)."""

    kind: str
    """The id of the weapon or of the mercenary action."""
    by: str
    rule: str
    """The rule of the effect."""
    titles: tuple[str, ...] = ()
    victims: tuple[str, ...] = ()
    """The players hit in person."""
    about: dict[str, Any] = {}
    """Other parameters of the strike, as plain JSON values."""
    spared: tuple[str, ...] = ()
    """The players protected by a security team, together with their titles."""
    asked: bool = False
    """The players hit have been asked about the strike, so the strike is not queued behind an earlier strike."""
    id: str = ""
    """Given when the strike is launched."""


# ----------------------------------------------------------------------------------------------
# Net worth
# ----------------------------------------------------------------------------------------------


class Statement(msgspec.Struct, frozen=True):
    """The net worth of a seat with its lines (II.E.5).

    The kinds of line are balance, title, houses, defences, goods, transit, racket, bounty and loan.
    """

    seat: str
    total: int
    assets: tuple[Asset, ...]
