"""Turning points: the actions that changed the lead most."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from ledger.kernel.events import Event

MOST = 10
"""The largest number of turning points kept."""


class Swing(msgspec.Struct, frozen=True):
    """The change, by an action, of the lead of the seat that led before it."""

    action: str
    moment: int
    at: datetime
    kind: str
    seat: str | None
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


def lead(worth: Mapping[str, int], seat: str) -> int:
    """The wealth of a seat minus the largest wealth of the others."""
    return worth[seat] - max(value for other, value in worth.items() if other != seat)


class LargestSwings:
    """The largest swings of a game; of equal ones the earlier."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: list[tuple[int, int, Swing]] = []
        self._seen = 0

    def take(
        self,
        *,
        action: str,
        moment: int,
        at: datetime,
        kind: str,
        seat: str | None,
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
        if not swing.size:
            return
        heapq.heappush(self._kept, (swing.size, -self._seen, swing))
        if len(self._kept) > self._most:
            heapq.heappop(self._kept)

    def swings(self) -> list[Swing]:
        """The largest swings first."""
        return [swing for _, _, swing in sorted(self._kept, key=lambda one: (-one[0], -one[1]))]
