"""Boards of all kinds, as tables bring them: a folder each, in the form of `mabligop edition new`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from api.command.edition.checking import checked

FOLDER = Path(__file__).parent
BOARDS = tuple(sorted(path.parent.name for path in FOLDER.glob("*/edition.toml")))
"""The names of the boards."""


@cache
def board(name: str) -> dict[str, Any]:
    """The edition of a folder, as a request for a game holds it."""
    return checked(FOLDER / name).document
