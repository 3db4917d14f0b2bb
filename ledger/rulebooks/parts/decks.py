"""Decks: each card is a commodity with one piece, so piles of cards are holdings.

The cards left of a deck are in one account, its discards in another, a hand in its player's. So no card is ever
lost or doubled, also by a correction, with the one exception told below. The next card is decided when it is
drawn, by the table or by chance. Only two kinds of cards have an order: those put under a deck, which everybody
has seen, and those on top of it, because a correction has undone their draws. A game keeps these orders in its
state, and `draw` takes them as `under` and `top`.

At a table with its own deck a player records the card that they have drawn. The journal may have that card in a
hand that the player may not see: then one of two records is wrong. A refusal would tell the player what is in that
hand, so the table's word is taken, and the banker alone is warned. The deck then holds one card of that kind less
than none, until the other one comes back; the number of its cards is right all the time. A rulebook whose players
record cards lets its piles owe cards (`owes`) and gives `draw` the whole deck.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

import msgspec

from ledger.kernel.facts.accounts import BOX, Posting
from ledger.kernel.facts.events import Undrawn
from ledger.kernel.facts.state import State
from ledger.kernel.rules.draft import Draft

_CARD = "card:"
_PILE = "deck:"


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
    return f"{_PILE}{deck}"


def discards(deck: str) -> str:
    """The account of a deck's discards; it is public."""
    return f"discard:{deck}"


def laid_out(cards: Iterable[tuple[str, str]]) -> tuple[Posting, ...]:
    """The postings of all cards out of the box: (id, deck) of each card."""
    return tuple(Posting(commodity(card), 1, BOX, pile(deck)) for card, deck in cards)


def owes(account: str, thing: str) -> bool:
    """Whether a pile may owe the thing: a card, which `draw` takes although the journal has it elsewhere."""
    return account.startswith(_PILE) and is_card(thing)


def held_in(state: State, account: str) -> list[str]:
    """The ids of the cards in an account, sorted: a pile has no other order."""
    held = state.holdings.account(account)
    return [card_of(thing) for thing in sorted(held) if is_card(thing) and held[thing] > 0]


def left_in(state: State, deck: str) -> int:
    """How many cards the deck has left, without its discards; this is public."""
    return sum(state.holdings.account(pile(deck)).values())


def is_drawable(state: State, deck: str) -> bool:
    """Whether the deck or its discards have a card left; this is public."""
    return left_in(state, deck) > 0 or bool(state.holdings.account(discards(deck)))


def discards_back(state: State, deck: str) -> tuple[Posting, ...]:
    """The postings of all discards back into their deck; empty when there are none."""
    thrown = sorted(state.holdings.account(discards(deck)).items())
    return tuple(Posting(thing, amount, discards(deck), pile(deck)) for thing, amount in thrown)


def back_on_top(
    state: State, deck: str, undone: Iterable[Undrawn], names: Container[str] | None = None
) -> tuple[str, ...]:
    """The cards of undone draws that lie in the deck now, in the order in which they were drawn.

    So the first one drawn lies on top. `names` are the names of the draws that are meant; None for all of them.
    """
    found = dict.fromkeys(
        value
        for one in undone
        if names is None or one.name in names
        for value in one.values
        if isinstance(value, str) and state.holdings.of(pile(deck), commodity(value)) > 0
    )
    return tuple(found)


class Whole(msgspec.Struct, frozen=True):
    """A whole deck whose cards players record: the ids of all its cards, wherever they are.

    `rule` is the rule of secrecy by which the banker is warned of a card that the journal has elsewhere.
    """

    cards: tuple[str, ...]
    rule: str


def draw(
    draft: Draft[Any],
    name: str,
    deck: str,
    count: int = 1,
    *,
    top: Sequence[str] = (),
    under: Sequence[str] = (),
    whole: Whole | None = None,
) -> list[str]:
    """Return the ids of the next `count` cards of a deck, or of as many as there are.

    `name` is the name of the draw. `top` are the cards known to lie on top of the deck, the first one first: where
    the service draws, they come before all others; a table that draws says what it has drawn. `under` are the
    cards put under the deck, in their order: they come after all others and need no draw. With the `whole` deck, a
    player's word is taken for a card that is in the deck as far as the player knows. The cards stay in the deck
    until the caller records their new account. Raises Malformed when the table names cards that cannot be drawn,
    NeedsDraw when it names none.
    """
    state = draft.state
    known = [card for card in under if state.holdings.of(pile(deck), commodity(card)) > 0]
    left = [card for card in held_in(state, pile(deck)) if card not in known]
    wanted = max(0, min(count, left_in(state, deck) - len(known)))
    hidden = [] if whole is None or not draft.may_warn(whole.rule) else _hidden(draft, whole, {*left, *known})
    first = [card for card in top if card in left]
    drawn = list(draft.draws.cards(name, left, wanted, named=deck, hidden=hidden, top=first)) if wanted else []
    if whole is not None:
        for card in drawn:
            if card not in left:
                _warn(draft, whole, card)
    return [*drawn, *known[: count - wanted]]


def _hidden(draft: Draft[Any], whole: Whole, there: set[str]) -> list[str]:
    """The cards that are not in the deck, and are nowhere that whoever acts may see."""
    if draft.viewer.sees_all:
        return []
    state, audience = draft.state, draft.rulebook.holding_audience
    seen = {
        thing
        for account, held in state.holdings.items()
        for thing, amount in held.items()
        if is_card(thing) and amount > 0 and audience(state, account, thing).admits(draft.viewer)
    }
    return [card for card in whole.cards if card not in there and commodity(card) not in seen]


def _warn(draft: Draft[Any], whole: Whole, card: str) -> None:
    """Warn the banker of a card that the journal has elsewhere."""
    draft.warn(
        whole.rule,
        "the journal has {card:card} elsewhere ({holder:account}): one of the two records is wrong",
        "le journal a {card:card} ailleurs ({holder:account}) : un des deux relevés est faux",
        card=card,
        holder=draft.state.holdings.holder(commodity(card)) or BOX,
    )
