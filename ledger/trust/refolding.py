"""Folding a journal from its first entry, each moment as known then, without any snapshot."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from ledger.games.history import stand_at
from ledger.games.past import Corrections
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.rulebook import Rulebook

_EVERY = 100
"""Interval between cached states, for corrections, in actions."""
_MOST = 256
"""Maximum number of cached states; beyond, every second state is dropped."""

Moment = tuple[int, int]
"""An action, and the correction of the history (0: as known right after the action)."""


class Refold:
    """A fold of the entries of a game in order, with the corrections: the `Past` of the folded entries.

    Takes the rulebook; a function for a range of folded entries; the moments of interest; and a function called
    with each moment of interest and the state. A corrected moment lies before the correction, and at or after
    the first action that it touched.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        entries: Callable[[int, int], Iterable[Entry]],
        moments: Collection[Moment] = (),
        observe: Callable[[Moment, State], None] = lambda _moment, _state: None,
    ) -> None:
        self._rulebook = rulebook
        self._entries = entries
        self._moments = frozenset(moments)
        self._observe = observe
        self._cached: list[State] = [rulebook.blank()]
        self._every = _EVERY
        self.state: State = rulebook.blank()
        """The state after the last entry. Callers must not change it."""

    def take(self, number: int, at: datetime, seq: int, events: Sequence[Event]) -> None:
        """Fold the next entry: the number, the time, the last event's number, and the events.

        Raises any error of impossible events.
        """
        corrections: list[int] = []
        for event in events:
            if isinstance(event, HistoryCorrected):
                corrections.append(event.first)  # noqa: PERF401 - faster than a list comprehension for few
        if corrections:
            corrections_now = (*self.state.corrections, *((number, first) for first in corrections))
            self.state = self._fold(number, corrections_now, correction=number)
        else:
            self.state.fold(events)
            self.state.version, self.state.last_at, self.state.seq = number, at, seq
        if corrections or number % self._every == 0:
            self._keep()
        if (number, 0) in self._moments:
            self._observe((number, 0), self.state)

    def _keep(self) -> None:
        self._cached.append(self.state.copy())
        if len(self._cached) > _MOST:
            del self._cached[1::2]
            self._every *= 2

    # Queries of the past ----------------------------------------------------------------------

    def recorded(self, numbers: Iterable[int]) -> Iterator[Entry]:
        """Yield the folded entries with these numbers, in order."""
        for number in sorted(candidate for candidate in set(numbers) if 1 <= candidate <= self.state.version):
            yield from self._entries(number, number)

    def timeline(self) -> Timeline:
        """Return the effective history from the first action to the last one folded."""
        return Timeline(self._entries(1, self.state.version), self._rulebook.codec.event)

    def state_then(self, number: int) -> State:
        """Return the state right after an action, as known at the time of the action."""
        return self._fold(
            number,
            tuple(
                known_correction for known_correction in self.state.corrections if known_correction[0] <= number
            ),
        )

    def state_after(self, number: int) -> State:
        """Return the state right after an action of the effective history."""
        return self._fold(number, self.state.corrections)

    def _fold(self, number: int, corrections: Corrections, *, correction: int = 0) -> State:
        """Return the state right after an action by these corrections.

        With `correction`, the moments of interest on the way are passed to the observer.
        """
        base = next(
            cached
            for cached in reversed(self._cached)
            if cached.version <= number and not any(item > cached.version >= first for item, first in corrections)
        )
        state = base.copy()
        if base.version == number:
            return state
        span = {entry.number: entry for entry in self._entries(base.version + 1, number)}
        for item, _ in corrections:
            if item not in span:
                span.update((entry.number, entry) for entry in self._entries(item, item))
        timeline = Timeline((span[item] for item in sorted(span)), self._rulebook.codec.event)
        first = corrections[-1][1] if correction else number
        passing = sorted(item for item, by in self._moments if by == correction and first <= item < number)
        passing = passing if correction else []
        for timeline_entry in timeline.effective(number):
            if timeline_entry.position[0] <= base.version:
                continue
            while passing and passing[0] < timeline_entry.position[0]:
                self._pass(state, timeline, (passing.pop(0), correction), corrections)
            state.fold(timeline_entry.events)
        for item in passing:
            self._pass(state, timeline, (item, correction), corrections)
        stand_at(state, timeline, number, corrections)
        return state

    def _pass(self, state: State, timeline: Timeline, moment: Moment, corrections: Corrections) -> None:
        passed = state.copy()
        stand_at(passed, timeline, moment[0], corrections)
        self._observe(moment, passed)
