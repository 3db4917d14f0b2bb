"""Journal entries as visible to a viewer, in a language, for the API, the audit and the replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import (
    current_viewer,
    visible_entry,
)
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.look import (
    WITHOUT_EFFECT,
    Look,
    SeenHoldings,
    amounts_moved,
    balances_by_account,
    effects_between,
    effects_from_amounts,
    seen_holdings,
    telling_events,
)
from ledger.reading.entries.text import EntryText, warnings_for
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

        `timeline_entry` is the action in the timeline, `leaf` the hash of the stored bytes. `earlier` and
        `next_state` are the states right before and right after the entry.
        """
        return self.open_view(timeline_entry, earlier)(leaf, next_state)

    def open_view(self, timeline_entry: TimelineEntry, earlier: State) -> Callable[[bytes, State], EntryView]:
        """Return a function that builds the view of an entry, for callers that fold a single state.

        The state `earlier` is the state right before the entry. The caller may change the state after the call.
        The function takes the hash of the stored bytes, and the state right after the entry.
        """
        look = self.start_look(timeline_entry, SeenHoldings(self._rulebook, earlier))
        return lambda leaf, next_state: self.write(
            timeline_entry, leaf, look(SeenHoldings(self._rulebook, next_state))
        )

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

    def start_look(self, timeline_entry: TimelineEntry, earlier: SeenHoldings) -> Callable[[SeenHoldings], Look]:
        """Return a function that builds the look of the viewer at an entry.

        `earlier` are the holdings right before the entry. The function takes the holdings right after the
        entry.
        """
        entry, viewer = timeline_entry.entry, self._viewer
        visible = visible_entry(timeline_entry, viewer)
        correction = None if timeline_entry.insert else self._corrections.get(entry.number)
        changes = {} if correction is None else correction.changes
        moved = amounts_moved(telling_events(visible), changes)
        counts = visible.status not in WITHOUT_EFFECT
        # Before the first action nobody has a seat; and the state before a correction has the correction, too.
        is_counted_back = correction is not None or not earlier.state.version
        had = {} if is_counted_back or not counts else seen_holdings(moved, earlier, viewer)

        def look(following: SeenHoldings) -> Look:
            has = seen_holdings(moved, following, viewer)
            effects = effects_from_amounts(moved, has) if is_counted_back else effects_between(had, has)
            return Look(
                visible,
                entry.first_seq if viewer.sees_all else None,
                viewer.seat is not None and entry.by == viewer.seat,
                warnings_for(entry, visible, viewer),
                tuple(effects) if counts else (),
                balances_by_account(has),
                correction,
                None if visible.by is None else self._corrections.get(visible.by),
                # A viewer who sees everything reads all consequences in the event.
                () if correction is None or viewer.sees_all else correction.amendments,
                changes,
            )

        return look
