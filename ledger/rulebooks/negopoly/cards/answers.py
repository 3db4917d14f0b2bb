"""II.D.2, VII.B.10. Cards that answer what happens to their holder: arrest, check, failed sale, drug die.

A chapter asks the player first, and registers what follows the answer:

    if answers.ask(draft, seat, "on_arrest", about={"cause": cause}):
        return                       # the rest waits
    ...

    @reactions.answers("on_arrest", answers.options)
    def _answered(draft: Draft, question: Question, answer: str) -> None:
        if answers.play(draft, question, answer) is None: ...        # it happens

The question is asked whenever, by public knowledge, some player might hold such a card. So the question reveals
nothing about a hand (I.C.6).
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
    """Ask a player whether one of their cards answers what happens; return whether the question was asked.

    `timing` is the kind of the question, `rule` the rule that allows the card.
    """
    if not decks.may_answer(draft.state, timing):
        return False
    reactions.ask(draft, seat, timing, rule=rule, by=playing.waiting(draft.state, seat), about=about, private=True)
    return True


def options(state: Negopoly, question: Question) -> Sequence[str]:
    """The answers to such a question: let it happen, or play a card in hand with this timing."""
    hand = decks.held_in(state, player(question.seat))
    return (reactions.LET_IT_HAPPEN, *(card.id for card in hand if card.timing == question.kind))


def play(draft: Draft, question: Question, answer: str) -> Card | None:
    """Play the card that the player has answered with; it does not count as the card of a turn (II.B.9).

    None: no card.
    """
    if answer == reactions.LET_IT_HAPPEN:
        return None
    card = decks.card_named(draft.state, answer)
    played = (decks.to_discard(card, question.seat),)
    draft.record(decks.CardPlayed(rule=question.rule, seat=question.seat, card=card.id, postings=played))
    return card
