"""Reading the Makefile as make does: its targets, and the commands of one."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
_MADE = re.compile(r"^(?:EMPTY|READY|DEV|CLIENTS|TOOLS|SERVERS|PAGES|TYPES) *:= *(.+)$", re.MULTILINE)


def targets() -> list[str]:
    """List the targets that people call."""
    found = re.search(r"^\.PHONY: (.+)$", text(), re.MULTILINE)
    assert found is not None
    return found[1].split()


def text() -> str:
    """Read the Makefile."""
    return (CHECKOUT / "Makefile").read_text()


def commands(target: str, **variables: str) -> list[list[str]]:
    """List the commands of a target as words, with what it needs taken as made."""
    made = [
        name.replace("$(VENV)", ".venv").replace("$(CONSOLE)", "api/console") for name in _MADE.findall(text())
    ]
    asked = ["make", "--no-print-directory", "-n", *(word for name in made for word in ("-o", name)), target]
    asked += [f"{name}={value}" for name, value in variables.items()]
    listed = subprocess.run(asked, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    return [shlex.split(line) for line in listed.replace("\\\n", " ").splitlines() if line]


def without_variables(command: list[str]) -> list[str]:
    """Leave out the variables of the environment before a command."""
    first = next(at for at, word in enumerate(command) if "=" not in word)
    return command[first:]
