"""Offers: buyers offer a card, coins or both, and may change or withdraw the offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Malformed
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negoces2.table import (
    Draft,
    Negoces2,
    card_at,
    cards_in,
    coins_of,
    lay_coins,
    require_buyer,
    require_card,
    require_phase,
    return_coins,
    seller_of,
)
from ledger.rulebooks.negoces2.terms import (
    CardId,
    Coins,
    Face,
    FromHidden,
    Offer,
    hand,
    offer_card,
    offer_coins,
    veiled,
)

chapter = Chapter("Offers")

CLOSED = {
    "auction": "negoces2:auction.1",
    "announcing": "negoces2:forced.3",
    "choosing": "negoces2:forced.3",
}
"""The rule that closes offers, by phase: the auction and a forced sale."""

Lot = tuple[Face | None, str | None, int]
"""An offer or a payment in a sentence: the face of the card, the card if known, and the coins."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


class _Laid(Event, frozen=True, kw_only=True):
    """A fact about a buyer's offer. A face-down card is the owner's secret (secrecy.1)."""

    seat: str
    face: Face | None
    """The face of the card; None without a card."""
    card: str | None
    """None without a card, and for viewers who may not see the card."""
    coins: int

    @property
    def lot(self) -> Lot:
        """The offer, for a sentence."""
        return self.face, self.card, self.coins

    def audience(self) -> Audience:
        """Return everybody for a face-up card, otherwise the owner."""
        return only(self.seat) if self.face == "down" else EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the face-down card. The presence of a card and the coins are public."""
        if viewer.seat == self.seat:
            return self
        return replace(self, card=None, postings=veiled(self.postings, self._of_the_card))

    def _of_the_card(self, posting: Posting) -> bool:
        return offer_card(self.seat) in {posting.source, posting.target}


class _Standing(_Laid, frozen=True, kw_only=True):
    """A fact that leaves an offer on the table."""

    revision: str
    """The number cited by an acceptance."""
    hidden: int
    """The number of hidden coins among the coins of the offer."""

    def apply(self, state: Negoces2) -> None:
        """Store the offer until changed, withdrawn or accepted, or until the end of the sale."""
        state.offers[self.seat] = Offer(
            revision=self.revision, face=self.face, coins=self.coins, hidden=self.hidden
        )

    def reveals(self) -> Audience:
        """Return everybody for a face-up card, which was in a hand."""
        return EVERYONE if self.face == "up" else BANKER_ONLY


@chapter.event
class OfferMade(_Standing, frozen=True, kw_only=True):
    """A buyer makes an offer: a card, coins, or both (sale.7)."""

    en: ClassVar[str] = "{seat:seat} offers {lot:lot}."
    fr: ClassVar[str] = "{seat:seat} propose {lot:lot}."

    rule: str = "negoces2:sale.7"


@chapter.event
class OfferChanged(_Standing, frozen=True, kw_only=True):
    """A buyer makes a new offer instead of the old one (sale.9)."""

    en: ClassVar[str] = "{seat:seat} changes the offer to {lot:lot}."
    fr: ClassVar[str] = "{seat:seat} change son offre pour {lot:lot}."

    rule: str = "negoces2:sale.9"


@chapter.event
class OfferWithdrawn(_Laid, frozen=True, kw_only=True):
    """A buyer withdraws their offer (sale.9)."""

    en: ClassVar[str] = "{seat:seat} takes back {lot:lot}."
    fr: ClassVar[str] = "{seat:seat} reprend {lot:lot}."

    rule: str = "negoces2:sale.9"

    def apply(self, state: Negoces2) -> None:
        """Remove the offer."""
        state.require_part(self.seat in state.offers)
        del state.offers[self.seat]


@chapter.event
class OfferReturned(_Laid, frozen=True, kw_only=True):
    """An offer goes back, and a face-down card stays secret: another offer is accepted, or the sale is forced."""

    en: ClassVar[str] = "{seat:seat} gets back {lot:lot}."
    fr: ClassVar[str] = "{seat:seat} récupère {lot:lot}."

    rule: str

    def apply(self, state: Negoces2) -> None:
        """Remove the offer (sale.18, forced.3)."""
        state.require_part(self.seat in state.offers)
        del state.offers[self.seat]


def give_back(draft: Draft, rule: str) -> None:
    """Return every standing offer to the buyer, by `rule`."""
    for seat in draft.state.order:
        offer = draft.state.offers.get(seat)
        if offer is not None:
            draft.record(OfferReturned(rule=rule, **_taken_back(draft, seat, offer)))


def _taken_back(draft: Draft, seat: str, offer: Offer) -> dict[str, Any]:
    """Return the fields of an event that returns an offer: card and coins go back to their accounts (sale.9)."""
    card = card_at(draft.state, offer_card(seat))
    returned = () if card is None else draft.move(card, 1, offer_card(seat), hand(seat))
    coins = return_coins(draft, seat, offer.coins, offer_coins(seat), offer.hidden)
    return {
        "seat": seat,
        "face": offer.face,
        "card": card,
        "coins": offer.coins,
        "postings": (*returned, *coins),
    }


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


class _Offering(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of an offer."""

    card: CardId | None = None
    face: Face | None = None
    """The face of the card, only with a card. Without a value, the card lies face up (sale.7)."""
    coins: Coins | None = None
    hidden: FromHidden | None = None

    @property
    def lies(self) -> Face | None:
        """The face of the offer's card; None without a card."""
        return self.face if self.card is None else self.face or "up"

    def redacted(self) -> Mapping[str, Any]:
        """Return the public part of the offer."""
        public: dict[str, Any] = {"face": self.lies, "coins": self.coins, "hidden": self.hidden}
        if self.lies == "up":
            public["card"] = self.card
        return {name: value for name, value in public.items() if value is not None}

    def require_shape(self) -> None:
        """Raise Malformed for a face without a card, Impossible for an empty offer (sale.7)."""
        if self.card is None and self.face is not None:
            raise Malformed(
                "`face` says how a card lies: give a `card` too, or leave `face` out",
                "`face` dit comment une carte est posée : indiquez aussi `card`, ou retirez `face`",
            )
        if self.card is None and self.coins is None:
            raise Impossible(
                "negoces2:sale.7",
                "an offer is a card, coins, or both: nothing is not an offer",
                "une offre est une carte, des pièces, ou les deux : rien n'est pas une offre",
            )

    def lay(self, draft: Draft, seat: str, revision: str) -> dict[str, Any]:
        """Return the fields of an event for the offer.

        Raises Impossible for cards or coins of other players (sale.8).
        """
        postings: tuple[Posting, ...] = ()
        if self.card is not None:
            require_card(draft, hand(seat), self.card, "negoces2:sale.8")
            postings = draft.move(self.card, 1, hand(seat), offer_card(seat))
        amount = self.coins or 0
        coins, hidden_coins = lay_coins(draft, seat, amount, offer_coins(seat), "negoces2:sale.8", self.hidden)
        return {
            "seat": seat,
            "revision": revision,
            "face": self.lies,
            "card": self.card,
            "coins": amount,
            "hidden": hidden_coins,
            "postings": (*postings, *coins),
        }


