"""The round, the turn and the sentence of every action, told while the history is folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from ledger.kernel.events import Event
from ledger.kernel.history.timeline import Standing
from ledger.kernel.sentences import speak
from ledger.kernel.state import State, collector_paused
from ledger.moving.exporting import Export, ShownAction, turn_in
from ledger.store.records import Stretch
from replays.exports.bookkeeping import one_line


class Told(msgspec.Struct, frozen=True):
    """What a table tells of an action: the round and the seat whose turn it was before it, and its sentence."""

    round: int | None
    turn: str | None
    sentence: str | None


class _Entry(msgspec.Struct, frozen=True):
    number: int
    events: list[msgspec.Raw]


class _Line(msgspec.Struct, frozen=True):
    entry: _Entry


_COUNTING = frozenset({"effective", "restated"})
_lines = msgspec.json.Decoder(_Line)


def told_of(shown: ShownAction) -> Told:
    """What a viewer is told of an action that they may not see whole."""
    events = shown.counting if shown.view.status in _COUNTING else shown.view.events
    return Told(shown.round, shown.turn, one_line(" ".join(event.text for event in events)) or None)


class Narrator:
    """Tells the actions of a whole game, which must come in the order of the history."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self._rulebook = export.rulebook
        self._speakers = export.rulebook.speakers(export.state)
        self._state: State = export.rulebook.blank()

    def untouched(self, stretch: Stretch) -> Iterator[Told]:
        """The actions of a stretch that no correction touched, with all events in today's shapes."""
        with collector_paused():
            entries = [line.entry for line in _lines.decode_lines(stretch.lines)]
            # One call decodes the events of all of them.
            bodies = b"[" + b",".join([bytes(body) for entry in entries for body in entry.events]) + b"]"
            events = iter(self._rulebook.events_of(bodies, ()))
            for entry in entries:
                own = list(islice(events, len(entry.events)))
                yield self._told(entry.number, own, own)

    def standing(self, standing: Standing) -> Told:
        """An action that corrections may have changed. One that does not count is told as it was recorded."""
        if standing.counts:
            return self._told(standing.place[0], standing.events, standing.events)
        return self._told(standing.place[0], standing.recorded, ())

    def _told(self, number: int, events: Sequence[Event], counting: Sequence[Event]) -> Told:
        state = self._state
        turn = turn_in(self._rulebook, state)
        state.fold(counting)
        state.version = number
        return Told(*turn, self._sentence(events))

    def _sentence(self, events: Sequence[Event]) -> str | None:
        language = self._export.language
        said = [speak(getattr(event, language), event, language, self._speakers) for event in events]
        return one_line(" ".join(said)) or None
