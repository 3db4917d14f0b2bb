"""Sales: the seller puts a card on the market, negotiates, and accepts an offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negoces2 import auction, offers
from ledger.rulebooks.negoces2.cards import COIN
from ledger.rulebooks.negoces2.table import (
    Draft,
    Negoces2,
    card_at,
    cards_in,
    coins_of,
    lay_coins,
    player,
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
    Coins,
    Face,
    FromHidden,
    Sale,
    hand,
    into_account,
    layout,
    offer_card,
    offer_coins,
    veiled,
    visible,
)
from ledger.rulebooks.parts.seats import seat_named

chapter = Chapter("Sales")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class CardLaid(Event, frozen=True, kw_only=True):
    """The seller puts a card on the market, face up or face down, irrevocably (sale.1 to sale.4)."""

    en: ClassVar[str] = "{seller:seat} puts {card:card} up for sale, {face:face}."
    fr: ClassVar[str] = "{seller:seat} met en vente {card:card}, {face:face}."

    rule: str = "negoces2:sale.2"
    seller: str
    face: Face
    card: str | None
    """None for viewers who may not see the card."""

    def apply(self, state: Negoces2) -> None:
        """Start a new sale, which ends the time for claims."""
        state.sellers.add(self.seller)
        state.phase = "negotiation"
        state.sale = Sale(seller=self.seller, face=self.face)

    def audience(self) -> Audience:
        """Return everybody for a face-up card, otherwise the seller (secrecy.1)."""
        return EVERYONE if self.face == "up" else only(self.seller)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the face-down card. The presence of a card is public."""
        if viewer.seat == self.seller:
            return self
        return replace(self, card=None, postings=veiled(self.postings, into_account(SALE_CARD)))

    def reveals(self) -> Audience:
        """Return everybody for a face-up card, which was in a hand."""
        return EVERYONE if self.face == "up" else BANKER_ONLY


@chapter.event
class SaleCoinsLaid(Event, frozen=True, kw_only=True):
    """The seller adds visible coins to the card for sale (sale.14)."""

    en: ClassVar[str] = "{seller:seat} lays {coins:coins} on the card for sale."
    fr: ClassVar[str] = "{seller:seat} pose {coins:coins} sur la carte en vente."

    rule: str = "negoces2:sale.14"
    seller: str
    coins: int
    hidden: int
    """The number of hidden coins among the laid coins."""

    def apply(self, state: Negoces2) -> None:
        """Count the hidden coins, which become hidden again on return."""
        if state.sale is not None:
            state.sale = replace(state.sale, hidden=state.sale.hidden + self.hidden)


@chapter.event
class SaleCoinsTaken(Event, frozen=True, kw_only=True):
    """The seller takes coins off the card (sale.14); offers made before must be made again (sale.16)."""

    en: ClassVar[str] = "{seller:seat} takes {coins:coins} off the card for sale."
    fr: ClassVar[str] = "{seller:seat} retire {coins:coins} de la carte en vente."

    rule: str = "negoces2:sale.14"
    seller: str
    coins: int
    hidden: int
    """The number of coins that become hidden again."""

    def apply(self, state: Negoces2) -> None:
        """Mark all offers as stale, because the offers were made for more coins."""
        if state.sale is not None:
            state.sale = replace(state.sale, hidden=state.sale.hidden - self.hidden)
        for buyer, offer in state.offers.items():
            state.offers[buyer] = replace(offer, stale=True)


