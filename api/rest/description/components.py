"""Component schemas of the API description, built from the types of requests and answers.

The schemas are made for generators of clients: a constant value is a `const`, a tagged union is a `oneOf` with
a discriminator, an object with arbitrary members has `additionalProperties`, and the members present in every
answer are required. The default of a request's member is described in words, because generators treat a member
with a default as required.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any

import msgspec
from msgspec import inspect

from ledger.kernel.facts.events import snake_case
from ledger.reading.words.forms import limit_numbers

Schema = dict[str, Any]
"""A JSON Schema, of the dialect of OpenAPI 3.1."""

REFERENCE = "#/components/schemas/{name}"
_PUBLISHED = {
    "DisputeStatement": "Said",
    "PromisedTransfer": "Given",
    "RuleNote": "Warned",
    "TokenPath": "Way",
    "UndoneDraw": "Undrawn",
}
"""Components keep the names from which clients were generated, whatever their classes are called today."""

_JSON_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def reference(name: str) -> Schema:
    """Return a reference to a component."""
    return {"$ref": REFERENCE.format(name=name)}


def name_of(struct: type[msgspec.Struct]) -> str:
    """Return the component name of a type, usually the name of its class.

    Generated Python code cannot have a class `Rulebooks` with a member `rulebooks`: so it becomes
    `RulebookList`, and `Account` becomes `AccountAnswer`.
    """
    name = published(struct)
    if snake_case(name) not in struct.__struct_fields__:
        return name
    return f"{name[:-1]}List" if name.endswith("s") else f"{name}Answer"


def published(struct: type[msgspec.Struct]) -> str:
    """Return the published name of a type."""
    return _PUBLISHED.get(struct.__name__, struct.__name__)


def one_of(names: Mapping[str, str], tag: str) -> Schema:
    """Build a union discriminated by the member `tag`. `names` maps the tag's values to component names."""
    return {
        "oneOf": [reference(name) for name in names.values()],
        "discriminator": {
            "propertyName": tag,
            "mapping": {value: REFERENCE.format(name=name) for value, name in names.items()},
        },
    }


def structs_in(types: Iterable[Any]) -> dict[type[msgspec.Struct], inspect.StructType]:
    """Return all structs reachable from the types, the types included, with their members."""
    structs: dict[type[msgspec.Struct], inspect.StructType] = {}
    visited: set[int] = set()
    roots = inspect.multi_type_info(types)
    waiting: list[Any] = list(roots)
    while waiting:
        part = waiting.pop()
        if isinstance(part, list | tuple):
            waiting.extend(part)
        elif isinstance(part, inspect.Type | inspect.Field) and id(part) not in visited:
            visited.add(id(part))
            if isinstance(part, inspect.StructType):
                structs[part.cls] = part
            waiting.extend(getattr(part, name) for name in part.__struct_fields__)
    return structs


def component_schemas(
    names: Mapping[type[msgspec.Struct], str], request_types: Iterable[Any], *, nulls: bool = True
) -> dict[str, Schema]:
    """Build the schemas of the structs, keyed by the given names.

    `names` has every reachable struct (see `structs_in`). `request_types` are the types of requests: a struct
    not reachable from them occurs only in answers, so its members are always present. Without `nulls`, answers
    omit null members.
    """
    _, raw = msgspec.json.schema_components(names, ref_template="{name}")
    limit_numbers(raw)
    in_requests = structs_in(request_types)
    keys = {struct: _key(struct, raw) for struct in names}
    called = {keys[struct]: name for struct, name in names.items()}
    schemas: dict[str, Schema] = {}
    for struct, struct_info in structs_in(names).items():
        schema = raw[keys[struct]]
        _mark_times(struct_info, schema.get("properties", {}))
        if struct not in in_requests and schema["type"] == "object":
            schema["required"] = _always_there(struct_info, nulls=nulls)
        schemas[names[struct]] = _clean(schema, called)
    return schemas


