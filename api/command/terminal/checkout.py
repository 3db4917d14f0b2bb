"""The checkout of the project: the source folder, also the parent of the data of `make run`."""

from __future__ import annotations

import tomllib
from pathlib import Path

PROJECT = "mabligop"


def checkout_around(folder: Path) -> Path | None:
    """Return the checkout at or above a folder, or None."""
    return next((candidate for candidate in (folder, *folder.parents) if _is_checkout(candidate)), None)


def _is_checkout(folder: Path) -> bool:
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(project.get("project", {}).get("name") == PROJECT)
