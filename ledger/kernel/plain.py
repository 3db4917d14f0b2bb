"""Plain data without nulls: a JSON Merge Patch (RFC 7396) reads null as "taken away", so no state may have one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


def without_nulls(value: Any) -> Any:
    """The same plain data without the members that are null, at any depth. Elements of lists are kept."""
    if isinstance(value, Mapping):
        return {name: without_nulls(one) for name, one in value.items() if one is not None}
    if isinstance(value, list | tuple):
        return [without_nulls(one) for one in value]
    return value


def plain(value: Any) -> Any:
    """A struct, or several, as plain data without nulls."""
    return without_nulls(msgspec.to_builtins(value))
