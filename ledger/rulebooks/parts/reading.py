"""Reading what a game has as data: its register of rules, its pieces and its statistics, from TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import msgspec

from ledger.kernel.register import Register
from ledger.rulebooks.parts.tallies import Tallies

P = TypeVar("P", bound=msgspec.Struct)


def data(folder: Traversable, name: str) -> dict[str, Any]:
    """A TOML file of a folder, read."""
    return tomllib.loads(_text(folder, name))


def register(folder: Traversable) -> Register:
    """The register of rules of a folder: its rules.toml, and rules.fr.toml that translates it rule by rule."""
    return Register.read(_text(folder, "rules.toml"), _text(folder, "rules.fr.toml"))


def tallies(folder: Traversable) -> Tallies:
    """What the events of a game count for in statistics: the statistics.toml of a folder."""
    return Tallies.read(_text(folder, "statistics.toml"))


def pieces(rows: Iterable[dict[str, Any]], kind: type[P], key: str = "id") -> dict[str, P]:
    """The rows of a table as pieces of this kind, by their id, or by another field; in the order of the file.

    Raises msgspec.ValidationError for a row of another shape, ValueError when two have the same id.
    """
    found: dict[str, P] = {}
    for row in rows:
        piece = msgspec.convert(row, kind)
        if found.setdefault(row[key], piece) is not piece:
            raise ValueError(f"two pieces are called {row[key]!r}")
    return found


def _text(folder: Traversable, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")
