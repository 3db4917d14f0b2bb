"""Decks as piles of cards that are holdings: each card is a commodity of which there is one.

What is left of a deck lies in one account, its discards in another, a hand in its player's. So a card is never
lost and never in two places, whatever a correction does. Which card comes next is decided when it is drawn, by the
table or by chance. Only cards that everybody has seen go under a deck have an order, which `draw` is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ledger.kernel.accounts import BOX, Posting
from ledger.kernel.draft import Draft
from ledger.kernel.state import State

_CARD = "card:"


def commodity(card: str) -> str:
    """The commodity that the card of this id is."""
    return f"{_CARD}{card}"


def is_card(thing: str) -> bool:
    """Whether a commodity is a card."""
    return thing.startswith(_CARD)


def card_of(thing: str) -> str:
    """The id of the card that a commodity is."""
    return thing.removeprefix(_CARD)


def pile(deck: str) -> str:
    """The account of the cards still to be drawn."""
    return f"deck:{deck}"


def discards(deck: str) -> str:
    """The account of a deck's discarded cards, which everybody sees."""
    return f"discard:{deck}"


def laid_out(cards: Iterable[tuple[str, str]]) -> tuple[Posting, ...]:
    """The postings of all cards out of the box: card by card its id, and the deck into which it goes."""
    return tuple(Posting(commodity(card), 1, BOX, pile(deck)) for card, deck in cards)


def held_in(state: State, account: str) -> list[str]:
    """The ids of the cards in an account, sorted: a pile has no other order."""
    return [card_of(thing) for thing in sorted(state.holdings.account(account)) if is_card(thing)]


def is_drawable(state: State, deck: str) -> bool:
    """Whether the deck or its discards still hold a card, which everybody knows."""
    return bool(state.holdings.account(pile(deck)) or state.holdings.account(discards(deck)))


def discards_back(state: State, deck: str) -> tuple[Posting, ...]:
    """The postings of all discards of a deck back into it; none when there are none."""
    thrown = sorted(state.holdings.account(discards(deck)))
    return tuple(Posting(thing, 1, discards(deck), pile(deck)) for thing in thrown)


def draw(draft: Draft[Any], name: str, deck: str, count: int = 1, *, under: Sequence[str] = ()) -> list[str]:
    """Say which cards of a deck come next: the ids of `count` of them, or of as many as there are.

    `name` is that of the draw. `under` are the cards that have gone under the deck, in their order: they come when
    all others are drawn, and nobody has to draw them. The cards are still in the deck: whoever draws them records
    where they go. Raises Malformed when those that the table gives cannot be drawn, NeedsDraw when it gives none.
    """
    known = [card for card in under if draft.state.holdings.of(pile(deck), commodity(card))]
    left = [card for card in held_in(draft.state, pile(deck)) if card not in known]
    wanted = min(count, len(left))
    drawn = list(draft.draws.cards(name, left, wanted)) if wanted else []
    return [*drawn, *known[: count - wanted]]
