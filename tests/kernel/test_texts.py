"""Which characters a text may hold."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.kernel.facts import texts
from ledger.kernel.facts.refusals import Malformed

REFUSED = {
    "U+0000": "\0",
    "U+0007": "\a",
    "U+0008": "\b",
    "U+000C": "\f",
    "U+000D": "\r",
    "U+001B": "\x1b",
    "U+007F": "\x7f",
    "U+0085": "\x85",
    "U+009F": "\x9f",
    "U+202A": "\u202a",
    "U+202E": "\u202e",
    "U+2066": "\u2066",
    "U+2069": "\u2069",
    "U+D800": "\ud800",
    "U+DFFF": "\udfff",
    "U+FEFF": "\ufeff",
}
ALLOWED = [
    "",
    "Two lines,\nand a\ttab",
    "₦120 à Çigdem 😀 \N{WOMAN}\u200d\N{PERSONAL COMPUTER}",
    "אנה (\u200fבנק\u200e) \u061c",
    "می\u200cخواهم",
    'a backslash \\ and a quote " and \\u0000 spelt out',
    "\u2028\u2029\xa0\uffff",
]


@pytest.mark.parametrize("character", REFUSED)
def test_a_refused_character_is_found_with_its_place_and_its_rule(character: str) -> None:
    value = {"kind": "x", "params": {"a/b": ["fine", {"text": f"It{REFUSED[character]}"}]}, "after": "\0"}
    found = texts.unfit(value)
    assert found is not None
    assert (found.pointer, found.character) == ("/params/a~1b/1/text", character)
    assert found.en.startswith("a text holds no ")
    assert found.fr.startswith("un texte ne contient pas ")


@pytest.mark.parametrize("text", ALLOWED)
def test_what_people_write_is_allowed(text: str) -> None:
    assert texts.unfit({text: [text]}) is None
    assert json.loads(texts.encoded({text: [text]})) == {text: [text]}
    assert texts.legible(text) == text


def test_the_name_of_a_member_is_a_text_too() -> None:
    found = texts.unfit({"params": [1, None, {"a\0": 1}]})
    assert found is not None
    assert found.pointer == "/params/2"


@pytest.mark.parametrize("character", REFUSED)
def test_no_refused_character_passes_as_json(character: str) -> None:
    """As an escape, and as it is where JSON allows it."""
    written = [json.dumps(REFUSED[character])]
    if REFUSED[character] >= "\x7f" and not character.startswith("U+D"):
        written.append(json.dumps(REFUSED[character], ensure_ascii=False))
    for one in written:
        assert texts.is_suspect(one.encode())
    with pytest.raises(Malformed) as refused:
        texts.encoded({"title": REFUSED[character]})
    assert refused.value.values == {"place": "/title", "character": character}
    assert refused.value.en.startswith(f"/title: {character} is refused: a text holds no ")


def test_an_ordinary_request_is_not_suspect() -> None:
    plain: Any = {"kind": "transfer_money", "params": {"to": "bob", "amount": 50, "note": "₦ à אנה\n"}}
    assert not texts.is_suspect(json.dumps(plain, ensure_ascii=False).encode())


def test_a_legible_text_shows_where_a_character_was() -> None:
    assert texts.legible("a\0b\u202ec\n\ud800") == "a\ufffdb\ufffdc\n\ufffd"


@pytest.mark.parametrize("text", ["\u200b", "\u200d\u3164", "\u2800", " \n"])
def test_a_text_shows_something(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        texts.require_visible({"edits": [1, None, {"note": text}]})
    assert refused.value.values == {"pointer": "/edits/2/note"}
    texts.require_visible({"note": f"{text}!", "empty": ""})
