"""The report's words, numbers, amounts of money, days and durations, in English or French."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from importlib.resources import files
from typing import Any

import rtoml

_NO_BREAK = "\u00a0"
_NARROW = "\u202f"
_WORDS: Mapping[str, Mapping[str, str]] = rtoml.loads(
    (files(__package__) / "words.toml").read_text(encoding="utf-8")
)
_MINUS = "−"
_SUMS = re.compile(r"(?<=[₦€$£])\d{4,}|\d{4,}(?=[ \u00a0]?[₦€$£])")
_APART = (
    (re.compile(r"[ \u00a0](?=[;!?])"), _NARROW),
    (re.compile(r" (?=[:»%₦€$£])|(?<=«) "), _NO_BREAK),
)
"""The spaces at which a French line must not be broken."""
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_EXACT = 10
"""The number of minutes from which seconds are left out."""


class Speech:
    """Writes words and numbers in one language.

    `language` is "en" or "fr". `money` is the game's function for an amount of money, and `worth` the function
    for the worth of a seat, if measured in another unit.
    """

    def __init__(
        self,
        language: str,
        money: Callable[[Any, str], str] | None,
        worth: Callable[[Any, str], str] | None = None,
    ) -> None:
        self.language = language
        self._money = money
        self._worth = worth or money
        self._words = _WORDS[language]

    def __call__(self, word: str, **filled: Any) -> str:
        """Return a word or sentence of the report with its values. Raises KeyError for an unknown word."""
        text = self._words[word].format(**filled)
        return self.set(text)

    def set(self, text: str) -> str:
        """Typeset a text: separators for thousands, non-breaking spaces, typographic apostrophes."""
        text = _SUMS.sub(lambda matched: self.number(int(matched[0])), text)
        if self.language == "fr":
            for blank, unbroken in _APART:
                text = blank.sub(unbroken, text)
        return _APOSTROPHE.sub("’", text)

    def sentence(self, text: str) -> str:
        """Write a text as a sentence, with a capital letter and a final stop."""
        text = capital(self.set(text.strip()))
        return text if not text or text[-1] in ".!?…" else f"{text}."

    def number(self, value: int) -> str:
        """Write a whole number with separators for thousands."""
        digits = f"{abs(value):,}".replace(",", self._words["group"])
        return f"{_MINUS}{digits}" if value < 0 else digits

    def decimal(self, value: float, places: int) -> str:
        """Write a number with `places` decimal places."""
        whole, _, behind = f"{abs(value):.{places}f}".partition(".")
        digits = f"{int(whole):,}".replace(",", self._words["group"])
        text = f"{digits}{self._words['decimal']}{behind}" if behind else digits
        return f"{_MINUS}{text}" if value < 0 else text

    def money(self, amount: int) -> str:
        """Write an amount of money in the game's words."""
        return self._amount(amount, self._money)

    def worth(self, amount: int) -> str:
        """Write the worth of a seat in the game's words: money, or victory points."""
        return self._amount(amount, self._worth)

    def _amount(self, amount: int, written: Callable[[Any, str], str] | None) -> str:
        # The game's function needs a number to choose singular or plural.
        digits: Any = abs(amount) if abs(amount) < 1000 else self.number(abs(amount))
        text = str(digits) if written is None else written(digits, self.language)
        text = self.set(text).replace(" ", _NO_BREAK)
        return f"{_MINUS}{text}" if amount < 0 else text

    def signed(self, amount: int) -> str:
        """Write an amount of money with its sign."""
        return f"+{self.money(amount)}" if amount > 0 else self.money(amount)

    def day(self, at: datetime) -> str:
        """Write a date in words."""
        month = self._words["months"].split()[at.month - 1]
        return self("day", day=at.day, month=month, year=at.year)

    def duration(self, seconds: int) -> str:
        """Write a duration in words, rounded for people."""
        minutes, remainder = divmod(seconds, 60)
        if not minutes:
            return self("seconds", seconds=remainder)
        if minutes < _EXACT and remainder:
            return self("minutes_seconds", minutes=minutes, seconds=remainder)
        hours, minutes = divmod(minutes, 60)
        if not hours:
            return self("minutes", minutes=minutes)
        return self("hours", hours=hours, minutes=minutes)

    def list(self, words: Iterable[str]) -> str:
        """Write a list in words."""
        items = list(words)
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self('and')} {items[-1]}"


def capital(text: str) -> str:
    """Return the text with a capital letter at the beginning."""
    return text[:1].upper() + text[1:]
