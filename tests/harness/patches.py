"""JSON Merge Patch (RFC 7396) as a client applies it."""

from __future__ import annotations

from typing import Any


def apply_patch(value: Any, patch: Any) -> Any:
    """Apply a merge patch to a value, as in RFC 7396 (section 2). The original value stays unchanged."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(value) if isinstance(value, dict) else {}
    for name, change in patch.items():
        if change is None:
            merged.pop(name, None)
        else:
            merged[name] = apply_patch(merged.get(name), change)
    return merged
