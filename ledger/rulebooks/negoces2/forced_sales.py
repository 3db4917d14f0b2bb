"""Forced sales: the seller gives two cards for a card of a named good, and the buyers cannot refuse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negoces2 import offers
from ledger.rulebooks.negoces2.cards import COIN, GOODS
from ledger.rulebooks.negoces2.sales import end_sale
from ledger.rulebooks.negoces2.table import (
    Draft,
    Negoces2,
    card_at,
    cards_in,
    label,
    require_card,
    require_phase,
    require_seller,
    return_coins,
    seller_of,
)
from ledger.rulebooks.negoces2.terms import (
    SALE_CARD,
    SALE_COINS,
    SECOND_CARD,
    CardId,
    Face,
    hand,
    into_account,
    layout,
    veiled,
)
from ledger.rulebooks.parts.readers import Revealing
from ledger.rulebooks.parts.seats import seat_named

chapter = Chapter("Forced sales")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class SaleForced(Event, frozen=True, kw_only=True):
    """The seller adds a second card, always face down: the sale can no longer be negotiated (forced.2)."""

    en: ClassVar[str] = "{seller:seat} forces the sale and lays {card:card} beside it, face down."
    fr: ClassVar[str] = "{seller:seat} force la vente et pose à côté {card:card}, face cachée."

    rule: str = "negoces2:forced.2"
    seller: str
    card: str | None
    """The second card; None for viewers who may not see the card."""

    def apply(self, state: Negoces2) -> None:
        """Start the forced sale; the seller must name a good next."""
        state.phase = "announcing"
        if state.sale is not None:
            state.sale = replace(state.sale, forced=True)

    def audience(self) -> Audience:
        """Return the seller: the second card is secret (secrecy.1)."""
        return only(self.seller)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the second card; the presence of a card is public."""
        return replace(self, card=None, postings=veiled(self.postings, into_account(SECOND_CARD)))


@chapter.event
class SaleCoinsReturned(Event, frozen=True, kw_only=True):
    """The seller gets the coins on the card back: a forced sale gives only the two cards (forced.3)."""

    en: ClassVar[str] = "{seller:seat} gets back {coins:coins}."
    fr: ClassVar[str] = "{seller:seat} récupère {coins:coins}."

    rule: str = "negoces2:forced.3"
    seller: str
    coins: int

    def apply(self, state: Negoces2) -> None:
        """Remove the coins from the sale."""
        if state.sale is not None:
            state.sale = replace(state.sale, hidden=0)


@chapter.event
class GoodAnnounced(Event, frozen=True, kw_only=True):
    """The seller names the good that they want (forced.4)."""

    en: ClassVar[str] = "{seller:seat} seeks {good:good}."
    fr: ClassVar[str] = "{seller:seat} recherche : {good:good}."

    rule: str = "negoces2:forced.4"
    seller: str
    good: int

    def apply(self, state: Negoces2) -> None:
        """Store the good; the seller must choose a card next."""
        state.phase = "choosing"
        if state.sale is not None:
            state.sale = replace(state.sale, good=self.good)


