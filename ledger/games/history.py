"""The history of a game: entries, corrections, and states at every moment."""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ledger.games.past import EVERY, Corrections, PastStates, is_alike
from ledger.games.snapshots import Snapshots
from ledger.games.stored import UNREADABLE, read_stored
from ledger.kernel.facts.events import EntryEvents, Event
from ledger.kernel.facts.labels import Place
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State, collector_paused
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.database.errors import JournalDamaged, StoreError
from ledger.store.records import GameRecord, Selection, StoredEntry
from ledger.store.store import Store

log = logging.getLogger("mabligop")

SNAPSHOT_EVERY = 500
"""The number of actions between snapshots, and so the maximum number of actions folded to read any moment."""

CORRECTED_EVERY = 100
"""The number of actions between snapshots of a corrected past, smaller because corrected actions are slower to
fold.
"""

_NEAR = 100
"""The maximum distance, in actions, of a state in memory that is a faster base than a snapshot."""

_NEWEST_KEPT = 4
"""The number of newest states of a game kept in memory."""

_PAGE = 1000
_AMOUNTS_KEPT = 4
"""The number of amounts of a game kept in memory with all actions that moved them."""
_MOVES_KEPT = 2000
"""The maximum number of moving actions of an amount kept in memory."""
_Amount = tuple[str | None, str | None, int]
"""A commodity (None: all), an account (None: all), and the last known correction (0: none)."""


