"""Rooms are small, and each says what it is for."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from tests.targets.makefile import CHECKOUT

SOURCE = ("ledger", "api", "replays", "migrations")
MOST = 25
"""How many files a folder of source has at most."""
_NOT_OURS = {"node_modules", "built", "__pycache__", "versions"}
_KINDS = {".py", ".toml", ".ts", ".svelte", ".json", ".jsonl", ".md", ".html", ".css"}


def files() -> list[Path]:
    """The files of source, below the checkout."""
    found = (path.relative_to(CHECKOUT) for room in SOURCE for path in (CHECKOUT / room).rglob("*"))
    return [path for path in found if path.suffix in _KINDS and not _NOT_OURS & set(path.parts)]


def test_no_folder_has_more_than_25_files() -> None:
    sizes = Counter(path.parent for path in files())
    assert {str(folder): size for folder, size in sizes.items() if size > MOST} == {}


def test_every_package_says_what_it_is_for() -> None:
    packages = [path for path in files() if path.name == "__init__.py"]
    assert len(packages) > 60
    silent = [
        str(path) for path in packages if not ast.get_docstring(ast.parse((CHECKOUT / path).read_text("utf-8")))
    ]
    assert silent == []


def test_every_room_of_the_console_is_in_its_readme() -> None:
    text = (CHECKOUT / "api" / "console" / "README.md").read_text("utf-8")
    source = CHECKOUT / "api" / "console" / "src"
    rooms = [
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if any(path.glob("*.ts")) and path.name != "fixtures"
    ]
    assert [room for room in rooms if f"`{room}`" not in text and f"`{room}/`" not in text] == []
