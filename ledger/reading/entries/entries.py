"""Journal entries as one viewer sees them in one language, for the API, the audit and the replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ledger.games.game import SeenCorrection
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import (
    sight,
    viewer_now,
)
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.look import (
    _DOES_NOT_COUNT,
    Look,
    SeenHoldings,
    _balances,
    _effects,
    _effects_back,
    _moved,
    _seen,
    _telling,
)
from ledger.reading.entries.text import _EntryText, _warnings
from ledger.reading.entries.views import EntryView
from ledger.reading.words.naming import Names


class EntryWriter:
    """Writes the entries of one game as one viewer sees them, in one language.

    Takes the state `now`, which says whether the game has ended and what its end reveals, and what the
    viewer sees of the `corrections` that are among the entries or touch them, by number (see `seen_corrections`).
    `names` are the names in this state and this language, where they are at hand.
    """

    def __init__(
        self,
        rulebook: Rulebook[Any],
        now: State,
        viewer: Viewer,
        language: str,
        corrections: Mapping[int, SeenCorrection] = MappingProxyType({}),
        names: Names | None = None,
    ) -> None:
        self._rulebook = rulebook
        self._viewer = viewer_now(now, viewer)
        self._corrections = corrections
        self._text = _EntryText(rulebook, Names(rulebook, now, language) if names is None else names)

    def view(self, standing: Standing, leaf: bytes, before: State, after: State) -> EntryView:
        """The view of an entry.

        Takes its standing, the hash of its stored bytes, and the states right before it and right after it.
        """
        return self.opened(standing, before)(leaf, after)

    def opened(self, standing: Standing, before: State) -> Callable[[bytes, State], EntryView]:
        """A function that gives the view of an entry, for whoever folds one state through the history.

        Takes the entry's standing and the state right before it, which may be changed as soon as this returns. The
        function takes the hash of the entry's stored bytes, and the state right after it.
        """
        look = self.looked(standing, SeenHoldings(self._rulebook, before))
        return lambda leaf, after: self.write(standing, leaf, look(SeenHoldings(self._rulebook, after)))

    def write(self, standing: Standing, leaf: bytes, look: Look) -> EntryView:
        """The view of an entry for every viewer who has this look at it."""
        return self._text.view(standing, leaf, look)

    def sentence(self, standing: Standing) -> str:
        """The sentence of an entry alone, as its view has it; no state is needed."""
        entry, viewer = standing.entry, self._viewer
        made = None if standing.insert else self._corrections.get(entry.number)
        amendments = () if made is None or viewer.sees_all else made.amendments
        own = viewer.seat is not None and entry.by == viewer.seat
        return self._text.sentence(entry, sight(standing, viewer), own=own, amendments=amendments, made=made)

    def looked(self, standing: Standing, before: SeenHoldings) -> Callable[[SeenHoldings], Look]:
        """A function that gives what the viewer sees of an entry.

        Takes its standing and the holdings right before it. The function takes the holdings right after it.
        """
        entry, viewer = standing.entry, self._viewer
        shown = sight(standing, viewer)
        made = None if standing.insert else self._corrections.get(entry.number)
        changes = {} if made is None else made.changes
        moved = _moved(_telling(shown), changes)
        counts = shown.status not in _DOES_NOT_COUNT
        # Before the first action nobody has a seat; and the state before a correction has the correction, too.
        is_counted_back = made is not None or not before.state.version
        had = {} if is_counted_back or not counts else _seen(moved, before, viewer)

        def look(after: SeenHoldings) -> Look:
            has = _seen(moved, after, viewer)
            effects = _effects_back(moved, has) if is_counted_back else _effects(had, has)
            return Look(
                shown,
                entry.first_seq if viewer.sees_all else None,
                viewer.seat is not None and entry.by == viewer.seat,
                _warnings(entry, shown, viewer),
                tuple(effects) if counts else (),
                _balances(has),
                made,
                None if shown.by is None else self._corrections.get(shown.by),
                # Who sees everything reads the whole consequences in the event.
                () if made is None or viewer.sees_all else made.amendments,
                changes,
            )

        return look
