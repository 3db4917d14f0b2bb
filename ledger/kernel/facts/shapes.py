"""What the types of stored values are made of."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import inspect

SETS = (inspect.SetType, inspect.FrozenSetType)


MAPS = (inspect.DictType,)


def holds(shape: Any, sorts: tuple[type[inspect.Type], ...], seen: set[type] | None = None) -> bool:
    """Whether a set or a map may stand somewhere in values of this type.

    Looks into each struct once: what is there would have ended the search.
    """
    seen = set() if seen is None else seen
    if isinstance(shape, sorts):
        return True
    if isinstance(shape, inspect.StructType):
        if shape.cls in seen:
            return False
        seen.add(shape.cls)
        return any(holds(field.type, sorts, seen) for field in shape.fields)
    parts = (getattr(shape, name, ()) for name in ("item_type", "key_type", "value_type", "type"))
    several = (getattr(shape, name, ()) for name in ("item_types", "types"))
    shapes = [part for part in parts if isinstance(part, inspect.Type)]
    return any(holds(part, sorts, seen) for part in (*shapes, *(part for parts in several for part in parts)))


@cache
def holds_maps(kind: type) -> bool:
    """Whether values of this class may hold a map, whose order the journal does not keep."""
    return holds(inspect.type_info(kind), MAPS)
