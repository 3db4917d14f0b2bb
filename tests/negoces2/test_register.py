"""The register and the pieces of Négoces 2, compared with their document.

The tables below are copied from the document by hand. The files must agree with them, so they are never loaded
from the files.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ledger.rulebooks.negoces2 import RULEBOOK

FOLDER = Path(__file__).parents[2] / "ledger" / "rulebooks" / "negoces2"

CHAPTERS = {
    "setup": 18, "auction": 10, "seller": 4, "sale": 20, "forced": 11, "coins": 2, "secrecy": 3, "end": 10,
    "banker": 3,
}  # fmt: skip
CARDS = (
    ("Vin", 1), ("Épices", 2), ("Thé", 3), ("Soie", 4), ("Café", 5), ("Bijoux", 6), ("Parfum", 7), ("Jade", 8),
    ("Contrebande", None),
)  # fmt: skip
STATED = {
    "setup.1": "4",
    "setup.2": "32 8 4",
    "setup.3": "1 32 33",
    "setup.4": "60",
    "setup.5": "15",
    "setup.6": "8 2 4",
    "auction.2": "1",
    "auction.4": "1 2",
    "forced.4": "1 8",
    "forced.7": "4",
    "forced.9": "2",
    "seller.1": "9",
    "end.3": "31",
    "end.4": "1 8",
}
"""Rule: the numbers that the document gives for it."""


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


ENGLISH: list[dict[str, Any]] = read("rules.toml")["rule"]
FRENCH: list[dict[str, Any]] = [{"id": entry["id"], "decision": "", **entry["fr"]} for entry in ENGLISH]
PIECES = read("cards.toml")
PAIRS = [pytest.param(en, fr, id=en["id"]) for en, fr in zip(ENGLISH, FRENCH, strict=True)]


def numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+", text))


def test_the_register_holds_81_rules_in_nine_chapters_without_a_gap() -> None:
    expected = [
        f"negoces2:{chapter}.{place}" for chapter, count in CHAPTERS.items() for place in range(1, count + 1)
    ]
    assert len(expected) == 81
    assert [entry["id"] for entry in ENGLISH] == expected


def test_every_rule_has_the_fields_of_the_register() -> None:
    for entry in ENGLISH:
        fields = [field for field in entry if field != "rests_on"]
        assert fields == ["id", "title", "requires", "category", "actions", "decision", "fr"], entry["id"]
        assert entry.get("rests_on") != [], f"{entry['id']} rests on nothing: leave it out"
        assert entry["requires"].endswith("."), entry["id"]
        assert re.fullmatch(r"[a-z_]+", entry["category"]), entry["id"]
        assert list(entry["fr"]) == ["title", "requires", *(["decision"] if entry["decision"] else [])], entry[
            "id"
        ]


@pytest.mark.parametrize(("en", "fr"), PAIRS)
def test_a_rule_says_the_same_in_both_languages(en: dict[str, Any], fr: dict[str, Any]) -> None:
    for field in ("title", "requires", "decision"):
        assert numbers(fr[field]) == numbers(en[field]), field
        assert bool(fr[field]) == bool(en[field]), field
    assert fr["requires"] != en["requires"]


def test_french_punctuation_never_starts_a_line() -> None:
    for entry in FRENCH:
        for field in ("title", "requires", "decision"):
            assert re.search(r" [:;?!%»]|« ", entry[field]) is None, entry["id"]


@pytest.mark.parametrize(("number", "stated"), STATED.items())
def test_a_rule_gives_the_numbers_of_the_document(number: str, stated: str) -> None:
    requires = next(entry["requires"] for entry in ENGLISH if entry["id"] == f"negoces2:{number}")
    assert set(stated.split()) <= set(numbers(requires))


def test_gaps_and_moments_are_complete() -> None:
    register = read("rules.toml")
    assert len(register["gap"]) == 12
    assert len(register["visibility"]) == 19
    for gap in register["gap"]:
        assert list(gap) == ["id", "missing", "default"]
        assert all(gap.values())
    for row in register["visibility"]:
        assert list(row) == ["moment", "item", "seen_by", "others_see"]
        assert row["seen_by"][0] == "banker"


def test_the_cards_and_coins_are_those_of_the_document() -> None:
    assert [(card["fr"], card.get("number")) for card in PIECES["card"]] == list(CARDS)
    assert [card["copies"] for card in PIECES["card"]] == [4] * 8 + [1]
    assert [card["commodity"] for card in PIECES["card"]] == [f"good:{good}" for good in range(1, 9)] + [
        "contraband"
    ]
    assert PIECES["coins"] == {"total": 60, "each": 15}
    assert PIECES["auction"] == {"opening": 1, "raises": [1, 2]}
    assert PIECES["victory"] == {"coins": 31}


def test_the_register_names_the_game() -> None:
    meta = read("rules.toml")["meta"]
    assert (meta["title"], meta["author"], meta["year"]) == ("Négoces 2", "François Tréca", 2008)
    assert (RULEBOOK.id, RULEBOOK.title, RULEBOOK.players) == ("negoces2", "Négoces 2", (4, 4))


def test_every_setting_is_described_in_both_languages() -> None:
    fields = set(RULEBOOK.settings.__struct_fields__) - {"reveal_at_end"}  # that one is of every game
    assert set(PIECES["settings"]) == fields == {"labels", "last_winners", "offers_may_be_turned"}
    for described in PIECES["settings"].values():
        assert described["en"].endswith(".")
        assert described["fr"].endswith(".")


def test_the_components_tell_a_frontend_everything_there_is() -> None:
    components = RULEBOOK.screen.components()
    assert sum(card["copies"] for card in components["cards"]) == 33
    assert components["coins"] == {"total": 60, "each": 15, "victory": 31}
