"""Faults of shape: every place of plain data that does not fit a type, where the decoder names the first only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from ledger.kernel.facts import texts
from ledger.kernel.facts.values import LARGEST
from ledger.kernel.language import faults
from ledger.rulebooks.parts.brought import Fault, at
from ledger.rulebooks.parts.forms import COLOUR_FORM, ID_FORM, SMALL_ID_FORM
from ledger.rulebooks.parts.reasons import listed, shown

DEEPEST = 12
"""How deeply an edition may be nested; none needs more than six levels."""

LONGEST_MEMBER = 60
"""How long the names of members may be, which reasons and their places repeat; none needs as many."""


def unfit_values(document: Any, place: str = "") -> Iterator[Fault]:
    """What no edition may hold anywhere: refused characters, fractions, dates, and members in too many levels."""
    waiting: list[tuple[Any, str, int]] = [(document, place, 0)]
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
            named = [(name, at(where, name)) for name in value]
            yield from (fault for name, _ in named if (fault := _refused(str(name), where)))
            waiting += [(value[name], inside, depth + 1) for name, inside in reversed(named)]
        elif isinstance(value, list | tuple):
            waiting += [(value[number], at(where, number), depth + 1) for number in reversed(range(len(value)))]
        elif isinstance(value, str):
            if fault := _refused(value, where):
                yield fault
        elif isinstance(value, float):
            yield Fault(
                where,
                f"a whole number is needed, not {shown(value)}",
                f"il faut un nombre entier, pas {shown(value)}",
            )
        elif isinstance(value, int) and abs(value) > LARGEST:
            yield Fault(where, "the number is out of range", "nombre hors limites")
        elif not isinstance(value, int | NoneType):
            kind = type(value).__name__
            yield Fault(where, f"an edition holds no {kind}", f"une édition ne contient pas de {kind}")


def _refused(text: str, place: str) -> Fault | None:
    found = texts.unfit(text)
    if found is None:
        return None
    return Fault(place, f"{found.character} is refused: {found.en}", f"{found.character} est refusé : {found.fr}")


def misfits(value: Any, kind: Any, place: str = "") -> Iterator[Fault]:
    """Every fault of shape of plain data that should be of this type, in the order of the data.

    Where a part fits no better-described type, the decoder's own words are told.
    """
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as wrong:
        # The rows of a list that is too long are not looked at: there may be very many.
        inside = [] if _is_too_long(value, kind) else list(_inside(value, kind, place))
        yield from inside or [_told(str(wrong), value, place)]


def _inside(value: Any, kind: Any, place: str) -> Iterator[Fault]:
    """The faults of the members of a value; none when the value as a whole is what is wrong."""
    kind = _bare(kind)
    if get_origin(kind) is Literal and isinstance(value, str):
        yield _none_of(value, get_args(kind), place)
    elif (tagged := _tagged(kind)) is not None and isinstance(value, Mapping):
        yield from _of_tagged(value, *tagged, place)
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, Mapping):
        yield from _of_members(value, kind, place)
    elif get_origin(kind) is tuple and get_args(kind)[-1] is ... and isinstance(value, list | tuple):
        for number, one in enumerate(value):
            yield from misfits(one, get_args(kind)[0], at(place, number))
    elif get_origin(kind) is tuple and isinstance(value, list | tuple) and len(value) == len(get_args(kind)):
        for number, (one, wanted) in enumerate(zip(value, get_args(kind), strict=True)):
            yield from misfits(one, wanted, at(place, number))
    elif get_origin(kind) in {Union, UnionType}:
        fitting = [one for one in get_args(kind) if _may_hold(value, one)]
        if len(fitting) == 1:
            yield from _inside(value, fitting[0], place)


def _of_members(value: Mapping[str, Any], kind: type[msgspec.Struct], place: str) -> Iterator[Fault]:
    fields = {one.encode_name: one for one in msgspec.structs.fields(kind)}
    tag = kind.__struct_config__.tag_field
    for name, one in fields.items():
        if name in value:
            yield from misfits(value[name], one.type, at(place, name))
        elif one.required:
            yield Fault(at(place, name), f"`{name}` is missing", f"il manque `{name}`")
    known = listed(fields)
    for name in value:
        if name not in fields and name != tag:
            yield Fault(
                at(place, name),
                f"there is no {shown(name)} here; there are: {known}",
                f"il n'y a pas de {shown(name)} ici ; il y a : {known}",
            )


def operations(vocabulary: Any) -> Mapping[str, type[msgspec.Struct]]:
    """The structs of a union with tags, by their tags: a vocabulary of cards, each operation by its name."""
    found = _tagged(vocabulary)
    if found is None:
        raise TypeError(f"{vocabulary} is no union of tagged structs")
    return found[1]


def _tagged(kind: Any) -> tuple[str, Mapping[str, type[msgspec.Struct]]] | None:
    """The member with the tag, and the structs by tag, of a union of tagged structs; None for any other type."""
    if get_origin(kind) not in {Union, UnionType}:
        return None
    structs = [one for one in get_args(kind) if one is not NoneType]
    if len(structs) < 2 or not all(isinstance(one, type) and issubclass(one, msgspec.Struct) for one in structs):
        return None
    named = structs[0].__struct_config__.tag_field
    return None if named is None else (named, {str(one.__struct_config__.tag): one for one in structs})


def _of_tagged(
    value: Mapping[str, Any], named: str, structs: Mapping[str, type[msgspec.Struct]], place: str
) -> Iterator[Fault]:
    name = value.get(named)
    if not isinstance(name, str) or name not in structs:
        yield _none_of(name, tuple(structs), at(place, named))
    else:
        yield from _of_members(value, structs[name], place)


def _none_of(value: Any, known: tuple[str, ...], place: str) -> Fault:
    there = ", ".join(map(str, known))
    return Fault(place, f"{shown(value)} is none of: {there}", f"{shown(value)} n'est aucun de : {there}")


def _may_hold(value: Any, kind: Any) -> bool:
    """Whether a type is the kind of thing that the value is, whatever its members are."""
    bare = _bare(kind)
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return isinstance(value, Mapping)
    return bool(get_origin(bare) is tuple and isinstance(value, list | tuple))


def _is_too_long(value: Any, kind: Any) -> bool:
    if get_origin(kind) is not Annotated or not isinstance(value, list | tuple):
        return False
    bounds = [one.max_length for one in get_args(kind)[1:] if isinstance(one, msgspec.Meta) and one.max_length]
    return any(len(value) > most for most in bounds)


def _bare(kind: Any) -> Any:
    """A type without what annotates it."""
    return _bare(get_args(kind)[0]) if get_origin(kind) is Annotated else kind


_FORMS = {
    SMALL_ID_FORM: (
        "an id has 1 to 40 small letters, digits and _",
        "un identifiant a de 1 à 40 minuscules sans accent, chiffres et _",
    ),
    ID_FORM: (
        "an id has 1 to 40 letters, digits and _",
        "un identifiant a de 1 à 40 lettres sans accent, chiffres et _",
    ),
    COLOUR_FORM: (
        "a colour is # and six digits or small letters from a to f",
        "une couleur est # et six chiffres ou minuscules de a à f",
    ),
}
"""The forms of texts in words, by their patterns."""


def _told(wrong: str, value: Any, place: str) -> Fault:
    """What the decoder finds wrong, in plain words, at the value itself."""
    what, _ = faults.parted(wrong)
    en, fr = next(
        (words for form, words in _FORMS.items() if repr(form) in what),
        (faults.english(what), faults.french(what)),
    )
    if isinstance(value, Mapping | list | tuple):
        return Fault(place, en, fr)
    return Fault(place, f"{en} (got {shown(value)})", f"{fr} (reçu : {shown(value)})")