@chapter.event
class OfferAccepted(Event, frozen=True, kw_only=True):
    """The seller and one buyer exchange the sale and the offer at once (sale.16, sale.17)."""

    en: ClassVar[str] = "{seller:seat} gives {given:lot} to {buyer:seat} for {received:lot}."
    fr: ClassVar[str] = "{seller:seat} donne {given:lot} à {buyer:seat} contre {received:lot}."

    rule: str = "negoces2:sale.16"
    seller: str
    buyer: str
    face: Face
    card: str | None
    """The card sold; None for viewers who may not see the card."""
    coins: int
    """The coins added by the seller."""
    offer_face: Face | None
    offer_card: str | None
    """The card received; None without a card, and for viewers who may not see the card."""
    offer_coins: int

    @property
    def given(self) -> tuple[Face | None, str | None, int]:
        """The lot for the buyer, for a sentence."""
        return self.face, self.card, self.coins

    @property
    def received(self) -> tuple[Face | None, str | None, int]:
        """The lot for the seller, for a sentence."""
        return self.offer_face, self.offer_card, self.offer_coins

    def apply(self, state: Negoces2) -> None:
        """Remove the accepted offer."""
        state.require_part(self.buyer in state.offers)
        del state.offers[self.buyer]

    def audience(self) -> Audience:
        """Return everybody; only the two players if a card lay face down (secrecy.2)."""
        return EVERYONE if "down" not in {self.face, self.offer_face} else only(self.seller, self.buyer)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide face-down cards. The seller and the buyer each see the card given."""
        sold = self.face == "down" and viewer.seat != self.seller
        received = self.offer_face == "down" and viewer.seat != self.buyer
        secret = {SALE_CARD: sold, offer_card(self.buyer): received}
        return replace(
            self,
            card=None if sold else self.card,
            offer_card=None if received else self.offer_card,
            postings=veiled(self.postings, lambda posting: secret[posting.source]),
        )

    def reveals(self) -> Audience:
        """Return the new owner of each face-down card."""
        return only(
            self.buyer if self.face == "down" else None, self.seller if self.offer_face == "down" else None
        )


@chapter.event
class SaleEnded(Event, frozen=True, kw_only=True):
    """A sale is completed; the player with nine cards is the next seller (seller.4)."""

    en: ClassVar[str] = "The sale is over: {next_seller:seat} has nine cards and is the seller."
    fr: ClassVar[str] = "La vente est terminée : {next_seller:seat} a neuf cartes et devient le vendeur."

    rule: str
    seller: str
    next_seller: str

    def apply(self, state: Negoces2) -> None:
        """End the sale; players may claim victory until the next card is on the market (end.1)."""
        state.phase = "between"
        state.sale = None
        state.sales += 1
        state.sellers.add(self.next_seller)


@chapter.event
class SaleBrokenOff(Event, frozen=True, kw_only=True):
    """A corrected history leaves a sale without an end: cards and coins go back to their owners (banker.2)."""

    en: ClassVar[str] = "The sale of {seller:seat} comes to nothing: cards and coins go back."
    fr: ClassVar[str] = "La vente {seller:de|seat} n'aboutit pas : cartes et pièces reviennent."

    rule: str = "negoces2:banker.2"
    seller: str
    face: Face
    """The face of the card for sale. A second card lies face down."""

    def apply(self, state: Negoces2) -> None:
        """End the sale without counting it."""
        state.phase = "between"
        state.sale = None

    def audience(self) -> Audience:
        """Return everybody, or the seller if a card lay face down (secrecy.1)."""
        hides = self.face == "down" or any(posting.source == SECOND_CARD for posting in self.postings)
        return only(self.seller) if hides else EVERYONE

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the cards that lay face down."""
        secret = {SECOND_CARD, *([SALE_CARD] if self.face == "down" else [])}
        return replace(self, postings=veiled(self.postings, lambda posting: posting.source in secret))


def _close(draft: Draft) -> None:
    """Close what a corrected history leaves open before a sale that the table has played.

    A bidder who said nothing more has withdrawn. A sale under way comes to nothing.
    """
    state = draft.state
    auction.close(draft)
    if (sale := state.sale) is not None:
        offers.give_back(draft, "negoces2:banker.2")
        owners = {SALE_CARD: sale.seller, SECOND_CARD: sale.seller, **{layout(seat): seat for seat in state.order}}
        cards = (
            Posting(card, copies, account, hand(owner))
            for account, owner in owners.items()
            for card, copies in cards_in(state, account).items()
        )
        coins = return_coins(draft, sale.seller, state.holdings.of(SALE_COINS, COIN), SALE_COINS, sale.hidden)
        draft.record(SaleBrokenOff(seller=sale.seller, face=sale.face, postings=(*cards, *coins)))


