"""V.E.9 and V.E.10. Rouge: the holder draws three Chance cards and applies one to any player.

The choice is a question (`reactions`). The answers are the cards drawn ("chance_04"), and each card with each
rival ("chance_04:bob").
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.negopoly.cards import decks, playing
from ledger.rulebooks.negopoly.estate.quarters import came_late, has_ability
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, others_in_play
from ledger.rulebooks.negopoly.table.terms import Question

CHOICE = "chance_choice"
"""The kind of question."""

CARDS = 3
"""Number of cards drawn by the holder of Rouge (V.E.9)."""


def draw(draft: Draft, seat: str) -> None:
    """Draw for a stop on Chance, which is mandatory: three cards to choose from with Rouge, otherwise one card.

    Rouge counts if the quarter was complete at the moment of the stop.
    """
    if not has_ability(draft.state, seat, "rouge") or came_late(draft.state, "rouge"):
        playing.draw_chance(draft, seat)
    elif decks.draw_several(draft, seat, "chance", CARDS, rule="V.E.9"):
        reactions.ask(draft, seat, CHOICE, rule="V.E.9", by=seat, private=True)


def _options(state: Negopoly, question: Question) -> Sequence[str]:
    """Return each card for the player, then each card for each rival. Without an answer the first option
    counts.
    """
    drawn = [card.id for card in decks.held_in(state, decks.drawn(question.seat))]
    others = others_in_play(state, question.seat)
    return (*drawn, *(f"{card}:{other}" for card in drawn for other in others))


@reactions.answers(CHOICE, _options)
def _choose(draft: Draft, question: Question, answer: str) -> None:
    """Discard the rejected cards, then keep or apply the chosen card for the receiver (V.E.10)."""
    if question.seat in draft.state.eliminated:
        _discard_all(draft, question.seat)
        return
    card_id, _, receiver = answer.partition(":")
    to = receiver or question.seat
    card = decks.choose(draft, question.seat, card_id, to=to, rule="V.E.10" if receiver else "V.E.9")
    if not card.keep:
        playing.apply(draft, to, card)


def _discard_all(draft: Draft, seat: str) -> None:
    """Discard the cards of a player eliminated before the choice (I.B.5)."""
    aside = decks.drawn(seat)
    drawn = decks.held_in(draft.state, aside)
    thrown = tuple(Posting(card.commodity, 1, aside, decks.discards(card.deck)) for card in drawn)
    ids = tuple(card.id for card in drawn)
    draft.record(decks.CardsRejected(rule="I.B.5", seat=seat, cards=ids, postings=thrown))
