"""The recipes of the READMEs, followed to the letter on a copy of the project.

A recipe is a section of a README. Each of its blocks of code goes into the file named before the block: a new
file, the end of a file, or after or before a line. Paths are from the top of the project.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree, ignore_patterns

PROJECT = Path(__file__).parents[2]

_PLACE = r"(?P<new>new)|(?P<end>at the end)|(?P<side>after|before) (?P<q>`+)(?P<line>.+?)(?P=q)"
_ADDITION = re.compile(
    rf"\*\*`(?P<file>[^`]+)`\*\*, (?:{_PLACE})[^`]*?```\w+\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)


def additions(readme: str, title: str) -> list[re.Match[str]]:
    """The blocks of the recipe with this title, each with its file and place."""
    recipe = (PROJECT / readme).read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    found = list(_ADDITION.finditer(recipe))
    assert recipe.count("```") == 2 * len(found), "a block of the recipe names no file"
    return found


def followed(readme: str, title: str, folder: Path, *rooms: str, numbers: Mapping[str, str] | None = None) -> Path:
    """Copy these rooms of the project into the folder, and add what the recipe says. At most five files change.

    `numbers` has the next free numbers, for those that the recipe names.
    """
    for room in rooms:
        skipped = ignore_patterns("__pycache__", "node_modules", "built")
        copytree(PROJECT / room, folder / room, ignore=skipped, dirs_exist_ok=True)
    found = additions(readme, title)
    assert 0 < len({one["file"] for one in found}) <= 5
    for one in found:
        _add(one, folder / one["file"], numbers or {})
    return folder


def _add(addition: re.Match[str], file: Path, numbers: Mapping[str, str]) -> None:
    text = addition["text"]
    for number, free in numbers.items():
        text = text.replace(number, free)
    if addition["new"]:
        assert not file.exists()
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    place = len(lines)
    if addition["line"]:
        assert lines.count(addition["line"] + "\n") == 1, f"{file} does not have one {addition['line']!r}"
        place = lines.index(addition["line"] + "\n") + (addition["side"] == "after")
    file.write_text("".join([*lines[:place], text, *lines[place:]]), encoding="utf-8")


def run(copied: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python with a module in the copy, where what was not copied is the project's."""
    path = os.pathsep.join((str(copied), str(PROJECT)))
    return subprocess.run(
        (sys.executable, "-m", *command),
        cwd=copied,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def require_clean(copied: Path, readme: str, title: str) -> None:
    """What the recipe adds in Python passes the linter once formatted, as everything else does."""
    files = sorted({one["file"] for one in additions(readme, title) if one["file"].endswith(".py")})
    style = ("--config", str(PROJECT / "pyproject.toml"), "--config", f"src = ['.', '{PROJECT}']")
    for command in ("format", "check"):
        checked = run(copied, "ruff", command, *style, *files)
        assert checked.returncode == 0, checked.stdout
