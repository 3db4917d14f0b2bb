"""Decoding faults of msgspec, parsed and worded in plain English and French."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import inspect

from ledger.kernel.language.phrase import Phrase

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


TYPES: Mapping[str, Phrase] = {
    "int": Phrase("a whole number", "un nombre entier"),
    "float": Phrase("a number", "un nombre"),
    "str": Phrase("a text", "un texte"),
    "bool": Phrase("true or false", "vrai ou faux"),
    "null": Phrase("null", "null"),
    "array": Phrase("a list", "une liste"),
    "object": Phrase("an object", "un objet"),
    "datetime": Phrase("a time", "une date"),
}


_BOUNDS: Mapping[str, Phrase] = {
    "<=": Phrase("at most", "au plus"),
    ">=": Phrase("at least", "au moins"),
    "<": Phrase("less than", "moins de"),
    ">": Phrase("more than", "plus de"),
}


_PARTS: Mapping[str, Phrase] = {
    "str": Phrase("character", "caractère"),
    "array": Phrase("item", "élément"),
    "object": Phrase("member", "membre"),
}


def parted(fault: str) -> tuple[str, str]:
    """Split a validation fault into the problem and the path (".decks.chance[0].id", "" for the whole value)."""
    match = _PLACE.match(fault)
    return (fault, "") if match is None else (match["what"], match["path"] or "")


def members(kind: Any, fault: str, content: Any) -> tuple[str, ...]:
    """Return the existing names if the fault is an unknown name; empty for a different fault.

    Returns the members of an object for an unknown member, and the tags of a union for an unknown or missing
    tag. `kind` is the decoded type, `content` the plain data.
    """
    problem, path = parted(fault)
    tag, missing = _TAG.match(problem), _MISSING.match(problem)
    if not (tag or missing or _UNKNOWN.match(problem)):
        return ()
    if tag:
        path = path.rpartition(".")[0]
    part: Any = inspect.type_info(kind)
    for step in _STEP.finditer(path):
        part = _of(part, content)
        if isinstance(part, inspect.StructType):
            types = [member.type for member in part.fields if member.encode_name == step["name"]]
            part = types[0] if types else None
        else:
            part = getattr(part, "item_type", getattr(part, "value_type", None))
        try:
            content = content[int(step["index"]) if step["name"] is None else step["name"]]
        except (KeyError, IndexError, TypeError):
            return ()
    if tag or missing:
        return tuple(
            str(member.tag) for member in _structs(part) if tag or (missing and member.tag_field == missing[1])
        )
    part = _of(part, content)
    if not isinstance(part, inspect.StructType):
        return ()
    field = () if part.tag_field is None else (part.tag_field,)
    return (*field, *(member.encode_name for member in part.fields))


def _structs(part: Any) -> list[inspect.StructType]:
    """Return the tagged structs of a union; empty for a different type."""
    while isinstance(part, inspect.Metadata):
        part = part.type
    kinds = part.types if isinstance(part, inspect.UnionType) else (part,)
    return [kind for kind in kinds if isinstance(kind, inspect.StructType) and kind.tag_field]


def _of(part: Any, content: Any) -> Any:
    """Return the type of the content: the matching struct of a union, found by the tag."""
    while isinstance(part, inspect.Metadata):
        part = part.type
    if not isinstance(part, inspect.UnionType):
        return part
    kinds = [_of(kind, content) for kind in part.types]
    structs = [kind for kind in kinds if isinstance(kind, inspect.StructType)]
    if isinstance(content, dict):
        tagged = [kind for kind in structs if kind.tag_field and content.get(kind.tag_field) == kind.tag]
        return next(iter(tagged or structs), None)
    return next((kind for kind in kinds if hasattr(kind, "item_type")), None)


def in_words(problem: str, types: Mapping[str, Phrase] = TYPES) -> Phrase:
    """Return the problem in plain words; unchanged without a translation. `types` are the names of the types."""
    if matched := _MISSING.match(problem):
        return Phrase(f"`{matched[1]}` is missing", f"il manque le champ `{matched[1]}`")
    if matched := _UNKNOWN.match(problem):
        return Phrase(f"there is no `{matched[1]}` here", f"le champ `{matched[1]}` est de trop")
    if matched := _TYPE.match(problem):
        expected, actual = _types(matched[1], types), _types(matched[2], types)
        return Phrase(f"{expected.en} is needed, not {actual.en}", f"il faut {expected.fr}, pas {actual.fr}")
    if matched := _BOUND.match(problem):
        bound = _BOUNDS[matched[1]]
        return Phrase(f"{bound.en} {matched[2]}", f"{bound.fr} {matched[2]}")
    if matched := _LENGTH.match(problem):
        bound, count = _BOUNDS[matched[2]], _counted(matched[3], matched[1])
        return Phrase(f"{bound.en} {count.en}", f"{bound.fr} {count.fr}")
    if matched := _COUNT.match(problem):
        count = _counted(matched[2], matched[1])
        got = Phrase("", "") if matched[3] is None else Phrase(f", not {matched[3]}", f", pas {matched[3]}")
        return Phrase(
            f"exactly {count.en}{got.en}",
            f"exactement {count.fr}{got.fr}",
        )
    if matched := _FORM.match(problem):
        return Phrase(f"it does not have the form {matched[1]}", f"cela n'a pas la forme {matched[1]}")
    if matched := _CHOICE.match(problem):
        return Phrase(
            f"{matched[1]} is none of the possible values", f"{matched[1]} n'est pas une des valeurs possibles"
        )
    if matched := _TAG.match(problem):
        return Phrase(
            f"{matched[1]} is none of the possible values", f"{matched[1]} n'est pas une des valeurs possibles"
        )
    if _RANGE.match(problem):
        return Phrase("the number is out of range", "nombre hors limites")
    return Phrase(problem, problem)


def _counted(number: str, whole: str) -> Phrase:
    """Return the number of parts of a text, a list or an object."""
    part, plural = _PARTS.get(whole, _PARTS["array"]), "" if number == "1" else "s"
    return Phrase(f"{number} {part.en}{plural}", f"{number} {part.fr}{plural}")


def _types(names: str, types: Mapping[str, Phrase]) -> Phrase:
    """Translate the type names of the decoder ("int | null")."""
    phrases = [types.get(name, Phrase(f"`{name}`", f"`{name}`")) for name in names.split(" | ")]
    return Phrase(" or ".join(name.en for name in phrases), " ou ".join(name.fr for name in phrases))
