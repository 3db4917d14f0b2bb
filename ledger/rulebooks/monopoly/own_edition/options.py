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


_FOR_THE_POT = ("fees_to_pot", "taxes_to_pot", "fines_to_pot", "cards_to_pot", "pot_least")


def potless(document: Mapping[str, Any], options: Any, pointer: str = "") -> Iterator[Fault]:
    """Report taxes, fines and sums for the pot of a board without a pot."""
    chosen = options if isinstance(options, Mapping) else {}
    if not Read(document).of_kind("pot"):
        for name in _FOR_THE_POT:
            if chosen.get(name):
                yield Fault(
                    pointer_at(pointer, name),
                    "nobody could collect it: no square is of kind pot",
                    "personne ne pourrait la ramasser : aucune case n'est de type pot",
                )


def unreached(options: Any, pointer: str = "") -> Iterator[Fault]:
    """Report a sum that wins the game before the first throw."""
    chosen = options if isinstance(options, Mapping) else {}
    goal, cash = (chosen.get(name, 0) for name in ("goal", "starting_cash"))
    if isinstance(goal, int) and isinstance(cash, int) and 0 < goal <= cash:
        yield Fault(
            pointer_at(pointer, "goal"),
            f"everybody starts with {cash}, so the game would end at once",
            f"chacun commence avec {cash}, et la partie se terminerait aussitôt",
        )


def houses_per_hotel(options: Any) -> int:
    """Return the number of houses in a hotel in the edition; the engine's number without a valid option."""
    value = options.get("houses_per_hotel") if isinstance(options, Mapping) else None
    usual = Settings().houses_per_hotel
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 4 else usual


def _is_above_one(above: Any, below: Any) -> bool:
    return isinstance(above, int) and isinstance(below, int) and above > below
