"""The options of an edition brought by a table: settings of the game different from the engine's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, get_args

import msgspec

from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.parts.fitting import misfits as misfits_of
from ledger.rulebooks.parts.reasons import excerpt

POINTER = "/options"
"""The JSON Pointer to the options of an edition."""


def fields(settings: type[msgspec.Struct], without: Collection[str]) -> Mapping[str, msgspec.structs.FieldInfo]:
    """Return the available options by name: the settings of a game, except `without`."""
    return {field.name: field for field in msgspec.structs.fields(settings) if field.name not in without}


def misfits(options: Any, options_by_name: Mapping[str, msgspec.structs.FieldInfo]) -> Iterator[Fault]:
    """Report unknown options and values out of bounds."""
    if not isinstance(options, Mapping):
        return
    for name, value in options.items():
        if name in options_by_name:
            yield from misfits_of(value, options_by_name[name].type, pointer_at(POINTER, name))
        else:
            names = ", ".join(options_by_name)
            yield Fault(
                pointer_at(POINTER, name),
                f"there is no option {excerpt(name)}; there are: {names}",
                f"il n'y a pas d'option {excerpt(name)} ; il y a : {names}",
            )


def usual(field: msgspec.structs.FieldInfo) -> Any:
    """Return the default of an option; None for an option without a default."""
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def described(
    options_by_name: Mapping[str, msgspec.structs.FieldInfo], chosen: Mapping[str, Any]
) -> dict[str, tuple[str, Any]]:
    """Return the meaning of each option, and the chosen or usual value."""
    return {name: (meaning(field), chosen.get(name, usual(field))) for name, field in options_by_name.items()}


def meaning(field: msgspec.structs.FieldInfo) -> str:
    """Return the English description of an option."""
    descriptions = (meta.description for meta in get_args(field.type)[1:] if isinstance(meta, msgspec.Meta))
    return next((meta for meta in descriptions if meta), "")
