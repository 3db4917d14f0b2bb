"""Sentences that are shown to people: no id, no hole, and no word of the other language stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

WORDS_OF_PEOPLE = (
    "a slip of the pen",
    "as agreed at the table",
    "nobody remembers it otherwise",
    "it was not so",
    "it did happen",
    "the correction was a mistake",
    "so be it",
    "I was there",
    "the table agrees",
)
"""What people write in an evening, which may stand in any sentence."""
SHOWN = frozenset(
    {
        *("sentence", "sentences", "text", "label", "title", "detail", "by_text", "status_text", "default"),
        *("because", "name", "plural", "told", "was", "rule_text", "summary", "by_name", "seat_name"),
        *("commodity_name", "from_name", "to_name", "description", "turns", "veil"),
    }
)
"""The members of answers that hold sentences or names for people."""
_WRITTEN_BY_PEOPLE = frozenset({"finding", "claim", "reason", "statement", "clauses", "params", "data"})
_ID = re.compile(
    r"(?<![\w/])(?:player|escrow|property|shop|deck|hand|square|transit|title|card|charge|pile|purse|district)"
    r":[a-z0-9_]+"
)
_HOLE = re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|\{[a-z_:]*\}|<[A-Za-z_.]+ object|\[\]|\(\)")
_ENGLISH = re.compile(
    r"(?<![\w'’-])(?:the|of|and|is|pays|takes|with|from|turn|has|his|their|nobody|cannot)(?![\w'’-])"
)
_FRENCH = re.compile(r"(?<![\w'’-])(?:le|les|du|des|et|une|avec|dans|paie|tour|sont|aucun|personne|ne)(?![\w'’-])")
_QUOTED = re.compile(r"[“«\"][^”»\"]*[”»\"]|(?<![\w])'[^']*'")
_SAID = re.compile("|".join(map(re.escape, WORDS_OF_PEOPLE)))
_FEW_WORDS = 4


class Wrong(NamedTuple):
    """What is wrong with a sentence, and the sentence."""

    kind: str
    text: str


class Glossary:
    """The names of a game in both languages: what may stand in a sentence, and which ids may not."""

    def __init__(self, english: Any, french: Any, seats: list[str], *, strangers: bool = False) -> None:
        self.strangers = strangers
        """True if users have written words unknown to this module."""
        names = {seat["name"] for seat in english["seats"]}
        ids = set(seats)
        for words in (english, french):
            for thing, called in words["commodities"].items():
                names |= {called["name"], called["plural"]}
                if called["name"] != thing and not thing.isalpha():
                    ids.add(thing)
            names |= set(words["accounts"].values())
        shown = sorted((re.escape(name) for name in names if name), key=len, reverse=True)
        self._names = re.compile("|".join(shown)) if shown else re.compile(r"(?!)")
        ids -= names
        self._ids = re.compile(rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, sorted(ids)))})(?![\w-])")

    def ids_in(self, sentence: str) -> list[str]:
        """The ids that stand in a sentence."""
        return [*_ID.findall(sentence), *self._ids.findall(sentence)]

    def without_names(self, sentence: str) -> str:
        """The sentence without the names of the game, which are the same in both languages."""
        return self._names.sub(" ", sentence)


def wrong_in(content: Any, language: str, glossary: Glossary) -> Iterator[Wrong]:
    """What is wrong with the sentences of an answer in this language."""
    for sentence, written in _sentences(content, language):
        plain = _QUOTED.sub(" ", sentence)
        if ids := glossary.ids_in(plain):
            yield Wrong("an id", f"{ids[0]!r} in {sentence!r}")
        if hole := _HOLE.search(plain):
            yield Wrong("a hole", f"{hole[0]!r} in {sentence!r}")
        if glossary.strangers:
            continue
        words = glossary.without_names(_SAID.sub(" ", plain))
        other = (_FRENCH if written == "en" else _ENGLISH).findall(words)
        own = (_ENGLISH if written == "en" else _FRENCH).findall(words)
        if other and not own and len(words.split()) >= _FEW_WORDS:
            yield Wrong(f"not in {written}", f"{other} in {sentence!r}")


def _sentences(content: Any, language: str) -> Iterator[tuple[str, str]]:
    """Each sentence for people with its language: what people wrote themselves is left out."""
    match content:
        case {"en": str(english), "fr": str(french), **rest} if not rest or set(rest) == {"rule"}:
            yield english, "en"
            yield french, "fr"
        case dict():
            for name, value in content.items():
                # What has a label has its words there: the name of a draw is its id.
                if name in _WRITTEN_BY_PEOPLE or (name == "name" and "label" in content):
                    continue
                if name in SHOWN and isinstance(value, str):
                    yield value, language
                elif name in SHOWN and isinstance(value, list):
                    yield from ((text, language) for text in value if isinstance(text, str))
                    yield from _sentences([item for item in value if not isinstance(item, str)], language)
                else:
                    yield from _sentences(value, language)
        case list():
            for item in content:
                yield from _sentences(item, language)
        case _:
            return
