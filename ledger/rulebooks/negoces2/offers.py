"""Offers: the buyers lay a card, coins or both, and change their minds as often as they like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.accounts import Posting
from ledger.kernel.actions import Action, Choice
from ledger.kernel.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.chapter import Chapter
from ledger.kernel.events import Event
from ledger.kernel.refusals import Impossible, Malformed
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

_IN_A_FORCED_SALE = {"announcing": "negoces2:forced.3", "choosing": "negoces2:forced.3"}

Lot = tuple[Face | None, str | None, int]
"""What is laid or given, for a sentence: how the card lies, which one it is if that is known, and coins."""


# ----------------------------------------------------------------------------------------------
# What happens
# ----------------------------------------------------------------------------------------------


class _Laid(Event, frozen=True, kw_only=True):
    """A fact about what a buyer offers. A card that lies face down is its owner's secret (secrecy.1)."""

    seat: str
    face: Face | None
    """How the card lies; None when there is none."""
    card: str | None
    """None when there is none, and for those who do not see it."""
    coins: int

    @property
    def lot(self) -> Lot:
        """What is laid, for a sentence."""
        return self.face, self.card, self.coins

    def audience(self) -> Audience:
        """Everybody sees what lies face up."""
        return only(self.seat) if self.face == "down" else EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """That a face-down card of this buyer lies there, and the coins."""
        if viewer.seat == self.seat:
            return self
        return replace(self, card=None, postings=veiled(self.postings, self._of_the_card))

    def _of_the_card(self, posting: Posting) -> bool:
        return offer_card(self.seat) in {posting.source, posting.target}


class _Standing(_Laid, frozen=True, kw_only=True):
    """A fact that leaves an offer on the table."""

    revision: str
    """What an acceptance names."""
    hidden: int
    """How many of its coins were hidden ones."""

    def apply(self, state: Negoces2) -> None:
        """It stands until it is changed, taken back or accepted, or the sale ends."""
        state.offers[self.seat] = Offer(
            revision=self.revision, face=self.face, coins=self.coins, hidden=self.hidden
        )

    def reveals(self) -> Audience:
        """A card face up was in a hand."""
        return EVERYONE if self.face == "up" else BANKER_ONLY


@chapter.event
class OfferMade(_Standing, frozen=True, kw_only=True):
    """A buyer lays an offer: a card, coins, or a card and coins (sale.7)."""

    en: ClassVar[str] = "{seat:seat} offers {lot:lot}."
    fr: ClassVar[str] = "{seat:seat} propose {lot:lot}."

    rule: str = "negoces2:sale.7"


@chapter.event
class OfferChanged(_Standing, frozen=True, kw_only=True):
    """A buyer lays another offer in the place of the one just taken back (sale.9)."""

    en: ClassVar[str] = "{seat:seat} changes the offer to {lot:lot}."
    fr: ClassVar[str] = "{seat:seat} change son offre pour {lot:lot}."

    rule: str = "negoces2:sale.9"


@chapter.event
class OfferWithdrawn(_Laid, frozen=True, kw_only=True):
    """A buyer takes the offer back (sale.9)."""

    en: ClassVar[str] = "{seat:seat} takes back {lot:lot}."
    fr: ClassVar[str] = "{seat:seat} reprend {lot:lot}."

    rule: str = "negoces2:sale.9"

    def apply(self, state: Negoces2) -> None:
        """Nothing of theirs lies there any more."""
        del state.offers[self.seat]


@chapter.event
class OfferReturned(_Laid, frozen=True, kw_only=True):
    """An offer goes back, unseen if it lay face down: another was accepted, or the sale is forced."""

    en: ClassVar[str] = "{seat:seat} gets back {lot:lot}."
    fr: ClassVar[str] = "{seat:seat} récupère {lot:lot}."

    rule: str

    def apply(self, state: Negoces2) -> None:
        """It has ended (sale.18, forced.3)."""
        del state.offers[self.seat]


def give_back(draft: Draft, rule: str) -> None:
    """Return every standing offer to its buyer, by this rule."""
    for seat in draft.state.order:
        offer = draft.state.offers.get(seat)
        if offer is not None:
            draft.record(OfferReturned(rule=rule, **_taken_back(draft, seat, offer)))


def _taken_back(draft: Draft, seat: str, offer: Offer) -> dict[str, Any]:
    """What an event about an offer taken back says: card and coins return to where they came from (sale.9)."""
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
# What may be asked for
# ----------------------------------------------------------------------------------------------


