"""The checkout of the project: the folder of its source, in which `make run` keeps its data."""

from __future__ import annotations

import tomllib
from pathlib import Path

PROJECT = "mabligop"


def checkout_around(folder: Path) -> Path | None:
    """The checkout that a folder is, or is in; None when it is in none."""
    return next((one for one in (folder, *folder.parents) if _is_checkout(one)), None)


def _is_checkout(folder: Path) -> bool:
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(project.get("project", {}).get("name") == PROJECT)
