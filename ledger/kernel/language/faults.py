"""What the decoder finds wrong with the shape of data, taken apart and told in plain English and French."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import inspect

_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]")


_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)


_MISSING = re.compile(r"^Object missing required field `(.*)`$")


_UNKNOWN = re.compile(r"^Object contains unknown field `(.*)`$")


_TYPE = re.compile(r"^Expected `([^`]*)`, got `([^`]*)`$")


_BOUND = re.compile(r"^Expected `[^`]*` ([<>]=?) (\S+)$")


_LENGTH = re.compile(r"^Expected `([^`]*)` of length ([<>]=?) (\S+)$")


_COUNT = re.compile(r"^Expected `([^`]*)` of length (\d+)(?:, got (\d+))?$")


_FORM = re.compile(r"^Expected `[^`]*` matching regex (.*)$")


_CHOICE = re.compile(r"^Invalid enum value (.*)$")


_TAG = re.compile(r"^Invalid value ('.*'|-?\d+)$", re.DOTALL)


_RANGE = re.compile(r"^Number out of range$")


Both = tuple[str, str]


_TYPES: Mapping[str, Both] = {
    "int": ("a whole number", "un nombre entier"),
    "float": ("a number", "un nombre"),
    "str": ("a text", "un texte"),
    "bool": ("true or false", "vrai ou faux"),
    "null": ("null", "null"),
    "array": ("a list", "une liste"),
    "object": ("an object", "un objet"),
    "datetime": ("a time", "une date"),
}


_BOUNDS: Mapping[str, Both] = {
    "<=": ("at most", "au plus"),
    ">=": ("at least", "au moins"),
    "<": ("less than", "moins de"),
    ">": ("more than", "plus de"),
}


_PARTS: Mapping[str, Both] = {
    "str": ("character", "caractère"),
    "array": ("item", "élément"),
    "object": ("member", "membre"),
}


def parted(fault: str) -> tuple[str, str]:
    """A validation fault as what is wrong and where: ".decks.chance[0].id", "" for the whole."""
    match = _PLACE.match(fault)
    return (fault, "") if match is None else (match["what"], match["path"] or "")


def members(kind: Any, fault: str, content: Any) -> tuple[str, ...]:
    """What there is where the fault is something that there is not; nothing for any other fault.

    The members of an object, for an unknown one; the tags of a union, for an unknown one or for none. `kind` is
    the type that was decoded, `content` the plain data.
    """
    what, path = parted(fault)
    tag, missing = _TAG.match(what), _MISSING.match(what)
    if not (tag or missing or _UNKNOWN.match(what)):
        return ()
    if tag:
        path = path.rpartition(".")[0]
    part: Any = inspect.type_info(kind)
    for step in _STEP.finditer(path):
        part = _of(part, content)
        if isinstance(part, inspect.StructType):
            found = [one.type for one in part.fields if one.encode_name == step["name"]]
            part = found[0] if found else None
        else:
            part = getattr(part, "item_type", getattr(part, "value_type", None))
        try:
            content = content[int(step["index"]) if step["name"] is None else step["name"]]
        except (KeyError, IndexError, TypeError):
            return ()
    if tag or missing:
        return tuple(str(one.tag) for one in _structs(part) if tag or (missing and one.tag_field == missing[1]))
    part = _of(part, content)
    if not isinstance(part, inspect.StructType):
        return ()
    field = () if part.tag_field is None else (part.tag_field,)
    return (*field, *(one.encode_name for one in part.fields))


def _structs(part: Any) -> list[inspect.StructType]:
    """The structs of a union that a tag tells apart; none for any other type."""
    while isinstance(part, inspect.Metadata):
        part = part.type
    kinds = part.types if isinstance(part, inspect.UnionType) else (part,)
    return [one for one in kinds if isinstance(one, inspect.StructType) and one.tag_field]


def _of(part: Any, content: Any) -> Any:
    """The type of the content: of a union the struct that it is, told by its tag."""
    while isinstance(part, inspect.Metadata):
        part = part.type
    if not isinstance(part, inspect.UnionType):
        return part
    kinds = [_of(one, content) for one in part.types]
    structs = [one for one in kinds if isinstance(one, inspect.StructType)]
    if isinstance(content, dict):
        tagged = [one for one in structs if one.tag_field and content.get(one.tag_field) == one.tag]
        return next(iter(tagged or structs), None)
    return next((one for one in kinds if hasattr(one, "item_type")), None)


def english(what: str) -> str:
    """What is wrong, in English; as it is when there are no words for it."""
    return _told(what)[0]


def french(what: str) -> str:
    """What is wrong, in French; as it is when there are no words for it."""
    return _told(what)[1]


def _told(what: str) -> Both:
    if found := _MISSING.match(what):
        return f"`{found[1]}` is missing", f"il manque le champ `{found[1]}`"
    if found := _UNKNOWN.match(what):
        return f"there is no `{found[1]}` here", f"le champ `{found[1]}` est de trop"
    if found := _TYPE.match(what):
        wanted, given = _types(found[1]), _types(found[2])
        return f"{wanted[0]} is needed, not {given[0]}", f"il faut {wanted[1]}, pas {given[1]}"
    if found := _BOUND.match(what):
        en, fr = _BOUNDS[found[1]]
        return f"{en} {found[2]}", f"{fr} {found[2]}"
    if found := _LENGTH.match(what):
        (en, fr), (parts, parties) = _BOUNDS[found[2]], _PARTS.get(found[1], _PARTS["array"])
        return f"{en} {_counted(found[3], parts)}", f"{fr} {_counted(found[3], parties)}"
    if found := _COUNT.match(what):
        parts, parties = _PARTS.get(found[1], _PARTS["array"])
        got = ("", "") if found[3] is None else (f", not {found[3]}", f", pas {found[3]}")
        return f"exactly {_counted(found[2], parts)}{got[0]}", f"exactement {_counted(found[2], parties)}{got[1]}"
    if found := _FORM.match(what):
        return f"it does not have the form {found[1]}", f"cela n'a pas la forme {found[1]}"
    if found := _CHOICE.match(what):
        return f"{found[1]} is none of the possible values", f"{found[1]} n'est pas une des valeurs possibles"
    if found := _TAG.match(what):
        return f"{found[1]} is none of the possible values", f"{found[1]} n'est pas une des valeurs possibles"
    if _RANGE.match(what):
        return "the number is out of range", "nombre hors limites"
    return what, what


def _counted(number: str, part: str) -> str:
    return f"{number} {part}" if number == "1" else f"{number} {part}s"


def _types(names: str) -> Both:
    """The decoder's names of types ("int | null") in words."""
    told = [_TYPES.get(name, (f"`{name}`", f"`{name}`")) for name in names.split(" | ")]
    return " or ".join(en for en, _ in told), " ou ".join(fr for _, fr in told)
