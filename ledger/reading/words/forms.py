"""Forms: the JSON Schema of the parameters of an action, with what each parameter is and what people call it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec

from ledger.kernel.facts.values import INT64_MAX, LARGEST
from ledger.kernel.language.parameter_words import ParameterWords
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.rulebook import Rulebook

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Plain = dict[str, Any]


def schema_of(kind: type[msgspec.Struct]) -> Plain:
    """The JSON Schema of a type, with the type's own members at the top level."""
    schema = msgspec.json.schema(kind)
    bound(schema)
    definitions = dict(schema["$defs"])
    for remedy in (one["properties"] for one in definitions.values() if "op" in one.get("properties", ())):
        # All remedies have it, so it is the first member of each; in a form people give it last.
        if "reason" in remedy:
            remedy["reason"] = remedy.pop("reason")
    own = definitions.pop(schema["$ref"].rpartition("/")[2])
    return {"$schema": DIALECT, **own} | ({"$defs": definitions} if definitions else {})


def bound(schema: Any) -> None:
    """Write the largest number of the service where a schema has that of stored numbers."""
    if isinstance(schema, dict):
        if schema.get("maximum") == INT64_MAX:
            schema["maximum"] = LARGEST
        for member in schema.values():
            bound(member)
    elif isinstance(schema, list):
        for member in schema:
            bound(member)


class Parameter(NamedTuple):
    """A parameter of a kind of action: what it is (`x-kind`; None where nothing says it), and whether the action
    needs it."""

    kind: str | None
    required: bool


@cache
def parameters_of(action: type[Action]) -> Mapping[str, Parameter]:
    """The parameters of a kind of action, by their names."""
    schema = schema_of(action)
    required = {*schema.get("required", ())}
    definitions: Plain = schema.get("$defs", {})
    return {
        name: Parameter(_kind(found, definitions), name in required)
        for name, found in schema["properties"].items()
    }


def form_of(rulebook: Rulebook[Any], kind: str, language: str) -> Plain:
    """The JSON Schema of the parameters of a kind of action, in "en" or "fr".

    Each parameter, and each member of what it holds, has an `x-kind` (`kernel.facts.values`), a `title` and a
    `description`. The values of an enumeration have their labels, in both languages, in `x-labels`.
    """
    schema = schema_of(rulebook.actions[kind])
    definitions: Plain = schema.get("$defs", {})
    chosen = 1 if language == "fr" else 0
    schema["title"] = rulebook.actions[kind].summary[chosen]
    schema.pop("description", None)
    for name, found in schema["properties"].items():
        _describe(found, rulebook.parameter_wording.of(kind, name), definitions, language)
    for named, holder in definitions.items():
        _describe_object(rulebook, named, holder, definitions, language)
    return schema


def _describe_object(
    rulebook: Rulebook[Any], named: str, holder: Plain, definitions: Plain, language: str
) -> None:
    """Describe the members of an object inside of a parameter; one of several is called by its `op`."""
    holder.pop("description", None)
    for name, found in holder.get("properties", {}).items():
        words = rulebook.parameter_wording.of(named, name)
        _describe(found, words, definitions, language)
        operations = found.get("enum", ())
        if name == "op" and words is not None and len(operations) == 1 and operations[0] in words.values:
            holder["title"] = words.values[operations[0]].said(language)


def _describe(found: Plain, words: ParameterWords | None, definitions: Plain, language: str) -> None:
    """Write into the schema of a value what it is, and its words."""
    for inner in _inside(found):
        inner.pop("description", None)
    found["x-kind"] = _kind(found, definitions)
    if words is None:
        found.pop("description", None)
        return
    found["title"], found["description"] = words.said(language)
    for one in (found, *_inside(found)):
        values = [str(value) for value in one.get("enum", ())]
        labels = {value: msgspec.to_builtins(words.values[value]) for value in values if value in words.values}
        if labels:
            one["x-labels"] = labels


def _inside(found: Mapping[str, Any]) -> list[Plain]:
    """The schemas inside of a schema, at any depth, as far as they stand in it."""
    here = [*found.get("anyOf", ()), *found.get("prefixItems", ())]
    here += [
        inner
        for name in ("items", "additionalProperties", "propertyNames")
        if isinstance(inner := found.get(name), dict)
    ]
    return [one for inner in here for one in (inner, *_inside(inner))]


def _kind(found: Plain, definitions: Plain) -> str | None:
    """The kind of a value: what its type says, or what follows from the type. Writes those of its parts, too."""
    said: str | None = found.get("x-kind")
    if isinstance(items := found.get("items"), dict):
        _write(items, definitions)
        said = said or "list"
    for part in found.get("prefixItems", ()):
        _write(part, definitions)
    if isinstance(values := found.get("additionalProperties"), dict):
        _write(values, definitions)
        said = said or "map"
    parts = [part for part in found.get("anyOf", ()) if part.get("type") != "null"]
    for part in parts:
        _write(part, definitions)
    if said is None and parts:
        said = parts[0].get("x-kind")
        more = {name: value for name, value in parts[0].items() if name.startswith("x-") and name != "x-kind"}
        found.update({name: value for name, value in more.items() if name not in found})
    if said is None and "$ref" in found:
        said = definitions[found["$ref"].rpartition("/")[2]].get("x-kind")
    if said is None and "enum" in found:
        said = "enum"
    if said is None and found.get("type") == "boolean":
        said = "flag"
    return said


def _write(part: Plain, definitions: Plain) -> None:
    kind = _kind(part, definitions)
    if kind is not None:
        part["x-kind"] = kind
