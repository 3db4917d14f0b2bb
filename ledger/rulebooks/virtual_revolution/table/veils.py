"""What others see of cards that move: how many, and not which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.parts import decks

VEIL = "card"
"""What stands for a card to those who may not see which one it is."""


def veiled(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """The postings without the faces of cards: how many cards move from where to where."""
    cards = Counter((one.source, one.target) for one in postings if decks.is_card(one.commodity))
    return tuple(Posting(VEIL, amount, source, target) for (source, target), amount in cards.items())
