"""The games: a game is a package of this folder that declares a RULEBOOK."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

from ledger.kernel.rulebook import Rulebook


@cache
def known() -> dict[str, Rulebook[Any]]:
    """Every rulebook there is, by its id."""
    return {rulebook.id: rulebook for rulebook in declared_in(importlib.import_module(__name__))}


def declared_in(folder: ModuleType) -> Iterator[Rulebook[Any]]:
    """What each package in a package declares as its RULEBOOK; a package without one is passed over."""
    for found in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        if found.ispkg:
            rulebook = getattr(importlib.import_module(found.name), "RULEBOOK", None)
            if isinstance(rulebook, Rulebook):
                yield rulebook
