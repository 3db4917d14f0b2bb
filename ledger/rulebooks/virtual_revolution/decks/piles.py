"""The piles of cards: drawing from them, and putting undone draws back on top of them (vr:setup.32).

A pile has no order of its own: the next card is decided when it is drawn. Known are the cards of undone draws,
which lie on top, and the Verses put under their deck. A draw is called as its deck is, with the seat for which it
is made where one action draws for several: so a correction leaves each card with who has drawn it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from ledger.kernel.facts.audience import BANKER_ONLY, Audience
from ledger.kernel.facts.events import Event, Undrawn
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

DECKS = (AGENTS_1, AGENTS_2, LOCATIONS, CORRUPTION, VERSES, NECRO, NECRO_END, OBJECTIVES)
"""All decks."""


@chapter.event
class DrawsPutBack(Event, frozen=True, kw_only=True):
    """A correction has undone draws: their cards lie on top of their decks (vr:setup.32)."""

    en: ClassVar[str] = "Cards whose draws are undone go back on top of their decks."
    fr: ClassVar[str] = "Les cartes dont la pioche est annulée reviennent sur le dessus de leurs pioches."

    rule: str = "vr:setup.32"
    tops: dict[str, tuple[str, ...]]
    """The cards by deck, the first one on top."""

    def apply(self, state: VirtualRevolution) -> None:
        """They lie on those that were known already."""
        for deck, cards in self.tops.items():
            known = state.on_top.get(deck, ())
            state.on_top[deck] = (*cards, *(one for one in known if one not in cards))

    def audience(self) -> Audience:
        """Nobody at the table. Who had drawn a card knows it from the draw."""
        return BANKER_ONLY


def put_back(draft: Draft, undone: Sequence[Undrawn]) -> None:
    """Record which cards of undone draws lie on top of their decks (see `Rulebook.put_back`)."""
    state = draft.state
    known = {state.verse_top, *state.under}
    names = {deck: {deck, *(draw_of(deck, seat) for seat in state.seating)} for deck in DECKS}
    found = {deck: decks.back_on_top(state, deck, undone, names[deck]) for deck in DECKS}
    tops = {deck: tuple(card for card in cards if card not in known) for deck, cards in found.items()}
    tops = {deck: cards for deck, cards in tops.items() if cards}
    if tops:
        draft.record(DrawsPutBack(tops=tops))


def draw_of(deck: str, seat: str) -> str:
    """The name of a draw for a seat."""
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
    """Return the ids of the next cards of a deck, or of as many as there are; `top` are known to lie on top.

    `seat` is for whom they are drawn, where an action may draw for several. The cards stay in the deck until the
    caller records where they go. Raises as `decks.draw` does.
    """
    known = (*(one for one in top if one), *draft.state.on_top.get(deck, ()))
    return decks.draw(draft, draw_of(deck, seat) if seat else deck, deck, count, top=known, whole=whole)


def leave(state: VirtualRevolution, deck: str, cards: Iterable[str | None]) -> None:
    """Forget where in their deck these cards were, which have left it."""
    if deck in state.on_top:
        gone = set(cards)
        left = tuple(one for one in state.on_top[deck] if one not in gone)
        if left:
            state.on_top[deck] = left
        else:
            del state.on_top[deck]
