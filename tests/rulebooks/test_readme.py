"""What the README of the rulebooks says, done as it is written."""

import re
from pathlib import Path

import pytest

from tests.harness.recipes import PROJECT, followed, require_clean, run
from tests.rulebooks.recipes import NEXT

README = "ledger/rulebooks/README.md"
TEXT = (PROJECT / README).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("title", "scenario"),
    [
        ("Add a weapon to Negopoly", "weapon"),
        ("Add an effect of cards to Negopoly", "card_effect"),
        ("Add a remedy to Negopoly", "remedy"),
    ],
)
def test_a_recipe_is_played(tmp_path: Path, title: str, scenario: str) -> None:
    copied = followed(README, title, tmp_path, "ledger", numbers=NEXT)
    played = run(copied, f"tests.rulebooks.recipes.{scenario}")
    assert played.returncode == 0, played.stderr
    require_clean(copied, README, title)


def test_the_game_of_the_text_is_played_in_ninety_lines(tmp_path: Path) -> None:
    copied = followed(README, "Add a game", tmp_path, "ledger")
    lines = (copied / "ledger" / "rulebooks" / "coins" / "__init__.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line]) <= 90
    played = run(copied, "tests.rulebooks.recipes.coins")
    assert played.returncode == 0, played.stderr


def test_every_folder_and_part_is_told() -> None:
    """The tables of the text name what is there, and nothing else."""
    rulebooks = PROJECT / "ledger" / "rulebooks"
    parts = {path.name for path in (rulebooks / "parts").glob("*.py")} - {"__init__.py"}
    assert set(re.findall(r"^\| `(\w+\.py)` \|", TEXT, re.MULTILINE)) == parts
    folders = {path.name for path in rulebooks.iterdir() if (path / "__init__.py").exists()}
    assert set(re.findall(r"^\| `(\w+)/` \|", TEXT, re.MULTILINE)) == folders
    for game, title in (
        ("negopoly", "Negopoly"),
        ("monopoly", "the Monopolys"),
        ("virtual_revolution", "Virtual Revolution"),
    ):
        rooms = {path.parent.name for path in (rulebooks / game).glob("*/__init__.py")}
        section = TEXT.split(f"## The rooms of {title}")[1].split("\n## ")[0]
        assert rooms <= set(re.findall(r"`(\w+)`", section)), game
