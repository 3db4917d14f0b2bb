"""The states of a journal as known when each action was recorded, before later corrections."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook


class StateAsRecorded:
    """Follows the state in which each action of the journal was taken, as known when the action was recorded.

    The state shows the turn of an action at the time, before corrections changed the turn.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        timeline: Timeline,
        earliest: int,
        state_before: Callable[[int], State] | None,
    ) -> None:
        self._state_before = state_before or partial(_state_then, rulebook, timeline)
        last = max(
            (timeline_entry.entry.number for timeline_entry in timeline.entries() if _corrects(timeline_entry)),
            default=0,
        )
        self.state: State | None = self._state_before(earliest).copy() if last >= earliest else None
        """None while the state equals the state as now known, for lack of a later correction."""

    def pass_by(self, timeline_entry: TimelineEntry) -> None:
        """Advance to the state after an action of the journal."""
        if self.state is None or timeline_entry.insert:
            return
        if _corrects(timeline_entry):
            self.state = self._state_before(timeline_entry.entry.number + 1).copy()
        else:
            self.state.fold(timeline_entry.recorded)


def _corrects(timeline_entry: TimelineEntry) -> bool:
    """Return True if an action of the journal corrected the history."""
    return not timeline_entry.insert and any(
        isinstance(event, HistoryCorrected) for event in timeline_entry.recorded
    )


def _state_then(rulebook: Rulebook[Any], timeline: Timeline, number: int) -> State:
    """Return the state right before an action of the journal, as known when the action was recorded."""
    entries = [
        recorded.entry for recorded in timeline.entries() if not recorded.insert and recorded.entry.number < number
    ]
    state: State = rulebook.blank()
    for timeline_entry in Timeline(entries, rulebook.codec.event).effective():
        state.fold(timeline_entry.events)
    return state
