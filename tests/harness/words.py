"""What a sentence that people read must not hold: ids, holes in a template, and words of the other language.

The game to be read has seats that are called otherwise than the people on them (`tests.tables.evenings`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ledger.kernel.facts.state import State
from ledger.kernel.language.sentences import as_it_is
from ledger.kernel.rules.commodities import CommodityWords
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.parts import boards

LANGUAGES = ("en", "fr")

_HOLES = re.compile(r"\bNone\b|\bnull\b|\{\w*\}|\{\w+:|<class|object at 0x")
_ACCOUNT = re.compile(r"(?<![\w:])[a-z_]+:[a-z0-9_]+(?::\w+)*")
"""An id of an account or a commodity with a colon. Sentences have a space after every colon."""

_OTHER = {
    "en": re.compile(
        r"(?<![\w'’-])(?:le|les|la|du|des|une|est|sont|pas|ne|et|aux?|sur|avec|pour|dans)(?![\w'’-])"
    ),
    "fr": re.compile(
        r"(?<![\w'’-])(?:the|of|and|is|are|not|does|has|have|with|from|by|cannot|for|nothing|to)(?![\w'’-])"
    ),
}
"""Words of the other language, allowed in names only."""

_QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")


class Ids:
    """The ids of one game that people are never shown, and the names that they are."""

    def __init__(self, rulebook: Rulebook[Any], state: State) -> None:
        words = rulebook.accounts.commodities(state)
        goods = rulebook.language.speakers(state).get("goods", as_it_is)
        names = {goods(one, language) for one in words for language in LANGUAGES}
        names |= {label for word in words.values() for label in _labels(word)}
        named = {name.casefold() for name in names}
        held = {commodity for _, amounts in state.holdings.items() for commodity in amounts}
        ids = {*state.seats, *(account for account, _ in state.holdings.items() if ":" in account)}
        ids |= {
            one
            for one in (*words, *held, rulebook.accounts.currency)
            if _is_id(one) and one.casefold() not in named
        }
        ids |= {one.rpartition(":")[2] for one in ids if "_" in one.rpartition(":")[2]}
        self._ids = re.compile(
            "|".join(rf"(?<![\w:-]){re.escape(one)}(?![\w:])" for one in sorted(ids, key=len)[::-1])
        )
        names |= {place.name for place in boards.places_of(rulebook, state)}
        every = sorted({*names, *(seat.name for seat in state.seats.values())}, key=len, reverse=True)
        self._names = re.compile("|".join(re.escape(one) for one in every if len(one) > 2), re.IGNORECASE)

    def faults(self, sentence: str, language: str) -> Iterator[str]:
        """Everything in a sentence that people should not read. What it quotes is what somebody wrote."""
        said = _QUOTED.sub("…", sentence)
        for pattern in (_HOLES, self._ids, _ACCOUNT):
            yield from (found[0] for found in pattern.finditer(said))
        yield from (found[0] for found in _OTHER[language].finditer(self._names.sub("…", said)))


def _is_id(text: str) -> bool:
    """Whether a text is no word: it has a colon, an underscore, a digit, or nothing but capitals."""
    return bool(re.search(r"[:_\d]", text)) or (len(text) > 1 and text.isupper())


def _labels(word: CommodityWords) -> Iterator[str]:
    """Everything that the glossary says of a commodity."""
    for phrase in (word.name, word.plural, word.text):
        if phrase is not None:
            yield from (phrase.en, phrase.fr)
