"""VI.B. Kamtar: a passing player may buy a card of the Kamtar deck, and then stops on the square."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.cards import decks, playing
from ledger.rulebooks.negopoly.estate import neighbourhoods
from ledger.rulebooks.negopoly.goods import tank
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.pieces import ITEMS
from ledger.rulebooks.negopoly.table.state import (
    Draft,
    Negopoly,
    change_passage,
    change_turn,
    open_passages,
    passed,
    pay,
    place_of,
    squares_of,
)
from ledger.rulebooks.negopoly.table.terms import Drawn, Question

chapter = Chapter("VI.B. Kamtar")

PASSING = "kamtar"
"""Kind of the question to a passing player: buy a card or go on."""

PRICE = ITEMS["kamtar_card"].price
"""The price of a card, in whole ₦ (VI.B.1)."""

BUY = "buy"
"""The answer for buying and stopping. Any other answer, or none, means to go on."""


@chapter.event
class KamtarPaid(Event, frozen=True, kw_only=True):
    """A player pays for a Kamtar card (VI.B.1, VI.B.4); only the buyer learns which card it is."""

    en: ClassVar[str] = "{seat:seat} buys a Kamtar card for {price:money}."
    fr: ClassVar[str] = "{seat:seat} achète une carte Kamtar pour {price:money}."

    rule: str = "VI.B.1"
    seat: str
    price: int
    passage: int | None = None
    """The index of the passage in the turn."""

    def apply(self, state: Negopoly) -> None:
        """Mark the passage: one card for each passage."""
        change_passage(state, self.passage, carded=True)


@chapter.event
class MovementEnded(Event, frozen=True, kw_only=True):
    """A player who buys at the Kamtar stops there and loses the rest of the movement (VI.B.2)."""

    en: ClassVar[str] = "{seat:seat} stops on {square:square}."
    fr: ClassVar[str] = "{seat:seat} s'arrête sur {square:square}."

    rule: str = "VI.B.2"
    seat: str
    square: int

    def apply(self, state: Negopoly) -> None:
        """End the movement with a final stop: nothing can extend it."""
        if state.turn is None:
            return
        state.require_part(bool(state.turn.passages))
        *earlier, last = state.turn.passages
        change_turn(
            state,
            passages=(*earlier, replace(last, stop=True)),
            stop=self.square,
            unresolved=False,
            ahead=(),
            halted=True,
        )


def is_open(state: Negopoly) -> bool:
    """Return True if a card can be bought."""
    return decks.is_drawable(state, "kamtar") and not disruption.squares_off(state)


def offer(draft: Draft, seat: str) -> None:
    """Offer a card to a passing player. The token waits for the answer (VI.B.1)."""
    reactions.ask(draft, seat, PASSING, rule="VI.B.1", by=seat)


def _options(state: Negopoly, question: Question) -> Sequence[str]:
    """Return the answers: go on, or buy while the token is still on the Kamtar."""
    on_kamtar = state.board[state.positions[question.seat]].kind == "kamtar"
    return (reactions.LET_IT_HAPPEN, BUY) if on_kamtar else (reactions.LET_IT_HAPPEN,)


@reactions.answers(PASSING, _options)
def _passing(draft: Draft, question: Question, answer: str) -> None:
    """Buy, and end the movement. Without a purchase the movement goes on."""
    state = draft.state
    if answer == BUY and state.board[state.positions[question.seat]].kind == "kamtar":
        _buy(draft, question.seat)


def _buy(draft: Draft, seat: str) -> None:
    """Pay, stop, and take the next card of the deck (VI.B.1, VI.B.2)."""
    state = draft.state
    square = state.positions[seat]
    turn = state.turn
    passages = reversed(turn.passages) if turn is not None and turn.seat == seat else ()
    passage = next((candidate for candidate in passages if candidate.square == square), None)
    draft.require(
        passage is None or not passage.carded,
        "VI.B.1",
        "{seat:seat} has already bought a card in this passage",
        "{seat:seat} a déjà acheté une carte lors de ce passage",
        seat=seat,
    )
    if not decks.is_drawable(state, "kamtar"):
        raise Impossible(
            "VI.B.1",
            "no Kamtar card is left: all of them are in hands",
            "il ne reste pas de carte Kamtar : toutes sont en main",
        )
    paid = pay(draft, seat, PRICE, "VI.B.1")
    index = None if passage is None else place_of(state, seat, passage)
    draft.record(KamtarPaid(seat=seat, price=PRICE, passage=index, postings=paid))
    neighbourhoods.share_kamtar(draft, PRICE)
    if passage is not None:
        draft.record(MovementEnded(seat=seat, square=square))
        if not passage.stop and tank.protects(draft.state, seat):
            tank.crush(draft, seat, square)  # the Tank's movement ends here (VIII.B.7)
    for card in decks.draw(draft, "kamtar"):
        playing.take(draft, seat, card, rule="VI.B.1")


@chapter.action(
    summary=("buy a Kamtar card", "acheter une carte Kamtar"),
    when=(
        "in your own turn, stopped on the Kamtar, once; whoever passes over it is asked",
        "pendant son tour, à l'arrêt sur le Kamtar, une fois ; à qui passe par-dessus, la question est posée",
    ),
)
class BuyKamtarCard(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player who has stopped on the Kamtar buys the next card of its deck for ₦70 (VI.B.1)."""

    draws: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Refuse without a stop on the Kamtar. No vehicle moves the buyer on afterwards (VI.B.2)."""
        draft.draws.offer(self.draws)
        passed(draft, squares_of(draft.state, "kamtar"), "VI.B.1", stop_only=True)
        _buy(draft, draft.seat)

    @classmethod
    def choices(cls, state: Negopoly, seat: str) -> Iterable[Choice]:
        """Offer the action after a stop on the Kamtar."""
        return (Choice({}),) if open_passages(state, squares_of(state, "kamtar"), stop_only=True) else ()
