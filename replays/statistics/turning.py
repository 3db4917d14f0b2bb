"""Turning points: the actions that changed the lead most, if they changed it by enough to matter."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction

import msgspec

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Name

MOST = 10
"""The largest number of turning points kept."""
LEAST = Fraction(1, 20)
"""A smaller part of what all seats are worth together is no turning point. Wealth below 0 counts as 0."""


class Swing(msgspec.Struct, frozen=True):
    """The change, by an action, of the lead of the seat that led before it."""

    action: Name
    moment: int
    at: datetime
    kind: str
    seat: str | None
    round: int | None
    events: tuple[Event, ...]
    before: Mapping[str, int]
    after: Mapping[str, int]
    leader_before: str
    leader_after: str
    lead_before: int
    lead_after: int

    @property
    def size(self) -> int:
        """The absolute change of the lead."""
        return abs(self.lead_after - self.lead_before)


def leader(worth: Mapping[str, int]) -> str:
    """The seat that is worth most; of equals the first in the order of the seats."""
    return max(worth, key=lambda seat: worth[seat])


def table_worth(worth: Mapping[str, int]) -> int:
    """What all seats are worth together. Wealth below 0 counts as 0."""
    return sum(max(0, value) for value in worth.values())


def lead(worth: Mapping[str, int], seat: str) -> int:
    """The wealth of a seat minus the largest wealth of the others."""
    return worth[seat] - max(value for other, value in worth.items() if other != seat)


class LargestSwings:
    """The largest swings of a game that are large enough; of equal ones the earlier."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: list[tuple[int, int, Swing]] = []
        self._seen = 0

    def take(
        self,
        *,
        action: Name,
        moment: int,
        at: datetime,
        kind: str,
        seat: str | None,
        round: int | None,  # noqa: A002 - the word of the game
        events: Sequence[Event],
        before: Mapping[str, int],
        after: Mapping[str, int],
    ) -> None:
        """Consider an action, with the wealth of each seat before and after it."""
        if len(before) < 2 or before.keys() != after.keys() or before == after:
            return
        leading = leader(before)
        swing = Swing(
            action=action,
            moment=moment,
            at=at,
            kind=kind,
            seat=seat,
            round=round,
            # The events with postings explain the change of the lead.
            events=tuple(event for event in events if event.postings) or tuple(events),
            before=dict(before),
            after=dict(after),
            leader_before=leading,
            leader_after=leader(after),
            lead_before=lead(before, leading),
            lead_after=lead(after, leading),
        )
        self._seen += 1
        if not swing.size or swing.size < LEAST * max(table_worth(before), table_worth(after)):
            return
        heapq.heappush(self._kept, (swing.size, -self._seen, swing))
        if len(self._kept) > self._most:
            heapq.heappop(self._kept)

    def swings(self) -> list[Swing]:
        """The largest swings first."""
        return [swing for _, _, swing in sorted(self._kept, key=lambda one: (-one[0], -one[1]))]
