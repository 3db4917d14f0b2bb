"""Questions about the types of stored values: the sorts of types inside."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec import inspect

SETS = (inspect.SetType, inspect.FrozenSetType)


MAPS = (inspect.DictType,)


def holds(shape: Any, sorts: tuple[type[inspect.Type], ...], visited: set[type] | None = None) -> bool:
    """Return True if values of the type may contain one of the given sorts of types, such as a set or a map.

    Looks into each struct once: a match there would have ended the search.
    """
    visited = set() if visited is None else visited
    if isinstance(shape, sorts):
        return True
    if isinstance(shape, inspect.StructType):
        if shape.cls in visited:
            return False
        visited.add(shape.cls)
        return any(holds(field.type, sorts, visited) for field in shape.fields)
    parts = (getattr(shape, name, ()) for name in ("item_type", "key_type", "value_type", "type"))
    several = (getattr(shape, name, ()) for name in ("item_types", "types"))
    shapes = [part for part in parts if isinstance(part, inspect.Type)]
    return any(holds(part, sorts, visited) for part in (*shapes, *(part for parts in several for part in parts)))


@cache
def holds_maps(kind: type) -> bool:
    """Return True if values of the class may contain a map, whose order the journal does not keep."""
    return holds(inspect.type_info(kind), MAPS)
