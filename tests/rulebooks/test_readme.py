"""What the README of the rulebooks says, done as it is written."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "ledger" / "rulebooks" / "README.md").read_text(encoding="utf-8")
ADDITION = re.compile(
    r"\*\*`(?P<file>\w+/[^`]+)`\*\*, (?:(?P<new>new)|(?P<end>at the end)|after `(?P<after>[^`]+)`)[^`]*?"
    r"```\w+\n(?P<text>.*?)```",
    re.DOTALL,
)


def additions(heading: str) -> list[re.Match[str]]:
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = list(ADDITION.finditer(section))
    assert section.count("```") == 2 * len(found), "a block of the text names no file"
    return found


def written_into(folder: Path, heading: str) -> None:
    """Change the files in a copy of this folder as the README says."""
    for one in additions(heading):
        file = folder / one["file"]
        if one["new"]:
            assert not file.exists()
            file.parent.mkdir(exist_ok=True)
            file.write_text(one["text"], encoding="utf-8")
            continue
        text = file.read_text(encoding="utf-8")
        if one["end"]:
            file.write_text(text + one["text"], encoding="utf-8")
        else:
            line = one["after"] + "\n"
            assert text.count(line) == 1, f"{one['file']} does not have one {line!r}"
            file.write_text(text.replace(line, line + one["text"]), encoding="utf-8")


WEAPON, GAME = "Add a weapon to Negopoly", "Add a game"


def copy_with(tmp_path: Path, heading: str) -> Path:
    """A copy of the core in which the additions of a section have been made."""
    copytree(PROJECT / "ledger", tmp_path / "ledger", ignore=ignore_patterns("__pycache__"))
    written_into(tmp_path / "ledger" / "rulebooks", heading)
    return tmp_path


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the core in which the weapon has been added."""
    return copy_with(tmp_path, WEAPON)


def run(copied: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(copied), str(PROJECT)))
    return subprocess.run(
        command, cwd=copied, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )


def test_a_weapon_takes_at_most_four_files() -> None:
    assert len({one["file"] for one in additions(WEAPON)}) == len(additions(WEAPON)) <= 4


def test_the_weapon_of_the_text_is_played(copied: Path) -> None:
    played = run(copied, sys.executable, "-m", "tests.rulebooks.weapon")
    assert played.returncode == 0, played.stderr


def test_the_weapon_of_the_text_is_clean(copied: Path) -> None:
    """It passes the linter as everything else does."""
    file = copied / "ledger" / "rulebooks" / "negopoly" / "arsenal" / "catapult.py"
    config = str(PROJECT / "pyproject.toml")
    for command in (("check",), ("format", "--check")):
        checked = run(copied, sys.executable, "-m", "ruff", *command, "--config", config, str(file))
        assert checked.returncode == 0, checked.stdout


def test_the_game_of_the_text_is_played_in_ninety_lines(tmp_path: Path) -> None:
    copied = copy_with(tmp_path, GAME)
    lines = (copied / "ledger" / "rulebooks" / "coins" / "__init__.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line]) <= 90
    played = run(copied, sys.executable, "-m", "tests.rulebooks.coins")
    assert played.returncode == 0, played.stderr


def test_every_folder_and_part_is_told() -> None:
    """The tables of the text name what is there, and nothing else."""
    rulebooks = PROJECT / "ledger" / "rulebooks"
    parts = {path.name for path in (rulebooks / "parts").glob("*.py")} - {"__init__.py"}
    assert set(re.findall(r"^\| `(\w+\.py)` \|", README, re.MULTILINE)) == parts
    folders = {path.name for path in rulebooks.iterdir() if (path / "__init__.py").exists()}
    assert set(re.findall(r"^\| `(\w+)/` \|", README, re.MULTILINE)) == folders
    for game, title in (
        ("negopoly", "Negopoly"),
        ("monopoly", "the Monopolys"),
        ("virtual_revolution", "Virtual Revolution"),
    ):
        rooms = {path.parent.name for path in (rulebooks / game).glob("*/__init__.py")}
        section = README.split(f"## The rooms of {title}")[1].split("\n## ")[0]
        assert rooms <= set(re.findall(r"`(\w+)`", section)), game
