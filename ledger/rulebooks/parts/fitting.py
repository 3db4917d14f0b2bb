"""The faults of an edition in steps, and all faults of shape. The decoder itself reports only the first fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from ledger.kernel.facts import texts
from ledger.kernel.facts.values import LARGEST
from ledger.kernel.language import faults
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.parts.forms import (
    COLOUR_FORM,
    FACE_COLOUR_FORM,
    FACE_TEXT_FORM,
    ID_FORM,
    NAME_FORM,
    SMALL_ID_FORM,
)
from ledger.rulebooks.parts.reasons import excerpt, listed
from ledger.rulebooks.parts.written import wanted

MOST_FAULTS = 100
"""Maximum number of faults in a report."""

MOST_BYTES = 256_000
"""The size of the largest edition, as JSON without spaces. A request of 256 KiB also holds the players."""

DEEPEST = 12
"""Maximum depth of nesting in an edition; no edition needs more than six levels."""

LONGEST_MEMBER = 60
"""Maximum length of a member's name, repeated in reasons and pointers; no edition needs as many characters."""


def first_faults(document: Any, *checks: Callable[[Any], Iterable[Fault]]) -> list[Fault]:
    """Return the faults of an edition by the first check with faults, at most 100; empty for a playable edition.

    The first two checks are the same for all editions: an object, without unfit values.
    """
    for check in (_no_object, unfit_values, *checks):
        if faults := list(islice(check(document), MOST_FAULTS)):
            return faults
    return []


def _no_object(document: Any) -> Iterator[Fault]:
    if not isinstance(document, Mapping):
        yield Fault("", "an edition is an object", "une édition est un objet")


def too_large(document: Any, limit: int = MOST_BYTES) -> Iterator[Fault]:
    """Report an edition of more than `limit` bytes."""
    size = len(msgspec.json.encode(document))
    if size > limit:
        yield Fault(
            "",
            f"an edition has at most {limit} bytes as JSON, and this one has {size}",
            f"une édition a au plus {limit} octets en JSON, et celle-ci en a {size}",
        )


def written_out(document: Any) -> Iterator[Fault]:
    """Report too large pieces in settings, with all optional members of an edition written out."""
    return too_large(document, 2 * MOST_BYTES)


def unfit_values(document: Any, base: str = "") -> Iterator[Fault]:
    """Report values forbidden in any edition: refused characters, fractions, dates, and members nested too
    deep.
    """
    waiting: list[tuple[Any, str, int]] = [(document, base, 0)]
    while waiting:
        value, where, depth = waiting.pop()
        if depth > DEEPEST:
            yield Fault(
                where, f"it is nested in more than {DEEPEST} levels", f"plus de {DEEPEST} niveaux imbriqués"
            )
        elif isinstance(value, Mapping):
            if any(len(str(name)) > LONGEST_MEMBER for name in value):
                yield Fault(
                    where,
                    f"the name of a member has at most {LONGEST_MEMBER} characters",
                    f"le nom d'un membre a au plus {LONGEST_MEMBER} caractères",
                )
                continue
            named = [(name, pointer_at(where, name)) for name in value]
            yield from (fault for name, _ in named if (fault := _refused(str(name), where)))
            waiting += [(value[name], inside, depth + 1) for name, inside in reversed(named)]
        elif isinstance(value, list | tuple):
            waiting += [
                (value[number], pointer_at(where, number), depth + 1) for number in reversed(range(len(value)))
            ]
        elif isinstance(value, str):
            if fault := _refused(value, where):
                yield fault
        elif isinstance(value, float):
            words = wanted.whole_number(value)
            yield Fault(where, words.en, words.fr)
        elif isinstance(value, int) and abs(value) > LARGEST:
            yield Fault(where, "the number is out of range", "nombre hors limites")
        elif not isinstance(value, int | NoneType):
            kind = type(value).__name__
            yield Fault(where, f"an edition holds no {kind}", f"une édition ne contient pas de {kind}")


def _refused(text: str, pointer: str) -> Fault | None:
    unfit = texts.unfit(text)
    if unfit is None:
        return None
    return Fault(
        pointer, f"{unfit.character} is refused: {unfit.en}", f"{unfit.character} est refusé : {unfit.fr}"
    )


def misfits(value: Any, kind: Any, pointer: str = "") -> Iterator[Fault]:
    """Report every fault of shape in plain data for a type, in the order of the data.

    Where a part matches no more precise type, use the decoder's own message.
    """
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as wrong:
        # Skip the rows of an overlong list: the rows may be very many.
        inside = [] if _is_too_long(value, kind) else list(_inside(value, kind, pointer))
        yield from inside or [_decoder_fault(str(wrong), value, kind, pointer)]


def _inside(value: Any, kind: Any, pointer: str) -> Iterator[Fault]:
    """Report the faults of the members of a value; nothing if the value as a whole is wrong."""
    kind = _bare(kind)
    if get_origin(kind) is Literal and isinstance(value, str):
        yield _none_of(value, get_args(kind), pointer)
    elif (tagged := _tagged(kind)) is not None and isinstance(value, Mapping):
        yield from _of_tagged(value, *tagged, pointer)
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, Mapping):
        yield from _of_members(value, kind, pointer)
    elif get_origin(kind) is tuple and get_args(kind)[-1] is ... and isinstance(value, list | tuple):
        for number, member in enumerate(value):
            yield from misfits(member, get_args(kind)[0], pointer_at(pointer, number))
    elif get_origin(kind) is tuple and isinstance(value, list | tuple) and len(value) == len(get_args(kind)):
        for number, (member, member_kind) in enumerate(zip(value, get_args(kind), strict=True)):
            yield from misfits(member, member_kind, pointer_at(pointer, number))
    elif get_origin(kind) in {Union, UnionType}:
        fitting = [member for member in get_args(kind) if _may_hold(value, member)]
        if len(fitting) == 1:
            yield from _inside(value, fitting[0], pointer)


