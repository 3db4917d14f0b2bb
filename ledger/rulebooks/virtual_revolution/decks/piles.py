"""The piles of cards: drawing from piles, and putting undone draws back on top (vr:setup.32).

A pile has no fixed order: the next card is decided at the draw. Known are only the cards of undone draws on
top, and the Verses put under the deck. A draw has the name of its deck, with the seat if one action draws for
several seats: so a correction leaves each card with its drawer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from ledger.kernel.facts.audience import BANKER_ONLY, Audience, only
from ledger.kernel.facts.events import Event, UndoneDraw
from ledger.kernel.facts.refusals import Impossible, NeedsDraw
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS_1,
    AGENTS_2,
    CORRUPTION,
    LOCATIONS,
    NECRO,
    NECRO_END,
    OBJECTIVES,
    VERSES,
)

chapter = Chapter("Decks")

SECRECY = "vr:secrecy.6"
"""The rule by which each player enters the cards drawn from a physical deck."""


DECKS = (AGENTS_1, AGENTS_2, LOCATIONS, CORRUPTION, VERSES, NECRO, NECRO_END, OBJECTIVES)
"""All decks."""


@chapter.event
class DrawsPutBack(Event, frozen=True, kw_only=True):
    """A correction has undone draws: their cards lie on top of their decks (vr:setup.32)."""

    en: ClassVar[str] = "Cards whose draws are undone go back on top of their decks."
    fr: ClassVar[str] = "Les cartes dont la pioche est annulée reviennent sur le dessus de leurs pioches."

    rule: str = "vr:setup.32"
    tops: dict[str, tuple[str, ...]]
    """The cards by deck, the first on top."""

    def apply(self, state: VirtualRevolution) -> None:
        """Put the cards above the known cards on top."""
        for deck, cards in self.tops.items():
            earlier_cards = state.on_top.get(deck, ())
            state.on_top[deck] = (*cards, *(card for card in earlier_cards if card not in cards))

    def audience(self) -> Audience:
        """Return the banker alone. The drawer of a card knows the card from the draw."""
        return BANKER_ONLY


def restore_draws(draft: Draft, undone: Sequence[UndoneDraw]) -> None:
    """Record the cards of undone draws on top of the decks (see `Play.restore_draws`)."""
    state = draft.state
    face_up = {state.verse_top, *state.under}
    names = {deck: {deck, *(draw_of(deck, seat) for seat in state.seating)} for deck in DECKS}
    undone_cards = {deck: decks.back_on_top(state, deck, undone, names[deck]) for deck in DECKS}
    tops = {deck: tuple(card for card in cards if card not in face_up) for deck, cards in undone_cards.items()}
    tops = {deck: cards for deck, cards in tops.items() if cards}
    if tops:
        draft.record(DrawsPutBack(tops=tops))


def draw_of(deck: str, seat: str) -> str:
    """Return the name of a draw for a seat."""
    return f"{deck}:{seat}"


def draw(
    draft: Draft,
    deck: str,
    count: int = 1,
    *,
    seat: str = "",
    top: Iterable[str] = (),
    whole: decks.Whole | None = None,
) -> list[str]:
    """Return the ids of the next cards of a deck, at most all remaining; `top` are known to lie on top.

    `seat` is the receiver of the cards, if an action may draw for several seats. The cards stay in the deck
    until the caller records the move. Raises the errors of `decks.draw`.
    """
    on_top = (*(card for card in top if card), *draft.state.on_top.get(deck, ()))
    return decks.draw(draft, draw_of(deck, seat) if seat else deck, deck, count, top=on_top, whole=whole)


def require_sight(draft: Draft, *seats: str) -> None:
    """Refuse cards named by a playing banker, unless one of the seats with sight of the cards is the banker's own:
    the answer would betray a card. Raises Impossible by vr:secrecy.6.
    """
    if not draft.may_name(only(*seats)):
        raise Impossible(
            SECRECY,
            "only {seat:seat} may name these cards",
            "seul {seat:seat} peut nommer ces cartes",
            seat=seats[-1],
        )


@contextmanager
def may_lack(draft: Draft) -> Iterator[None]:
    """Let a corrected history go on without the cards drawn in the block, if nobody drew them."""
    try:
        yield
    except NeedsDraw:
        if not draft.undrawn:
            raise


def leave(state: VirtualRevolution, deck: str, cards: Iterable[str | None]) -> None:
    """Forget the known positions of cards that have left a deck."""
    if deck in state.on_top:
        gone = set(cards)
        remaining = tuple(card for card in state.on_top[deck] if card not in gone)
        if remaining:
            state.on_top[deck] = remaining
        else:
            del state.on_top[deck]