class _Offering(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an offer is made of."""

    card: CardId | None = None
    face: Face | None = None
    """How the card lies; with a card only."""
    coins: Coins | None = None
    hidden: FromHidden | None = None

    def redacted(self) -> Mapping[str, Any]:
        """What lies on the table for all to see."""
        shown: dict[str, Any] = {"face": self.face, "coins": self.coins, "hidden": self.hidden}
        if self.face == "up":
            shown["card"] = self.card
        return {name: value for name, value in shown.items() if value is not None}

    def require_shape(self) -> None:
        """Raise Malformed for a card without a face or the other way round, Impossible for nothing (sale.7)."""
        if (self.card is None) != (self.face is None):
            raise Malformed(
                "a card is offered face up or face down: give both `card` and `face`",
                "une carte se propose face visible ou cachée : indiquez `card` et `face`",
            )
        if self.card is None and self.coins is None:
            raise Impossible(
                "negoces2:sale.7",
                "an offer is a card, coins, or both: nothing is not an offer",
                "une offre est une carte, des pièces, ou les deux : rien n'est pas une offre",
            )

    def lay(self, draft: Draft, seat: str, revision: str) -> dict[str, Any]:
        """What an event about this offer says. Raises Impossible for what is not the buyer's own (sale.8)."""
        postings: tuple[Posting, ...] = ()
        if self.card is not None:
            require_card(draft, hand(seat), self.card, "negoces2:sale.8")
            postings = draft.move(self.card, 1, hand(seat), offer_card(seat))
        amount = self.coins or 0
        coins, taken = lay_coins(draft, seat, amount, offer_coins(seat), "negoces2:sale.8", self.hidden)
        return {
            "seat": seat,
            "revision": revision,
            "face": self.face,
            "card": self.card,
            "coins": amount,
            "hidden": taken,
            "postings": (*postings, *coins),
        }


def _compositions(state: Negoces2, seat: str) -> Iterable[Choice]:
    """Every card either way up, without and with coins, and coins alone; any number of coins."""
    offer = state.offers.get(seat)
    own = {**cards_in(state, offer_card(seat)), **cards_in(state, hand(seat))}
    coins = coins_of(state, seat) + (0 if offer is None else offer.coins)
    lies = None if offer is None else (card_at(state, offer_card(seat)), offer.face, offer.coins)
    for card, face in ((None, None), *((card, face) for card in own for face in ("up", "down"))):
        laid = {} if card is None else {"card": card, "face": face}
        if laid:
            yield Choice(laid)
        # What lies there already is no other offer.
        some = 2 if lies == (card, face, 1) else 1
        if coins >= some:
            yield Choice({**laid, "coins": some}, free=("coins", "hidden"))


@chapter.action(
    summary=("offer a card, coins, or both", "proposer une carte, des pièces, ou les deux"),
    when=(
        "while a card is negotiated, as a buyer without a standing offer",
        "pendant la négociation, pour un acheteur sans offre sur la table",
    ),
)
class MakeOffer(_Offering, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lay an offer at the market, in one's own name (sale.7, sale.8)."""

    def decide(self, draft: Draft) -> None:
        """At any moment of a negotiation (sale.6), one offer at a time."""
        seat = require_buyer(draft)
        require_phase(draft, "negotiation", "negoces2:sale.6", _IN_A_FORCED_SALE)
        self.require_shape()
        if seat in draft.state.offers:
            raise Impossible(
                "negoces2:sale.8",
                "{seat} has an offer on the table: change it, or take it back",
                "{seat} a déjà une offre sur la table : il faut la changer ou la reprendre",
                seat=seat,
            )
        draft.record(OfferMade(**self.lay(draft, seat, draft.new_id())))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Everything that one could lay."""
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
    """Lay another offer in place of one's own: all that it is to hold from now on (sale.9)."""

    def decide(self, draft: Draft) -> None:
        """What lay there returns first; its card is not turned over where it lies (sale.10)."""
        seat = require_buyer(draft)
        require_phase(draft, "negotiation", "negoces2:sale.9", _IN_A_FORCED_SALE)
        offer = _own_offer(draft, seat)
        self.require_shape()
        self._require_another(draft, seat, offer)
        draft.record(OfferWithdrawn(**_taken_back(draft, seat, offer)))
        draft.record(OfferChanged(**self.lay(draft, seat, draft.new_id())))

    def _require_another(self, draft: Draft, seat: str, offer: Offer) -> None:
        """Raise Impossible for the offer that lies there already, and for one that only turns its card over."""
        old = card_at(draft.state, offer_card(seat))
        same = self.card == old and self.face == offer.face and (self.coins or 0) == offer.coins
        if same and self.hidden in {None, offer.hidden} and not offer.stale:
            raise Impossible(
                "negoces2:sale.9",
                "this is what {seat} offers already",
                "c'est ce que {seat} propose déjà",
                seat=seat,
            )
        if self.card is None or self.card != old or self.face == offer.face:
            return
        # With another copy in hand, that one may be laid: copies cannot be told apart (setup.2).
        another = draft.state.holdings.of(hand(seat), self.card)
        if not another and not draft.state.settings.offers_may_be_turned:
            raise Impossible(
                "negoces2:sale.10",
                "a card on offer is not turned over: {seat} may take it back and offer it anew",
                "une carte proposée ne se retourne pas : {seat} peut la reprendre et la proposer à nouveau",
                seat=seat,
            )

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Everything that one could lay instead."""
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
    """Take back all that one offers (sale.9)."""

    def decide(self, draft: Draft) -> None:
        """It returns to where it came from."""
        seat = require_buyer(draft)
        require_phase(draft, "negotiation", "negoces2:sale.9", _IN_A_FORCED_SALE)
        draft.record(OfferWithdrawn(**_taken_back(draft, seat, _own_offer(draft, seat))))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """While one has an offer on the table."""
        return (Choice({}),) if state.phase == "negotiation" and seat in state.offers else ()


def _own_offer(draft: Draft, seat: str) -> Offer:
    """The standing offer of the acting seat. Raises Impossible by sale.9 when there is none."""
    offer = draft.state.offers.get(seat)
    if offer is None:
        raise Impossible(
            "negoces2:sale.9",
            "{seat} has no offer on the table",
            "{seat} n'a pas d'offre sur la table",
            seat=seat,
        )
    return offer
