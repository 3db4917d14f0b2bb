"""Turns and rounds: a turn for each player, a hand of at most seven, and the next round (turn)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.actions import Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from tests.example.bazaar import scoring, trades
from tests.example.bazaar.table import (
    DECK,
    Bazaar,
    CardId,
    CardsShown,
    Draft,
    TurnAction,
    cards_of,
    hand,
    in_turn,
    moved,
    require_card,
    round_order,
)

chapter = Chapter("Turns and rounds")

LIMIT, HIGHEST = 7, 6
"""The cards of a hand at the end of a turn (turn.3), and the highest price of a card (sale.5)."""


@chapter.event
class RoundBegan(Event, frozen=True, kw_only=True):
    """A round begins, and the price of every good not sold in the last round rises (sale.5)."""

    en: ClassVar[str] = "Round {round} begins; prices: {prices:prices}."
    fr: ClassVar[str] = "Le tour de table {round} commence ; prix : {prices:prices}."

    rule: str
    round: int
    prices: dict[str, int]

    def apply(self, state: Bazaar) -> None:
        """Wait for the lot; nobody is in turn before."""
        state.round, state.prices, state.wares = self.round, self.prices, set()
        state.phase, state.turn = "lot", None


@chapter.event
class TurnBegan(Event, frozen=True, kw_only=True):
    """A player's turn begins (turn.1)."""

    en: ClassVar[str] = "It is {seat:seat}'s turn."
    fr: ClassVar[str] = "C'est le tour {seat:de|seat}."

    rule: str = "bazaar:turn.1"
    seat: str

    def apply(self, state: Bazaar) -> None:
        """Open the draw and the sale of the turn."""
        state.turn, state.drew, state.sold = self.seat, False, False


@chapter.event
class TurnEnded(CardsShown, frozen=True, kw_only=True):
    """A turn ends; cards above the limit are discarded face up (turn.3)."""

    en: ClassVar[str] = "{seat:seat} ends the turn; discarded: {cards:cards}."
    fr: ClassVar[str] = "{seat:seat} termine son tour ; défausse : {cards:cards}."


@chapter.action(summary=("end the turn", "terminer le tour"), when=("in your turn", "à son tour"))
class EndTurn(TurnAction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The player in turn ends it, with at most seven cards in hand (turn.3)."""

    discard: Annotated[tuple[CardId, ...], Meta(max_length=40)] = ()

    def decide(self, draft: Draft) -> None:
        """Discard exactly the cards above the limit: the lowest, where the game ends the turn itself (turn.5)."""
        seat, by_itself = in_turn(draft), draft.by == "system"
        excess = excess_of(draft.state, seat)
        cards = excess if by_itself else tuple(dict.fromkeys(self.discard))
        draft.require(
            len(cards) == len(excess),
            "bazaar:turn.3",
            "{seat:seat} discards {excess} cards, not {count}",
            "{seat:seat} défausse {excess} cartes, et non {count}",
            seat=seat,
            excess=len(excess),
            count=len(cards),
        )
        for card in cards:
            require_card(draft, seat, card, "bazaar:turn.3")
        postings = moved(cards, hand(seat), decks.discards(DECK))
        rule = "bazaar:turn.5" if by_itself else "bazaar:turn.3"
        draft.record(TurnEnded(rule=rule, seat=seat, cards=cards, postings=postings))
        order = round_order(draft.state)
        if seat != order[-1]:
            draft.record(TurnBegan(seat=order[order.index(seat) + 1]))
            return
        trades.lapse(draft)
        if draft.state.round < draft.state.settings.rounds:
            begin_round(draft)
        else:
            scoring.close(draft)

    @classmethod
    def choices(cls, state: Bazaar, seat: str) -> Iterable[Choice]:
        """Offer the end of the turn, with the lowest cards above the limit."""
        if state.turn == seat:
            excess = excess_of(state, seat)
            yield Choice({"discard": list(excess)}, free=("discard",)) if excess else Choice({})


def excess_of(state: Bazaar, seat: str) -> tuple[str, ...]:
    """Return the lowest cards of a hand, as many as are above the limit."""
    cards = cards_of(state, seat)
    return tuple(cards[: max(0, len(cards) - LIMIT)])


def begin_round(draft: Draft) -> None:
    """Begin the next round (turn.4); the first comes with the last hand (deal.3)."""
    state = draft.state
    unsold = {good for good in state.prices if state.round and good not in state.wares}
    prices = {good: min(HIGHEST, price + (good in unsold)) for good, price in state.prices.items()}
    rule = "bazaar:turn.4" if state.round else "bazaar:deal.3"
    draft.record(RoundBegan(rule=rule, round=state.round + 1, prices=prices))
