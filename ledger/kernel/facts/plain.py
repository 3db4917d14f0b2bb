"""Plain data without nulls: a JSON Merge Patch (RFC 7396) reads null as "taken away", so no state may have one."""

from __future__ import annotations

from typing import Any

import msgspec

_ATOMS = frozenset({str, int, bool, float})


_MOST = 4096
"""How many frozen values are remembered as plain data."""


_known: dict[int, tuple[Any, Any]] = {}


def without_nulls(value: Any) -> Any:
    """The same plain data without the members that are null, at any depth. Elements of lists are kept."""
    kind = type(value)
    if kind is dict:
        return {
            name: one if type(one) in _ATOMS else without_nulls(one)
            for name, one in value.items()
            if one is not None
        }
    if kind is list or kind is tuple:
        return [one if type(one) in _ATOMS else without_nulls(one) for one in value]
    return value


def plain(value: Any) -> Any:
    """A struct, or several, as plain data without nulls."""
    return without_nulls(msgspec.to_builtins(value))


def plain_once(frozen: msgspec.Struct) -> Any:
    """`plain` of a value that never changes, such as an agreement, remembered as long as it is asked for.

    States share such values, so one state after another asks for the same. Do not change what is given.
    """
    known = _known.get(id(frozen))
    if known is None:
        if len(_known) >= _MOST:
            _known.clear()
        # The value is kept beside its data, so its id stays its own.
        known = _known[id(frozen)] = frozen, plain(frozen)
    return known[1]
