"""The words of moves, parameters and settings: those of the glossary, none of the code, French as written."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
FILES = sorted(
    path for name in ("actions", "parameters", "settings") for path in (PROJECT / "ledger").rglob(f"{name}.toml")
)
GLOSSARY = json.loads((PROJECT / "api/console/src/i18n/glossary.json").read_text(encoding="utf-8"))
OF_GAMES = {"key", "service", "throw", "round", "deal"}
"""The terms for which a game has a word of its own: tokens and Servers on its board, its own kinds of rounds."""

ONLY = {
    "en": ["the", "and", "is", "are", "of", "with", "this", "that", "you", "your", "was", "nothing", "which"],
    "fr": ["les", "des", "est", "sont", "avec", "vous", "votre", "cette", "rien", "une", "pas"],
}
"""Small words that occur in the one language alone."""


def said(part: Any, place: str) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of a file: place, language, text without the fields of its template."""
    if isinstance(part, list):
        for at, inner in enumerate(part):
            yield from said(inner, f"{place}[{at}]")
    if not isinstance(part, dict):
        return
    for name, inner in part.items():
        if name == "verbs":
            continue
        if name in ("en", "fr"):
            for text in [inner] if isinstance(inner, str) else inner:
                yield place, name, re.sub(r"\{[^{}]*\}", "X", text)
        else:
            yield from said(inner, f"{place}.{name}")


TEXTS = [
    text
    for path in FILES
    for text in said(
        tomllib.loads(path.read_text(encoding="utf-8")), str(path.relative_to(PROJECT).with_suffix(""))
    )
]


def among(words: list[str]) -> re.Pattern[str]:
    """Match one of the words, whole."""
    return re.compile(rf"(?<![\w'-])({'|'.join(words)})(?!\w)", re.IGNORECASE)


def faults(language: str, wrong: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return the texts of a language in which something is found, with their places."""
    return [(place, text) for place, spoken, text in TEXTS if spoken == language and wrong.search(text)]


def test_there_are_texts() -> None:
    assert len(TEXTS) > 1000


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_word_of_the_code(language: str) -> None:
    assert not faults(language, re.compile(r"\b(null|undefined|None|NaN|JSON|[a-z]+_\w+)\b"))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("term", [term for term in GLOSSARY if term not in OF_GAMES])
def test_one_word_for(term: str, language: str) -> None:
    forbidden = GLOSSARY[term]["not"][language]
    assert not forbidden or not faults(language, among(forbidden))


@pytest.mark.parametrize(("language", "foreign"), [("en", "fr"), ("fr", "en")])
def test_no_word_of_the_other_language(language: str, foreign: str) -> None:
    # A place of a board keeps its name in every language.
    assert all("rue des patates" in text for _, text in faults(language, among(ONLY[foreign])))


def test_a_space_that_does_not_break_stands_before_a_french_sign() -> None:
    assert not faults("fr", re.compile(r" [:;!?%»](\W|$)|(?<=[^\W\d])[:;!?»]( |$)|«[^\xa0]"))


def test_french_has_its_own_quotation_marks_and_short_forms() -> None:
    assert not faults("fr", re.compile(r'[“”"]'))
    assert not faults("fr", re.compile(r"(?<![\w'-])(de|que|le|la|je|ne|se) [eiouâéèêîô]", re.IGNORECASE))
