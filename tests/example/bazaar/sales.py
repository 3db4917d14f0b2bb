"""Sales: the player in turn sells cards of a good to the bank (sale)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.accounts import BANK
from ledger.kernel.rules.actions import Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player as purse
from tests.example.bazaar.cards import CARDS, GOODS
from tests.example.bazaar.table import (
    COIN,
    DECK,
    Bazaar,
    CardId,
    CardsShown,
    Draft,
    GoodId,
    TurnAction,
    cards_of,
    hand,
    in_turn,
    moved,
    require_card,
)

chapter = Chapter("Sales")

FEWEST, LOWEST = 2, 1
"""The cards of a sale (sale.2), and the lowest price of a card (sale.4)."""


@chapter.event
class GoodsSold(CardsShown, frozen=True, kw_only=True):
    """A player sells cards of a good, shown to everybody (hand.4), and the price falls (sale.4)."""

    en: ClassVar[str] = "{seat:seat} sells {cards:cards} for {gain:money}; {good:good} falls to {price:money}."
    fr: ClassVar[str] = "{seat:seat} vend {cards:cards} pour {gain:money} ; {good:good} tombe à {price:money}."

    rule: str = "bazaar:sale.3"
    good: str
    gain: int
    price: int
    """The price after the sale."""

    def apply(self, state: Bazaar) -> None:
        """One sale a turn (sale.1)."""
        state.prices[self.good], state.sold = self.price, True
        state.wares.add(self.good)


@chapter.action(
    summary=("sell cards of a good", "vendre des cartes d'une marchandise"),
    when=("in your turn, once", "à son tour, une fois"),
)
class SellGoods(TurnAction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player in turn sells two cards of a good, or more, at the good's price for each card (sale.3)."""

    good: GoodId
    cards: Annotated[tuple[CardId, ...], Meta(max_length=8)] | None = None
    """The cards; None for all cards of the good in the hand."""

    def decide(self, draft: Draft) -> None:
        """Refuse a second sale (sale.1), a single card, and cards of another good (sale.2)."""
        seat, state = in_turn(draft), draft.state
        draft.require(
            not state.sold, "bazaar:sale.1", "{seat:seat} has sold", "{seat:seat} a déjà vendu", seat=seat
        )
        cards = tuple(dict.fromkeys(cards_of(state, seat, self.good) if self.cards is None else self.cards))
        for card in cards:
            require_card(draft, seat, card, "bazaar:sale.2")
        draft.require(
            len(cards) >= FEWEST and {CARDS[card].good for card in cards} == {self.good},
            "bazaar:sale.2",
            "a sale takes two cards of {good:good}, or more",
            "une vente demande deux cartes {good:good}, ou plus",
            good=self.good,
        )
        gain = state.prices[self.good] * len(cards)
        postings = (
            *moved(cards, hand(seat), decks.discards(DECK)),
            *draft.move(COIN, gain, BANK, purse(seat)),
        )
        price = max(LOWEST, state.prices[self.good] - 1)
        draft.record(GoodsSold(seat=seat, good=self.good, cards=cards, gain=gain, price=price, postings=postings))

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> Iterable[Choice]:
        """Offer all cards of each good with enough cards."""
        if state.turn == seat:
            for good in GOODS:
                if len(cards_of(state, seat, good)) >= FEWEST:
                    yield Choice({"good": good}, free=("cards",))
