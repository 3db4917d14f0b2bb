"""Each target of the Makefile is run in a short form through its own entry point.

The README of the tests says which tests are the short form of which target. Here are those that no room has.
"""

from __future__ import annotations

import os
import re
import struct
import subprocess
import zipfile
from collections.abc import Callable
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path

import pytest

from api.rest.description.examples import FILE
from tests.api.evening import record
from tests.browser.pictures import main as take_pictures
from tests.browser.table import PHONE
from tests.targets.makefile import CHECKOUT, commands, targets, text, without_variables

README = CHECKOUT / "tests" / "README.md"
LONG = {"soak", "simulate"}
"""The targets that run tests."""


def run(*command: str | Path, **variables: str) -> str:
    """Run a command in the checkout; it must succeed. Returns its output."""
    done = subprocess.run(
        command, cwd=CHECKOUT, capture_output=True, text=True, env=os.environ | variables, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def module_of(target: str) -> str:
    """The Python module that a target runs."""
    (command,) = commands(target)
    return command[command.index("-m") + 1]


# The README ---------------------------------------------------------------------------------------


def test_every_target_is_in_the_readme_with_its_short_form() -> None:
    rows = re.findall(r"^\| `make (\w+)` \| (.+) \|$", README.read_text(), re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(targets())


def test_every_test_that_the_readme_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", README.read_text())
    assert len(named) > 30
    for path, function in named:
        assert (CHECKOUT / path).exists(), path
        if function:
            assert re.search(rf"def {function}\b", (CHECKOUT / path).read_text()), f"{path}::{function}"


# Targets that run tests -----------------------------------------------------------------------------


def test_every_file_that_the_makefile_names_exists() -> None:
    named = set(re.findall(r"\btests/[\w/]+\.py\b", text()))
    assert len(named) > 20
    assert [path for path in sorted(named) if not (CHECKOUT / path).exists()] == []


def test_a_check_lints_and_tests_what_is_pure() -> None:
    """It runs both targets at the same time, and each says by its exit code whether it found something."""
    command, *_ = commands("check")
    assert (Path(command[0]).name, command[-2:]) == ("make", ["lint", "pure"])


def test_what_is_pure_leaves_out_only_what_is_there() -> None:
    """Each room and each pattern has a test; in those rooms nothing else is left out, so a new test is in."""
    (command,) = commands("pure")
    tests = [path.as_posix() for path in (CHECKOUT / "tests").rglob("test_*.py")]
    rooms = [word for word in command if word.startswith("tests/")]
    patterns = [word.partition("=")[2] for word in command if word.startswith("--ignore-glob=")]
    assert len(rooms) > 5
    for room in rooms:
        assert any(f"/{room}" in path for path in tests), room
    for pattern in patterns:
        assert any(fnmatch(path, pattern) for path in tests), pattern


@pytest.mark.parametrize("target", sorted(LONG))
def test_long_runs_are_run_by_pytest_with_their_variable(target: str) -> None:
    for command in commands(target):
        assert command[0] == "MABLIGOP_SOAK=1"
        assert without_variables(command)[1:3] == ["-m", "pytest"]


def test_every_test_with_a_longer_form_is_in_a_soak() -> None:
    """It has the mark, or else a long run names its file or its room."""
    named = {word for target in LONG for command in commands(target) for word in command if "tests/" in word}
    tests = [path.relative_to(CHECKOUT) for path in (CHECKOUT / "tests").rglob("test_*.py")]
    longer = [
        path for path in tests if path.name != Path(__file__).name and "SOAK" in (CHECKOUT / path).read_text()
    ]
    assert len(longer) > 10
    marked = [path for path in longer if "pytest.mark.soak" in (CHECKOUT / path).read_text()]
    left = set(longer) - set(marked)
    assert [path.as_posix() for path in sorted(left) if not {*map(str, path.parents), str(path)} & named] == []


def test_one_test_that_runs_only_in_a_soak() -> None:
    """The first command of `make soak`, with one test."""
    command, *_ = commands("soak")
    told = run(
        *without_variables(command),
        "-n",
        "0",
        "tests/store/postgres/test_kills.py",
        "-k",
        "another",
        MABLIGOP_SOAK="1",
    )
    assert "1 passed" in told


# Targets that run a module --------------------------------------------------------------------------


def test_the_committed_examples_are_those_of_the_evening(new_database: Callable[[], str]) -> None:
    """The evening of `make examples`, on a database of this process instead of a server of its own."""
    assert module_of("examples") == record.__module__
    assert record(new_database()) == FILE.read_bytes(), "`make examples` records them again"


@pytest.mark.xdist_group("console")
def test_a_picture_of_a_telephone(tmp_path: Path) -> None:
    assert module_of("pictures") == take_pictures.__module__
    asked = ("--page", "phone", "--theme", "light", "--language", "en")
    take_pictures(["--folder", str(tmp_path), *asked])
    (taken,) = tmp_path.iterdir()
    content = taken.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == PHONE


def test_quarrels_are_run_by_their_module() -> None:
    """Its `main` is called by tests/quarrels/test_quarrels.py, with one game."""
    assert module_of("quarrels") == "tests.quarrels"


# The lock file --------------------------------------------------------------------------------------


def test_a_small_package_is_locked_with_its_hash(tmp_path: Path) -> None:
    """`make lock` of a project with one dependency, which lies in a folder: nothing is fetched."""
    wheel = tmp_path / "wheels" / "smalltown-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    about = "smalltown-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: smalltown\nVersion: 1.0\n")
        packed.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr(f"{about}/RECORD", "")
    asked, locked, to_test = (tmp_path / f"requirements{end}" for end in (".in", ".lock", "-dev.lock"))
    asked.write_text("smalltown\n")
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheel.parent), "PIP_CONFIG_FILE": os.devnull}
    run("make", "lock", f"LOCKED={asked}", f"LOCK={locked}", f"DEV_LOCK={to_test}", **settings)
    for file in (locked, to_test):
        lines = [line.strip() for line in file.read_text().splitlines() if line and not line.startswith("#")]
        assert lines[:2] == ["smalltown==1.0 \\", f"--hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}"]


def test_the_lock_files_have_every_package_of_the_project() -> None:
    """Someone who adds a dependency has to lock it as well: what runs and installs, and what tests and builds."""
    import tomllib

    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    runs = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    extras = [name for names in project["project"]["optional-dependencies"].values() for name in names]
    for file, wanted in (("requirements.lock", runs), ("requirements-dev.lock", [*runs, *extras])):
        locked = set(re.findall(r"^([\w.-]+)==", (CHECKOUT / file).read_text(), re.MULTILINE))
        names = {re.split(r"[\[<>=;]", one)[0].strip().lower() for one in wanted if "win32" not in one}
        assert names - locked == set(), file


# Lint -----------------------------------------------------------------------------------------------


def test_style_contracts_and_the_types_of_one_module(tmp_path: Path) -> None:
    """The commands of `make lint`: mypy reads one module, and the components' types are left to the long runs."""
    tools = {Path(command[0]).name: command for command in commands("lint") if command[1:2] != ["check"]}
    checks = [command for command in commands("lint") if Path(command[0]).name in {"ruff", "lint-imports"}]
    assert len(checks) == 3
    for command in checks:
        run(*command)
    run(*tools["mypy"], "--cache-dir", str(tmp_path), "-m", "ledger.kernel.journal.merkle")
    assert commands("lint")[-1][-4:] == ["npm", "run", "--silent", "check"]
