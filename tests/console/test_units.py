"""The console's own tests run with the others: the types of its components, and its unit tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.console import forms, made

CONSOLE = Path(__file__).parents[2] / "api" / "console"


def run(*command: str, console: Path = CONSOLE) -> None:
    """Run a tool in the console's folder with the Node.js of the project; it must succeed."""
    if not (CONSOLE / "node_modules").exists() or not (CONSOLE / "src" / "api" / "schema.d.ts").exists():
        pytest.fail("the tools of the console are not installed: `make console api/console/src/api/schema.d.ts`")
    done = subprocess.run(
        [sys.executable, CONSOLE / "pages.py", console, *command],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak  # `make lint` reads them as well
def test_components_fit_their_types() -> None:
    run("npm", "run", "--silent", "check")


def test_units() -> None:
    made.make()
    forms.make()
    run("npx", "vitest", "run")
