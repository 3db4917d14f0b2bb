"""Forms: the JSON Schema of an action's parameters, with the kind of each parameter and its words for people."""

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
    """Return the JSON Schema of a type, with the type's own members at the top level."""
    schema = msgspec.json.schema(kind)
    limit_numbers(schema)
    definitions = dict(schema["$defs"])
    for remedy in (
        definition["properties"] for definition in definitions.values() if "op" in definition.get("properties", ())
    ):
        # All remedies have a reason, first in each definition; in a form people give the reason last.
        if "reason" in remedy:
            remedy["reason"] = remedy.pop("reason")
    main = definitions.pop(schema["$ref"].rpartition("/")[2])
    return {"$schema": DIALECT, **main} | ({"$defs": definitions} if definitions else {})


def limit_numbers(schema: Any) -> None:
    """Replace the maximum of stored numbers by the largest number of the service, everywhere in a schema."""
    if isinstance(schema, dict):
        if schema.get("maximum") == INT64_MAX:
            schema["maximum"] = LARGEST
        for member in schema.values():
            limit_numbers(member)
    elif isinstance(schema, list):
        for member in schema:
            limit_numbers(member)


class Parameter(NamedTuple):
    """A parameter of a kind of action: the kind (`x-kind`; None if unknown), and a flag if required."""

    kind: str | None
    required: bool


@cache
def parameters_of(action: type[Action]) -> Mapping[str, Parameter]:
    """Return the parameters of a kind of action, by name."""
    schema = schema_of(action)
    required = {*schema.get("required", ())}
    definitions: Plain = schema.get("$defs", {})
    return {
        name: Parameter(_kind(parameter, definitions), name in required)
        for name, parameter in schema["properties"].items()
    }


def form_of(rulebook: Rulebook[Any], kind: str, language: str) -> Plain:
    """Return the JSON Schema of the parameters of a kind of action, in "en" or "fr".

    Each parameter, and each member of its value, has an `x-kind` (`ledger.kernel.facts.values`), a `title` and a
    `description`. The values of an enumeration have labels, in both languages, in `x-labels`.
    """
    schema = schema_of(rulebook.actions[kind])
    definitions: Plain = schema.get("$defs", {})
    schema["title"] = rulebook.actions[kind].summary.in_language(language)
    schema.pop("description", None)
    for name, parameter in schema["properties"].items():
        _describe(parameter, rulebook.language.parameter_wording.of(kind, name), definitions, language)
    for named, holder in definitions.items():
        _describe_object(rulebook, named, holder, definitions, language)
    return schema


def _describe_object(
    rulebook: Rulebook[Any], named: str, holder: Plain, definitions: Plain, language: str
) -> None:
    """Describe the members of an object inside a parameter.

    An object with a single `op` gets the name of the `op`. An order of a ruling, or a part of an order, gets a
    sentence with blanks in `x-sentence`, and the purpose in `x-purpose`. Any further object has no title: people
    read the title of its parameter, and never the name of a type.
    """
    holder.pop("description", None)
    holder.pop("title", None)
    operation = holder.get("properties", {}).get("op", {}).get("enum", (named,))[0]
    _write_order(rulebook, operation, holder, language)
    for name, member in holder.get("properties", {}).items():
        words = rulebook.language.parameter_wording.of(named, name)
        _describe(member, words, definitions, language)
        operations = member.get("enum", ())
        if name == "op" and words is not None and len(operations) == 1 and operations[0] in words.values:
            holder["title"] = words.values[operations[0]].in_language(language)


def _write_order(rulebook: Rulebook[Any], operation: str, holder: Plain, language: str) -> None:
    """Add the sentence with blanks, and the purpose with its position among the purposes."""
    wording = rulebook.language.parameter_wording
    if (order := wording.order(operation)) is None:
        return
    holder["x-sentence"] = order.sentence.in_language(language)
    if order.purpose:
        holder["x-purpose"] = {
            "id": order.purpose,
            "label": wording.purposes[order.purpose].in_language(language),
            "order": [*wording.purposes].index(order.purpose),
        }


def _describe(value_schema: Plain, words: ParameterWords | None, definitions: Plain, language: str) -> None:
    """Add the kind and the words of a value to its schema."""
    for inner in _inside(value_schema):
        inner.pop("description", None)
    value_schema["x-kind"] = _kind(value_schema, definitions)
    if words is None:
        value_schema.pop("description", None)
        return
    value_schema["title"] = words.title.in_language(language)
    value_schema["description"] = words.description.in_language(language)
    for part in (value_schema, *_inside(value_schema)):
        values = [str(value) for value in part.get("enum", ())]
        labels = {value: msgspec.to_builtins(words.values[value]) for value in values if value in words.values}
        if labels:
            part["x-labels"] = labels


def _inside(outer: Mapping[str, Any]) -> list[Plain]:
    """Return the schemas nested in a schema, at any depth, without following references."""
    parts = [*outer.get("anyOf", ()), *outer.get("prefixItems", ())]
    parts += [
        inner
        for name in ("items", "additionalProperties", "propertyNames")
        if isinstance(inner := outer.get(name), dict)
    ]
    return [nested for inner in parts for nested in (inner, *_inside(inner))]


def _kind(value_schema: Plain, definitions: Plain) -> str | None:
    """Return the kind of a value: the declared kind, or the kind derived from the type.

    Adds the kinds of the parts, too.
    """
    kind: str | None = value_schema.get("x-kind")
    if isinstance(items := value_schema.get("items"), dict):
        _write(items, definitions)
        kind = kind or "list"
    for part in value_schema.get("prefixItems", ()):
        _write(part, definitions)
    if isinstance(values := value_schema.get("additionalProperties"), dict):
        _write(values, definitions)
        kind = kind or "map"
    parts = [part for part in value_schema.get("anyOf", ()) if part.get("type") != "null"]
    for part in parts:
        _write(part, definitions)
    if kind is None and parts:
        kind = parts[0].get("x-kind")
        extensions = {
            name: value for name, value in parts[0].items() if name.startswith("x-") and name != "x-kind"
        }
        value_schema.update({name: value for name, value in extensions.items() if name not in value_schema})
    if kind is None and "$ref" in value_schema:
        kind = definitions[value_schema["$ref"].rpartition("/")[2]].get("x-kind")
    if kind is None and "enum" in value_schema:
        kind = "enum"
    if kind is None and value_schema.get("type") == "boolean":
        kind = "flag"
    return kind


def _write(part: Plain, definitions: Plain) -> None:
    kind = _kind(part, definitions)
    if kind is not None:
        part["x-kind"] = kind
