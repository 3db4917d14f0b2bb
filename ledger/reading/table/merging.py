"""JSON Merge Patch (RFC 7396): the difference between two JSON values."""

from __future__ import annotations

from typing import Any


def patch_between(previous: dict[str, Any], current: dict[str, Any]) -> dict[str, Any]:
    """Return the merge patch from one object to another.

    Both objects are plain JSON data. A member must never change between true and 1. A removed member is null in
    the patch, so neither object may contain a null. A changed list is in the patch as a whole.
    """
    patch: dict[str, Any] = dict.fromkeys(previous.keys() - current.keys())
    for name, value in current.items():
        old = previous.get(name)
        if old == value:
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            patch[name] = patch_between(old, value)
        else:
            patch[name] = value
    return patch