def _key(struct: type, raw: Mapping[str, Schema]) -> str:
    """Return the name given to a struct by msgspec: the full name if two structs share the short name."""
    short = struct.__name__
    return short if short in raw else f"{struct.__module__}.{struct.__qualname__}"


def _always_there(struct_info: inspect.StructType, *, nulls: bool) -> list[str]:
    """Return the members present in every encoding of a struct."""
    config = struct_info.cls.__struct_config__
    return ([] if config.tag_field is None else [config.tag_field]) + [
        field.encode_name
        for field in struct_info.fields
        if (field.required or not (config.omit_defaults or _is_unset(field)))
        and (nulls or not _may_be_null(field.type))
    ]


def _mark_times(struct_info: inspect.StructType, members: dict[str, Schema]) -> None:
    """Mark every time as a `date-time` (RFC 3339): msgspec does so only for times with a required zone."""
    for field in struct_info.fields if members else ():
        described = members[field.encode_name]
        if isinstance(field.type, inspect.DateTimeType):
            described["format"] = "date-time"
        elif isinstance(field.type, inspect.UnionType) and any(
            isinstance(option, inspect.DateTimeType) for option in field.type.types
        ):
            text = next(option for option in described["anyOf"] if option.get("type") == "string")
            text["format"] = "date-time"


def _is_unset(field: inspect.Field) -> bool:
    """Return True if the member is omitted by default."""
    return not field.required and field.default is field.default_factory is msgspec.NODEFAULT


def _may_be_null(kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.Metadata):
        return _may_be_null(kind.type)
    return isinstance(kind, inspect.NoneType | inspect.AnyType) or (
        isinstance(kind, inspect.UnionType) and kind.includes_none
    )


def _clean(schema: Any, called: Mapping[str, str]) -> Any:
    """Convert a schema of msgspec to the form that generators read best. `called` maps the references to new
    names.
    """
    if isinstance(schema, list):
        return [_clean(item, called) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        described = {name: value for name, value in schema.items() if name == "description"}
        return reference(called[schema["$ref"]]) | described
    cleaned: Schema = {}
    for name, value in schema.items():
        if name in {"properties", "patternProperties"}:
            cleaned[name] = {member: _clean(inner, called) for member, inner in value.items()}
        elif name in {"items", "additionalProperties", "propertyNames", "prefixItems", "anyOf", "oneOf", "allOf"}:
            cleaned[name] = _clean(value, called)
        elif name == "discriminator":
            mapping = {tag: REFERENCE.format(name=called[target]) for tag, target in value["mapping"].items()}
            cleaned[name] = {"propertyName": value["propertyName"], "mapping": mapping}
            cleaned["oneOf"] = cleaned.pop("anyOf")
        elif name == "description":
            cleaned[name] = cleandoc(value)
        elif name not in {"title", "default"}:
            cleaned[name] = value
    if schema.get("default") not in (None, [], {}, ()):
        note = f"Default: {msgspec.json.encode(schema['default']).decode()}."
        cleaned["description"] = f"{cleaned['description']} {note}" if "description" in cleaned else note
    if "enum" in cleaned:
        kinds = {_JSON_TYPES[type(value)] for value in cleaned["enum"]}
        if len(kinds) == 1:
            cleaned["type"] = kinds.pop()
        if len(cleaned["enum"]) == 1:
            cleaned["const"] = cleaned.pop("enum")[0]
    if "prefixItems" in cleaned:
        cleaned["items"] = {}  # `maxItems` already forbids them.
    if cleaned.get("type") == "object" and "properties" not in cleaned:
        cleaned.setdefault("additionalProperties", {})
    return cleaned


def names_in(schema: Any) -> set[str]:
    """Return the names of the components that a schema refers to directly."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return {schema["$ref"].rpartition("/")[2]}
        return set().union(*map(names_in, schema.values()))
    return set().union(*map(names_in, schema)) if isinstance(schema, list) else set()
