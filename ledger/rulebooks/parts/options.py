"""The options of an edition that a table brings: settings of the game where they differ from the engine's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, get_args

import msgspec

from ledger.rulebooks.parts.brought import Fault, at
from ledger.rulebooks.parts.fitting import misfits as misfits_of
from ledger.rulebooks.parts.reasons import shown

PLACE = "/options"
"""Where the options stand in an edition."""


def fields(settings: type[msgspec.Struct], without: Collection[str]) -> Mapping[str, msgspec.structs.FieldInfo]:
    """The options that there are, by name: the settings of a game without those that the edition itself is."""
    return {one.name: one for one in msgspec.structs.fields(settings) if one.name not in without}


def misfits(options: Any, known: Mapping[str, msgspec.structs.FieldInfo]) -> Iterator[Fault]:
    """The unknown options, and those whose value a table may not choose."""
    if not isinstance(options, Mapping):
        return
    for name, value in options.items():
        if name in known:
            yield from misfits_of(value, known[name].type, at(PLACE, name))
        else:
            there = ", ".join(known)
            yield Fault(
                at(PLACE, name),
                f"there is no option {shown(name)}; there are: {there}",
                f"il n'y a pas d'option {shown(name)} ; il y a : {there}",
            )


def usual(field: msgspec.structs.FieldInfo) -> Any:
    """The value of an option where a table says nothing; None where there is none."""
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def described(
    known: Mapping[str, msgspec.structs.FieldInfo], chosen: Mapping[str, Any]
) -> dict[str, tuple[str, Any]]:
    """What each option is for, and its usual value, or the one chosen."""
    return {name: (meaning(field), chosen.get(name, usual(field))) for name, field in known.items()}


def meaning(field: msgspec.structs.FieldInfo) -> str:
    """What an option is for, in English."""
    said = (one.description for one in get_args(field.type)[1:] if isinstance(one, msgspec.Meta))
    return next((one for one in said if one), "")
