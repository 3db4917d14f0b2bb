"""The names of Negopoly's commodities: money, titles, goods, cards, and the pieces on titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.commodities import CommodityWords, Glossary
from ledger.kernel.rules.icons import Icon
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.glances import effect_of
from ledger.rulebooks.negopoly.cards.vocabulary import Card
from ledger.rulebooks.negopoly.table.pieces import ITEMS, TITLES, travels
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import MONEY
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.caching import cached_by_identity
from ledger.rulebooks.parts.titles import deed


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of words.toml."""

    commodity: dict[str, CommodityWords]
    plural: dict[str, Phrase]
    icon: dict[str, Icon]
    agreements: dict[str, Phrase]
    decks: dict[str, Phrase]


_WORDS = msgspec.convert(reading.data(files(__package__), "words.toml"), _Words)

AGREEMENTS: Mapping[str, Phrase] = _WORDS.agreements
"""The names of the agreements of each collection."""

DECKS: Mapping[str, Phrase] = _WORDS.decks
"""The names of the decks."""


def commodities(state: Negopoly) -> Glossary:
    """Return the table's commodities, in the order of the price list. The contents of the box are no secret."""
    return _words_with(decks.cards_of(state))


def groups(language: str) -> Mapping[str, str]:
    """Return the names of the decks. The quarters are groups of the board."""
    return {deck: name.in_language(language) for deck, name in DECKS.items()}


@cached_by_identity
def _words_with(cards: tuple[Card, ...]) -> Glossary:
    words = dict((*_WORDS.commodity.items(), *_titles(), *_goods(), *_cards(cards)))
    return {item: replace(of_item, tradable=_is_tradable(item)) for item, of_item in words.items()}


def _is_tradable(commodity: str) -> bool:
    """Return True if a deal may move the commodity: money, titles, goods and cards (I.A.1.1, VIII.D.1)."""
    return commodity == MONEY or commodity.startswith("title:") or travels(commodity)


def _titles() -> Iterator[tuple[str, CommodityWords]]:
    for title in TITLES.values():
        yield deed(title.id), CommodityWords(sort="title", group=title.quarter, icon="title", price=title.price)


def _goods() -> Iterator[tuple[str, CommodityWords]]:
    for item in ITEMS.values():
        if item.id not in _WORDS.commodity:
            plural, icon = _WORDS.plural.get(item.id), _WORDS.icon.get(item.id)
            yield item.id, CommodityWords(sort=item.category, plural=plural, icon=icon, price=item.price or None)


def _cards(cards: tuple[Card, ...]) -> Iterator[tuple[str, CommodityWords]]:
    for card in cards:
        text = Phrase(card.text.in_language("en"), card.text.in_language("fr"))
        yield (
            card.commodity,
            CommodityWords(
                sort="card", group=card.deck, icon="card", card=card.id, text=text, effect=effect_of(card)
            ),
        )