@chapter.event
class GoodLaidOut(Revealing, frozen=True, kw_only=True):
    """The buyers lay out face up every copy of the good in their hands (forced.6, forced.7)."""

    en: ClassVar[str] = "Cards laid out: {copies:copies}."
    fr: ClassVar[str] = "Cartes étalées : {copies:copies}."

    rule: str = "negoces2:forced.6"
    good: int
    copies: dict[str, int] | None
    """The number of copies by buyer; None in a dry run."""

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the copies."""
        return replace(self, copies=None, postings=())


@chapter.event
class CardChosen(Event, frozen=True, kw_only=True):
    """The seller takes a laid-out card; its owner gets both cards of the market (forced.8, forced.9)."""

    en: ClassVar[str] = (
        "{seller:seat} takes {good:good} from {owner:seat}, who gets {first:lot} and {second:card}."
    )
    fr: ClassVar[str] = "{seller:seat} prend {good:good} à {owner:seat}, qui reçoit {first:lot} et {second:card}."

    rule: str = "negoces2:forced.9"
    seller: str
    owner: str
    good: int
    face: Face
    """The face of the first card, which decides the knowledge of the card."""
    card: str | None
    second: str | None
    """The second card of the market. `card` and `second` are None for viewers who may not see the cards."""

    @property
    def first(self) -> offers.Lot:
        """The card for sale, for a sentence."""
        return self.face, self.card, 0

    def audience(self) -> Audience:
        """Return the old and the new owner of the second card, which lay face down."""
        return only(self.seller, self.owner)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the second card, and the first card if face down."""
        if viewer.seat == self.seller:
            return self
        secret = {SALE_CARD: self.face == "down", SECOND_CARD: True, layout(self.owner): False}
        return replace(
            self,
            card=None if self.face == "down" else self.card,
            second=None,
            postings=veiled(self.postings, lambda posting: secret[posting.source]),
        )

    def reveals(self) -> Audience:
        """Return the new owner, who learns the face-down cards."""
        return only(self.owner)


