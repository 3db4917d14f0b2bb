"""The options of an edition, and contradictions between options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.monopoly.own_edition.placed import Read
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.parts import options as parts

FIELDS = parts.fields(Settings, {"board"})
"""The available options, by name, without the board: the edition itself is the board."""


def misfits(options: Any) -> Iterator[Fault]:
    """Report unknown options and values out of bounds."""
    if isinstance(options, Mapping):
        yield from parts.misfits(options, FIELDS)
        yield from clashes(options.get("building_resale"), parts.POINTER)


def clashes(resale: Any, pointer: str = "") -> Iterator[Fault]:
    """Report contradictions in settings of the right shape: `resale` is the part of the price for a building
    sold back.
    """
    if isinstance(resale, list | tuple) and len(resale) == 2 and _is_above_one(*resale):
        yield Fault(
            pointer_at(pointer, "building_resale"),
            "a building is not sold back for more than its price",
            "un bâtiment ne se revend pas plus cher que son prix",
        )


def potless(document: Mapping[str, Any], fees: Any, pointer: str = "") -> Iterator[Fault]:
    """Report taxes and fines sent into the pot of a board without one."""
    if fees is True and not Read(document).of_kind("pot"):
        yield Fault(
            pointer_at(pointer, "fees_to_pot"),
            "nobody could collect it: no square is of kind pot",
            "personne ne pourrait la ramasser : aucune case n'est de type pot",
        )


def houses_per_hotel(options: Any) -> int:
    """Return the number of houses in a hotel in the edition; the engine's number without a valid option."""
    value = options.get("houses_per_hotel") if isinstance(options, Mapping) else None
    usual = Settings().houses_per_hotel
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 4 else usual


def _is_above_one(above: Any, below: Any) -> bool:
    return isinstance(above, int) and isinstance(below, int) and above > below
