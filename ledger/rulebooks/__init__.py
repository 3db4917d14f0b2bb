"""The games: packages with one RULEBOOK or several RULEBOOKS. `parts` holds the code shared by games."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

from ledger.kernel.rules.rulebook import Rulebook


@cache
def rulebooks_by_id() -> dict[str, Rulebook[Any]]:
    """Return all rulebooks by id. Raises ValueError if two rulebooks have one id."""
    by_id: dict[str, Rulebook[Any]] = {}
    for rulebook in declared_in(importlib.import_module(__name__)):
        if rulebook.id in by_id:
            raise ValueError(f"two rulebooks are called {rulebook.id}")
        by_id[rulebook.id] = rulebook
    return by_id


def declared_in(folder: ModuleType) -> Iterator[Rulebook[Any]]:
    """Yield the declarations of each package in a package: a RULEBOOK, or RULEBOOKS, the editions of one
    engine.

    Packages without a declaration are skipped.
    """
    for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        if module.ispkg:
            package = importlib.import_module(module.name)
            for rulebook in (getattr(package, "RULEBOOK", None), *getattr(package, "RULEBOOKS", ())):
                if isinstance(rulebook, Rulebook):
                    yield rulebook
