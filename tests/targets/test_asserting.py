"""Tests that come to no assertion are found by the command of `make asserting`."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.targets.makefile import CHECKOUT, commands, without_variables

TESTS = """
import pytest

def test_that_asserts():
    assert list("ab")

def test_that_waits_for_an_exception():
    with pytest.raises(KeyError):
        {}["a"]

def test_that_loops_over_nothing():
    for one in []:
        assert one

def test_that_takes_no_branch():
    if not list("ab"):
        assert False

@pytest.fixture
def prepared():
    assert list("ab")

def test_of_what_is_prepared(prepared):
    pass
"""


def test_a_test_without_an_assertion_fails(tmp_path: Path) -> None:
    (tmp_path / "test_few.py").write_text(TESTS)
    (command,) = commands("asserting", ASSERTING=f"-n 0 {tmp_path / 'test_few.py'}")
    ran = subprocess.run(
        without_variables(command), cwd=CHECKOUT, capture_output=True, text=True, env=os.environ, check=False
    )
    # The reason stands in the summary, too, where the terminal is wide or nobody cuts the lines.
    reports = ran.stdout.partition("short test summary info")[0]
    failed = re.findall(r"::test_(\w+) passes without an assertion$", reports, re.MULTILINE)
    assert failed == ["that_loops_over_nothing", "that_takes_no_branch", "of_what_is_prepared"]
    assert "3 failed, 2 passed" in ran.stdout
