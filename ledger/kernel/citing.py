"""Citing: who may know of an action that a dispute or a ruling names, without revealing the action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from typing import Protocol

import msgspec

from ledger.kernel.audience import BANKER_ONLY, EVERYONE, SPECTATOR, Audience
from ledger.kernel.events import Event


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """Who knows of a cited action, and whose private deals it is about."""

    whole: Audience
    """Who sees each of its events, as a whole or redacted."""
    part: Audience
    """Who sees any of its events."""
    matters: Mapping[str, frozenset[str]] = {}
    """The private deals it is about, by id, each with its parties."""


class KnowsMatters(Protocol):
    """Whoever can tell what private deals events are about. Every `Rulebook` can."""

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """The private deals that an action with these events is about, by id, each with its parties."""


def cited(rulebook: KnowsMatters, events: Iterable[Event]) -> Cited:
    """An action as it may be cited, from the events it was recorded with; later corrections change nothing."""
    recorded = tuple(events)
    audiences = [EVERYONE if event.redacted(SPECTATOR) is not None else event.audience() for event in recorded]
    return Cited(
        whole=reduce(and_, audiences, EVERYONE),
        part=reduce(or_, audiences, BANKER_ONLY),
        matters=rulebook.private_matters(recorded),
    )
