"""The store of agreements: open agreements by id, ended agreements in an archive.

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
"""Maximum number of agreements of a kind offered in moves."""


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
    """Store the new version of an agreement: among the open agreements, or for good in the archive."""
    if ended:
        state.open.pop(changed.id, None)
        state.past.keep(changed)
    else:
        state.open[changed.id] = changed


def in_order(agreements: Iterable[A]) -> list[A]:
    """Sort agreements in the order of opening."""
    return sorted(agreements, key=lambda agreement: agreement.opened)


def open_agreements(state: Keeping, kind: type[A]) -> list[A]:
    """Return the open agreements of a kind, in the order of opening."""
    matches = [
        agreement for agreement in state.open.values() if type(agreement) is kind
    ]  # asked for at every try of a move
    return in_order(matches) if len(matches) > 1 else matches


def scan(state: Keeping, kind: type[A]) -> Iterator[A]:
    """Iterate over the open and ended agreements of a kind, in no reliable order."""
    return (
        agreement for agreement in chain(state.open.values(), state.past.scan()) if isinstance(agreement, kind)
    )


def latest(ended: Sequence[A], others: Iterable[A], matches: Callable[[A], bool]) -> list[A]:
    """Return the latest agreements accepted by `matches`, in the order of opening, as many as `among` needs.

    `ended` are in the order of opening, `others` in any order.
    """
    recent = list(islice((agreement for agreement in reversed(ended) if matches(agreement)), _SHOWN + 1))
    return in_order([*recent, *(agreement for agreement in others if matches(agreement))])


def find(state: Keeping, kind: type[A], agreement_id: str) -> A | None:
    """Return the agreement of this kind and id, open or ended. None for an unknown id."""
    agreement = state.open.get(agreement_id) or state.past.get(agreement_id)
    return agreement if isinstance(agreement, kind) else None


def require_open(
    state: Keeping, kind: type[A], agreement_id: str, rule: str, named: Named, status_fr: Mapping[str, str]
) -> A:
    """Return the open agreement of this kind and id.

    Raises Impossible by the rule for an unknown or ended agreement.

    `named` has the names of the kind; `status_fr` has the French words of the statuses.
    """
    agreement = find(state, kind, agreement_id)
    if agreement is not None and agreement_id in state.open:
        return agreement
    if agreement is not None:
        raise Impossible(
            rule,
            "the {name} {id} has ended ({status})",
            "{nom} {id} a pris fin ({etat})",
            name=named.en,
            nom=named.fr,
            id=agreement_id,
            status=agreement.status,
            etat=status_fr[agreement.status],
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
    agreements: Sequence[Agreement],
    name: str,
    fixed: Mapping[str, Any] | None = None,
    *,
    free: tuple[str, ...] = (),
    alike: Hashable = None,
) -> Iterator[Choice]:
    """Offer each of the latest agreements as the parameter `name`, with the further parameters `fixed`.

    `free` names the parameters open to change. The agreement is open to change, too, when older agreements are
    left out. `alike` is passed on to every choice (see `Choice`).
    """
    open_to_change = free if len(agreements) <= _SHOWN else (*free, name)
    for agreement in agreements[-_SHOWN:]:
        yield Choice({name: agreement.id, **(fixed or {})}, open_to_change, alike)
