"""Choices among agreements: the latest are offered as moves, and an older one may be named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ledger.kernel.actions import Choice
from ledger.kernel.agreements import Agreement
from ledger.rulebooks.negopoly.table.state import A, Negopoly, bound_by

_SHOWN = 20
"""How many agreements of a kind are offered."""


def agreements_of(state: Negopoly, kind: type[A], seat: str) -> list[A]:
    """The agreements of this kind that concern the seat, ended ones included, in the order of their opening."""
    every = chain(state.open.values(), state.past.scan())
    found = [one for one in every if isinstance(one, kind) and seat in bound_by(one)]
    return sorted(found, key=lambda one: one.opened)


def among(
    found: Sequence[Agreement], name: str, given: Mapping[str, Any] | None = None, *, free: tuple[str, ...] = ()
) -> Iterator[Choice]:
    """Each of the latest of these agreements, under the parameter of this name, with what else is given.

    `free` names what may be changed; the agreement too when older ones are left out.
    """
    open_to_change = free if len(found) <= _SHOWN else (*free, name)
    for one in found[-_SHOWN:]:
        yield Choice({name: one.id, **(given or {})}, open_to_change)
