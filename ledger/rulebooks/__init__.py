"""The games: packages that declare one RULEBOOK or several; `parts` holds what games share."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

from ledger.kernel.rules.rulebook import Rulebook


@cache
def known() -> dict[str, Rulebook[Any]]:
    """All rulebooks by id. Raises ValueError when two have the same id."""
    found: dict[str, Rulebook[Any]] = {}
    for rulebook in declared_in(importlib.import_module(__name__)):
        if rulebook.id in found:
            raise ValueError(f"two rulebooks are called {rulebook.id}")
        found[rulebook.id] = rulebook
    return found


def declared_in(folder: ModuleType) -> Iterator[Rulebook[Any]]:
    """The declarations of each package in a package: a RULEBOOK, or RULEBOOKS, the editions of one engine.

    Packages without a declaration are skipped.
    """
    for found in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        if found.ispkg:
            package = importlib.import_module(found.name)
            for rulebook in (getattr(package, "RULEBOOK", None), *getattr(package, "RULEBOOKS", ())):
                if isinstance(rulebook, Rulebook):
                    yield rulebook
