"""Ten mutants of a small house, one of whose boundaries no test looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.__main__ import main
from tests.mutants.choosing import choose, modules

RENT = '''"""Rents."""

from __future__ import annotations


def rent(owned: int, price: int) -> int | None:
    """The rent of a street, twice with all four of its colour; None when nobody has it."""
    if not owned:
        return None
    return price * 2 if owned > 3 else price + 1


def poor(money: int) -> bool:
    """Whether somebody has less than what a street costs."""
    return money < 60
'''
TESTS = """from ledger.rents import poor, rent

def test_a_rent():
    assert [rent(owned, 10) for owned in range(5)] == [None, 11, 11, 11, 20]

def test_poor():
    assert poor(10) and not poor(100)
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    files = {
        "pytest.ini": "[pytest]\naddopts = --disable-plugin-autoload -p xdist",
        "ledger/__init__.py": "",
        "ledger/rents.py": RENT,
        "tests/ledger/test_rents.py": TESTS,
    }
    for name, text in files.items():
        (tmp_path / "house" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "house" / name).write_text(text)
    return tmp_path / "house"


def test_the_boundary_that_no_test_looks_at_is_reported(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each other change is found by the test beside it, and named with it."""
    assert main(["--checkout", str(house), "--number", "10", "--seed", "1"]) == 1
    told = capsys.readouterr().out
    survivors = told[told.index("\nsurvived\n") :]
    assert "-    return money < 60" in survivors
    assert "return price" not in survivors
    assert told.count("tests/ledger/test_rents.py::test_a_rent") > 3
    assert (house / "ledger" / "rents.py").read_text() == RENT


def test_the_same_seed_chooses_the_same_mutants(house: Path) -> None:
    chosen = [[str(mutant) for mutant in choose(house, ["*"], 5, seed)] for seed in (1, 1, 2)]
    assert chosen[0] == chosen[1] != chosen[2]
    assert not any("int | None" in text for text in chosen[0])


def test_modules_are_chosen_by_their_names(house: Path) -> None:
    assert modules(house, ["ledger.r*"]) == [Path("ledger/rents.py")]
    assert main(["--checkout", str(house), "--modules", "api.*"]) == 2
