"""The view of moving cards without sight of the faces: only the number of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ledger.kernel.facts.accounts import Posting
from ledger.rulebooks.parts import decks

VEIL = "card"
"""The commodity in the place of a hidden card."""


def veiled(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """Return the postings without the faces of cards: the number of cards from account to account."""
    cards = Counter((posting.source, posting.target) for posting in postings if decks.is_card(posting.commodity))
    return tuple(Posting(VEIL, amount, source, target) for (source, target), amount in cards.items())
