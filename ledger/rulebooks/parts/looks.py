"""Names in what a table brings: told apart by eye, or refused, as those of players are (`kernel.facts.names`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ledger.kernel.facts.names import look
from ledger.rulebooks.parts.brought import Fault
from ledger.rulebooks.parts.reasons import shown


class Called(NamedTuple):
    """A thing of an edition: the place of its name, the name, and what makes it the same as others.

    Two things may have the very same name where they are the same, such as two squares that draw from one deck.
    None is the same as nothing else.
    """

    place: str
    name: str
    same: Any = None


def look_alikes(found: Iterable[Called]) -> Iterator[Fault]:
    """Find the names that cannot be told from an earlier one."""
    first: dict[str, Called] = {}
    for one in found:
        looks = look(one.name)
        other = first.setdefault(looks, one) if looks else one
        if other is one or (one.name == other.name and one.same is not None and one.same == other.same):
            continue
        yield Fault(
            one.place,
            f"{shown(one.name)} cannot be told from {shown(other.name)} ({other.place}): name them differently",
            f"{shown(one.name)} ne se distingue pas de {shown(other.name)} ({other.place}) : nommez-les autrement",
        )
