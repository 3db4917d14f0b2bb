"""Entries shared by viewers: each is read once, and written once for all viewers with an equal look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from ledger.games.game import Game, SeenCorrection
from ledger.games.moments import Moment
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import current_viewer
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.reading.entries.consequences import seen_corrections
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.look import Look, SeenHoldings
from ledger.reading.entries.views import EntryView
from ledger.reading.words.naming import Names
from ledger.store.database.errors import JournalDamaged

T = TypeVar("T")

_KEPT = 4
"""Maximum number of entries in a request for caching. More entries are read together and not cached."""


class SharedEntry:
    """An entry for any number of viewers. Viewers with an equal look get the same object.

    Takes the game, its newest state, the timeline entry, the hash of the stored bytes, and the states right
    before and right after the entry.
    """

    def __init__(
        self,
        game: Game,
        current: State,
        timeline_entry: TimelineEntry,
        hashed: bytes,
        earlier: State,
        next_state: State,
    ) -> None:
        self._rulebook = game.rulebook
        self._current = current
        self._timeline_entry = timeline_entry
        self._leaf = hashed
        self._holdings = SeenHoldings(game.rulebook, earlier), SeenHoldings(game.rulebook, next_state)
        self._names: dict[str, Names] = {}
        self._written: dict[str, list[tuple[Look, EntryView]]] = {}

    def seen_by(
        self, viewer: Viewer, language: str, corrections: Mapping[int, SeenCorrection] | None = None
    ) -> EntryView:
        """Return the entry as visible to a viewer, with sentences in "en" or "fr".

        `corrections` is the result of `seen_corrections` for the viewer and the entry.
        """
        names = self._names.get(language)
        if names is None:
            names = self._names[language] = Names(self._rulebook, self._current, language)
        writer = EntryWriter(self._rulebook, self._current, viewer, language, corrections or {}, names)
        earlier, following = self._holdings
        look = writer.start_look(self._timeline_entry, earlier).finish(following)
        written = self._written.setdefault(language, [])
        for earlier_look, view in written:
            if earlier_look == look:
                return view
        view = writer.write(self._timeline_entry, self._leaf, look)
        written.append((look, view))
        return view


def entries_between(
    moment: Moment, first: int, last: int, language: str = "en", viewer: Viewer | None = None
) -> list[EntryView]:
    """Return the entries of a range of numbers as visible to a viewer, by the known corrections, oldest first.

    The default viewer is the moment's own. Entries are cached until the game moves on, so an additional viewer
    costs little. Raises JournalDamaged if an entry is missing.
    """
    moment = moment if viewer is None else replace(moment, viewer=current_viewer(moment.newest, viewer))
    numbers = range(first, last + 1)
    corrections = seen_corrections(moment, numbers)
    shared = shared_entries(moment, numbers)
    return [shared[number].seen_by(moment.viewer, language, corrections) for number in numbers]


def keep(moment: Moment, number: int, entry: SharedEntry) -> None:
    """Cache a new entry for readers at the moment."""
    moment.cached(("entry", moment.known_at, number), lambda: entry)


def shared_entries(moment: Moment, numbers: Sequence[int]) -> dict[int, SharedEntry]:
    """Return the entries with these ascending numbers, for any number of viewers. Raises JournalDamaged.

    A few entries are cached until the game moves on: the newest entries are read by everybody.
    """
    if len(numbers) > _KEPT:
        return _read(moment, numbers)
    return {number: _cached(moment, number) for number in numbers}


def _cached(moment: Moment, number: int) -> SharedEntry:
    key = "entry", moment.known_at, number
    return moment.cached(key, lambda: _read(moment, (number,))[number])


def _read(moment: Moment, numbers: Sequence[int]) -> dict[int, SharedEntry]:
    """Read the entries with these numbers from the journal. Raises JournalDamaged."""
    entries = moment.store.journal.entries_of(moment.game.id, numbers)
    gone = set(numbers).difference(number for number, _ in entries)
    if gone:
        raise JournalDamaged(moment.game.id, min(gone), "it is missing")
    hashes = {number: leaf(stored) for number, stored in entries}

    def shared(timeline_entry: TimelineEntry, earlier: State) -> Callable[[State], SharedEntry]:
        hashed = hashes[timeline_entry.entry.number]
        return lambda next_state: SharedEntry(
            moment.game, moment.newest, timeline_entry, hashed, earlier, next_state
        )

    return dict(zip(hashes, follow_entries(moment, entries, shared, in_place=False), strict=True))


def made_correction(state: State, number: int) -> bool:
    """Return True if the last action corrected the history. The state right before is then in another history."""
    return bool(state.corrections) and state.corrections[-1][0] == number


def follow_entries(
    moment: Moment,
    stored_entries: Sequence[tuple[int, bytes]],
    see: Callable[[TimelineEntry, State], Callable[[State], T]],
    *,
    in_place: bool,
    with_inserted: bool = False,
) -> Iterator[T]:
    """Yield the result of `see` for each of these stored entries, in the order of the history.

    `with_inserted` adds the results for the actions inserted after these entries, effective or not. `see` takes
    a timeline entry and the state right before it, and returns a function of the state right after it. `see`
    must not change the states. With `in_place` a single state is folded through the history, so `see` must read
    the state at once. Otherwise each state stays unchanged.
    """
    if not stored_entries:
        return
    first, last = stored_entries[0][0], stored_entries[-1][0]
    # No other correction can touch these entries or insert an action between them.
    touching = [item for item in moment.corrections if item[0] > first and item[1] <= last]
    entries = [moment.read(number, stored) for number, stored in stored_entries]
    timeline = moment.game.history.timeline(entries, touching)
    inserted: dict[int, list[TimelineEntry]] = {}
    for timeline_entry in timeline.entries() if touching else ():
        if timeline_entry.insert:
            inserted.setdefault(timeline_entry.position[0], []).append(timeline_entry)
    state, reached, is_own = moment.newest, -1, False
    for number, _ in stored_entries:
        main = timeline.entry(number)
        if main is None:
            raise LookupError(f"action {number} is in the selection and not in the timeline")
        is_last = number == moment.version == moment.known_at
        if is_last and made_correction(moment.newest, number):
            yield see(main, moment.newest)(moment.newest)
            return
        if reached != number - 1:
            state, is_own = moment.state_after(number - 1), False
        if is_last:
            yield see(main, state)(moment.newest)
            return
        for item in (main, *inserted.get(number, ())):
            finish = see(item, state) if item is main or with_inserted else None
            if item.counts:
                state = state if in_place and is_own else state.copy()
                is_own = True
                state.fold(item.events)
                state.version = number
            if finish is not None:
                yield finish(state)
        reached = number