class History:
    """The history of a game. Takes the store, the game's record and rulebook, and the cache of past states.

    The known corrections come from the state at the head, kept up to date by `Games`.
    """

    def __init__(self, store: Store, record: GameRecord, rulebook: Rulebook[Any], past: PastStates) -> None:
        self._journal = store.journal
        self._rulings = store.rulings
        self._game_id = record.game_id
        self._rulebook = rulebook
        self._past = past
        self._snapshots = Snapshots(store.snapshots, record.game_id, rulebook)
        self._saved: set[int] = set()
        """The actions with a snapshot that was read or saved."""
        self._entries: dict[int, Entry] = {}
        """A cache of the entries of corrections, and of the actions changed by corrections, by number."""
        self._moving: OrderedDict[_Amount, tuple[int, tuple[TimelineEntry, ...]]] = OrderedDict()
        """A cache of the effective actions that move an amount, and the action up to which the cache is
        complete.
        """
        self._newest: deque[State] = deque(maxlen=_NEWEST_KEPT)
        """The newest states. Readers of the last actions need the states right before those actions."""
        self._changes: dict[int, dict[int, frozenset[str]]] = {}
        """A cache of the changes of each correction: accounts by action number."""

    # Entries ----------------------------------------------------------------------------------

    def entry(self, number: int) -> Entry:
        """Return an entry as recorded, and keep the entry in memory. Raises LookupError for a missing entry."""
        entry = self._entries.get(number)
        if entry is None:
            stored = self._journal.entry(self._game_id, number)
            if stored is None:
                raise LookupError(f"the journal of game {self._game_id} has no action {number}")
            entry = self._entries[number] = self._read(number, stored)
        return entry

    def entries_between(self, first: int, last: int) -> Iterator[Entry]:
        """Yield the entries between two numbers, as recorded. Raises JournalDamaged."""
        seq = None
        for run in self._journal.runs(self._game_id, start=first - 1, upto=last, batch=_PAGE):
            for number, stored, _ in run:
                entry = self._read(number, stored)
                if seq is not None:
                    self._require_seq(number, entry.first_seq, seq)
                seq = entry.first_seq + len(entry.events)
                yield entry

    def changed_entries(self, numbers: list[int]) -> list[Entry]:
        """Return the entries with the given numbers, in order, and keep them in memory."""
        unread = [number for number in numbers if number not in self._entries]
        if unread:
            entries = self._journal.entries_of(self._game_id, unread)
            self._entries.update((number, self._read(number, stored)) for number, stored in entries)
        return [self.entry(number) for number in numbers]

    def _read(self, number: int, stored: bytes) -> Entry:
        return read_stored(self._game_id, number, stored)

    def _require_seq(self, number: int, first: int, expected: int) -> None:
        """Raise JournalDamaged unless the events of an entry continue the previous entry."""
        if first != expected:
            raise JournalDamaged(self._game_id, number, f"its first event is {first}, and not {expected}")

    def rulings(self, upto: int) -> list[Entry]:
        """Return the entries with a ruling, up to an action, in order."""
        return self.changed_entries(self._rulings.numbers(self._game_id, upto))

    def timeline(self, entries: Iterable[Entry], corrections: Corrections) -> Timeline:
        """Return the effective history over some entries of the journal, with every known correction."""
        numbered = {entry.number: entry for entry in entries}
        for number, _ in corrections:
            if number not in numbered:
                numbered[number] = self.entry(number)
        return Timeline((numbered[number] for number in sorted(numbered)), self._rulebook.codec.event)

    def timeline_between(self, first: int, last: int, corrections: Corrections) -> Timeline:
        """Return the effective history between two actions, with every known correction."""
        return self.timeline(self.entries_between(first, last), corrections)

    # Corrections ------------------------------------------------------------------------------

    def touched_by(
        self, entry: Entry, events: Iterable[Event], unwritten: Iterable[Entry], corrections: Corrections
    ) -> Iterator[TimelineEntry]:
        """Return the actions corrected or added by an entry, as they stand after the entry.

        The entry is not in the journal yet. `unwritten` lists earlier entries also missing in the journal, and
        `corrections` the earlier corrections.
        """
        numbered = {recorded.number: recorded for recorded in (*unwritten, entry)}
        numbers = {amendment.number for event in events for amendment in event.amends()}
        numbers.update(number for number, _ in corrections)
        numbered.update(
            (recorded.number, recorded) for recorded in self.changed_entries(sorted(numbers - numbered.keys()))
        )
        return Timeline((numbered[number] for number in sorted(numbered)), self._rulebook.codec.event).entries()

    def changed_by(self, correction: int) -> Mapping[int, frozenset[str]]:
        """Return the actions with events changed by a correction, or followed by inserted events, each with the
        new accounts.

        A dropped or restored action has no accounts here: the accounts are in the events of the action.
        """
        changes = self._changes.get(correction)
        if changes is None:
            changed: dict[int, set[str]] = {}
            for stored in self.entry(correction).events:
                event = self._rulebook.codec.event(stored)
                for amendment in event.amends():
                    changed.setdefault(amendment.number, set()).update(self._accounts(amendment.events))
                for insertion in event.inserts():
                    changed.setdefault(insertion.after, set()).update(self._accounts(insertion.action.events))
            changes = self._changes[correction] = {
                number: frozenset(accounts) for number, accounts in changed.items()
            }
        return changes

    def changed_between(
        self, start: int, last: int, corrections: Corrections, account: str | None = None
    ) -> set[int]:
        """Return the actions after `start` up to `last` changed by corrections (for one account, if given)."""
        return {
            number
            for correction, first in corrections
            if first <= last
            for number, accounts in self.changed_by(correction).items()
            if start < number <= last and (account is None or account in accounts)
        }

    def corrections_between(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the corrections of the journal between two numbers, each with the first action touched."""
        for entry in self.entries_between(first, last):
            for stored in entry.events:
                event = self._rulebook.codec.event(stored)
                if isinstance(event, HistoryCorrected):
                    yield entry.number, event.first

    # Effective actions ------------------------------------------------------------------------

    def effective_between(
        self, entries: list[Entry], start: int, last: int, corrections: Corrections, account: str | None = None
    ) -> list[TimelineEntry]:
        """Return the effective actions among the given entries and among the actions changed by corrections in
        the range.

        With an account, only changes of the account are added.
        """
        changed = self.changed_between(start, last, corrections, account)
        missing = sorted(changed - {entry.number for entry in entries})
        timeline = self.timeline([*entries, *self.changed_entries(missing)], corrections)
        return [
            timeline_entry for timeline_entry in timeline.effective() if start < timeline_entry.position[0] <= last
        ]

    def effective_moving(
        self, commodity: str | None, account: str | None, last: int, corrections: Corrections
    ) -> list[TimelineEntry]:
        """Return the effective actions up to number `last` that move a commodity (from or to an account, if
        given).

        The actions are kept in memory, and only later actions are read the next time.
        """
        key = commodity, account, corrections[-1][0] if corrections else 0
        reached, actions = self._moving.pop(key, (0, ()))
        if reached < last:
            collected = list(actions)
            while reached < last:
                selection = Selection(
                    above=reached, below=last + 1, account=account, commodity=commodity, limit=_PAGE
                )
                page = self._journal.entries(self._game_id, selection)
                upto = page[-1][0] if len(page) == _PAGE else last
                entries = [self._read(number, stored) for number, stored in page]
                collected += self.effective_between(entries, reached, upto, corrections)
                reached = upto
            actions = tuple(collected)
        if len(actions) <= _MOVES_KEPT:
            self._moving[key] = reached, actions
        while len(self._moving) > _AMOUNTS_KEPT:
            self._moving.popitem(last=False)
        return [timeline_entry for timeline_entry in actions if timeline_entry.position[0] <= last]

    def _accounts(self, stored: Iterable[Any]) -> Iterator[str]:
        """Yield the accounts of the postings of stored events."""
        for event in stored:
            for posting in self._rulebook.codec.event(event).postings:
                yield posting.source
                yield posting.target

    # States -----------------------------------------------------------------------------------

    def latest_snapshot(self) -> State:
        """Return the state of the latest snapshot; the blank state without a readable snapshot."""
        state = self._latest()
        return self._blank() if state is None else state

    def caught_up(self, base: State, leaf: bytes | None) -> tuple[State, bytes | None]:
        """Return a copy of a state, brought up to the head of the journal, and the hash of the last entry.

        `leaf` is the hash of the last entry in the state, if known. Raises JournalDamaged.
        """
        state = base.copy()
        for run in self._journal.runs(self._game_id, start=state.version, leaf=leaf):
            with collector_paused():
                facts = self._facts(run)
                if any(isinstance(event, HistoryCorrected) for fact in facts for event in fact.events):
                    # The correction may have changed actions already folded into the state.
                    head, leaf = self._journal.head_and_leaf(self._game_id)
                    corrections = [*base.corrections, *self.corrections_between(base.version + 1, head)]
                    return self.state_after(head, corrections), leaf
                for fact in facts:
                    self._fold(state, fact)
            leaf = run[-1].leaf
        return state, leaf

    def _facts(self, run: list[StoredEntry]) -> list[EntryEvents[Event]]:
        """Decode the parts of entries that the fold reads. Raises JournalDamaged."""
        try:
            return self._rulebook.codec.read_events([entry.canonical for entry in run])
        except UNREADABLE:
            for number, stored, _ in run:
                try:
                    self._rulebook.codec.read_events([stored])
                except UNREADABLE as fault:
                    raise JournalDamaged(self._game_id, number, f"it cannot be read: {fault}") from fault
            raise

    def _fold(self, state: State, facts: EntryEvents[Event]) -> None:
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

    def state_after(self, number: int, corrections: Corrections) -> State:
        """Return the state right after an action by the given corrections. Do not change the returned state."""
        if number < 1:
            return self._blank()
        for newest in list(self._newest):
            if newest.version == number and is_alike(number, newest.corrections, corrections):
                return newest
        base = self._past.nearest(self._game_id, number, corrections, _NEAR)
        if base is None:
            base = self._stored(number, corrections)
        if base.version == number:
            return base
        if any(correction > base.version and first <= number for correction, first in corrections):
            state = self._refolded(base, number, corrections)
        else:
            state = self._folded(base, number, corrections)
        self._past.keep(self._game_id, number, corrections, state)
        last = max((saved for saved in self._saved if saved <= number), default=0)
        if number - last > SNAPSHOT_EVERY and not _overtaken(number, corrections):
            # The journal of an imported or forked game was written at once, without snapshots.
            self.save(state)
        return state

    def state_at(self, position: Place, corrections: Corrections) -> State:
        """Return the state right after an inserted action by the given corrections."""
        number = position[0]
        state = self.state_after(number - 1, corrections).copy()
        timeline = self.timeline_between(number, number, corrections)
        for timeline_entry in timeline.effective(number):
            if (number,) <= timeline_entry.position <= position:
                self._apply(state, number, timeline_entry.events)
        stand_at(state, timeline, number, corrections)
        return state

    def keep(self, state: State) -> None:
        """Keep the state at the head in memory, soon to be a past state."""
        self._newest.append(state)
        if state.version % EVERY == 0:
            self._past.keep(self._game_id, state.version, state.corrections, state)

    def save(self, state: State) -> None:
        """Save a snapshot of a state not changed by any known correction."""
        self._snapshots.save(state)
        self._saved.add(state.version)

    def _folded(self, base: State, number: int, corrections: Corrections) -> State:
        """Return the state after an action, folded from the base. No correction changed anything between the
        two.
        """
        state = base.copy()
        for run in self._journal.runs(self._game_id, start=state.version, upto=number):
            with collector_paused():
                for facts in self._facts(run):
                    self._fold(state, facts)
                    if state.version % EVERY == 0 and state.version != number:
                        self._past.keep(self._game_id, state.version, corrections, state.copy())
        return state

    def _refolded(self, base: State, number: int, corrections: Corrections) -> State:
        """Return the state after an action, folded from the base through the corrected history."""
        state = base.copy()
        timeline = self.timeline_between(base.version + 1, number, corrections)
        passed = base.version
        with collector_paused():
            for timeline_entry in timeline.effective(number):
                if timeline_entry.position[0] <= base.version:
                    continue
                for skipped in range(passed + 1, timeline_entry.position[0]):
                    self._pass(state, timeline, skipped, corrections)
                passed = max(passed, timeline_entry.position[0] - 1)
                self._apply(state, timeline_entry.position[0], timeline_entry.events)
            for skipped in range(passed + 1, number):
                self._pass(state, timeline, skipped, corrections)
        stand_at(state, timeline, number, corrections)
        self._keep_corrected(state, corrections)
        return state

    def _pass(self, state: State, timeline: Timeline, number: int, corrections: Corrections) -> None:
        """Keep an intermediate state, to avoid a second fold."""
        if number % EVERY == 0:
            moment = state.copy()
            stand_at(moment, timeline, number, corrections)
            self._past.keep(self._game_id, number, corrections, moment)
            self._keep_corrected(moment, corrections)

    def _keep_corrected(self, state: State, corrections: Corrections) -> None:
        """Save a snapshot of a corrected past state, every `CORRECTED_EVERY` actions."""
        correction = _overtaken(state.version, corrections)
        if correction and state.version % CORRECTED_EVERY == 0:
            self._snapshots.save(state, correction)

    def _stored(self, number: int, corrections: Corrections) -> State:
        """Return the latest snapshot at or before an action that is valid for the known corrections."""
        upto = number
        for correction, first in reversed(corrections):
            if upto >= correction:
                state = self._latest(upto)
                if state is not None and state.version >= correction:
                    return state
            # Between the first touched action and the correction, only refolded snapshots are valid.
            last = min(upto, correction - 1)
            if last // CORRECTED_EVERY > (first - 1) // CORRECTED_EVERY:
                state = self._snapshots.latest(last, correction)
                if state is not None:
                    return state
            upto = min(upto, first - 1)
        state = self._latest(upto)
        return self._blank() if state is None else state

    def _latest(self, upto: int | None = None) -> State | None:
        """Return the state of the latest snapshot at or before an action; None without a readable snapshot."""
        state = self._snapshots.latest(upto)
        if state is not None:
            self._saved.add(state.version)
        return state

    def refold_snapshots(self, corrections: Corrections) -> None:
        """Fold again the snapshots made invalid by the last correction, to save time for later readers.

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
    """The states after actions requested in order. Each state is folded from the previous state."""

    def __init__(self, history: History, corrections: Corrections) -> None:
        self._history = history
        self._corrections = corrections
        self._reached: State | None = None

    def state_after(self, number: int) -> State:
        """Return the state right after an action. Do not change the returned state, which the next call
        changes.
        """
        reached = self._reached
        if reached is None or not 0 <= number - reached.version <= EVERY:
            self._reached = reached = self._history.state_after(number, self._corrections).copy()
        if reached.version < number:
            passed = self._history.timeline_between(reached.version + 1, number, self._corrections)
            for timeline_entry in passed.effective(number):
                if timeline_entry.position[0] > reached.version:
                    reached.fold(timeline_entry.events)
            reached.version = number
        return reached


def _overtaken(number: int, corrections: Corrections) -> int:
    """Return the last correction after an action that touches the action or an earlier action; 0 for none."""
    return next((correction for correction, first in reversed(corrections) if first <= number < correction), 0)


def stand_at(state: State, timeline: Timeline, number: int, corrections: Corrections) -> None:
    """Set the counters of a folded state to the values at an action."""
    last = timeline.entry(number)
    if last is not None:
        # Sequence numbers count all stored events, even events that no longer count.
        state.version, state.last_at = number, last.entry.recorded_at
        state.seq = last.entry.first_seq + len(last.entry.events) - 1
    state.corrections = tuple(correction for correction in corrections if correction[0] <= number)
