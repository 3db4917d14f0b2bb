"""Names, ids and texts brought by a table. Names are visibly distinct or refused, like the names of players
(`ledger.kernel.facts.names`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ledger.kernel.facts.names import look
from ledger.kernel.rules.faces.editions import Fault, pointer_at
from ledger.rulebooks.parts.reasons import excerpt


class Called(NamedTuple):
    """A thing of an edition: the JSON Pointer to the name, the name, and an identity for things allowed to
    share a name.

    Two things may have the same name if `same` is equal, such as two squares drawing from one deck. None is
    equal to nothing.
    """

    pointer: str
    name: str
    same: Any = None


def look_alikes(*lists: Iterable[Called]) -> Iterator[Fault]:
    """Report the names without visible characters, and the names that look like an earlier name of the list, once
    at each pointer.
    """
    reported = set()
    for items in lists:
        first: dict[str, Called] = {}
        for item in items:
            looks = look(item.name)
            if not looks:
                yield _no_text(item.pointer)
                continue
            twin = first.setdefault(looks, item)
            if twin is item or (item.name == twin.name and item.same is not None and item.same == twin.same):
                continue
            if item.pointer in reported:
                continue
            reported.add(item.pointer)
            twin_name = f"{excerpt(twin.name)} ({twin.pointer})"
            yield Fault(
                item.pointer,
                f"{excerpt(item.name)} cannot be told from {twin_name}: name them differently",
                f"{excerpt(item.name)} ne se distingue pas de {twin_name} : nommez-les autrement",
            )


def repeated(names: Iterable[tuple[str, str | int]], *member: str) -> Iterator[Fault]:
    """Report each repeated id, in order; `names` are pairs of JSON Pointer and id.

    `member` is the way from the pointers to the ids, if the pointers are those of rows.
    """
    first: dict[str | int, str] = {}
    for pointer, name in names:
        if name in first:
            yield Fault(
                pointer_at(pointer, *member),
                f"{excerpt(name)} is named twice: {first[name]} has this id, too",
                f"{excerpt(name)} est nommé deux fois : {first[name]} a aussi cet identifiant",
            )
        first.setdefault(name, pointer)


def unfit_text(pointer: str, text: str, longest: int, *, blank: bool) -> Iterator[Fault]:
    """Report a text without characters (`blank`), with more than `longest` characters, or on several lines."""
    if blank:
        yield _no_text(pointer)
    elif len(text) > longest:
        yield Fault(
            pointer,
            f"at most {longest} characters, not {len(text)}",
            f"{longest} caractères au plus, pas {len(text)}",
        )
    elif any(character in text for character in "\n\t\u2028\u2029"):
        yield Fault(
            pointer,
            "a text of an edition stands on one line, without tabs",
            "un texte d'une édition tient sur une ligne, sans tabulation",
        )


def _no_text(pointer: str) -> Fault:
    return Fault(pointer, "there is no text", "il n'y a pas de texte")
