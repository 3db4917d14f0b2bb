"""The timeline: which actions of a journal count, and with which events.

The journal never changes. A correction is an action of its own, whose events say what it makes of earlier
ones (`Event.amends`). Reading is bitemporal: `known_at` is how much of the journal we pretend to know, `at`
the moment in the game that we ask about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from ledger.kernel.events import Event
from ledger.kernel.journal import Entry

Decode = Callable[[msgspec.Raw], Event]
"""How a rulebook reads a stored event body, older shapes included."""


class Standing(msgspec.Struct, frozen=True):
    """How an entry stands: its status, the events that count, and the correction that made it so (if any)."""

    entry: Entry
    status: str
    events: tuple[Event, ...]
    by: int | None = None


class Timeline:
    """The effective history over a journal.

    Takes the entries in order and how to read an event; `known_at` (a number) leaves out what came later.
    """

    def __init__(self, entries: Iterable[Entry], decode: Decode, known_at: int | None = None) -> None:
        self._standings: dict[int, Standing] = {}
        for entry in entries:
            if known_at is not None and entry.number > known_at:
                break
            events = tuple(decode(stored) for stored in entry.events)
            self._standings[entry.number] = Standing(entry, "effective", events)
            for event in events:
                for amendment in event.amends():
                    amended = self._standings[amendment.number].entry
                    stands = amended.events if amendment.status == "effective" else amendment.events
                    self._standings[amendment.number] = Standing(
                        amended, amendment.status, tuple(decode(stored) for stored in stands), by=entry.number
                    )

    def standing(self, number: int) -> Standing | None:
        """How the action of this number stands, None when the journal known does not reach it."""
        return self._standings.get(number)

    def standings(self) -> Iterator[Standing]:
        """Every entry known, in the order of the journal."""
        return iter(self._standings.values())

    def effective(self, at: int | None = None) -> Iterator[Standing]:
        """The entries that count up to and including number `at`, in order."""
        for number, standing in self._standings.items():
            if at is not None and number > at:
                return
            if standing.status in {"effective", "restated"}:
                yield standing
