"""The round, the turn and the sentence of every action, found while folding the history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import State, collector_paused
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.moving.exporting import Export, ShownAction, turn_in
from ledger.store.records import Stretch
from replays.exports.bookkeeping import one_line


class Narration(msgspec.Struct, frozen=True):
    """The narration of an action in a table: the round and turn before the action, and the sentence."""

    round: int | None
    turn: str | None
    sentence: str | None


_COUNTING = frozenset({"effective", "restated"})


def told_of(action: ShownAction) -> Narration:
    """Narrate an action for a viewer with a partial view."""
    events = action.counting if action.view.status in _COUNTING else action.view.events
    return Narration(action.round, action.turn, one_line(" ".join(event.text for event in events)) or None)


class Narrator:
    """Narrates the actions of a whole game, in the order of the history."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self._rulebook = export.rulebook
        self._speakers = export.rulebook.language.speakers(export.state)
        self._state: State = export.rulebook.blank()

    def untouched(self, stretch: Stretch) -> Iterator[Narration]:
        """Narrate the actions of a stretch without corrections, with events in their current shapes."""
        with collector_paused():
            for entry in self._rulebook.codec.read_events(stretch.canonical()):
                yield self._narrate(entry.number, entry.events, entry.events)

    def narrate(self, timeline_entry: TimelineEntry) -> Narration:
        """Narrate a possibly corrected action. An action that does not count is narrated as recorded."""
        if timeline_entry.counts:
            return self._narrate(timeline_entry.position[0], timeline_entry.events, timeline_entry.events)
        return self._narrate(timeline_entry.position[0], timeline_entry.recorded, ())

    def _narrate(self, number: int, events: Sequence[Event], counting: Sequence[Event]) -> Narration:
        state = self._state
        turn = turn_in(self._rulebook, state)
        state.fold(counting)
        state.version = number
        return Narration(*turn, self._sentence(events))

    def _sentence(self, events: Sequence[Event]) -> str | None:
        language = self._export.language
        sentences = [event.sentence(language, self._speakers) for event in events]
        return one_line(" ".join(sentences)) or None
