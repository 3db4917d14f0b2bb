"""The events of decks: a draw, an empty deck, a card back under the deck."""

from __future__ import annotations

from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, has_role
from ledger.rulebooks.parts import decks

chapter = Chapter("Cards")


@chapter.event
class CardDrawn(Event, frozen=True, kw_only=True):
    """A player draws the top card of a deck and reads it out."""

    en: ClassVar[str] = "{seat:seat} draws a card: {card:card}"
    fr: ClassVar[str] = "{seat:seat} tire une carte : {card:card}"

    seat: str
    deck: str
    card: str

    def apply(self, state: Monopoly) -> None:
        """Close the landing, and take the card from the cards put back."""
        _close(state)
        below = state.under.get(self.deck, ())
        if self.card in below:
            state.under[self.deck] = tuple(card for card in below if card != self.card)


@chapter.event
class NoCardLeft(Event, frozen=True, kw_only=True):
    """All cards of a deck are in players' hands: nothing is drawn."""

    en: ClassVar[str] = "There is no card left for {seat:seat} to draw."
    fr: ClassVar[str] = "Il ne reste pas de carte à tirer pour {seat:seat}."

    seat: str
    deck: str

    def apply(self, state: Monopoly) -> None:
        """End the stop: the square requires nothing more."""
        _close(state)


@chapter.event
class CardReturned(Event, frozen=True, kw_only=True):
    """A card goes back under its deck, face down."""

    en: ClassVar[str] = "The card goes back to the bottom of {pile:account}."
    fr: ClassVar[str] = "La carte retourne à sa place, tout en dessous : {pile:account}."

    seat: str
    deck: str
    card: str

    @property
    def pile(self) -> str:
        """The account of the deck."""
        return decks.pile(self.deck)

    def apply(self, state: Monopoly) -> None:
        """Put the card after all others."""
        state.under[self.deck] = (*state.under.get(self.deck, ()), self.card)


def _close(state: Monopoly) -> None:
    """Close the draw ordered by another card, or else the landing."""
    if state.choosing is not None and state.choosing.ask == "draw":
        state.choosing, state.remaining = None, ()
    else:
        state.landing = None


def put_under(draft: Draft, seat: str, deck: str, card: str, rule: str) -> None:
    """Record the return of a card under the deck."""
    under = cite(draft.state, "card_under") if has_role(draft.state, "card_under") else rule
    draft.record(CardReturned(rule=under, seat=seat, deck=deck, card=card))
