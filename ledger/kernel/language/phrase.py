"""A text in the two languages of the ledger."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

_BREAKING = re.compile("(?<! ) (?=[:;!?%»])|(?<=«) ")
"""The plain spaces where French has a space that no line ends at."""


@lru_cache(maxsize=1 << 14)
def unbroken(text: str) -> str:
    """Write a French text with no-break spaces before `: ; ! ? %` and inside « »."""
    return _BREAKING.sub("\N{NO-BREAK SPACE}", text)


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in English and French."""

    en: str
    fr: str

    def in_language(self, language: str) -> str:
        """Return the text in "en" or "fr". The French one is `unbroken`."""
        return unbroken(self.fr) if language == "fr" else self.en


def is_singular(count: object, language: str) -> bool:
    """Return True if a count takes the singular in "en" or "fr": 1, and in French also 0."""
    return count == 1 or (count == 0 and language == "fr")
