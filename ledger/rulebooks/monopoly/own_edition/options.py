"""The options of an edition, and what does not go together in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts import options as parts
from ledger.rulebooks.parts.brought import Fault, at

FIELDS = parts.fields(Settings, {"board"})
"""The options that there are, by name: the board is the edition itself."""


def misfits(options: Any) -> Iterator[Fault]:
    """The unknown options, and those whose value a table may not choose."""
    if isinstance(options, Mapping):
        yield from parts.misfits(options, FIELDS)
        yield from clashes(options.get("building_resale"), parts.PLACE)


def clashes(resale: Any, place: str = "") -> Iterator[Fault]:
    """What does not go together in settings of the right shape: `resale` is the part that a building brings."""
    if isinstance(resale, list | tuple) and len(resale) == 2 and _is_above_one(*resale):
        yield Fault(
            at(place, "building_resale"),
            "a building is not sold back for more than its price",
            "un bâtiment ne se revend pas plus cher que son prix",
        )


def houses_per_hotel(options: Any) -> int:
    """How many houses make a hotel in this edition; the engine's number where the options do not say it well."""
    said = options.get("houses_per_hotel") if isinstance(options, Mapping) else None
    usual = Settings().houses_per_hotel
    return said if isinstance(said, int) and not isinstance(said, bool) and 1 <= said <= 4 else usual


def _is_above_one(above: Any, below: Any) -> bool:
    return isinstance(above, int) and isinstance(below, int) and above > below
