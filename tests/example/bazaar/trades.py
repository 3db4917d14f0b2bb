"""Trades: a face-down card to another player, for coins and perhaps a card of a good (trade)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from ledger.kernel.facts.agreements import Agreement, Terms
from ledger.kernel.facts.audience import Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId, of_kind
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Bounds, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.faces.agreements import Agreements
from ledger.rulebooks.parts import agreements, decks
from ledger.rulebooks.parts.seats import payment, seat_named
from ledger.rulebooks.parts.seats import player as purse
from tests.example.bazaar.cards import CARDS, GOODS
from tests.example.bazaar.table import (
    VEIL,
    Bazaar,
    CardId,
    Draft,
    GoodId,
    Trade,
    cards_of,
    hand,
    moved,
    offer,
    require_card,
    require_phase,
    veiled,
)

chapter = Chapter("Trades")

TradeId = Annotated[str, Meta(min_length=1, max_length=40), of_kind("agreement", collection="trades")]
NAMED = agreements.Named("trade", "l'échange", "d'échange")
STATUSES: Mapping[str, Phrase] = {
    "open": Phrase("open", "ouvert"),
    "accepted": Phrase("accepted", "accepté"),
    "withdrawn": Phrase("withdrawn", "retiré"),
    "refused": Phrase("refused", "refusé"),
    "lapsed": Phrase("lapsed", "caduc"),
}


class TradeEvent(Event, frozen=True, kw_only=True):
    """A fact about a trade. Everybody knows the parties, and nobody else the card (trade.3)."""

    trade: str
    by: str
    to: str
    card: str | None
    """The offered card; None for viewers who may not see the card."""

    def audience(self) -> Audience:
        """Return the offering player."""
        return only(self.by)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the card."""
        return replace(self, card=None, postings=veiled(self.postings))


@chapter.event
class TradeOffered(TradeEvent, frozen=True, kw_only=True):
    """A player offers a card face down; only the parties know the terms (trade.4)."""

    en: ClassVar[str] = "{by:seat} offers {to:seat} {card:card} face down{terms:terms} (trade {trade})."
    fr: ClassVar[str] = "{by:seat} propose à {to:seat} {card:card} face cachée{terms:terms} (échange {trade})."

    rule: str = "bazaar:trade.1"
    price: int | None
    wants: str | None

    @property
    def terms(self) -> tuple[int | None, str | None]:
        """The coins and the good, for a sentence."""
        return self.price, self.wants

    def apply(self, state: Bazaar) -> None:
        """Open the trade."""
        state.open[self.trade] = Trade(
            id=self.trade, by=self.by, to=self.to, price=self.price or 0, wants=self.wants
        )

    def redacted(self, viewer: Viewer) -> Event:
        """Hide the card from the other party, and the terms from the rest."""
        shown = replace(self, card=None, postings=veiled(self.postings))
        return shown if viewer.seat == self.to else replace(shown, price=None, wants=None)


@chapter.event
class TradeAccepted(TradeEvent, frozen=True, kw_only=True):
    """Card, coins and the card in return change hands at once (trade.5)."""

    en: ClassVar[str] = "{to:seat} accepts trade {trade} of {by:seat}: {card:card}{terms:terms}."
    fr: ClassVar[str] = "{to:seat} accepte l'échange {trade} {by:de|seat} : {card:card}{terms:terms}."

    rule: str = "bazaar:trade.5"
    price: int
    swapped: bool
    """True if a card goes back. Hands and purses show as much to everybody (hand.2, hand.3)."""
    given: str | None

    @property
    def terms(self) -> tuple[int, str | None]:
        """The coins and the card in return, for a sentence."""
        return self.price, self.given or (VEIL if self.swapped else None)

    def apply(self, state: Bazaar) -> None:
        """End the trade."""
        _end(state, self.trade, "accepted")

    def audience(self) -> Audience:
        """Return both parties."""
        return only(self.by, self.to)

    def redacted(self, viewer: Viewer) -> Event:
        """Hide both cards."""
        return replace(self, card=None, given=None, postings=veiled(self.postings))

    def reveals(self) -> Audience:
        """Return both parties: each learns a card."""
        return only(self.by, self.to)


