"""Numbers of a rule in words: "three", "third", "doubled", and parts: "half", "10%"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.language.sentences import Speaker

_NUMBERS = {
    "en": ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "fr": ("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
}
_ORDINALS = {
    "en": ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    "fr": ("", "premier", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième",
           "neuvième", "dixième"),
}  # fmt: skip
_FACTORS = {
    2: Phrase("doubled", "doublé"),
    3: Phrase("tripled", "triplé"),
}
_HALF = Phrase("half", "la moitié")


def say_number(value: Any, language: str) -> str:
    """Return a number up to ten in words: "three"."""
    words = _NUMBERS[language]
    return words[value] if value < len(words) else str(value)


def say_feminine(value: Any, language: str) -> str:
    """Return a number before a French feminine noun: "une"."""
    return "une" if (value, language) == (1, "fr") else say_number(value, language)


def say_ordinal(value: Any, language: str) -> str:
    """Return the place of a number in words: "third"."""
    return _ORDINALS[language][value]


def say_factor(value: Any, language: str) -> str:
    """Return a factor as a participle: "doubled", "multiplied by 5"."""
    usual = Phrase(f"multiplied by {value}", f"multiplié par {value}")
    return _FACTORS.get(value, usual).in_language(language)


def say_percent(value: Any, language: str) -> str:
    """Return a fraction, a numerator and a denominator, as a percentage: "10%"; "1/3" for a third."""
    above, below = value
    hundredths, remainder = divmod(100 * above, below)
    return f"{above}/{below}" if remainder else Phrase(f"{hundredths}%", f"{hundredths} %").in_language(language)


def say_part(value: Any, language: str) -> str:
    """Return a fraction as a part of something: "half", "25%"."""
    above, below = value
    return _HALF.in_language(language) if 2 * above == below else say_percent(value, language)


NUMERALS: Mapping[str, Speaker] = {
    "number": say_number,
    "feminine": say_feminine,
    "ordinal": say_ordinal,
    "factor": say_factor,
    "percent": say_percent,
    "part": say_part,
}
"""The manners of speaking for the values of settings in the texts of rules."""
