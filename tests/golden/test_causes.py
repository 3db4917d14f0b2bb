"""Every worker names the same causes: they do not depend on how a process hashes texts."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.golden import causes


def test_two_processes_find_the_same_causes() -> None:
    """Among facts that are as near, each used to blame the one that its own hashes put first."""
    first, second = (
        subprocess.run(
            [sys.executable, "-m", causes.__name__],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for seed in ("1", "2")
    )
    assert len(first) > 50
    assert first == second
