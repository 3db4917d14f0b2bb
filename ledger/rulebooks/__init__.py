"""The games: a package of this folder that declares a RULEBOOK, or several; `parts` is what games share."""

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
    """Every rulebook there is, by its id. Raises ValueError when two have the same id."""
    found: dict[str, Rulebook[Any]] = {}
    for rulebook in declared_in(importlib.import_module(__name__)):
        if rulebook.id in found:
            raise ValueError(f"two rulebooks are called {rulebook.id}")
        found[rulebook.id] = rulebook
    return found


def declared_in(folder: ModuleType) -> Iterator[Rulebook[Any]]:
    """What each package in a package declares: a RULEBOOK, or RULEBOOKS, the editions of one engine.

    A package that declares neither is passed over.
    """
    for found in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        if found.ispkg:
            package = importlib.import_module(found.name)
            for rulebook in (getattr(package, "RULEBOOK", None), *getattr(package, "RULEBOOKS", ())):
                if isinstance(rulebook, Rulebook):
                    yield rulebook
