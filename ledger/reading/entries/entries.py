"""Journal entries as visible to a viewer, in a language, for the API, the audit and the replay."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import current_viewer, visible_entry
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.look import Look, LookBuilder, SeenHoldings
from ledger.reading.entries.text import EntryText
from ledger.reading.entries.views import EntryView
from ledger.reading.words.naming import Names


class EntryWriter:
    """A writer of the entries of a game for a viewer, in a language.

    The state `current` decides if the game has ended, and contains the secrets revealed by the end.
    `corrections` are the visible corrections among the entries or of the entries, by number (see
    `consequences.seen_corrections`). `names` are the names in the state and the language, if at hand.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        current: State,
        viewer: Viewer,
        language: str,
        corrections: Mapping[int, SeenCorrection] = MappingProxyType({}),
        names: Names | None = None,
    ) -> None:
        self._rulebook = rulebook
        self._viewer = current_viewer(current, viewer)
        self._corrections = corrections
        self._text = EntryText(rulebook, Names(rulebook, current, language) if names is None else names)

    def view(self, timeline_entry: TimelineEntry, leaf: bytes, earlier: State, next_state: State) -> EntryView:
        """Build the view of an entry.

        `leaf` is the hash of the stored bytes. `earlier` and `next_state` are the states right before and right
        after the entry.
        """
        return self.open_view(timeline_entry, earlier).finish(leaf, next_state)

    def open_view(self, timeline_entry: TimelineEntry, before: State) -> OpenedEntry:
        """Open an entry on the state right before the entry, for callers that fold a single state.

        The caller may change the state after the call.
        """
        look = self.start_look(timeline_entry, SeenHoldings(self._rulebook, before))
        return OpenedEntry(self, self._rulebook, timeline_entry, look)

    def write(self, timeline_entry: TimelineEntry, leaf: bytes, look: Look) -> EntryView:
        """Build the view of an entry for every viewer with this look."""
        return self._text.view(timeline_entry, leaf, look)

    def sentence(self, timeline_entry: TimelineEntry) -> str:
        """Return only the sentence of an entry, as in its view. No state is needed."""
        entry, viewer = timeline_entry.entry, self._viewer
        correction = None if timeline_entry.insert else self._corrections.get(entry.number)
        amendments = () if correction is None or viewer.sees_all else correction.amendments
        is_own = viewer.seat is not None and entry.by == viewer.seat
        return self._text.sentence(
            entry,
            visible_entry(timeline_entry, viewer),
            is_own=is_own,
            amendments=amendments,
            correction=correction,
        )

    def start_look(self, timeline_entry: TimelineEntry, before: SeenHoldings) -> LookBuilder:
        """Start the look of the viewer at an entry, on the holdings right before the entry."""
        builder = LookBuilder(self._viewer, self._corrections)
        builder.start(timeline_entry, before)
        return builder


class OpenedEntry:
    """An entry opened on the state right before it. The view follows from the state right after it."""

    __slots__ = ("_look", "_rulebook", "_timeline_entry", "_writer")

    def __init__(
        self, writer: EntryWriter, rulebook: Rulebook[Any], timeline_entry: TimelineEntry, look: LookBuilder
    ) -> None:
        self._writer = writer
        self._rulebook = rulebook
        self._timeline_entry = timeline_entry
        self._look = look

    def finish(self, leaf: bytes, after: State) -> EntryView:
        """Build the view, from the hash of the stored bytes and the state right after the entry."""
        look = self._look.finish(SeenHoldings(self._rulebook, after))
        return self._writer.write(self._timeline_entry, leaf, look)
