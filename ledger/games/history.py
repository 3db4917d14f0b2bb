"""The history of one game: its entries, its corrections, and its states at every moment."""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ledger.games.past import EVERY, Corrections, PastStates, is_alike
from ledger.games.snapshots import Snapshots
from ledger.games.stored import UNREADABLE, read_stored
from ledger.kernel.facts.events import Event, Facts
from ledger.kernel.facts.labels import Place
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State, collector_paused
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Standing, Timeline
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.database.errors import JournalDamaged, StoreError
from ledger.store.records import GameRecord, Selection, StoredEntry
from ledger.store.store import Store

log = logging.getLogger("mabligop")

SNAPSHOT_EVERY = 500
"""A snapshot is saved every this many actions, so that reading any moment folds at most as many."""

CORRECTED_EVERY = 100
"""Snapshots of a corrected past are closer together, because corrected actions are slower to fold."""

_NEAR = 100
"""A state in memory at most this many actions back is a faster base than a snapshot."""

_NEWEST_KEPT = 4
"""How many of the newest states of a game are kept in memory."""

_PAGE = 1000
_AMOUNTS_KEPT = 4
"""How many amounts of a game are kept in memory with all actions that moved them."""
_MOVES_KEPT = 2000
"""An amount that more actions than this moved is not kept."""
_Amount = tuple[str | None, str | None, int]
"""A commodity (None: all), an account (None: all), and the last known correction (0: none)."""


