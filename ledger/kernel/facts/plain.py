"""Plain data without nulls: a JSON Merge Patch (RFC 7396) reads null as a removal, so no state may contain
null.
"""

from __future__ import annotations

from typing import Any

import msgspec

_ATOMS = frozenset({str, int, bool, float})


_MOST = 4096
"""The number of frozen values cached as plain data."""


_cached: dict[int, tuple[Any, Any]] = {}


def without_nulls(value: Any) -> Any:
    """Return the plain data without null members, at any depth. Elements of lists are kept."""
    kind = type(value)
    if kind is dict:
        return {
            name: item if type(item) in _ATOMS else without_nulls(item)
            for name, item in value.items()
            if item is not None
        }
    if kind is list or kind is tuple:
        return [item if type(item) in _ATOMS else without_nulls(item) for item in value]
    return value


def plain(value: Any) -> Any:
    """Return a struct, or several, as plain data without nulls."""
    return without_nulls(msgspec.to_builtins(value))


def plain_once(frozen: msgspec.Struct) -> Any:
    """Return the `plain` data of an immutable value, such as an agreement, from a cache.

    Successive states share the values, and request the data again and again. Do not change the returned data.
    """
    cached = _cached.get(id(frozen))
    if cached is None:
        if len(_cached) >= _MOST:
            _cached.clear()
        # The value is stored beside the data, so that the id is not reused.
        cached = _cached[id(frozen)] = frozen, plain(frozen)
    return cached[1]
