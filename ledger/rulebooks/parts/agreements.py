"""Storing agreements: open ones by id, ended ones in an archive.

A state with agreements has the fields `open` and `past` of `Keeping`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Protocol, TypeVar

import msgspec

from ledger.kernel.facts.agreements import Agreement, Archive
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Choice

A = TypeVar("A", bound=Agreement)

_SHOWN = 20
"""How many agreements of a kind are offered in moves."""


class Keeping(Protocol):
    """A state with agreements."""

    @property
    def open(self) -> dict[str, Any]:
        """The open agreements, by id."""

    @property
    def past(self) -> Archive:
        """The ended agreements."""


class Named(msgspec.Struct, frozen=True):
    """The names of a kind of agreement, in English and French.

    `en` is the English name ("loan"), `fr` the French subject of a sentence ("le prêt"), `none_fr` the French form
    after a negation ("de prêt").
    """

    en: str
    fr: str
    none_fr: str


def keep(state: Keeping, changed: Agreement, *, ended: bool) -> None:
    """Store the new version of an agreement: among the open ones, or for good among the ended ones."""
    if ended:
        state.open.pop(changed.id, None)
        state.past.keep(changed)
    else:
        state.open[changed.id] = changed


def in_order(found: Iterable[A]) -> list[A]:
    """Agreements in the order of opening."""
    return sorted(found, key=lambda one: one.opened)


def open_ones(state: Keeping, kind: type[A]) -> list[A]:
    """The open agreements of this kind, in the order of opening."""
    found = [one for one in state.open.values() if type(one) is kind]  # asked for at every try of a move
    return in_order(found) if len(found) > 1 else found


def scan(state: Keeping, kind: type[A]) -> Iterator[A]:
    """The agreements of this kind, also ended ones, in no reliable order."""
    return (one for one in chain(state.open.values(), state.past.scan()) if isinstance(one, kind))


def latest(ended: Sequence[A], others: Iterable[A], wanted: Callable[[A], bool]) -> list[A]:
    """The latest agreements that are wanted, in the order of opening: as many as `among` needs.

    `ended` are in the order of opening, `others` in any.
    """
    found = list(islice((one for one in reversed(ended) if wanted(one)), _SHOWN + 1))
    return in_order([*found, *(one for one in others if wanted(one))])


def find(state: Keeping, kind: type[A], agreement_id: str) -> A | None:
    """The agreement of this kind and id, open or ended; None when there is none."""
    found = state.open.get(agreement_id) or state.past.get(agreement_id)
    return found if isinstance(found, kind) else None


def open_one(
    state: Keeping, kind: type[A], agreement_id: str, rule: str, named: Named, status_fr: Mapping[str, str]
) -> A:
    """Return the open agreement of this kind and id.

    Raises Impossible by the rule when it is unknown or has ended.

    `named` has the names of the kind; `status_fr` has the French words of the statuses.
    """
    found = find(state, kind, agreement_id)
    if found is not None and agreement_id in state.open:
        return found
    if found is not None:
        raise Impossible(
            rule,
            "the {name} {id} has ended ({status})",
            "{nom} {id} a pris fin ({etat})",
            name=named.en,
            nom=named.fr,
            id=agreement_id,
            status=found.status,
            etat=status_fr[found.status],
        )
    raise Impossible(
        rule,
        "there is no {name} {id!r}",
        "il n'y a pas {de_nom} {id!r}",
        name=named.en,
        de_nom=named.none_fr,
        id=agreement_id,
    )


def among(
    found: Sequence[Agreement],
    name: str,
    given: Mapping[str, Any] | None = None,
    *,
    free: tuple[str, ...] = (),
    alike: Hashable = None,
) -> Iterator[Choice]:
    """Choices: each of the latest of these agreements as the parameter `name`, with the other parameters `given`.

    `free` names the parameters that may be changed; also the agreement, when older ones are left out. `alike` is
    that of every choice (see `Choice`).
    """
    open_to_change = free if len(found) <= _SHOWN else (*free, name)
    for one in found[-_SHOWN:]:
        yield Choice({name: one.id, **(given or {})}, open_to_change, alike)