@chapter.event
class TradeClosed(TradeEvent, frozen=True, kw_only=True):
    """A trade ends without an exchange, and the card goes back (trade.7)."""

    en: ClassVar[str] = "{by:seat} takes back {card:card}: trade {trade} is {status:status}."
    fr: ClassVar[str] = "{by:seat} reprend {card:card} : l'échange {trade} est {status:status}."

    rule: str = "bazaar:trade.7"
    status: Literal["withdrawn", "refused", "lapsed"]

    def apply(self, state: Bazaar) -> None:
        """End the trade."""
        _end(state, self.trade, self.status)


def _end(state: Bazaar, trade: str, status: str) -> None:
    """Store an ended trade."""
    agreements.keep(state, replace(state.open[trade], status=status), ended=True)


@chapter.action(
    summary=("offer another player a card", "proposer une carte à un autre joueur"),
    when=("during the turns", "pendant les tours"),
)
class OfferTrade(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player lays a card face down for another player, and names the terms (trade.1)."""

    to: SeatId
    card: CardId
    price: Annotated[int, Meta(ge=0, le=1_000_000), of_kind("amount")] = 0
    wants: GoodId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse a second open offer (trade.2)."""
        seat, to = draft.seat, seat_named(draft.state, self.to, "bazaar:trade.1")
        require_phase(draft, "turns", "bazaar:trade.1")
        if to == seat:
            raise Impossible(
                "bazaar:trade.1", "{seat:seat} trades alone", "{seat:seat} échange tout seul", seat=seat
            )
        if offer_of(draft.state, seat) is not None:
            raise Impossible(
                "bazaar:trade.2", "{seat:seat} has an open offer", "{seat:seat} a une offre ouverte", seat=seat
            )
        require_card(draft, seat, self.card, "bazaar:trade.1")
        draft.record(
            TradeOffered(
                trade=draft.new_id(),
                by=seat,
                to=to,
                card=self.card,
                price=self.price,
                wants=self.wants,
                postings=moved([self.card], hand(seat), offer(seat)),
            )
        )

    def redacted(self) -> Mapping[str, Any]:
        """Return the public part: the other party."""
        return {"to": self.to}

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> Iterable[Choice]:
        """Offer each card to each player for some coins, alone or with a card of another good in return."""
        if state.phase == "turns" and seat in state.seats and offer_of(state, seat) is None:
            cards = cards_of(state, seat)
            for to in state.order if cards else ():
                for wants in ({}, {"wants": next(good for good in GOODS if good != CARDS[cards[0]].good)}):
                    for card in cards if to != seat else ():
                        params = {"to": to, "card": card, "price": 2, **wants}
                        yield Choice(params, free={"price": Bounds(0)}, alike="offer")


@chapter.action(
    summary=("accept a trade", "accepter un échange"), when=("while it is open", "tant qu'il est ouvert")
)
class AcceptTrade(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The other party accepts; the exchange is made at once (trade.5), and for good (trade.6)."""

    final: ClassVar[str | None] = "bazaar:trade.6"

    trade: TradeId
    gives: CardId | None = None

    def decide(self, draft: Draft) -> None:
        """Pay the price, and give a card of the wanted good, if any."""
        seat, trade = draft.seat, require_trade(draft, self.trade)
        draft.require(
            seat == trade.to,
            "bazaar:trade.5",
            "the trade is offered to {to:seat}, not to {seat:seat}",
            "l'échange est proposé à {to:seat}, pas à {seat:seat}",
            to=trade.to,
            seat=seat,
        )
        fits = (None if self.gives is None else self.gives.partition("_")[0]) == trade.wants
        if not fits:
            raise Impossible(
                "bazaar:trade.5",
                "the trade asks for {wants:or|no card|good} in return",
                "l'échange demande {wants:or|aucune carte|good} en retour",
                wants=trade.wants,
            ).to(only(trade.by, trade.to))
        given = () if self.gives is None else (self.gives,)
        for card in given:
            require_card(draft, seat, card, "bazaar:trade.5")
        offered = decks.held_in(draft.state, offer(trade.by))
        if not offered:
            raise Impossible("bazaar:trade.3", "the card is gone", "la carte n'est plus là")
        paid = payment(draft, seat, trade.price, "bazaar:trade.5", purse(trade.by))
        cards = (*moved(offered, offer(trade.by), hand(seat)), *moved(given, hand(seat), hand(trade.by)))
        draft.record(
            TradeAccepted(
                trade=trade.id,
                by=trade.by,
                to=seat,
                card=offered[0],
                price=trade.price,
                swapped=bool(given),
                given=self.gives,
                postings=(*cards, *paid),
            )
        )

    def redacted(self) -> Mapping[str, Any]:
        """Return the public part: the trade."""
        return {"trade": self.trade}

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> Iterable[Choice]:
        """Offer each trade to its other party, with each card that fits."""
        for trade in agreements.open_agreements(state, Trade):
            if trade.to == seat:
                cards = [None] if trade.wants is None else cards_of(state, seat, trade.wants)
                yield from (Choice({"trade": trade.id} | ({"gives": one} if one else {})) for one in cards)


@chapter.action(
    summary=("refuse a trade, or take it back", "refuser un échange, ou le reprendre"),
    when=("while it is open, as a party", "tant qu'il est ouvert, pour une partie"),
)
class CloseTrade(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party closes a trade: the card goes back (trade.7)."""

    trade: TradeId

    def decide(self, draft: Draft) -> None:
        """Refuse players outside the trade."""
        seat, trade = draft.seat, require_trade(draft, self.trade)
        draft.require(
            seat in {trade.by, trade.to},
            "bazaar:trade.7",
            "{seat:seat} is no party to the trade",
            "{seat:seat} n'est pas partie à l'échange",
            seat=seat,
        )
        close(draft, trade, "withdrawn" if seat == trade.by else "refused")

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> Iterable[Choice]:
        """Offer each trade to its parties."""
        return (Choice({"trade": trade.id}) for trade in state.open.values() if seat in {trade.by, trade.to})


def close(draft: Draft, trade: Trade, status: Literal["withdrawn", "refused", "lapsed"]) -> None:
    """End a trade without an exchange."""
    cards = decks.held_in(draft.state, offer(trade.by))
    draft.record(
        TradeClosed(
            trade=trade.id,
            by=trade.by,
            to=trade.to,
            card=cards[0] if cards else None,
            status=status,
            postings=moved(cards, offer(trade.by), hand(trade.by)),
        )
    )


def lapse(draft: Draft) -> None:
    """End every open trade with the round (trade.7)."""
    for trade in agreements.open_agreements(draft.state, Trade):
        close(draft, trade, "lapsed")


def require_trade(draft: Draft, trade: str) -> Trade:
    """Return an open trade. Raises Impossible by trade.5 for an unknown or ended trade."""
    status_fr = {status: words.fr for status, words in STATUSES.items()}
    return agreements.require_open(draft.state, Trade, trade, "bazaar:trade.5", NAMED, status_fr)


def offer_of(state: Bazaar, seat: str) -> Trade | None:
    """Return the open offer of a seat (trade.2)."""
    return next((trade for trade in state.open.values() if trade.by == seat), None)


def private_trades(events: Sequence[Event]) -> dict[str, frozenset[str]]:
    """Return the trades behind the events, each with the parties (banker.4)."""
    deals = (event for event in events if isinstance(event, TradeEvent))
    return {f"trade:{deal.trade}": frozenset({deal.by, deal.to}) for deal in deals}


class BazaarAgreements(Agreements[Bazaar]):
    """The trades, and their terms."""

    agreement_types: Mapping[str, type[Agreement]] = {"trades": Trade}

    def of(self, state: Bazaar, collection: str) -> list[Agreement]:
        """Return all trades in the order of the offers."""
        return agreements.in_order(agreements.scan(state, Trade))

    def open_agreements(self, state: Bazaar) -> Iterable[Agreement]:
        """Return the open trades."""
        return state.open.values()

    def terms(self, state: Bazaar, agreement: Agreement, language: str) -> Terms:
        """Return the price and the good of a trade."""
        if not isinstance(agreement, Trade):
            raise TypeError(f"{agreement.id} is no trade")
        wanted = () if agreement.wants is None else (GOODS[agreement.wants].in_language(language),)
        return Terms(
            label=Phrase("trade", "échange").in_language(language),
            title=Phrase("a card face down", "une carte face cachée").in_language(language),
            status=STATUSES[agreement.status].in_language(language),
            parties=(agreement.by, agreement.to),
            amount=agreement.price,
            terms=wanted,
            agreed=(agreement.by, agreement.to) if agreement.status == "accepted" else (agreement.by,),
        )
