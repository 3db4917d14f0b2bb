"""Citing: what a dispute or a ruling may say of an action of the journal, without telling anybody its secrets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.kernel.audience import BANKER_ONLY, EVERYONE, SPECTATOR, Audience

if TYPE_CHECKING:
    from ledger.kernel.events import Event
    from ledger.kernel.rulebook import Rulebook


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """Who knows an action that is cited, and whose private affair it is."""

    whole: Audience
    """Who sees each of its events, as a whole or redacted."""
    part: Audience
    """Who sees any of its events."""
    matters: Mapping[str, frozenset[str]] = {}
    """The private deals it is about, by id, each with its parties."""


def cited(rulebook: Rulebook[Any], events: Iterable[Event]) -> Cited:
    """An action as it may be cited, from the events it was recorded with: what became of it later is no part."""
    recorded = tuple(events)
    audiences = [EVERYONE if event.redacted(SPECTATOR) is not None else event.audience() for event in recorded]
    return Cited(
        whole=reduce(and_, audiences, EVERYONE),
        part=reduce(or_, audiences, BANKER_ONLY),
        matters=rulebook.private_matters(recorded),
    )
