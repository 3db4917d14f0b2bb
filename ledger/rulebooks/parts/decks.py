"""Decks: each card is a commodity with one piece, so piles of cards are holdings.

The undrawn cards of a deck are in one account, the discards in a second, a hand in the player's account. So
cards are never lost or doubled, not even by a correction, with a single exception (see below). The next card is
decided at the draw, by the table or by chance. Only two kinds of cards have an order: the cards put under a
deck in view of everybody, and the cards back on top because a correction has undone the draws. A game keeps
both orders in the state, and `draw` takes them as `under` and `top`.

At a table with a real deck, a player records the drawn card. The journal may have the card in a hand hidden
from the player: then one of two records is wrong. A refusal would disclose the hidden hand. So the table's
record is accepted, and only the banker is warned. The deck then holds one card of the kind less than none,
until the second card comes back; the number of cards is right all the time. A rulebook with cards recorded by
players lets the piles owe cards (`owes`) and gives `draw` the whole deck.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

import msgspec

from ledger.kernel.facts.accounts import BOX, Posting
from ledger.kernel.facts.events import UndoneDraw
from ledger.kernel.facts.state import State
from ledger.kernel.rules.draft import Draft

_CARD = "card:"
_PILE = "deck:"


def commodity(card: str) -> str:
    """Return the commodity of a card id."""
    return f"{_CARD}{card}"


def is_card(thing: str) -> bool:
    """Return True if a commodity is a card."""
    return thing.startswith(_CARD)


def card_of(thing: str) -> str:
    """Return the id of the card with this commodity."""
    return thing.removeprefix(_CARD)


def pile(deck: str) -> str:
    """Return the account of a deck's undrawn cards."""
    return f"{_PILE}{deck}"


def discards(deck: str) -> str:
    """Return the account of a deck's discards, which is public."""
    return f"discard:{deck}"


def laid_out(cards: Iterable[tuple[str, str]]) -> tuple[Posting, ...]:
    """The postings of all cards out of the box: (id, deck) of each card."""
    return tuple(Posting(commodity(card), 1, BOX, pile(deck)) for card, deck in cards)


def owes(account: str, thing: str) -> bool:
    """Return True if an account may owe a commodity: a pile may owe a card that `draw` takes although the
    journal has it elsewhere.
    """
    return account.startswith(_PILE) and is_card(thing)


def held_in(state: State, account: str) -> list[str]:
    """Return the ids of the cards in an account, sorted, because a pile has no order."""
    balances = state.holdings.account(account)
    return [card_of(thing) for thing in sorted(balances) if is_card(thing) and balances[thing] > 0]


def left_in(state: State, deck: str) -> int:
    """Count the cards left in a deck, without the discards. The number is public."""
    return sum(state.holdings.account(pile(deck)).values())


def is_drawable(state: State, deck: str) -> bool:
    """Check for a card left in the deck or the discards. The answer is public."""
    return left_in(state, deck) > 0 or bool(state.holdings.account(discards(deck)))


def discards_back(state: State, deck: str) -> tuple[Posting, ...]:
    """Return the postings of all discards back into the deck; empty without discards."""
    thrown = sorted(state.holdings.account(discards(deck)).items())
    return tuple(Posting(thing, amount, discards(deck), pile(deck)) for thing, amount in thrown)


def back_on_top(
    state: State, deck: str, undone: Iterable[UndoneDraw], names: Container[str] | None = None
) -> tuple[str, ...]:
    """Return the cards of undone draws now in the deck, in the order of the draws.

    So the first card drawn lies on top. `names` are the names of the draws in question; None for all draws.
    """
    cards = dict.fromkeys(
        value
        for draw in undone
        if names is None or draw.name in names
        for value in draw.values
        if isinstance(value, str) and state.holdings.of(pile(deck), commodity(value)) > 0
    )
    return tuple(cards)


class Whole(msgspec.Struct, frozen=True):
    """A whole deck with cards recorded by players: the ids of all cards, in and out of the deck.

    `rule` is the rule of secrecy for the warning to the banker about a card recorded elsewhere.
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
    """Return the ids of the next `count` cards of a deck, or of as many as are left.

    `name` is the name of the draw. `top` are the cards known to lie on top of the deck, in order: in a draw by
    the service they precede all other cards; a table that draws says which cards came. `under` are the cards
    put under the deck, in order: they follow all other cards and need no draw. With the `whole` deck, a player
    may record any card that is in the deck as far as the player knows. The cards stay in the deck until the
    caller records the new account. Raises Malformed if the table names cards that cannot be drawn, NeedsDraw if
    the table names none.
    """
    state = draft.state
    buried = [card for card in under if state.holdings.of(pile(deck), commodity(card)) > 0]
    loose = [card for card in held_in(state, pile(deck)) if card not in buried]
    needed = max(0, min(count, left_in(state, deck) - len(buried)))
    hidden = [] if whole is None or not draft.may_warn(whole.rule) else _hidden(draft, whole, {*loose, *buried})
    first = [card for card in top if card in loose]
    drawn: list[str] = []
    if needed:
        secret = whole is not None
        drawn += draft.draws.cards(name, loose, needed, named=deck, hidden=hidden, top=first, secret=secret)
    if whole is not None:
        for card in drawn:
            if card not in loose:
                _warn(draft, whole, card)
    return [*drawn, *buried[: count - needed]]


def _hidden(draft: Draft[Any], whole: Whole, there: set[str]) -> list[str]:
    """List the cards outside the deck, in no place visible to the acting player."""
    if draft.viewer.sees_all:
        return []
    state, audience = draft.state, draft.rulebook.secrets.holding_audience
    visible = {
        thing
        for account, balances in state.holdings.items()
        for thing, amount in balances.items()
        if is_card(thing) and amount > 0 and audience(state, account, thing).admits(draft.viewer)
    }
    return [card for card in whole.cards if card not in there and commodity(card) not in visible]


def _warn(draft: Draft[Any], whole: Whole, card: str) -> None:
    """Warn the banker of a card recorded elsewhere."""
    draft.warn(
        whole.rule,
        "the journal has {card:card} elsewhere ({holder:account}): one of the two records is wrong",
        "le journal a {card:card} ailleurs ({holder:account}) : un des deux relevés est faux",
        card=card,
        holder=draft.state.holdings.holder(commodity(card)) or BOX,
    )
