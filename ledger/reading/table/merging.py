"""JSON Merge Patch (RFC 7396): how one JSON value becomes another."""

from __future__ import annotations

from typing import Any


def patch_between(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The merge patch that turns one object into another.

    Takes and gives plain JSON data, in which a member never changes between true and 1. A member that is gone is
    null in the patch, so neither object may hold a null. A list that changed is in the patch whole.
    """
    patch: dict[str, Any] = dict.fromkeys(before.keys() - after.keys())
    for name, value in after.items():
        old = before.get(name)
        if old == value:
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            patch[name] = patch_between(old, value)
        else:
            patch[name] = value
    return patch


def patched(value: Any, patch: Any) -> Any:
    """The value after a merge patch, as RFC 7396 (section 2) has it. The value given stays as it is."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(value) if isinstance(value, dict) else {}
    for name, change in patch.items():
        if change is None:
            merged.pop(name, None)
        else:
            merged[name] = patched(merged.get(name), change)
    return merged
