"""Short forms of sentences: the beginning of a template that says enough, as for a screen read from afar."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ledger.kernel.language.phrase import unbroken
from ledger.kernel.language.sentences import Speaker, speak

_FIELD = re.compile(r"\{[^{}]*\}")
_OPENING = re.compile(r"(?:By|In|Par|À) ")
"""A word that begins a sentence with its circumstances: a pause after it is no end."""
_ASIDE = re.compile(r" ?\([^()]*\)")
_CUTS = {
    "en": re.compile(r" ?[;:–] |, (?=[a-z])| (?=(?:for|on|to|from|beside|into|with|after|under)\b)"),
    "fr": re.compile(r"[ \u00a0\u202f]?[;:–] |, (?=[a-zà-ÿ])| (?=(?:pour|sur|à|au|aux|chez|avec|après|sous)\b)"),
}
"""The places where a sentence may end early: a pause, or a word that adds to what is said."""


def brief(template: str, subject: object, language: str, speakers: Mapping[str, Speaker], limit: int) -> str:
    """Return the longest beginning of a sentence, without asides, of at most `limit` characters.

    The template ends early between its own words and never within a name or a number. Only a beginning that is
    too long by itself, such as one with a very long name, is cut, with "…".
    """
    text = ""
    for beginning in _beginnings(unbroken(template) if language == "fr" else template, language):
        text = speak(beginning, subject, language, speakers).rstrip(" .,;:\u00a0\u202f")
        if len(text) <= limit:
            return text
    whole_words = text[:limit].rpartition(" ")[0] or text[: limit - 1]
    return f"{whole_words[: limit - 1].rstrip(' .,;:')}…"


@cache
def _beginnings(template: str, language: str) -> tuple[str, ...]:
    """Return the beginnings of a template, the longest first: all of it, without asides, up to each cut."""
    plain = _without(_ASIDE, template)
    masked = _FIELD.sub(lambda field: "#" * len(field[0]), plain)
    ends = [cut.start() for cut in _CUTS[language].finditer(masked)]
    enough = [end for end in ends if re.search(r"\w\w|# #", masked[:end]) and not _OPENING.match(masked)]
    return (template, plain, *(plain[:end] for end in reversed(enough)))


def _without(asides: re.Pattern[str], template: str) -> str:
    """Remove what stands in brackets, fields included."""
    masked = _FIELD.sub(lambda field: "#" * len(field[0]), template)
    start, parts = 0, []
    for aside in asides.finditer(masked):
        parts.append(template[start : aside.start()])
        start = aside.end()
    return "".join((*parts, template[start:]))
