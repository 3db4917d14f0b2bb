"""How the service finds its games."""

import importlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks import declared_in, rulebooks_by_id
from tests.example import RULEBOOKS


def test_the_games_are_known_by_their_ids() -> None:
    assert {"negopoly", "negoces2"} <= set(rulebooks_by_id())
    assert all(rulebook.id == name for name, rulebook in rulebooks_by_id().items())


@pytest.mark.parametrize("rulebook", [*rulebooks_by_id().values(), *RULEBOOKS], ids=lambda rulebook: rulebook.id)
def test_every_game_says_what_its_end_reveals(rulebook: Rulebook[Any]) -> None:
    """By a setting that a table may change, described in both languages."""
    schema = msgspec.json.schema(rulebook.settings)
    (settings,) = (one for one in schema["$defs"].values() if "reveal_at_end" in one.get("properties", {}))
    told = settings["properties"]["reveal_at_end"]
    assert (told["type"], type(told["default"])) == ("boolean", bool)
    assert told["description"] != told["description_fr"]


def test_a_package_without_a_rulebook_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {
        "": "",
        "game": "from ledger.rulebooks.negoces2 import RULEBOOK\n",
        "parts": "PIECES = ()\n",
        "notes": "RULEBOOK = 'nothing but a word'\n",
    }.items():
        folder = tmp_path / "shelf" / name
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").write_text(text, encoding="utf-8")
    (tmp_path / "shelf" / "tables").mkdir()
    (tmp_path / "shelf" / "reading.py").write_text("RULEBOOK = None\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = list(declared_in(importlib.import_module("shelf")))
    assert [rulebook.id for rulebook in found] == ["negoces2"]


def test_an_engine_declares_a_rulebook_for_each_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both editions of the town are found beside a game that has one rulebook only."""
    for name, text in {
        "": "",
        "single": "from ledger.rulebooks.negoces2 import RULEBOOK\n",
        "towns": "from tests.example.town import RULEBOOKS\n",
    }.items():
        folder = tmp_path / "editions" / name
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = list(declared_in(importlib.import_module("editions")))
    assert [rulebook.id for rulebook in found] == ["negoces2", "town_quiet", "town_harbour"]
