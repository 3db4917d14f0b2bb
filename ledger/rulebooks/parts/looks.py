"""Names brought by a table: visibly distinct or refused, like the names of players
(`ledger.kernel.facts.names`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ledger.kernel.facts.names import look
from ledger.kernel.rules.faces.editions import Fault
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


def look_alikes(items: Iterable[Called]) -> Iterator[Fault]:
    """Report the names that look like an earlier name."""
    first: dict[str, Called] = {}
    for item in items:
        looks = look(item.name)
        twin = first.setdefault(looks, item) if looks else item
        if twin is item or (item.name == twin.name and item.same is not None and item.same == twin.same):
            continue
        twin_name = f"{excerpt(twin.name)} ({twin.pointer})"
        yield Fault(
            item.pointer,
            f"{excerpt(item.name)} cannot be told from {twin_name}: name them differently",
            f"{excerpt(item.name)} ne se distingue pas de {twin_name} : nommez-les autrement",
        )
