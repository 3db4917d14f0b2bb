"""VIII.D.6. Gifts: goods bought in a shop for another player arrive at once, without a delivery."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.facts.audience import BANKER_ONLY, Audience, Viewer, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import SeatId
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter, renamed
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.goods import doses, shops, vehicles
from ledger.rulebooks.negopoly.mercenaries import bar
from ledger.rulebooks.negopoly.squares import hospital
from ledger.rulebooks.negopoly.table.pieces import ARSENAL, ITEMS, VEHICLES, SoldId, in_short
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    open_passages,
    others_in_play,
    own_turn,
    passed,
    pay,
    seat_named,
    squares_of,
)
from ledger.rulebooks.negopoly.table.terms import MONEY, Pieces, money_words, player

chapter = Chapter("VIII.D.6. Gifts")

_PRICED_BY_RECEIVER = {doses.DOSE, "c4"}
"""Goods with a price that depends on the receiver's inventory (VII.A.3, IX.C.10)."""


@chapter.event
class BoughtForPlayer(Event, frozen=True, kw_only=True):
    """A player buys goods in a shop for another player, who has them at once (VIII.D.6)."""

    en: ClassVar[str] = "{seat:seat} buys {quantity} × {item:goods} for {to:seat}{cost.en}."
    fr: ClassVar[str] = "{seat:seat} achète {quantity} × {item:goods} pour {to:seat}{cost.fr}."

    rule: str = "VIII.D.6"
    seat: str
    to: str
    item: SoldId
    quantity: int
    price: int | None
    """The total price, in whole ₦; None if hidden."""

    @property
    def cost(self) -> Phrase:
        """The price as the end of a sentence, in English and French."""
        if self.price is None:
            return Phrase("", "")
        price = money_words(self.price)
        return Phrase(f" at {price.en}", f" au prix de {price.fr}")

    def audience(self) -> Audience:
        """Return the buyer and the receiver: purchases are secret (I.C.6)."""
        return only(self.seat, self.to)

    def reveals(self) -> Audience:
        """Return the buyer: the price of doses or charges reveals how many the receiver has."""
        return only(self.seat) if self.item in _PRICED_BY_RECEIVER else BANKER_ONLY

    def redacted(self, viewer: Viewer) -> Event | None:
        """Hide the price from the buyer in a dry run. Keep nothing for other viewers."""
        if viewer.seat != self.seat:
            return None
        return replace(
            self, price=None, postings=tuple(posting for posting in self.postings if posting.commodity != MONEY)
        )


@chapter.action(
    summary=("buy something for another player", "acheter quelque chose pour un autre joueur"),
    when=(
        "in your own turn, where the shop would sell it to you",
        "pendant son tour, là où le magasin vous le vendrait",
    ),
)
class BuyForPlayer(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player buys doses, prescriptions, vehicles or weapons for another player, at the shop (VIII.D.6)."""

    to: SeatId
    commodity: SoldId
    amount: Pieces = 1

    def decide(self, draft: Draft) -> None:
        """Refuse away from the shop or without the funds; the receiver's inventory decides the price."""
        own_turn(draft, "II.D.4")
        seat = draft.seat
        to = seat_named(draft.state, self.to, "VIII.D.6")
        if to == seat:
            raise Impossible(
                "VIII.D.6",
                "{seat:seat} is not somebody else: buy it for yourself",
                "{seat:seat} n'est pas quelqu'un d'autre : achetez-le pour vous-même",
                seat=seat,
            )
        price, postings = self._price_and_postings(draft, to)
        draft.record(
            BoughtForPlayer(
                seat=seat, to=to, item=self.commodity, quantity=self.amount, price=price, postings=postings
            )
        )

    def _price_and_postings(self, draft: Draft, to: str) -> tuple[int, tuple[Posting, ...]]:
        """Return the price of all pieces, in whole ₦, and the postings of the sale."""
        seat, state = draft.seat, draft.state
        if self.commodity in _PRICED_BY_RECEIVER:
            price = self._revealing_price(draft, to)
            paid = draft.move(MONEY, price, player(seat), BANK)
        elif self.commodity == hospital.PRESCRIPTION:
            passed(draft, squares_of(state, "hopital"), "VI.C.3", stop_only=True)
            price = ITEMS[self.commodity].price * self.amount
            paid = pay(draft, seat, price, "VIII.D.6")
        else:
            shops.may_buy(draft, self.commodity)
            unit_prices, postings, _ = shops.handed_over(
                draft, seat, self.commodity, self.amount, rule="VIII.D.6", to=to
            )
            return sum(unit_prices), postings
        return price, (*paid, Posting(self.commodity, self.amount, BANK, player(to)))

    def _revealing_price(self, draft: Draft, to: str) -> int:
        """Return the price for the receiver's inventory. The refusal for missing funds hides the price."""
        seat, state = draft.seat, draft.state
        if self.commodity == doses.DOSE:
            passed(draft, squares_of(state, "spawn"), "VII.A.1")
            price = sum(doses.price(state, to, self.amount, buyer=seat))
        else:
            shops.may_buy(draft, self.commodity)
            price = sum(shops.prices(state, seat, self.commodity, self.amount, to=to))
        draft.require(
            state.settings.voluntary_overdraft or state.holdings.of(player(seat), MONEY) >= price,
            "VIII.D.6",
            "{seat:seat} has not got what {amount} × {item} for {to:seat} would cost",
            "{seat:seat} n'a pas de quoi payer {amount} × {item} pour {to:seat}",
            known_to=only(seat),
            seat=seat,
            amount=self.amount,
            item=ITEMS[self.commodity].name,
            to=to,
        )
        return price

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer a piece of each kind of goods on sale at the square, for each other player."""
        if state.turn is None or state.turn.seat != seat:
            return
        for item in _on_sale(state, seat):
            alike: Hashable
            cost: int | None
            if item in _PRICED_BY_RECEIVER:
                alike, cost = None, None
            elif item == hospital.PRESCRIPTION:
                alike, cost = item, None
            else:
                alike, cost = shops.offer_of(state, seat, item)
            for recipient in others_in_play(state, seat):
                yield Choice(
                    {"to": recipient, "commodity": item, "amount": 1}, free=("amount",), alike=alike, cost=cost
                )


chapter.upcast_action("buy_for_player", renamed(item="commodity", quantity="amount"))
chapter.upcast_action("buy_for_player", in_short)


def _on_sale(state: Negopoly, seat: str) -> Iterable[str]:
    """Yield the goods that the player in turn may try to buy."""
    if open_passages(state, squares_of(state, "spawn")):
        yield doses.DOSE
    if open_passages(state, squares_of(state, "hopital"), stop_only=True):
        yield hospital.PRESCRIPTION
    if vehicles.is_open(state, seat):
        yield from VEHICLES
    if bar.is_open(state) or (
        quarters.has_ability(state, seat, "jaune") and open_passages(state, squares_of(state, shops.BAR))
    ):
        yield from ARSENAL
