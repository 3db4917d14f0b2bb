"""Citing: the audience of an action named by a dispute or a ruling, without revealing the action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import Protocol

import msgspec

from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, SPECTATOR, Audience
from ledger.kernel.facts.events import Event


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """The viewers who know of a cited action, and the private deals of the action."""

    whole: Audience
    """The viewers of every event of the action, whole or redacted."""
    part: Audience
    """The viewers of at least one event."""
    matters: Mapping[str, frozenset[str]] = {}
    """The private deals of the action, by id, each with the parties."""
    seat: str | None = None
    """The acting seat, which the viewers of a part know."""


class KnowsMatters(Protocol):
    """A finder of the private deals behind events, such as the secrets of a rulebook."""

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """Return the private deals behind the events of an action, by id, each with the parties."""


def cited(secrets: KnowsMatters, events: Iterable[Event], seat: str | None) -> Cited:
    """Return the citation of an action from the events recorded with the action; later corrections change
    nothing.
    """
    recorded = tuple(events)
    audiences = [EVERYONE if event.redacted(SPECTATOR) is not None else event.audience() for event in recorded]
    return Cited(
        whole=reduce(and_, audiences, EVERYONE),
        part=reduce(or_, audiences, BANKER_ONLY),
        matters=secrets.private_matters(recorded),
        seat=seat,
    )
