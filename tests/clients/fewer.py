"""A description with fewer kinds of actions and events, from which clients are generated in a short run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_MANY = 20
"""A union with more members is one of kinds, which all have the same form."""
_EACH = 6
"""Of the kinds that no table uses, one in so many stays."""
_COMPONENTS = "#/components/schemas/"


def with_fewer_kinds(document: dict[str, Any], used: frozenset[str]) -> dict[str, Any]:
    """The description with the kinds that are used, a part of the others, and the components that these need."""
    fewer = _fewer(document, used)
    schemas = fewer["components"]["schemas"]
    reached: set[str] = set()
    others = {name: part for name, part in fewer["components"].items() if name != "schemas"}
    waiting = set(_named([others, fewer["paths"]]))
    while waiting:
        reached |= waiting
        waiting = {name for one in waiting for name in _named(schemas[one])} - reached
    kept = {name: schema for name, schema in schemas.items() if name in reached}
    return fewer | {"components": fewer["components"] | {"schemas": kept}}


def _fewer(part: Any, used: frozenset[str]) -> Any:
    if isinstance(part, list):
        return [_fewer(one, used) for one in part]
    if not isinstance(part, dict):
        return part
    part = {name: _fewer(inner, used) for name, inner in part.items()}
    members = part.get("oneOf", [])
    if len(members) <= _MANY:
        return part
    mapping = part.get("discriminator", {}).get("mapping", {})
    kinds = {schema: kind for kind, schema in mapping.items()}
    part["oneOf"] = [
        member for nth, member in enumerate(members) if nth % _EACH == 0 or _kind(member, kinds) in used
    ]
    if mapping:
        stays = {member["$ref"] for member in part["oneOf"]}
        mapping = {kind: schema for kind, schema in mapping.items() if schema in stays}
        part["discriminator"] = part["discriminator"] | {"mapping": mapping}
    return part


def _kind(member: dict[str, Any], kinds: dict[str, str]) -> str | None:
    if "$ref" in member:
        return kinds.get(member["$ref"])
    return str(member["properties"]["kind"]["const"])


def _named(part: Any) -> Iterator[str]:
    """The components that a part refers to."""
    if isinstance(part, list):
        for one in part:
            yield from _named(one)
    elif isinstance(part, dict):
        for name, inner in part.items():
            if name == "$ref" and isinstance(inner, str) and inner.startswith(_COMPONENTS):
                yield inner.removeprefix(_COMPONENTS)
            else:
                yield from _named(inner)