def _compositions(state: Negoces2, seat: str) -> Iterable[Choice]:
    """Yield every card, face up and face down, with and without coins, and coins alone in any number."""
    offer = state.offers.get(seat)
    cards = {**cards_in(state, offer_card(seat)), **cards_in(state, hand(seat))}
    coins = coins_of(state, seat) + (0 if offer is None else offer.coins)
    lies = None if offer is None else (card_at(state, offer_card(seat)), offer.face, offer.coins)
    for card, face in ((None, None), *((card, face) for card in cards for face in ("up", "down"))):
        laid = {} if card is None else {"card": card, "face": face}
        if laid:
            yield Choice(laid)
        # An offer equal to the old offer is not a change.
        some = 2 if lies == (card, face, 1) else 1
        if coins >= some:
            yield Choice({**laid, "coins": some}, free={"coins": Bounds(1, coins), "hidden": Bounds()})


@chapter.action(
    summary=("offer a card, coins, or both", "proposer une carte, des pièces, ou les deux"),
    when=(
        "while a card is negotiated, as a buyer without a standing offer",
        "pendant la négociation, pour un acheteur sans offre sur la table",
    ),
)
class MakeOffer(_Offering, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A buyer makes an offer for the card on the market, during the negotiation (sale.7, sale.8)."""

    def decide(self, draft: Draft) -> None:
        """Refuse outside a negotiation (sale.6), and a second simultaneous offer."""
        seat = require_buyer(draft)
        require_phase(draft, "negotiation", "negoces2:sale.6", CLOSED)
        self.require_shape()
        if seat in draft.state.offers:
            raise Impossible(
                "negoces2:sale.8",
                "{seat:seat} has an offer on the table: change it, or take it back",
                "{seat:seat} a déjà une offre sur la table : il faut la changer ou la reprendre",
                seat=seat,
            )
        draft.record(OfferMade(**self.lay(draft, seat, draft.new_id())))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer every possible content."""
        if state.phase == "negotiation" and seat != seller_of(state) and seat not in state.offers:
            yield from _compositions(state, seat)


@chapter.action(
    summary=("change one's offer", "changer son offre"),
    when=(
        "while a card is negotiated, as a buyer with an offer on the table",
        "pendant la négociation, pour un acheteur qui a une offre sur la table",
    ),
)
class ChangeOffer(_Offering, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A buyer replaces their whole offer by another one (sale.9)."""

    def decide(self, draft: Draft) -> None:
        """Return the old offer first. The change must not just turn over the card (sale.10)."""
        seat = require_buyer(draft)
        require_phase(draft, "negotiation", "negoces2:sale.9", CLOSED)
        offer = _own_offer(draft, seat)
        self.require_shape()
        self._require_another(draft, seat, offer)
        draft.record(OfferWithdrawn(**_taken_back(draft, seat, offer)))
        draft.record(OfferChanged(**self.lay(draft, seat, draft.new_id())))

    def _require_another(self, draft: Draft, seat: str, offer: Offer) -> None:
        """Raise Impossible for an equal offer, and for an offer that only turns over the card."""
        old = card_at(draft.state, offer_card(seat))
        same = self.card == old and self.lies == offer.face and (self.coins or 0) == offer.coins
        if same and self.hidden in {None, offer.hidden} and not offer.stale:
            raise Impossible(
                "negoces2:sale.9",
                "this is what {seat:seat} offers already",
                "c'est ce {seat:que|seat} propose déjà",
                seat=seat,
            )
        if self.card is None or self.card != old or self.lies == offer.face:
            return
        # With a second copy in hand, the offer may use the second copy: copies are alike (setup.2).
        another = draft.state.holdings.of(hand(seat), self.card)
        if not another and not draft.state.settings.offers_may_be_turned:
            raise Impossible(
                "negoces2:sale.10",
                "a card on offer is not turned over: {seat:seat} may take it back and offer it anew",
                "une carte proposée ne se retourne pas : {seat:seat} peut la reprendre et la proposer à nouveau",
                seat=seat,
            )

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer every content. A dry run refuses the unchanged content."""
        if state.phase == "negotiation" and seat in state.offers:
            yield from _compositions(state, seat)


@chapter.action(
    summary=("take back one's offer", "reprendre son offre"),
    when=(
        "while a card is negotiated, as a buyer with an offer on the table",
        "pendant la négociation, pour un acheteur qui a une offre sur la table",
    ),
)
class WithdrawOffer(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A buyer withdraws their whole offer (sale.9)."""

    def decide(self, draft: Draft) -> None:
        """Return card and coins to the buyer's accounts."""
        seat = require_buyer(draft)
        require_phase(draft, "negotiation", "negoces2:sale.9", CLOSED)
        draft.record(OfferWithdrawn(**_taken_back(draft, seat, _own_offer(draft, seat))))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer the action to a buyer with an offer."""
        return (Choice({}),) if state.phase == "negotiation" and seat in state.offers else ()


def _own_offer(draft: Draft, seat: str) -> Offer:
    """Return the acting seat's standing offer. Raises Impossible by sale.9 without an offer."""
    offer = draft.state.offers.get(seat)
    if offer is None:
        raise Impossible(
            "negoces2:sale.9",
            "{seat:seat} has no offer on the table",
            "{seat:seat} n'a pas d'offre sur la table",
            seat=seat,
        )
    return offer