def _of_members(value: Mapping[str, Any], kind: type[msgspec.Struct], pointer: str) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    tag = kind.__struct_config__.tag_field
    for name, field in fields.items():
        if name in value:
            yield from misfits(value[name], field.type, pointer_at(pointer, name))
        elif field.required:
            yield Fault(pointer_at(pointer, name), f"`{name}` is missing", f"il manque `{name}`")
    for name in value:
        if name not in fields and name != tag:
            yield unknown_member(pointer, name, fields)


def unknown_member(pointer: str, name: str, names: Iterable[str]) -> Fault:
    """Report a member of an object unknown to the type; `names` are the members of the type."""
    return Fault(
        pointer_at(pointer, name),
        f"there is no {excerpt(name)} here; there are: {listed(names)}",
        f"il n'y a pas de {excerpt(name)} ici ; il y a : {listed(names)}",
    )


def operations(vocabulary: Any) -> Mapping[str, type[msgspec.Struct]]:
    """Return the structs of a tagged union by tag: a vocabulary of cards, each operation by name.

    Raises TypeError for any other type.
    """
    tagged = _tagged(vocabulary)
    if tagged is None:
        raise TypeError(f"{vocabulary} is no union of tagged structs")
    return tagged[1]


def _tagged(kind: Any) -> tuple[str, Mapping[str, type[msgspec.Struct]]] | None:
    """Return the tag field and the structs by tag for a union of tagged structs. None for any other type."""
    if get_origin(kind) not in {Union, UnionType}:
        return None
    structs = [struct for struct in get_args(kind) if struct is not NoneType]
    if len(structs) < 2 or not all(
        isinstance(struct, type) and issubclass(struct, msgspec.Struct) for struct in structs
    ):
        return None
    named = structs[0].__struct_config__.tag_field
    return None if named is None else (named, {str(struct.__struct_config__.tag): struct for struct in structs})


def _of_tagged(
    value: Mapping[str, Any], named: str, structs: Mapping[str, type[msgspec.Struct]], pointer: str
) -> Iterator[Fault]:
    name = value.get(named)
    if named not in value:
        names = ", ".join(structs)
        yield Fault(
            pointer_at(pointer, named),
            f"`{named}` is missing; it is one of: {names}",
            f"il manque `{named}` ; c'est un de : {names}",
        )
    elif not isinstance(name, str) or name not in structs:
        yield _none_of(name, tuple(structs), pointer_at(pointer, named))
    else:
        yield from _of_members(value, structs[name], pointer)


def _none_of(value: Any, allowed: tuple[str, ...], pointer: str) -> Fault:
    names = ", ".join(map(str, allowed))
    return Fault(pointer, f"{excerpt(value)} is none of: {names}", f"{excerpt(value)} n'est aucun de : {names}")


def _may_hold(value: Any, kind: Any) -> bool:
    """Return True if a type is of the kind of a value, regardless of the members."""
    bare = _bare(kind)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return isinstance(value, Mapping)
    if get_origin(bare) is Literal:
        return isinstance(value, str)
    return get_origin(bare) is tuple and isinstance(value, list | tuple)


def _is_too_long(value: Any, kind: Any) -> bool:
    if get_origin(kind) is not Annotated or not isinstance(value, list | tuple):
        return False
    bounds = [meta.max_length for meta in get_args(kind)[1:] if isinstance(meta, msgspec.Meta) and meta.max_length]
    return any(len(value) > limit for limit in bounds)


def _bare(kind: Any) -> Any:
    """Strip the annotations from a type."""
    return _bare(get_args(kind)[0]) if get_origin(kind) is Annotated else kind


_COLOUR_IN_WORDS = Phrase(
    "a colour is # and six or three digits or letters from A to F, such as #ED1B24 or #F00",
    "une couleur est # et six ou trois chiffres ou lettres de A à F, comme #ED1B24 ou #F00",
)
_FORMS = {
    SMALL_ID_FORM: Phrase(
        "an id has 1 to 40 small letters, digits and _",
        "un identifiant a de 1 à 40 minuscules sans accent, chiffres et _",
    ),
    ID_FORM: Phrase(
        "an id has 1 to 40 letters, digits and _",
        "un identifiant a de 1 à 40 lettres sans accent, chiffres et _",
    ),
    FACE_COLOUR_FORM: _COLOUR_IN_WORDS,
    FACE_TEXT_FORM: Phrase(
        "a text of a face has 1 to 40 characters on one line, without < > / and \\",
        "un texte d'un visage a de 1 à 40 caractères sur une ligne, sans < > / ni \\",
    ),
    NAME_FORM: Phrase(
        "a weave or an icon is a name of 1 to 20 small letters, digits and -",
        "un motif ou une icône est un nom de 1 à 20 minuscules sans accent, chiffres et -",
    ),
    COLOUR_FORM: _COLOUR_IN_WORDS,
}
"""Explanations of the forms of texts, by pattern."""


def _decoder_fault(wrong: str, value: Any, kind: Any, pointer: str) -> Fault:
    """Report the decoder's message in plain words, at the value itself."""
    reason, _ = faults.parted(wrong)
    words = next((words for form, words in _FORMS.items() if repr(form) in reason), None)
    if words is None:
        words = wanted.form(value, kind) or faults.in_words(reason, wanted.NAMES)
    if isinstance(value, Mapping | list | tuple):
        return Fault(pointer, words.en, words.fr)
    return Fault(pointer, f"{words.en} (got {excerpt(value)})", f"{words.fr} (reçu : {excerpt(value)})")