@chapter.event
class CopiesTakenBack(Event, frozen=True, kw_only=True):
    """The buyers take the other copies back into their hands (forced.10)."""

    en: ClassVar[str] = "Cards taken back: {copies:copies}."
    fr: ClassVar[str] = "Cartes reprises : {copies:copies}."

    rule: str = "negoces2:forced.10"
    good: int
    copies: dict[str, int]
    """The number of copies taken back by each buyer."""


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=(
        "force the sale with a second card, face down",
        "forcer la vente avec une deuxième carte, face cachée",
    ),
    when=("while the card is negotiated, as the seller", "pendant la négociation, pour le vendeur"),
)
class ForceSale(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seller adds a second card and forces the sale (forced.1), irrevocably (forced.2)."""

    final: ClassVar[str | None] = "negoces2:forced.2"

    card: CardId
    face: Face = "down"

    def decide(self, draft: Draft) -> None:
        """Lay the card face down; return all offers and the seller's coins at once (forced.3)."""
        seller = require_seller(draft)
        require_phase(draft, "negotiation", "negoces2:forced.1")
        if self.face == "up":
            raise Impossible(
                "negoces2:forced.2",
                "the second card of a forced sale is laid face down",
                "la deuxième carte d'une vente forcée se pose face cachée",
            )
        require_card(draft, hand(seller), self.card, "negoces2:forced.2")
        laid = draft.move(self.card, 1, hand(seller), SECOND_CARD)
        draft.record(SaleForced(seller=seller, card=self.card, postings=laid))
        offers.give_back(draft, "negoces2:forced.3")
        coins = draft.state.holdings.of(SALE_COINS, COIN)
        sale = draft.state.sale
        if coins and sale is not None:
            back = return_coins(draft, seller, coins, SALE_COINS, sale.hidden)
            draft.record(SaleCoinsReturned(seller=seller, coins=coins, postings=back))

    def redacted(self) -> Mapping[str, Any]:
        """Return the public part: the face of the card."""
        return {"face": self.face}

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer every card of the hand."""
        if state.phase == "negotiation" and seat == seller_of(state):
            yield from (Choice({"card": card}) for card in cards_in(state, hand(seat)))


@chapter.action(
    summary=("name the good one seeks", "annoncer la marchandise recherchée"),
    when=("once the sale is forced, as the seller", "une fois la vente forcée, pour le vendeur"),
)
class AnnounceGood(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seller of a forced sale names a good, by its number or its name (forced.4)."""

    good: Annotated[int | Annotated[str, Meta(min_length=1, max_length=40)], of_kind("good")]

    def decide(self, draft: Draft) -> None:
        """Refuse Contraband and a good in the seller's hand (forced.5); the buyers lay the good out (forced.6)."""
        state = draft.state
        seller = require_seller(draft)
        require_phase(draft, "announcing", "negoces2:forced.4")
        good = self._number(state)
        card = GOODS[good]
        if state.holdings.of(hand(seller), card):
            raise Impossible(
                "negoces2:forced.5",
                "{seller:seat} has {card} in hand and cannot ask for it",
                "{seller:seat} a en main une carte {carte} et ne peut pas en demander",
                seller=seller,
                card=label(state, card, "en"),
                carte=label(state, card, "fr"),
            )
        draft.record(GoodAnnounced(seller=seller, good=good))
        buyers = [seat for seat in state.order if seat != seller]
        copies = {seat: held for seat in buyers if (held := state.holdings.of(hand(seat), card))}
        out = tuple(Posting(card, held, hand(seat), layout(seat)) for seat, held in copies.items())
        draft.record(GoodLaidOut(good=good, copies=copies, postings=out))

    def _number(self, state: Negoces2) -> int:
        """Return the number of the named good. Raises Impossible by forced.4."""
        if self.good in GOODS:
            return int(self.good)
        named = str(self.good).casefold()
        for number, card in GOODS.items():
            names = (card, str(number), label(state, card, "en"), label(state, card, "fr"))
            if named in {name.casefold() for name in names}:
                return number
        raise Impossible(
            "negoces2:forced.4",
            "{good} is not one of the 8 goods: {goods}",
            "{good} n'est pas une des 8 marchandises : {marchandises}",
            good=self.good,
            goods=", ".join(f"{number} {label(state, card, 'en')}" for number, card in GOODS.items()),
            marchandises=", ".join(f"{number} {label(state, card, 'fr')}" for number, card in GOODS.items()),
        )

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer every good."""
        if state.phase == "announcing" and seat == seller_of(state):
            yield from (Choice({"good": good}) for good in GOODS)


@chapter.action(
    summary=("choose one of the cards laid out", "choisir une des cartes étalées"),
    when=("once the good is laid out, as the seller", "une fois la marchandise étalée, pour le vendeur"),
)
class ChooseCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seller of a forced sale takes a copy from a buyer of their choice (forced.8, setup.2)."""

    final: ClassVar[str | None] = "negoces2:forced.8"

    owner: SeatId

    def decide(self, draft: Draft) -> None:
        """Give the owner both cards of the market (forced.9); the owner is the next seller (forced.11)."""
        state = draft.state
        seller = require_seller(draft)
        require_phase(draft, "choosing", "negoces2:forced.8")
        owner = seat_named(state, self.owner, "negoces2:forced.8")
        chosen = card_at(state, layout(owner))
        first, second = card_at(state, SALE_CARD), card_at(state, SECOND_CARD)
        sale = state.sale
        if chosen is None or first is None or second is None or sale is None or sale.good is None:
            raise Impossible(
                "negoces2:forced.8",
                "{owner:seat} has laid out no card to choose; cards lie before {owners:seats}",
                "{owner:seat} n'a étalé aucune carte à choisir ; il y en a devant {owners:seats}",
                owner=owner,
                owners=[seat for seat in state.order if card_at(state, layout(seat)) is not None],
            )
        draft.record(
            CardChosen(
                seller=seller,
                owner=owner,
                good=sale.good,
                face=sale.face,
                card=first,
                second=second,
                postings=(
                    Posting(chosen, 1, layout(owner), hand(seller)),
                    Posting(first, 1, SALE_CARD, hand(owner)),
                    Posting(second, 1, SECOND_CARD, hand(owner)),
                ),
            )
        )
        remaining = {seat: held for seat in state.order if (held := state.holdings.of(layout(seat), chosen))}
        back = tuple(Posting(chosen, held, layout(seat), hand(seat)) for seat, held in remaining.items())
        draft.record(CopiesTakenBack(good=sale.good, copies=remaining, postings=back))
        end_sale(draft, seller, owner, "negoces2:forced.11")

    def redacted(self) -> Mapping[str, Any]:
        """Return the public part: the owner of the card."""
        return {"owner": self.owner}

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer every buyer with a laid-out copy."""
        if state.phase == "choosing" and seat == seller_of(state):
            yield from (Choice({"owner": owner}) for owner in state.order if card_at(state, layout(owner)))