def end_sale(draft: Draft, seller: str, next_seller: str, rule: str) -> None:
    """End the completed sale. Raises Impossible unless exactly one player has nine cards (seller.2).

    In a corrected history a sale that the table has played ends all the same; the banker is warned of the hands.
    """
    counts = {seat: sum(cards_in(draft.state, hand(seat)).values()) for seat in draft.state.order}
    if sorted(counts.values()) != [8, 8, 8, 9] and not draft.is_replayed:
        raise Impossible(
            "negoces2:seller.2",
            "after a sale one player holds 9 cards and the others 8, not {counts:tally}",
            "après une vente un joueur a 9 cartes et les autres 8, pas {counts:tally}",
            counts=counts,
        )
    draft.record(SaleEnded(rule=rule, seller=seller, next_seller=next_seller))


# ----------------------------------------------------------------------------------------------
# Actions
# ----------------------------------------------------------------------------------------------


@chapter.action(
    summary=(
        "put one card up for sale, face up or face down",
        "mettre une carte en vente, face visible ou cachée",
    ),
    when=("between two sales, as the seller", "entre deux ventes, pour le vendeur"),
)
class OfferForSale(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seller puts one card of their hand on the market; they must sell it (sale.1, sale.5)."""

    final: ClassVar[str | None] = "negoces2:sale.4"

    card: CardId
    face: Face = "up"

    def decide(self, draft: Draft) -> None:
        """Refuse during the auction, during a sale, and while a claim waits for answers.

        In a corrected history the sale stands in the turn in which the table has played it.
        """
        state = draft.state
        if draft.is_replayed:
            _close(draft)
        if state.phase in {"setup", "auction"}:
            require_phase(draft, "between", "negoces2:auction.1")
        seller = player(draft, "negoces2:seller.3") if draft.is_replayed else require_seller(draft)
        require_phase(draft, "between", "negoces2:sale.1")
        if state.claims:
            raise Impossible(
                "negoces2:end.8",
                "{claimants:seats} claims victory: every other player claims or declines first",
                "{claimants:seats} revendique la victoire : chaque autre joueur revendique ou y renonce d'abord",
                claimants=sorted(state.claims),
            )
        require_card(draft, hand(seller), self.card, "negoces2:sale.1")
        laid = draft.move(self.card, 1, hand(seller), SALE_CARD)
        draft.record(CardLaid(seller=seller, face=self.face, card=self.card, postings=laid))

    def redacted(self) -> Mapping[str, Any]:
        """Return the public part: the face of the card."""
        return {"face": self.face}

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer every card of the hand, face up or face down."""
        if state.phase == "between" and seat == seller_of(state):
            for card in cards_in(state, hand(seat)):
                yield Choice({"card": card, "face": "up"})
                yield Choice({"card": card, "face": "down"})


@chapter.action(
    summary=("lay coins on the card for sale", "poser des pièces sur la carte en vente"),
    when=("while the card is negotiated, as the seller", "pendant la négociation, pour le vendeur"),
)
class AddCoinsToSale(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seller adds coins to the card for sale (sale.14)."""

    coins: Coins
    hidden: FromHidden | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse more coins than the seller has."""
        seller = require_seller(draft)
        require_phase(draft, "negotiation", "negoces2:sale.14")
        laid, hidden_coins = lay_coins(draft, seller, self.coins, SALE_COINS, "negoces2:sale.14", self.hidden)
        draft.record(SaleCoinsLaid(seller=seller, coins=self.coins, hidden=hidden_coins, postings=laid))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer a coin. The number, visible or hidden, may be changed."""
        if state.phase == "negotiation" and seat == seller_of(state) and (maximum := coins_of(state, seat)):
            yield Choice({"coins": 1}, free={"coins": Bounds(1, maximum), "hidden": Bounds()})


@chapter.action(
    summary=("take coins off the card for sale", "retirer des pièces de la carte en vente"),
    when=("while the card is negotiated, as the seller", "pendant la négociation, pour le vendeur"),
)
class RemoveCoinsFromSale(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seller takes back coins from the card for sale (sale.14)."""

    coins: Coins

    def decide(self, draft: Draft) -> None:
        """Refuse more coins than laid. Coins that were visible come back first."""
        seller = require_seller(draft)
        require_phase(draft, "negotiation", "negoces2:sale.14")
        sale = draft.state.sale
        available = draft.state.holdings.of(SALE_COINS, COIN)
        if self.coins > available or sale is None:
            raise Impossible(
                "negoces2:sale.14",
                "coins on the card: {there}; {coins} cannot be taken off",
                "pièces sur la carte : {there} ; on ne peut pas en retirer {coins}",
                there=available,
                coins=self.coins,
            )
        to_hidden = max(0, self.coins - (available - sale.hidden))
        back = return_coins(draft, seller, self.coins, SALE_COINS, to_hidden)
        draft.record(SaleCoinsTaken(seller=seller, coins=self.coins, hidden=to_hidden, postings=back))

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer a coin. The number may be changed."""
        laid = state.holdings.of(SALE_COINS, COIN)
        if state.phase == "negotiation" and seat == seller_of(state) and laid:
            yield Choice({"coins": 1}, free={"coins": Bounds(1, laid)})


Revision = Annotated[
    str, Meta(min_length=1, max_length=40, description="revision of the offer, as it stands"), of_kind("choice")
]


@chapter.action(
    summary=("accept one of the standing offers", "accepter une des offres"),
    when=("while the card is negotiated, as the seller", "pendant la négociation, pour le vendeur"),
)
class AcceptOffer(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The seller accepts the offer of a buyer of their choice (sale.15), as it stands (sale.16)."""

    final: ClassVar[str | None] = "negoces2:sale.16"

    buyer: SeatId
    revision: Revision

    def decide(self, draft: Draft) -> None:
        """Exchange, and return all other offers (sale.18). The player with nine cards sells next (sale.19)."""
        state = draft.state
        seller = require_seller(draft)
        require_phase(draft, "negotiation", "negoces2:sale.15", offers.CLOSED)
        buyer = seat_named(state, self.buyer, "negoces2:sale.15")
        offer = state.offers.get(buyer)
        sale = state.sale
        if offer is None or sale is None:
            raise Impossible(
                "negoces2:sale.15",
                "{buyer:seat} has no offer on the table",
                "{buyer:seat} n'a pas d'offre sur la table",
                buyer=buyer,
            )
        # In a corrected history the seller accepts the offer of the corrected history.
        draft.require_now(
            offer.revision == self.revision,
            "negoces2:sale.16",
            "the offer of {buyer:seat} stands at revision {now}, not {named}: look at it before accepting it",
            "l'offre {buyer:de|seat} en est à la révision {now}, et non {named} : regardez-la avant de l'accepter",
            buyer=buyer,
            now=offer.revision,
            named=self.revision,
        )
        draft.require(
            not offer.stale,
            "negoces2:sale.16",
            "{seller:seat} has taken coins off the card since {buyer:seat} laid this offer: "
            "{buyer:seat} must lay it anew",
            "{seller:seat} a retiré des pièces de la carte depuis l'offre {buyer:de|seat}, qui doit la reposer",
            seller=seller,
            buyer=buyer,
        )
        sold, received = card_at(state, SALE_CARD), card_at(state, offer_card(buyer))
        coins = state.holdings.of(SALE_COINS, COIN)
        postings: list[Posting] = []
        for card, source, taker in ((sold, SALE_CARD, buyer), (received, offer_card(buyer), seller)):
            if card is not None:
                postings += draft.move(card, 1, source, hand(taker))
        postings += draft.move(COIN, coins, SALE_COINS, visible(buyer))
        postings += draft.move(COIN, offer.coins, offer_coins(buyer), visible(seller))
        draft.record(
            OfferAccepted(
                seller=seller,
                buyer=buyer,
                face=sale.face,
                card=sold,
                coins=coins,
                offer_face=offer.face,
                offer_card=received,
                offer_coins=offer.coins,
                postings=tuple(postings),
            )
        )
        offers.give_back(draft, "negoces2:sale.18")
        end_sale(draft, seller, buyer if received is None else seller, "negoces2:sale.19")

    def redacted(self) -> Mapping[str, Any]:
        """Return the public part: the buyer."""
        return {"buyer": self.buyer, "revision": self.revision}

    @classmethod
    def choices(cls, state: Negoces2, seat: str) -> Iterable[Choice]:
        """Offer every standing offer."""
        if state.phase == "negotiation" and seat == seller_of(state):
            for buyer in state.order:
                if buyer in state.offers:
                    yield Choice({"buyer": buyer, "revision": state.offers[buyer].revision})
