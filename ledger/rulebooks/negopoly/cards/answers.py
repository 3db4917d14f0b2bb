"""II.D.2, VII.B.10. Cards played in answer to an arrest, a check, a failed sale or a drug die of the holder.

A chapter asks the player first, and registers the continuation after the answer:
    if answers.ask(draft, seat, "on_arrest", about={"cause": cause}):
        return  # the rest waits
    ...
    @reactions.answers("on_arrest", answers.options)
    def _answered(draft: Draft, question: Question, answer: str) -> None:
        if answers.play(draft, question, answer) is None: ...  # no card: arrest the player

The question is asked if, by public knowledge, any player might hold a card with the timing. So the question
reveals nothing about a hand (I.C.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ledger.rulebooks.negopoly.cards import decks, playing
from ledger.rulebooks.negopoly.cards.vocabulary import Card, Timing
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly
from ledger.rulebooks.negopoly.table.terms import Question, player


def ask(draft: Draft, seat: str, timing: Timing, *, rule: str = "II.D.2", about: dict[str, Any]) -> bool:
    """Ask a player for a card in answer to an effect; return True if the question was asked.

    `timing` is the kind of the question, `rule` the rule that allows the card.
    """
    if not decks.may_answer(draft.state, timing):
        return False
    reactions.ask(draft, seat, timing, rule=rule, by=playing.waiting(draft.state, seat), about=about, private=True)
    return True


def options(state: Negopoly, question: Question) -> Sequence[str]:
    """Return the answers to a question: let the effect happen, or play a card in hand with the timing."""
    hand = decks.held_in(state, player(question.seat))
    return (reactions.LET_IT_HAPPEN, *(card.id for card in hand if card.timing == question.kind))


def play(draft: Draft, question: Question, answer: str) -> Card | None:
    """Play the card of the answer. It does not count as the card of the turn (II.B.9). Return None for no card."""
    if answer == reactions.LET_IT_HAPPEN:
        return None
    card = decks.card_named(draft.state, answer)
    played = (decks.to_discard(card, question.seat),)
    draft.record(decks.CardPlayed(rule=question.rule, seat=question.seat, card=card.id, postings=played))
    return card
