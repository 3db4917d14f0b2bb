"""Decks: each card is a commodity with one piece, so piles of cards are holdings.

The cards left of a deck are in one account, its discards in another, a hand in its player's. So no card is ever
lost or doubled, also by a correction. The next card is decided when it is drawn, by the table or by chance. Only
cards put under a deck, which everybody has seen, have an order; `draw` takes it as `under`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ledger.kernel.accounts import BOX, Posting
from ledger.kernel.draft import Draft
from ledger.kernel.state import State

_CARD = "card:"


def commodity(card: str) -> str:
    """The commodity of the card with this id."""
    return f"{_CARD}{card}"


def is_card(thing: str) -> bool:
    """Whether a commodity is a card."""
    return thing.startswith(_CARD)


def card_of(thing: str) -> str:
    """The id of the card with this commodity."""
    return thing.removeprefix(_CARD)


def pile(deck: str) -> str:
    """The account of a deck's cards that are not drawn yet."""
    return f"deck:{deck}"


def discards(deck: str) -> str:
    """The account of a deck's discards; it is public."""
    return f"discard:{deck}"


def laid_out(cards: Iterable[tuple[str, str]]) -> tuple[Posting, ...]:
    """The postings of all cards out of the box: (id, deck) of each card."""
    return tuple(Posting(commodity(card), 1, BOX, pile(deck)) for card, deck in cards)


def held_in(state: State, account: str) -> list[str]:
    """The ids of the cards in an account, sorted: a pile has no other order."""
    return [card_of(thing) for thing in sorted(state.holdings.account(account)) if is_card(thing)]


def is_drawable(state: State, deck: str) -> bool:
    """Whether the deck or its discards have a card left; this is public."""
    return bool(state.holdings.account(pile(deck)) or state.holdings.account(discards(deck)))


def discards_back(state: State, deck: str) -> tuple[Posting, ...]:
    """The postings of all discards back into their deck; empty when there are none."""
    thrown = sorted(state.holdings.account(discards(deck)))
    return tuple(Posting(thing, 1, discards(deck), pile(deck)) for thing in thrown)


def draw(draft: Draft[Any], name: str, deck: str, count: int = 1, *, under: Sequence[str] = ()) -> list[str]:
    """Return the ids of the next `count` cards of a deck, or of as many as there are.

    `name` is the name of the draw. `under` are the cards put under the deck, in their order: they come after all
    others and need no draw. The cards stay in the deck until the caller records their new account. Raises
    Malformed when the table names cards that cannot be drawn, NeedsDraw when it names none.
    """
    known = [card for card in under if draft.state.holdings.of(pile(deck), commodity(card))]
    left = [card for card in held_in(draft.state, pile(deck)) if card not in known]
    wanted = min(count, len(left))
    drawn = list(draft.draws.cards(name, left, wanted, named=deck)) if wanted else []
    return [*drawn, *known[: count - wanted]]
