"""The stored form of values written by tables: long colours, and a text for each language.

Nothing is moved, so JSON Pointers stay valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.parts.forms import COLOUR_FORM, FACE_COLOUR_FORM
from ledger.rulebooks.parts.reasons import excerpt

DEEPEST = 12
"""Depth of nesting of the normal form; deeper values are refused by `fitting`."""

_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def normal(value: Any, kind: Any, depth: int = 0) -> Any:
    """Return plain data in the form stored for a type; a value of another form stays as written.

    `#F00` becomes `#ff0000` (a colour of a face keeps capitals). A text for both languages becomes two equal
    texts. A missing language gets the text of the language present, or the first text; texts in further
    languages are left out (see `foreign`).
    """
    if depth > DEEPEST:
        return value
    if isinstance(value, str):
        return _text(value, kind)
    if isinstance(value, list | tuple):
        return [
            member if inner is None else normal(member, inner, depth + 1) for member, inner in _pairs(value, kind)
        ]
    if not isinstance(value, Mapping):
        return value
    if _is_phrase(value, kind):
        return _in_both(value)
    kinds = _members(value, kind)
    return {
        name: normal(member, kinds[name], depth + 1) if name in kinds else member for name, member in value.items()
    }


def foreign(value: Any, kind: Any, pointer: str = "", depth: int = 0) -> Iterator[Fault]:
    """Report the texts in further languages than English and French: nobody is shown these texts."""
    if depth > DEEPEST:
        return
    if isinstance(value, list | tuple):
        for number, (member, inner) in enumerate(_pairs(value, kind)):
            if inner is not None:
                yield from foreign(member, inner, pointer_at(pointer, number), depth + 1)
    elif isinstance(value, Mapping) and _is_phrase(value, kind):
        texts = _in_both(value)
        for language in value:
            if language not in ("en", "fr") and value[language] not in texts.values():
                yield Fault(
                    pointer_at(pointer, language),
                    f"the table is shown in English and French: nobody sees {excerpt(value[language])}",
                    f"la table se montre en anglais et en français : personne ne voit {excerpt(value[language])}",
                )
    elif isinstance(value, Mapping):
        for name, inner in _members(value, kind).items():
            yield from foreign(value[name], inner, pointer_at(pointer, name), depth + 1)


def _text(text: str, kind: Any) -> Any:
    kinds, forms = _choices(kind)
    if forms and _COLOUR.fullmatch(text):
        long = text if len(text) == 7 else "#" + "".join(2 * digit for digit in text[1:])
        return long.lower() if COLOUR_FORM in forms else long
    return {"en": text, "fr": text} if Phrase in kinds and str not in kinds else text


def _is_phrase(value: Mapping[str, Any], kind: Any) -> bool:
    return (
        Phrase in _choices(kind)[0]
        and bool(value)
        and all(isinstance(name, str) and _LANGUAGE.fullmatch(name) for name in value)
        and all(isinstance(text, str) for text in value.values())
    )


def _in_both(texts: Mapping[str, str]) -> dict[str, str]:
    first = next(iter(texts.values()))
    return {"en": texts.get("en", texts.get("fr", first)), "fr": texts.get("fr", texts.get("en", first))}


def _pairs(values: list[Any] | tuple[Any, ...], kind: Any) -> Iterator[tuple[Any, Any]]:
    """Pair each value of a list with the type; None for an unknown type."""
    listed = next((choice for choice in _choices(kind)[0] if get_origin(choice) is tuple), None)
    inner = get_args(listed)
    for number, value in enumerate(values):
        yield value, inner[0] if inner[-1:] == (...,) else inner[number] if number < len(inner) else None


def _members(value: Mapping[str, Any], kind: Any) -> Mapping[str, Any]:
    """Return the types of the members of a value, by name."""
    kinds = _choices(kind)[0]
    for choice in kinds:
        if get_origin(choice) in {dict, Mapping}:
            return dict.fromkeys(value, get_args(choice)[1])
    structs = [choice for choice in kinds if isinstance(choice, type) and issubclass(choice, msgspec.Struct)]
    for struct in structs:
        config = struct.__struct_config__
        if len(structs) == 1 or (config.tag_field is not None and value.get(config.tag_field) == config.tag):
            return {name: field for name, field in _fields(struct).items() if name in value}
    return {}


@lru_cache(maxsize=256)
def _fields(struct: type[msgspec.Struct]) -> Mapping[str, Any]:
    return {field.encode_name: field.type for field in msgspec.structs.fields(struct)}


@lru_cache(maxsize=1024)
def _choices(kind: Any) -> tuple[tuple[Any, ...], frozenset[str]]:
    """Return the types of a union without annotations, and the forms of colours in the annotations."""
    if get_origin(kind) is Annotated:
        inside, *metas = get_args(kind)
        kinds, forms = _choices(inside)
        patterns = {meta.pattern for meta in metas if isinstance(meta, msgspec.Meta)}
        return kinds, forms | ({COLOUR_FORM, FACE_COLOUR_FORM} & patterns)
    if get_origin(kind) in {Union, UnionType}:
        choices = [_choices(member) for member in get_args(kind)]
        return (
            tuple(member for kinds, _ in choices for member in kinds if member is not NoneType),
            frozenset().union(*(forms for _, forms in choices)),
        )
    return (kind,), frozenset()
