"""The readers of a fact: one seat, or everybody from the event on. The fields of an event stay its own."""

from __future__ import annotations

from ledger.kernel.facts.audience import EVERYONE, Audience, only
from ledger.kernel.facts.events import Event


class Private(Event, frozen=True, kw_only=True):
    """A fact known to a single seat."""

    seat: str

    def audience(self) -> Audience:
        """Return the seat."""
        return only(self.seat)


class Learnt(Private, frozen=True, kw_only=True):
    """A private fact, new to the seat: cards drawn or looked at."""

    def reveals(self) -> Audience:
        """Return the seat."""
        return only(self.seat)


class Revealing(Event, frozen=True, kw_only=True):
    """A fact unknown to some players until the event, and then known to everybody."""

    def reveals(self) -> Audience:
        """Return everybody."""
        return EVERYONE