class History:
    """The history of one game. Takes the store, the game's record and rulebook, and the cache of past states.

    The known corrections come from the state at the head, which `Games` keeps up to date.
    """

    def __init__(self, store: Store, record: GameRecord, rulebook: Rulebook[Any], past: PastStates) -> None:
        self._store = store
        self._game_id = record.game_id
        self._rulebook = rulebook
        self._past = past
        self._snapshots = Snapshots(store, record.game_id, rulebook)
        self._saved: set[int] = set()
        """The actions of the snapshots that have been read or saved so far."""
        self._entries: dict[int, Entry] = {}
        """A cache of the entries of corrections and of the actions that they changed, by number."""
        self._moving: OrderedDict[_Amount, tuple[int, tuple[Standing, ...]]] = OrderedDict()
        """A cache of the effective actions that move an amount, and the action up to which they are complete."""
        self._newest: deque[State] = deque(maxlen=_NEWEST_KEPT)
        """The newest states: whoever reads the last actions needs the states right before them."""
        self._changes: dict[int, dict[int, frozenset[str]]] = {}
        """A cache of the changes of each correction: accounts by action number."""

    # Entries ------------------------------------------------------------------------------------

    def entry(self, number: int) -> Entry:
        """An entry as recorded, which is then kept in memory. Raises LookupError when there is none."""
        entry = self._entries.get(number)
        if entry is None:
            stored = self._store.entry(self._game_id, number)
            if stored is None:
                raise LookupError(f"the journal of game {self._game_id} has no action {number}")
            entry = self._entries[number] = self._read(number, stored)
        return entry

    def entries_between(self, first: int, last: int) -> Iterator[Entry]:
        """The entries from one number to another, as recorded. Raises JournalDamaged."""
        seq = None
        for run in self._store.runs(self._game_id, after=first - 1, upto=last, batch=_PAGE):
            for number, stored, _ in run:
                entry = self._read(number, stored)
                if seq is not None:
                    self._require_seq(number, entry.first_seq, seq)
                seq = entry.first_seq + len(entry.events)
                yield entry

    def changed_entries(self, numbers: list[int]) -> list[Entry]:
        """The entries of these numbers, in order, which are then kept in memory."""
        unread = [number for number in numbers if number not in self._entries]
        if unread:
            found = self._store.entries_of(self._game_id, unread)
            self._entries.update((number, self._read(number, stored)) for number, stored in found)
        return [self.entry(number) for number in numbers]

    def _read(self, number: int, stored: bytes) -> Entry:
        return read_stored(self._game_id, number, stored)

    def _require_seq(self, number: int, first: int, expected: int) -> None:
        """Raise JournalDamaged unless the events of an entry go on from the entry before."""
        if first != expected:
            raise JournalDamaged(self._game_id, number, f"its first event is {first}, and not {expected}")

    def rulings(self, upto: int) -> list[Entry]:
        """The entries with a ruling, up to an action, in order."""
        return self.changed_entries(self._store.ruling_numbers(self._game_id, upto))

    def timeline(self, entries: Iterable[Entry], known: Corrections) -> Timeline:
        """The effective history over some entries of the journal, with every known correction."""
        numbered = {entry.number: entry for entry in entries}
        for number, _ in known:
            if number not in numbered:
                numbered[number] = self.entry(number)
        return Timeline((numbered[number] for number in sorted(numbered)), self._rulebook.event)

    def timeline_between(self, first: int, last: int, known: Corrections) -> Timeline:
        """The effective history from one action to another, with every known correction."""
        return self.timeline(self.entries_between(first, last), known)

    # Corrections --------------------------------------------------------------------------------

    def touched_by(
        self, entry: Entry, events: Iterable[Event], unwritten: Iterable[Entry], known: Corrections
    ) -> Iterator[Standing]:
        """The actions that an entry corrects, or adds, as they stand after it.

        The entry is not in the journal yet. `unwritten` come before it and are not there either, and `known` are
        the earlier corrections.
        """
        numbered = {one.number: one for one in (*unwritten, entry)}
        numbers = {amendment.number for event in events for amendment in event.amends()}
        numbers.update(number for number, _ in known)
        numbered.update((one.number, one) for one in self.changed_entries(sorted(numbers - numbered.keys())))
        return Timeline((numbered[number] for number in sorted(numbered)), self._rulebook.event).standings()

    def changed_by(self, correction: int) -> Mapping[int, frozenset[str]]:
        """The actions whose events a correction changes, or after which it inserts events, with the new accounts.

        A dropped or restored action has no accounts here: its own events name them.
        """
        changes = self._changes.get(correction)
        if changes is None:
            changed: dict[int, set[str]] = {}
            for stored in self.entry(correction).events:
                event = self._rulebook.event(stored)
                for amendment in event.amends():
                    changed.setdefault(amendment.number, set()).update(self._accounts(amendment.events))
                for insertion in event.inserts():
                    changed.setdefault(insertion.after, set()).update(self._accounts(insertion.action.events))
            changes = self._changes[correction] = {one: frozenset(accounts) for one, accounts in changed.items()}
        return changes

    def changed_between(self, start: int, last: int, known: Corrections, account: str | None = None) -> set[int]:
        """The actions after `start` up to `last` that corrections changed (for one account, if it is given)."""
        return {
            one
            for correction, first in known
            if first <= last
            for one, accounts in self.changed_by(correction).items()
            if start < one <= last and (account is None or account in accounts)
        }

    def corrections_between(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The corrections of the journal from one number to another, each with the first action it touches."""
        for entry in self.entries_between(first, last):
            for stored in entry.events:
                event = self._rulebook.event(stored)
                if isinstance(event, HistoryCorrected):
                    yield entry.number, event.first

    # Effective actions --------------------------------------------------------------------------

    def effective_between(
        self, entries: list[Entry], start: int, last: int, known: Corrections, account: str | None = None
    ) -> list[Standing]:
        """The effective actions among these entries and among those that corrections changed in this range.

        With an account, only changes that touch the account are added.
        """
        changed = self.changed_between(start, last, known, account)
        missing = sorted(changed - {entry.number for entry in entries})
        timeline = self.timeline([*entries, *self.changed_entries(missing)], known)
        return [one for one in timeline.effective() if start < one.place[0] <= last]

    def effective_moving(
        self, commodity: str | None, account: str | None, last: int, known: Corrections
    ) -> list[Standing]:
        """The effective actions up to number `last` that move a commodity (from or to an account, if given).

        They are kept in memory, and only later actions are read the next time.
        """
        key = commodity, account, known[-1][0] if known else 0
        reached, found = self._moving.pop(key, (0, ()))
        if reached < last:
            more = list(found)
            while reached < last:
                selection = Selection(
                    after=reached, before=last + 1, account=account, commodity=commodity, limit=_PAGE
                )
                page = self._store.entries(self._game_id, selection)
                upto = page[-1][0] if len(page) == _PAGE else last
                entries = [self._read(number, stored) for number, stored in page]
                more += self.effective_between(entries, reached, upto, known)
                reached = upto
            found = tuple(more)
        if len(found) <= _MOVES_KEPT:
            self._moving[key] = reached, found
        while len(self._moving) > _AMOUNTS_KEPT:
            self._moving.popitem(last=False)
        return [one for one in found if one.place[0] <= last]

    def _accounts(self, stored: Iterable[Any]) -> Iterator[str]:
        """The accounts of the postings of stored events."""
        for one in stored:
            for posting in self._rulebook.event(one).postings:
                yield posting.source
                yield posting.target

    # States -------------------------------------------------------------------------------------

    def latest_snapshot(self) -> State:
        """The state of the latest snapshot; the blank state without a readable one."""
        found = self._latest()
        return self._blank() if found is None else found

    def caught_up(self, base: State, leaf: bytes | None) -> tuple[State, bytes | None]:
        """A copy of a state, brought up to the journal's head, and the hash of the last entry.

        `leaf` is the hash of the last entry that the state has, as far as it is known. Raises JournalDamaged.
        """
        state = base.copy()
        for run in self._store.runs(self._game_id, after=state.version, leaf=leaf):
            with collector_paused():
                facts = self._facts(run)
                if any(isinstance(event, HistoryCorrected) for one in facts for event in one.events):
                    # The correction may have changed actions that the state has folded already.
                    head, leaf = self._store.head_and_leaf(self._game_id)
                    known = [*base.corrections, *self.corrections_between(base.version + 1, head)]
                    return self.state_after(head, known), leaf
                for one in facts:
                    self._fold(state, one)
            leaf = run[-1].leaf
        return state, leaf

    def _facts(self, run: list[StoredEntry]) -> list[Facts[Event]]:
        """What the fold reads of entries. Raises JournalDamaged."""
        try:
            return self._rulebook.facts([entry.canonical for entry in run])
        except UNREADABLE:
            for number, stored, _ in run:
                try:
                    self._rulebook.facts([stored])
                except UNREADABLE as fault:
                    raise JournalDamaged(self._game_id, number, f"it cannot be read: {fault}") from fault
            raise

    def _fold(self, state: State, facts: Facts[Event]) -> None:
        """Fold the next entry into a state. Raises JournalDamaged."""
        number = facts.number
        if number != state.version + 1 or facts.game != self._game_id:
            raise JournalDamaged(self._game_id, state.version + 1, f"it is action {number} of game {facts.game}")
        self._require_seq(number, facts.first_seq, state.seq + 1)
        self._apply(state, number, facts.events)
        state.version, state.last_at = number, facts.recorded_at

    def _apply(self, state: State, number: int, events: Iterable[Event]) -> None:
        """Fold the events of an action into a state. Raises JournalDamaged."""
        try:
            state.fold(events)
        except Impossible as refused:
            raise JournalDamaged(self._game_id, number, f"it cannot have happened: {refused.en}") from refused

    def state_after(self, number: int, known: Corrections) -> State:
        """The state right after an action, by these corrections. Do not change the returned state."""
        if number < 1:
            return self._blank()
        for newest in list(self._newest):
            if newest.version == number and is_alike(number, newest.corrections, known):
                return newest
        base = self._past.nearest(self._game_id, number, known, _NEAR)
        if base is None:
            base = self._stored(number, known)
        if base.version == number:
            return base
        if any(correction > base.version and first <= number for correction, first in known):
            state = self._refolded(base, number, known)
        else:
            state = self._folded(base, number, known)
        self._past.keep(self._game_id, number, known, state)
        last = max((saved for saved in self._saved if saved <= number), default=0)
        if number - last > SNAPSHOT_EVERY and not _overtaken(number, known):
            # The journal of an imported or forked game was written at once, without snapshots.
            self.save(state)
        return state

    def state_at(self, place: Place, known: Corrections) -> State:
        """The state right after an inserted action, at its place, by these corrections."""
        number = place[0]
        state = self.state_after(number - 1, known).copy()
        timeline = self.timeline_between(number, number, known)
        for standing in timeline.effective(number):
            if (number,) <= standing.place <= place:
                self._apply(state, number, standing.events)
        stand_at(state, timeline, number, known)
        return state

    def keep(self, state: State) -> None:
        """Keep the state at the head in memory, because it will be a past state soon."""
        self._newest.append(state)
        if state.version % EVERY == 0:
            self._past.keep(self._game_id, state.version, state.corrections, state)

    def save(self, state: State) -> None:
        """Save a snapshot of a state that no known correction has changed."""
        self._snapshots.save(state)
        self._saved.add(state.version)

    def _folded(self, base: State, number: int, known: Corrections) -> State:
        """The state after an action, folded from the base. No correction changed anything between the two."""
        state = base.copy()
        for run in self._store.runs(self._game_id, after=state.version, upto=number):
            with collector_paused():
                for facts in self._facts(run):
                    self._fold(state, facts)
                    if state.version % EVERY == 0 and state.version != number:
                        self._past.keep(self._game_id, state.version, known, state.copy())
        return state

    def _refolded(self, base: State, number: int, known: Corrections) -> State:
        """The state after an action, folded from the base through the corrected history."""
        state = base.copy()
        timeline = self.timeline_between(base.version + 1, number, known)
        passed = base.version
        with collector_paused():
            for standing in timeline.effective(number):
                if standing.place[0] <= base.version:
                    continue
                for one in range(passed + 1, standing.place[0]):
                    self._pass(state, timeline, one, known)
                passed = max(passed, standing.place[0] - 1)
                self._apply(state, standing.place[0], standing.events)
            for one in range(passed + 1, number):
                self._pass(state, timeline, one, known)
        stand_at(state, timeline, number, known)
        self._keep_corrected(state, known)
        return state

    def _pass(self, state: State, timeline: Timeline, number: int, known: Corrections) -> None:
        """Keep a state on the way to another one, so that it is folded only once."""
        if number % EVERY == 0:
            moment = state.copy()
            stand_at(moment, timeline, number, known)
            self._past.keep(self._game_id, number, known, moment)
            self._keep_corrected(moment, known)

    def _keep_corrected(self, state: State, known: Corrections) -> None:
        """Save a snapshot of a corrected past state, every `CORRECTED_EVERY` actions."""
        correction = _overtaken(state.version, known)
        if correction and state.version % CORRECTED_EVERY == 0:
            self._snapshots.save(state, correction)

    def _stored(self, number: int, known: Corrections) -> State:
        """The latest snapshot at or before an action that is valid for the known corrections."""
        upto = number
        for correction, first in reversed(known):
            if upto >= correction:
                found = self._latest(upto)
                if found is not None and found.version >= correction:
                    return found
            # Between the first action that it touches and the correction, only refolded snapshots are valid.
            last = min(upto, correction - 1)
            if last // CORRECTED_EVERY > (first - 1) // CORRECTED_EVERY:
                found = self._snapshots.latest(last, correction)
                if found is not None:
                    return found
            upto = min(upto, first - 1)
        found = self._latest(upto)
        return self._blank() if found is None else found

    def _latest(self, upto: int | None = None) -> State | None:
        """The state of the latest snapshot at or before an action; None without a readable one."""
        found = self._snapshots.latest(upto)
        if found is not None:
            self._saved.add(found.version)
        return found

    def refold_snapshots(self, corrections: Corrections) -> None:
        """Fold the snapshots again that the last correction made invalid, so that no later reading has to.

        A failure of the database does no harm: the journal holds everything.
        """
        correction, first = corrections[-1]
        last = (correction - 1) // CORRECTED_EVERY * CORRECTED_EVERY
        if last < first:
            return
        try:
            self.state_after(last, corrections)
        except StoreError:
            log.warning("no snapshots of the corrected past of game %s", self._game_id)

    def _blank(self) -> State:
        blank: State = self._rulebook.blank()
        return blank


class Walk:
    """The states after actions that are asked for in order. Each is folded from the one before."""

    def __init__(self, history: History, known: Corrections) -> None:
        self._history = history
        self._known = known
        self._reached: State | None = None

    def after(self, number: int) -> State:
        """The state right after an action. Do not change this state; the next call changes it."""
        reached = self._reached
        if reached is None or not 0 <= number - reached.version <= EVERY:
            self._reached = reached = self._history.state_after(number, self._known).copy()
        if reached.version < number:
            passed = self._history.timeline_between(reached.version + 1, number, self._known)
            for standing in passed.effective(number):
                if standing.place[0] > reached.version:
                    reached.fold(standing.events)
            reached.version = number
        return reached


def _overtaken(number: int, known: Corrections) -> int:
    """The last correction after an action that touches this action or an earlier one; 0 for none."""
    return next((one for one, first in reversed(known) if first <= number < one), 0)


def stand_at(state: State, timeline: Timeline, number: int, known: Corrections) -> None:
    """Set the counters of a folded state to those at an action."""
    last = timeline.standing(number)
    if last is not None:
        # Sequence numbers count all stored events, also those that no longer count.
        state.version, state.last_at = number, last.entry.recorded_at
        state.seq = last.entry.first_seq + len(last.entry.events) - 1
    state.corrections = tuple(one for one in known if one[0] <= number)
