"""Entries that several viewers read: each is read and decoded once, and written once for all who see the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from ledger.games.game import Game, SeenCorrection
from ledger.games.moments import Moment
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import viewer_now
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import Standing
from ledger.reading.entries.consequences import seen_corrections
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.look import Look, SeenHoldings
from ledger.reading.entries.views import EntryView
from ledger.reading.words.naming import Names
from ledger.store.database.errors import JournalDamaged

T = TypeVar("T")

_KEPT = 4
"""More entries than this at once are read together, and not kept."""


class SharedEntry:
    """An entry for any number of viewers. Viewers who see the same get the same object.

    Takes the game, its newest state, the entry's standing and the hash of its stored bytes, and the states right
    before it and right after it.
    """

    def __init__(
        self, game: Game, now: State, standing: Standing, hashed: bytes, before: State, after: State
    ) -> None:
        self._rulebook = game.rulebook
        self._now = now
        self._standing = standing
        self._leaf = hashed
        self._held = SeenHoldings(game.rulebook, before), SeenHoldings(game.rulebook, after)
        self._names: dict[str, Names] = {}
        self._written: dict[str, list[tuple[Look, EntryView]]] = {}

    def seen_by(
        self, viewer: Viewer, language: str, corrections: Mapping[int, SeenCorrection] | None = None
    ) -> EntryView:
        """The entry as a viewer sees it, with sentences in "en" or "fr".

        `corrections` are those that `seen_corrections` gives for the viewer and the entry.
        """
        names = self._names.get(language)
        if names is None:
            names = self._names[language] = Names(self._rulebook, self._now, language)
        writer = EntryWriter(self._rulebook, self._now, viewer, language, corrections or {}, names)
        before, after = self._held
        look = writer.looked(self._standing, before)(after)
        written = self._written.setdefault(language, [])
        for known, view in written:
            if known == look:
                return view
        view = writer.write(self._standing, self._leaf, look)
        written.append((look, view))
        return view


def entries_between(
    moment: Moment, first: int, last: int, language: str = "en", viewer: Viewer | None = None
) -> list[EntryView]:
    """The entries from one number to another as a viewer sees them, by the known corrections, oldest first.

    The viewer is the moment's own unless another one is given. Entries are kept until the game moves on, so one
    more viewer costs little. Raises JournalDamaged when one is missing.
    """
    moment = moment if viewer is None else replace(moment, viewer=viewer_now(moment.now, viewer))
    numbers = range(first, last + 1)
    corrections = seen_corrections(moment, numbers)
    shared = shared_entries(moment, numbers)
    return [shared[number].seen_by(moment.viewer, language, corrections) for number in numbers]


def keep(moment: Moment, number: int, entry: SharedEntry) -> None:
    """Keep a new entry for those who will read it at this moment."""
    moment.kept(("entry", moment.known_at, number), lambda: entry)


def shared_entries(moment: Moment, numbers: Sequence[int]) -> dict[int, SharedEntry]:
    """The entries of these numbers, which are in order, for any number of viewers. Raises JournalDamaged.

    Few entries are kept until the game moves on: the newest ones are those that everybody reads.
    """
    if len(numbers) > _KEPT:
        return _read(moment, numbers)
    return {number: _kept(moment, number) for number in numbers}


def _kept(moment: Moment, number: int) -> SharedEntry:
    key = "entry", moment.known_at, number
    return moment.kept(key, lambda: _read(moment, (number,))[number])


def _read(moment: Moment, numbers: Sequence[int]) -> dict[int, SharedEntry]:
    """The entries of these numbers, read from the journal. Raises JournalDamaged."""
    found = moment.store.entries_of(moment.game.id, numbers)
    gone = set(numbers).difference(number for number, _ in found)
    if gone:
        raise JournalDamaged(moment.game.id, min(gone), "it is missing")
    hashes = {number: leaf(stored) for number, stored in found}

    def shared(standing: Standing, before: State) -> Callable[[State], SharedEntry]:
        hashed = hashes[standing.entry.number]
        return lambda after: SharedEntry(moment.game, moment.now, standing, hashed, before, after)

    return dict(zip(hashes, followed(moment, found, shared, in_place=False), strict=True))


def made_correction(state: State, number: int) -> bool:
    """Whether the last action corrected the history. The state right before it is then in another history."""
    return bool(state.corrections) and state.corrections[-1][0] == number


def followed(
    moment: Moment,
    found: Sequence[tuple[int, bytes]],
    see: Callable[[Standing, State], Callable[[State], T]],
    *,
    in_place: bool,
    with_inserted: bool = False,
) -> Iterator[T]:
    """What is seen of each of these stored entries, in the order of the history.

    With `with_inserted` also what is seen of the actions that corrections inserted after them, counting or not.

    `see` takes an entry's standing and the state right before it, and gives a function of the state right after
    it. Do not change the states. With `in_place` one state is folded through the history, and whatever is to be
    known of it must be read at once; else states stay as they are.
    """
    if not found:
        return
    first, last = found[0][0], found[-1][0]
    # No other correction can touch these entries, and none can insert an action among them.
    touching = [one for one in moment.corrections if one[0] > first and one[1] <= last]
    entries = [moment.read(number, stored) for number, stored in found]
    timeline = moment.game.history.timeline(entries, touching)
    inserted: dict[int, list[Standing]] = {}
    for standing in timeline.standings() if touching else ():
        if standing.insert:
            inserted.setdefault(standing.place[0], []).append(standing)
    state, reached, is_own = moment.now, -1, False
    for number, _ in found:
        own = timeline.standing(number)
        if own is None:
            raise LookupError(f"action {number} is in the selection and not in the timeline")
        is_last = number == moment.version == moment.known_at
        if is_last and made_correction(moment.now, number):
            yield see(own, moment.now)(moment.now)
            return
        if reached != number - 1:
            state, is_own = moment.state_after(number - 1), False
        if is_last:
            yield see(own, state)(moment.now)
            return
        for one in (own, *inserted.get(number, ())):
            seen = see(one, state) if one is own or with_inserted else None
            if one.counts:
                state = state if in_place and is_own else state.copy()
                is_own = True
                state.fold(one.events)
                state.version = number
            if seen is not None:
                yield seen(state)
        reached = number
