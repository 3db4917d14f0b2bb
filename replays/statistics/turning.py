"""Turning points: the actions with the largest relevant changes of the lead."""

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
"""The smallest swing of a turning point, relative to the total wealth of all seats. Negative wealth counts as
0.
"""


class Swing(msgspec.Struct, frozen=True):
    """The change, by an action, of the lead held by the leading seat before the action."""

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
    """Return the richest seat; among equals the first in the order of the seats."""
    return max(worth, key=lambda seat: worth[seat])


def table_worth(worth: Mapping[str, int]) -> int:
    """Return the total wealth of all seats. Negative wealth counts as 0."""
    return sum(max(0, value) for value in worth.values())


def lead(worth: Mapping[str, int], seat: str) -> int:
    """Return the wealth of a seat minus the largest wealth among its rivals."""
    return worth[seat] - max(value for other, value in worth.items() if other != seat)


class LargestSwings:
    """The largest relevant swings of a game; among equals the earlier."""

    def __init__(self, limit: int = MOST) -> None:
        self._limit = limit
        self._largest: list[tuple[int, int, Swing]] = []
        self._count = 0

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
        worth_before: Mapping[str, int],
        worth_after: Mapping[str, int],
    ) -> None:
        """Consider an action, with the wealth of each seat before and after it."""
        if len(worth_before) < 2 or worth_before.keys() != worth_after.keys() or worth_before == worth_after:
            return
        leading = leader(worth_before)
        swing = Swing(
            action=action,
            moment=moment,
            at=at,
            kind=kind,
            seat=seat,
            round=round,
            # The events with postings explain the change of the lead.
            events=tuple(event for event in events if event.postings) or tuple(events),
            before=dict(worth_before),
            after=dict(worth_after),
            leader_before=leading,
            leader_after=leader(worth_after),
            lead_before=lead(worth_before, leading),
            lead_after=lead(worth_after, leading),
        )
        self._count += 1
        if not swing.size or swing.size < LEAST * max(table_worth(worth_before), table_worth(worth_after)):
            return
        heapq.heappush(self._largest, (swing.size, -self._count, swing))
        if len(self._largest) > self._limit:
            heapq.heappop(self._largest)

    def swings(self) -> list[Swing]:
        """Return the swings, the largest first."""
        return [swing for _, _, swing in sorted(self._largest, key=lambda item: (-item[0], -item[1]))]
