"""The games: one folder each, found by looking for folders; a new game is a new folder and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from ledger.kernel.rulebook import Rulebook


@cache
def known() -> dict[str, Rulebook[Any]]:
    """Every rulebook there is, by its id: what each folder calls RULEBOOK."""
    folders = pkgutil.iter_modules(__path__, f"{__name__}.")
    found = (importlib.import_module(folder.name).RULEBOOK for folder in folders if folder.ispkg)
    return {rulebook.id: rulebook for rulebook in found}
