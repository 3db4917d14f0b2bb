"""The component schemas of the API's description, made from the types that requests and answers have.

A schema is written for those who generate clients from it: a value that never changes is a `const`, a union with a
tag is a `oneOf` with a discriminator, an object of any members says so, and whatever an answer always has is
required in it. A default of a request is told in words, because generators take a member with a default for one
that must be sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any

import msgspec
from msgspec import inspect

from ledger.kernel.facts.events import snake_case
from ledger.reading.words.forms import bound

Schema = dict[str, Any]
"""A JSON Schema, of the dialect of OpenAPI 3.1."""

REFERENCE = "#/components/schemas/{name}"
_JSON_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def reference(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": REFERENCE.format(name=name)}


def name_of(struct: type[msgspec.Struct]) -> str:
    """The name of the component of a type: that of its class for most.

    Generated code in Python cannot have a class `Rulebooks` with the member `rulebooks`: it becomes
    `RulebookList`, and `Account` becomes `AccountAnswer`.
    """
    name = struct.__name__
    if snake_case(name) not in struct.__struct_fields__:
        return name
    return f"{name[:-1]}List" if name.endswith("s") else f"{name}Answer"


def one_of(names: Mapping[str, str], tag: str) -> Schema:
    """A union that is told apart by the member `tag`. Takes the names of the components by the tag's values."""
    return {
        "oneOf": [reference(name) for name in names.values()],
        "discriminator": {
            "propertyName": tag,
            "mapping": {value: REFERENCE.format(name=name) for value, name in names.items()},
        },
    }


def structs_in(types: Iterable[Any]) -> dict[type[msgspec.Struct], inspect.StructType]:
    """All structs that values of these types may hold, the types themselves included, with their members."""
    found: dict[type[msgspec.Struct], inspect.StructType] = {}
    seen: set[int] = set()
    kept = inspect.multi_type_info(types)
    waiting: list[Any] = list(kept)
    while waiting:
        part = waiting.pop()
        if isinstance(part, list | tuple):
            waiting.extend(part)
        elif isinstance(part, inspect.Type | inspect.Field) and id(part) not in seen:
            seen.add(id(part))
            if isinstance(part, inspect.StructType):
                found[part.cls] = part
            waiting.extend(getattr(part, name) for name in part.__struct_fields__)
    return found


def component_schemas(
    names: Mapping[type[msgspec.Struct], str], asked: Iterable[Any], *, nulls: bool = True
) -> dict[str, Schema]:
    """The schemas of these structs by the names that they shall have.

    `names` has every struct that one of them may hold (see `structs_in`). `asked` are the types of requests: what
    neither they nor their parts are is answered only, and always has its members. Without `nulls`, what is null is
    left out of answers.
    """
    _, raw = msgspec.json.schema_components(names, ref_template="{name}")
    bound(raw)
    in_requests = structs_in(asked)
    known = {struct: _key(struct, raw) for struct in names}
    called = {known[struct]: name for struct, name in names.items()}
    schemas: dict[str, Schema] = {}
    for struct, shown in structs_in(names).items():
        schema = raw[known[struct]]
        _mark_times(shown, schema.get("properties", {}))
        if struct not in in_requests and schema["type"] == "object":
            schema["required"] = _always_there(shown, nulls=nulls)
        schemas[names[struct]] = _clean(schema, called)
    return schemas


def _key(struct: type, raw: Mapping[str, Schema]) -> str:
    """The name that msgspec gave to a struct: the full one where two have the same short one."""
    short = struct.__name__
    return short if short in raw else f"{struct.__module__}.{struct.__qualname__}"


def _always_there(shown: inspect.StructType, *, nulls: bool) -> list[str]:
    """The members that an encoded struct always has."""
    config = shown.cls.__struct_config__
    return ([] if config.tag_field is None else [config.tag_field]) + [
        field.encode_name
        for field in shown.fields
        if (field.required or not (config.omit_defaults or _is_unset(field)))
        and (nulls or not _may_be_null(field.type))
    ]


def _mark_times(shown: inspect.StructType, members: dict[str, Schema]) -> None:
    """Say of every time that it is one (RFC 3339): msgspec does so only where it demands a zone."""
    for field in shown.fields if members else ():
        described = members[field.encode_name]
        if isinstance(field.type, inspect.DateTimeType):
            described["format"] = "date-time"
        elif isinstance(field.type, inspect.UnionType) and any(
            isinstance(one, inspect.DateTimeType) for one in field.type.types
        ):
            text = next(one for one in described["anyOf"] if one.get("type") == "string")
            text["format"] = "date-time"


def _is_unset(field: inspect.Field) -> bool:
    """Whether the member is left out unless it is given."""
    return not field.required and field.default is field.default_factory is msgspec.NODEFAULT


def _may_be_null(kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.Metadata):
        return _may_be_null(kind.type)
    return isinstance(kind, inspect.NoneType | inspect.AnyType) or (
        isinstance(kind, inspect.UnionType) and kind.includes_none
    )


def _clean(schema: Any, called: Mapping[str, str]) -> Any:
    """A schema as msgspec makes it, in the form that generators read best. `called` renames what it refers to."""
    if isinstance(schema, list):
        return [_clean(one, called) for one in schema]
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
        said = f"Default: {msgspec.json.encode(schema['default']).decode()}."
        cleaned["description"] = f"{cleaned['description']} {said}" if "description" in cleaned else said
    if "enum" in cleaned:
        kinds = {_JSON_TYPES[type(value)] for value in cleaned["enum"]}
        if len(kinds) == 1:
            cleaned["type"] = kinds.pop()
        if len(cleaned["enum"]) == 1:
            cleaned["const"] = cleaned.pop("enum")[0]
    if "prefixItems" in cleaned:
        cleaned["items"] = {}  # `maxItems` says that there are none.
    if cleaned.get("type") == "object" and "properties" not in cleaned:
        cleaned.setdefault("additionalProperties", {})
    return cleaned


def names_in(schema: Any) -> set[str]:
    """The names of the components that a schema refers to directly."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return {schema["$ref"].rpartition("/")[2]}
        return set().union(*map(names_in, schema.values()))
    return set().union(*map(names_in, schema)) if isinstance(schema, list) else set()
