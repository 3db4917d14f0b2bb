"""Results that are cached for the pieces and cards of tables."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass

from ledger.rulebooks.parts.caching import MOST_VALUES, cached_by_identity


@dataclass(frozen=True)
class Cards:
    """The cards of a table, equal to the like cards of another table."""

    ids: tuple[str, ...]


def test_equal_cards_of_two_tables_are_two_values() -> None:
    """Given two tables with equal cards, when both are asked twice, then each table's cards are read once."""
    read: list[Cards] = []

    @cached_by_identity
    def size(cards: Cards) -> int:
        read.append(cards)
        return len(cards.ids)

    first, second = Cards(("toll",)), Cards(("toll",))
    assert first == second
    assert [size(first), size(second), size(first), size(second)] == [1, 1, 1, 1]
    assert [id(cards) for cards in read] == [id(first), id(second)]


def test_the_cards_of_old_tables_are_forgotten() -> None:
    """Given cards that were asked for once, when as many other tables come as fit, then the cards are gone."""

    @cached_by_identity
    def size(cards: Cards) -> int:
        return len(cards.ids)

    cards = Cards(("toll",))
    size(cards)
    kept = weakref.ref(cards)
    del cards
    gc.collect()
    assert kept() is not None
    for table in range(MOST_VALUES):
        size(Cards((str(table),)))
    gc.collect()
    assert kept() is None
