"""The import contracts can fail: each is broken once in a copy of the packages that has no code but imports."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.targets.makefile import CHECKOUT

KERNEL, LAYERS, TRACES, ROOMS, GAMES = CONTRACTS = (
    "The kernel and the rulebooks are pure",
    "Arrows point down",
    "Only the API knows of traces",
    "The rooms of the kernel stand on one another",
    "Games stand on parts, and not on one another",
)
PACKAGES = ("ledger", "api", "replays", "migrations")


@pytest.fixture
def house(tmp_path: Path) -> Callable[..., str]:
    """A function that checks the project's contracts on its packages, emptied, with these imports by module."""
    (tmp_path / "pyproject.toml").write_text((CHECKOUT / "pyproject.toml").read_text())
    for package in PACKAGES:
        for folder in [CHECKOUT / package, *(CHECKOUT / package).glob("**/")]:
            if (folder / "__init__.py").exists():
                copied = tmp_path / folder.relative_to(CHECKOUT)
                copied.mkdir(parents=True, exist_ok=True)
                (copied / "__init__.py").touch()
    (tmp_path / "ledger" / "service.py").touch()  # The one module that the contracts name.

    def check(**imports: str) -> str:
        for module, line in imports.items():
            path = tmp_path / Path(*module.split("__"), "planted.py")
            path.write_text(f"{line}\n")
        lint = Path(sys.executable).with_name("lint-imports")
        done = subprocess.run([lint, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode in {0, 1}, done.stdout + done.stderr
        assert (done.returncode == 0) == ("0 broken" in done.stdout)
        return done.stdout

    return check


def test_nothing_is_found_in_packages_that_import_nothing(house: Callable[..., str]) -> None:
    told = house()
    assert [f"{contract} KEPT" in told for contract in CONTRACTS] == [True] * 5


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("ledger__kernel__facts", "import flask", {KERNEL}),
        ("ledger__kernel__facts", "import ledger.store", {KERNEL, LAYERS}),
        ("ledger__kernel__facts", "import ledger.kernel.journal", {ROOMS}),
        ("ledger__kernel__arbitration", "import ledger.kernel.deciding", {ROOMS}),
        ("ledger__kernel", "import datetime", {ROOMS}),
        ("ledger__rulebooks__negopoly", "import sqlalchemy", {KERNEL}),
        ("ledger__reading", "import ledger.acting", {LAYERS}),
        ("ledger__store", "import ledger.rulebooks", {LAYERS}),
        ("replays", "import api", {LAYERS}),
        ("ledger__acting", "import opentelemetry", {TRACES}),
        ("ledger__rulebooks__negopoly", "import ledger.rulebooks.monopoly", {GAMES}),
        ("ledger__rulebooks__parts", "import ledger.rulebooks.negoces2", {GAMES}),
    ],
)
def test_an_import_against_a_contract_is_found(
    house: Callable[..., str], module: str, line: str, broken: set[str]
) -> None:
    told = house(**{module: line})
    assert {contract for contract in CONTRACTS if f"{contract} BROKEN" in told} == broken
