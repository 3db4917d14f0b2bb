"""Folding a journal from its first entry on, each moment as it was known then, without any snapshot."""

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
"""A state is kept every so many actions, for corrections."""
_MOST = 256
"""So many states are kept at most; then every second one is dropped."""

Moment = tuple[int, int]
"""An action, and the correction by which it is known (0: as it was known right then)."""


class Refold:
    """Folds the entries of one game in order, and follows its corrections. It is the `Past` of what it has folded.

    Takes the rulebook; a function that gives the entries from one number to another, which have been folded; the
    moments that the caller wants to see; and what is called with each of them and its state. A corrected moment is
    one before its correction, at or after the first action that the correction touches.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        entries: Callable[[int, int], Iterable[Entry]],
        wanted: Collection[Moment] = (),
        seen: Callable[[Moment, State], None] = lambda _moment, _state: None,
    ) -> None:
        self._rulebook = rulebook
        self._entries = entries
        self._wanted = frozenset(wanted)
        self._seen = seen
        self._kept: list[State] = [rulebook.blank()]
        self._every = _EVERY
        self.state: State = rulebook.blank()
        """The state after the last entry. Do not change it."""

    def take(self, number: int, at: datetime, seq: int, events: Sequence[Event]) -> None:
        """Fold the next entry: its number, its time, its last event's number, and its events.

        Raises whatever events that cannot have happened raise.
        """
        corrections: list[int] = []
        for event in events:
            if isinstance(event, HistoryCorrected):
                corrections.append(event.first)  # noqa: PERF401 - faster than a list comprehension for few
        if corrections:
            known = (*self.state.corrections, *((number, first) for first in corrections))
            self.state = self._folded(number, known, correction=number)
        else:
            self.state.fold(events)
            self.state.version, self.state.last_at, self.state.seq = number, at, seq
        if corrections or number % self._every == 0:
            self._keep()
        if (number, 0) in self._wanted:
            self._seen((number, 0), self.state)

    def _keep(self) -> None:
        self._kept.append(self.state.copy())
        if len(self._kept) > _MOST:
            del self._kept[1::2]
            self._every *= 2

    # What deciding again asks of the past ---------------------------------------------------------

    def recorded(self, numbers: Iterable[int]) -> Iterator[Entry]:
        """The entries of these numbers, those that have been folded, in order."""
        for number in sorted(one for one in set(numbers) if 1 <= one <= self.state.version):
            yield from self._entries(number, number)

    def timeline(self) -> Timeline:
        """The effective history from the first action to the last one folded."""
        return Timeline(self._entries(1, self.state.version), self._rulebook.event)

    def state_then(self, number: int) -> State:
        """The state right after an action as it was known right then."""
        return self._folded(number, tuple(one for one in self.state.corrections if one[0] <= number))

    def state_after(self, number: int) -> State:
        """The state right after an action of the effective history."""
        return self._folded(number, self.state.corrections)

    def _folded(self, number: int, known: Corrections, *, correction: int = 0) -> State:
        """The state right after an action by these corrections.

        With `correction`, the moments before it that are wanted are seen on the way.
        """
        base = next(
            kept
            for kept in reversed(self._kept)
            if kept.version <= number and not any(one > kept.version >= first for one, first in known)
        )
        state = base.copy()
        if base.version == number:
            return state
        span = {entry.number: entry for entry in self._entries(base.version + 1, number)}
        for one, _ in known:
            if one not in span:
                span.update((entry.number, entry) for entry in self._entries(one, one))
        timeline = Timeline((span[one] for one in sorted(span)), self._rulebook.event)
        first = known[-1][1] if correction else number
        passing = sorted(one for one, by in self._wanted if by == correction and first <= one < number)
        passing = passing if correction else []
        for standing in timeline.effective(number):
            if standing.place[0] <= base.version:
                continue
            while passing and passing[0] < standing.place[0]:
                self._pass(state, timeline, (passing.pop(0), correction), known)
            state.fold(standing.events)
        for one in passing:
            self._pass(state, timeline, (one, correction), known)
        stand_at(state, timeline, number, known)
        return state

    def _pass(self, state: State, timeline: Timeline, moment: Moment, known: Corrections) -> None:
        passed = state.copy()
        stand_at(passed, timeline, moment[0], known)
        self._seen(moment, passed)
