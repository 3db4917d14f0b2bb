"""A game stored under older rules stays what it was, when a weapon is added (README.md) or a rent is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from tests.golden import GAMES, rulebook_of
from tests.harness.recipes import PROJECT, followed, run
from tests.properties.commands import SOAK
from tests.rulebooks.recipes import NEXT

NAMES = [name for name in GAMES if rulebook_of(name).id == "negopoly"] if SOAK else ["negopoly_v11"]
RENT = "rent = rents[min(houses_on(state, title), len(rents) - 1)]"
ROW = f'\n[[revision]]\n{NEXT["number = 2"]}\nchanged = "A rent is one more."\nkinds = ["resolve_square"]\n'


def with_weapon(folder: Path) -> None:
    followed("ledger/rulebooks/README.md", "Add a weapon to Negopoly", folder, "ledger", numbers=NEXT)


def with_rent(folder: Path) -> None:
    copytree(PROJECT / "ledger", folder / "ledger", ignore=ignore_patterns("__pycache__"))
    file = folder / "ledger" / "rulebooks" / "negopoly" / "estate" / "real_estate.py"
    text = file.read_text(encoding="utf-8")
    assert text.count(RENT) == 1
    file.write_text(text.replace(RENT, f"{RENT} + 1"), encoding="utf-8")


def with_row(folder: Path) -> None:
    with_rent(folder)
    with (folder / "ledger" / "rulebooks" / "negopoly" / "revisions.toml").open("a", encoding="utf-8") as file:
        file.write(ROW)


@pytest.fixture
def mended(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of the core with other rules of Negopoly."""
    request.param(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def told(new_database: Callable[..., str]) -> Callable[[Path], dict[str, Any]]:
    """A function that tells what the code in a folder does with the stored games."""

    def tell(folder: Path) -> dict[str, Any]:
        ran = run(folder, "tests.rulebooks.mended", new_database(), *NAMES)
        assert ran.returncode == 0, ran.stderr
        return {line["game"]: line for line in map(json.loads, ran.stdout.splitlines())}

    return tell


@pytest.fixture(scope="module")
def before(told: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    return told(PROJECT)


@pytest.mark.parametrize("mended", [with_weapon, with_row], indirect=True)
def test_stored_games_stay_what_they_were(
    mended: Path, before: dict[str, Any], told: Callable[[Path], dict[str, Any]]
) -> None:
    """They are verified, imported and corrected as before, and their next entries are of the new revision."""
    after = told(mended)
    assert after.keys() == before.keys() == set(NAMES)
    for name, line in after.items():
        assert line["corrected"] == before[name]["corrected"]
        assert set(line["wrong"]) <= set(before[name]["wrong"])
        revision, kernel = before[name]["revision"]
        assert line["revision"] == [revision + 1, kernel]
        assert line["exempt"] == line["again"] >= before[name]["exempt"]
    assert sum(line["exempt"] for line in after.values()) > sum(line["exempt"] for line in before.values())


@pytest.mark.parametrize("mended", [with_rent], indirect=True)
def test_a_forgotten_row_is_named(mended: Path) -> None:
    golden = f"{PROJECT}/tests/golden/test_golden.py"
    options = ("-n", "0", "-p", "no:cacheprovider", "--import-mode", "append", "-k", "decided and negopoly_v11")
    ran = run(mended, "pytest", *options, golden)
    assert ran.returncode == 1
    assert "add a row to revisions.toml; kinds: resolve_square\n" in ran.stdout
