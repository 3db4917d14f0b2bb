"""Decks of cards: a player draws the top card, obeys the text, and puts the card back under the deck.

A pile has no order: the next card is decided at the draw. Cards put back have an order, known to everybody:
once all others are drawn, these cards come again in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.monopoly.cards import card_effects
from ledger.rulebooks.monopoly.table.pieces import Square
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cite, has_role, on_turn, pieces
from ledger.rulebooks.monopoly.turns.prison import CardId
from ledger.rulebooks.parts import decks

chapter = Chapter("Cards")


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


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
        state.landing = None
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
        state.landing = None


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


# ----------------------------------------------------------------------------------------------
# Drawing
# ----------------------------------------------------------------------------------------------


def top_of(state: Monopoly, deck: str) -> str | None:
    """Return the next card if everybody knows it: all cards left have been put back in order."""
    below = [card for card in state.under.get(deck, ()) if _lies_in(state, deck, card)]
    return below[0] if below and len(below) == decks.left_in(state, deck) else None


def _lies_in(state: Monopoly, deck: str, card: str) -> bool:
    return state.holdings.of(decks.pile(deck), decks.commodity(card)) > 0


@chapter.action(
    summary=("draw a card", "tirer une carte"),
    when=("after stopping on a card square", "après un arrêt sur une case de cartes"),
)
class DrawCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player on a card square draws the top card of its deck; the table says which one it was."""

    card: CardId | None = None

    def decide(self, draft: Draft) -> None:
        """Refuse elsewhere, and a card that cannot be on top: from another deck, in a hand, or under others."""
        state, seat = draft.state, on_turn(draft)
        square = _card_square(draft, seat)
        deck, rule = square.deck, cite(state, "card", square)
        drawn = self._drawn(draft, square)
        if drawn is None:
            draft.record(NoCardLeft(rule=rule, seat=seat, deck=deck))
            return
        card = pieces(state).card[drawn]
        draft.record(CardDrawn(rule=rule, seat=seat, deck=deck, card=card.id))
        card_effects.carry_out(draft, seat, card)
        if not card.is_kept:
            under = cite(state, "card_under") if has_role(state, "card_under") else rule
            draft.record(CardReturned(rule=under, seat=seat, deck=deck, card=card.id))

    def _drawn(self, draft: Draft, square: Square) -> str | None:
        """Return the id of the top card; None if no card is left. The table's word is accepted if possible."""
        state, deck = draft.state, square.deck
        below = state.under.get(deck, ())
        if self.card is not None:
            card, top = self.card.removeprefix("card:"), top_of(state, deck)
            there = _lies_in(state, deck, card)
            if there and (card == top or card not in below):
                if top is None:
                    draft.draws.offer((card,))
            else:
                draft.require_now(
                    False,
                    cite(state, "card", square),
                    "{card!r} cannot be the top card of {pile:account}",
                    "{card!r} ne peut pas être la carte du dessus : {pile:account}",
                    card=card,
                    pile=decks.pile(deck),
                )
                if there:  # the table has drawn the card, although a correction has put others on top since
                    draft.draws.offer((card,))
                    return draft.draws.cards("card", decks.held_in(state, decks.pile(deck)), named=deck)[0]
        return next(iter(decks.draw(draft, "card", deck, under=below)), None)

    @classmethod
    def choices(cls, state: Monopoly, seat: str) -> Iterable[Choice]:
        """Offer the draw to the player on a card square."""
        landing = state.landing
        due = landing is not None and landing.seat == seat and landing.todo == "card"
        return (Choice({}),) if due else ()


def _card_square(draft: Draft, seat: str) -> Square:
    """Return the card square with a draw due by the seat. Raises Impossible without a draw due."""
    state, landing = draft.state, draft.state.landing
    if landing is None or landing.seat != seat or landing.todo != "card":
        raise Impossible(
            cite(state, "card"),
            "{seat:seat} has no card to draw",
            "{seat:seat} n'a pas de carte à tirer",
            seat=seat,
        )
    return pieces(state).squares[landing.square]
