"""The options of an edition: settings of the game where they differ from the engine's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from ledger.rulebooks.monopoly.own_edition.fitting import misfits as misfits_of
from ledger.rulebooks.monopoly.own_edition.reasons import shown
from ledger.rulebooks.monopoly.settings import Settings
from ledger.rulebooks.parts.brought import Fault, at

_PLACE = "/options"
_ELSEWHERE = frozenset({"board"})
"""Settings that an edition has no option for: the board is the edition itself."""

FIELDS: Mapping[str, msgspec.structs.FieldInfo] = {
    one.name: one for one in msgspec.structs.fields(Settings) if one.name not in _ELSEWHERE
}
"""The options that there are, by name."""


def misfits(options: Any) -> Iterator[Fault]:
    """The unknown options, and those whose value a table may not choose."""
    if not isinstance(options, Mapping):
        return
    for name, value in options.items():
        if name in FIELDS:
            yield from misfits_of(value, FIELDS[name].type, at(_PLACE, name))
        else:
            known = ", ".join(FIELDS)
            yield Fault(
                at(_PLACE, name),
                f"there is no option {shown(name)}; there are: {known}",
                f"il n'y a pas d'option {shown(name)} ; il y a : {known}",
            )
    yield from clashes(options.get("building_resale"), _PLACE)


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


def usual(field: msgspec.structs.FieldInfo) -> Any:
    """The value of an option where a table says nothing; None where there is none."""
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def meaning(field: msgspec.structs.FieldInfo) -> str:
    """What an option is for, in English."""
    said = (one.description for one in get_args(field.type)[1:] if isinstance(one, msgspec.Meta))
    return next((one for one in said if one), "")
