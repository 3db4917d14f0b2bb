"""Verifying stored games: the rows against each other, and against the rules.

`verify` reads a game, and yields a finding for every deviation from the service's form:

- actions are numbered from 1 and their events from 1, both without a gap;
- the stored hash of an action matches the canonical bytes, and the bytes name the right game and number;
- the other columns of an action, the events and the touches match the canonical bytes;
- cited rules exist, and time never goes back;
- every posting moves an existing holding, also in the corrected history;
- every snapshot of the current version equals the state of a fresh fold;
- with `decide`, every decision is repeated from the recorded data with an equal result, and the bytes have a
  single meaning: they are in the canonical form. Where rules were mended since, a finding is marked `exempt`.

The game may go on meanwhile: actions appended after the start of the verification are left out.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from functools import cache, cached_property
from operator import itemgetter
from typing import Any, Literal, TypeVar

import msgspec

from ledger.acting.appending import ACTORS
from ledger.games.games import Games, UnknownGame
from ledger.games.setups import setup_of
from ledger.games.snapshots import fingerprint
from ledger.games.stored import UNREADABLE
from ledger.kernel.deciding.settling import MOST_STEPS
from ledger.kernel.facts.events import Event, tag_of, version_of
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import MissingPartError, Seat, State, collector_paused
from ledger.kernel.journal.entry import FIRST_RULES, Entry, read
from ledger.kernel.journal.stored import is_canonical, leaf, parts_fit
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.records import GameRecord
from ledger.store.rows import ActionRow, EventParts, EventRow
from ledger.store.selecting import LARGEST
from ledger.store.store import Store
from ledger.trust.deciding import compare_decision
from ledger.trust.findings import Finding
from ledger.trust.refolding import Moment, Refold

_RUN = 4000
"""So many actions are read and verified at once."""

T = TypeVar("T")

PARTS_UNLIKE = "what some seats see of it does not have the hashes that were sealed for it"
NOT_CANONICAL = "its bytes are not in the canonical form: others could read something else in them"


Part = Literal["rows", "fold", "all"]
"""The verified part of a game: the rows against each other, the findings of the fold, or both."""


def verify(games: Games, game_id: str, *, decide: bool = False, part: Part = "all") -> Iterator[Finding]:
    """Verify a stored game. Raises UnknownGame, StoreUnavailable.

    Two processes can share the work by its two parts, with different findings.
    """
    record = games.store.games.get(game_id)
    if record is None:
        raise UnknownGame(game_id)
    rulebook = games.rulebooks.get(record.rulebook)
    if rulebook is None:
        yield Finding(game_id, 0, f"its rulebook {record.rulebook!r} is not known here: its journal was not read")
        return
    yield from _Verification(games.store, record, rulebook, decide=decide, part=part).findings()


class _Tag(msgspec.Struct, frozen=True):
    kind: str


_tag = msgspec.json.Decoder(_Tag)


@cache
def _kind_and_version(tag: str) -> tuple[str, int]:
    return tag.partition("@")[0], version_of(tag)


@cache
def _stored_as(kind: type[Event]) -> tuple[str, int, bytes]:
    """Return the kind and the version of events in today's storage, and their mark in the bytes."""
    tag = tag_of(kind)
    return *_kind_and_version(tag), b'"kind":"%s"' % tag.encode()


def _searched_by(event: Event) -> tuple[list[str], list[str]]:
    """Return the accounts and the commodities of the postings of an event."""
    accounts: dict[str, None] = {}
    commodities: dict[str, None] = {}
    for posting in event.postings:
        accounts[posting.source] = accounts[posting.target] = None
        commodities[posting.commodity] = None
    return [*accounts], [*commodities]


def ahead(batches: Iterator[T]) -> Iterator[T]:
    """Yield the batches. A thread reads the next batch during the work of the caller."""
    with ThreadPoolExecutor(1) as reading:
        waiting = reading.submit(next, batches, None)
        while (batch := waiting.result()) is not None:
            waiting = reading.submit(next, batches, None)
            yield batch


class EntryRules:
    """The rules for every entry of a journal, independent of earlier decisions."""

    def __init__(self, rulebook: Rulebook[Any], game: str) -> None:
        self._rulebook = rulebook
        self._game = game
        self._actions = rulebook.actions
        self._registered: set[str] = set()
        """The cited rules already found in the register."""
        self._last_at: datetime | None = None
        self._last_revision = FIRST_RULES

    def wrong(self, number: int, seq: int, entry: Entry, events: Iterable[Event]) -> Sequence[str]:
        """Return the faults of the entry expected to have this number, and events following `seq`."""
        last_at = self._last_at
        plain = entry.number == number and entry.first_seq == seq + 1 and entry.game == self._game
        ordered = (last_at is None or entry.recorded_at >= last_at) and not self._wrong_revision(entry)
        wrong: Sequence[str] = ()
        if not (plain and ordered and entry.events and entry.kind in self._actions and self._cites_known(events)):
            wrong = [*self._wrong(number, seq, entry, events)]
        self._last_at = entry.recorded_at
        self._last_revision = entry.decided_under
        return wrong

    def _wrong_revision(self, entry: Entry) -> str | None:
        """Return the fault of a revision that goes down or is not known here, in a journal or a continued one."""
        for last, revision, newest in zip(
            self._last_revision, entry.decided_under, self._rulebook.revision, strict=True
        ):
            if revision < last:
                return "it was decided under older rules than the action in front of it"
            if revision > newest:
                return "it was decided under rules that are newer than those of this program"
        return None

    def _cites_known(self, events: Iterable[Event]) -> bool:
        for event in events:
            if event.rule not in self._registered:
                if event.rule not in self._rulebook.register:
                    return False
                self._registered.add(event.rule)
        return True

    def _wrong(self, number: int, seq: int, entry: Entry, events: Iterable[Event]) -> Iterator[str]:
        if entry.game != self._game:
            yield f"it belongs to game {entry.game}, not to {self._game}"
        if entry.number != number:
            yield f"it is numbered {entry.number}"
        if entry.first_seq != seq + 1 or not entry.events:
            yield f"its events do not go on from {seq + 1}"
        if self._last_at is not None and entry.recorded_at < self._last_at:
            yield "it was recorded before the action in front of it"
        if (fault := self._wrong_revision(entry)) is not None:
            yield fault
        if entry.kind not in self._actions:
            yield f"{self._rulebook.id} has no action {entry.kind!r}"
        for event in events:
            if event.rule not in self._rulebook.register:
                yield f"it cites rule {event.rule!r}, which {self._rulebook.id} does not have"


def cannot_have_happened(fault: Exception) -> str:
    """Return the reason why events cannot be folded."""
    words = fault.en if isinstance(fault, Impossible) else repr(fault)
    return f"it cannot have happened: {str(fault) if isinstance(fault, MissingPartError) else words}"


def other_players(state: State, players: Iterable[Seat]) -> str | None:
    """Return the fault if the players of a game's setup differ from the seated players, else None."""
    if Counter(state.seats.values()) == Counter(players):
        return None
    seated = ", ".join(state.seats)
    return f"the setup of the game names other players than those who sit at its table: {seated}"


class _Verification:
    """The verification of a game."""

    def __init__(
        self, store: Store, record: GameRecord, rulebook: Rulebook[Any], *, decide: bool, part: Part
    ) -> None:
        self._journal = store.journal
        self._rows = store.rows
        self._record = record
        self._game = record.game_id
        self._rulebook = rulebook
        self._decide = decide
        self._with_rows = part != "fold"
        self._with_fold = part != "rows"
        self._head = self._latest = self._journal.head(self._game)
        self._seq = 0
        self._findings: list[Finding] = []
        self._events = ahead(self._rows.events(self._game))
        self._waiting: list[EventParts] = []
        """The rows of events read but not yet compared."""
        self._touches: dict[str, array[int]] = defaultdict(lambda: array("q"))
        self._snapshots: dict[Moment, str] = {}
        self._rules = EntryRules(rulebook, self._game)
        self._fold: Refold | None = None

    @cached_property
    def _cut(self) -> int | None:
        """The last action shared with the continued game; None without a continued game."""
        try:
            origin = setup_of(self._record).origin
        except UNREADABLE:
            return None
        return None if origin is None else origin.action

    def findings(self) -> Iterator[Finding]:
        """Yield all findings, in the order of discovery."""
        if self._with_fold:
            self._prepare_fold()
        yield from self._take_findings()
        number = 0
        runs = ahead(self._rows.actions(self._game, upto=self._head, batch=_RUN))
        while True:
            with collector_paused():
                rows = next(runs, None)
                if rows is None:
                    break
                number = self._actions(rows, number)
            yield from self._take_findings()
        if number < self._head:
            self._note_row(number + 1, "it is missing, and so is everything after it")
        if self._with_rows:
            self._rest_of_rows()
        if self._with_fold:
            self._finish_fold()
        yield from self._take_findings()

    def _take_findings(self) -> list[Finding]:
        findings, self._findings = self._findings, []
        return findings

    def _note(self, number: int, description: str) -> None:
        self._findings.append(Finding(self._game, number, description))

    def _note_row(self, number: int, description: str) -> None:
        """Note a finding of both parts, once."""
        if self._with_rows:
            self._note(number, description)

    # Actions ----------------------------------------------------------------------------------

    def _actions(self, rows: list[ActionRow], number: int) -> int:
        """Verify the actions following action `number`. Returns the number of the last action."""
        decoded = self._decoded(rows)
        expected: list[EventParts] = []
        for row in rows:
            if row.number != number + 1:
                self._note_row(number + 1, f"it is missing before action {row.number}")
                self._stop()
            number = row.number
            if self._with_rows and leaf(row.canonical) != row.leaf:
                self._note(number, "its bytes do not have the hash that was stored with them")
            if self._with_rows and not parts_fit(row.canonical):
                self._note(number, PARTS_UNLIKE)
            if self._decide and not is_canonical(row.canonical):
                self._note(number, NOT_CANONICAL)
            decoded_entry = decoded.get(number)
            if decoded_entry is None:
                self._stop()
                self._seq += row.event_count
                continue
            entry, events = decoded_entry
            if self._with_rows:
                for description in self._rules.wrong(number, self._seq, entry, events):
                    self._note(number, description)
                self._columns(row, entry)
            self._seq += len(events)
            if self._with_rows:
                self._rows_of(entry, events, expected)
            if self._fold is not None:
                self._next(entry, events)
        if self._with_rows:
            self._compare_events(expected)
        return number

    def _decoded(self, rows: list[ActionRow]) -> dict[int, tuple[Entry, tuple[Event, ...]]]:
        """Decode the entries with their events, by the number of the row. Notes unreadable entries."""
        try:
            facts = self._rulebook.codec.read_events([row.canonical for row in rows])
            pairs = zip(rows, facts, strict=True)
            return {row.number: (read(row.canonical), fact.events) for row, fact in pairs}
        except UNREADABLE:
            entries = {}
            for row in rows:
                try:
                    [fact] = self._rulebook.codec.read_events([row.canonical])
                    entries[row.number] = read(row.canonical), fact.events
                except UNREADABLE as fault:
                    self._note_row(row.number, f"it cannot be read: {fault}")
            return entries

    def _columns(self, row: ActionRow, entry: Entry) -> None:
        by = entry.by if entry.by in ACTORS else "player"
        expected = (entry.kind, entry.seat, by, entry.recorded_at, self._seq + 1, len(entry.events))
        if row[1:7] != expected:
            names = ActionRow._fields[1:7]
            unlike = [
                name for name, stored, derived in zip(names, row[1:7], expected, strict=True) if stored != derived
            ]
            self._note(row.number, f"its row differs from its entry in {', '.join(unlike)}")

    # Events and touches -----------------------------------------------------------------------

    def _rows_of(self, entry: Entry, events: Sequence[Event], rows: list[EventParts]) -> None:
        """Add the rows of `events` of an entry. Remembers the touches of the entry."""
        number, seq = entry.number, self._seq - len(events)
        touched: set[str] = set()
        for raw, event in zip(entry.events, events, strict=True):
            stored = bytes(raw)
            seq += 1
            kind, version, mark = _stored_as(type(event))
            if mark not in stored:  # The event was stored in an older shape.
                kind, version = _kind_and_version(_tag.decode(stored).kind)
            accounts: list[str] = []
            commodities: list[str] = []
            if event.postings:
                accounts, commodities = _searched_by(event)
                touched.update(accounts)
            rows.append((seq, number, kind, version, event.rule, accounts, commodities, stored.decode()))
        for account in touched:
            self._touches[account].append(number)

    def _compare_events(self, expected: list[EventParts]) -> None:
        """Compare the next rows of `events` with the rows expected by the entries."""
        stored = self._events_upto(self._seq)
        if stored == expected:
            return
        rows = {row[0]: EventRow._make(row) for row in stored}
        for parts in expected:
            row = rows.pop(parts[0], None)
            if row is None:
                self._note(parts[1], f"the row of its event {parts[0]} is missing")
            elif row != parts:
                pairs = zip(EventRow._fields, row, parts, strict=True)
                unlike = ", ".join(name for name, stored_value, other in pairs if stored_value != other)
                self._note(parts[1], f"the row of its event {row.seq} differs from its entry in {unlike}")
        self._of_no_entry(rows.values())

    def _events_upto(self, seq: int) -> list[EventParts]:
        """Return the next rows of `events`, up to a number."""
        while not self._waiting or self._waiting[-1][0] <= seq:
            batch = next(self._events, None)
            if batch is None:
                break
            self._waiting += batch
        end = bisect_right(self._waiting, seq, key=itemgetter(0))
        rows, self._waiting = self._waiting[:end], self._waiting[end:]
        return rows

    def _of_no_entry(self, rows: Iterable[EventRow]) -> None:
        for row in rows:
            if not self._is_new(row.number):
                self._note(row.number, f"the row of event {row.seq} belongs to no entry")

    def _is_new(self, number: int) -> bool:
        """Return True if an action was appended after the start of the verification."""
        if number > self._latest:
            self._latest = self._journal.head(self._game)
        return self._head < number <= self._latest

    def _rest_of_rows(self) -> None:
        """Note the rows of `events` and `touches` without an entry."""
        self._of_no_entry(map(EventRow._make, self._events_upto(LARGEST)))
        stored: dict[str, array[int]] = defaultdict(lambda: array("q"))
        for account, number in self._rows.touches(self._game):
            if not self._is_new(number):
                stored[account].append(number)
        if stored == self._touches:
            return
        for account in sorted(stored.keys() | self._touches.keys()):
            has, must = set(stored[account]), set(self._touches[account])
            for number in sorted(must - has):
                self._note(number, f"its touch of {account} is missing: statements leave it out")
            for number in sorted(has - must):
                self._note(number, f"the table of touches says that it touches {account}")

    # The fold ---------------------------------------------------------------------------------

    def _prepare_fold(self) -> None:
        made_by = fingerprint(self._rulebook)
        for number, form in self._rows.snapshots(self._game, made_by):
            correction = form.removeprefix(made_by).removeprefix("+") or "0"
            if number > self._head and not self._is_new(number):
                self._note(number, "there is a snapshot of it, and no action: the end of the journal is missing")
            elif correction.isdigit() and number <= self._head and int(correction) <= self._head:
                self._snapshots[number, int(correction)] = form
        self._fold = Refold(self._rulebook, self._between, self._snapshots, self._compare_snapshot)

    def _between(self, first: int, last: int) -> Iterator[Entry]:
        for rows in self._rows.actions(self._game, start=first - 1, upto=last):
            for row in rows:
                yield read(row.canonical)

    def _following(self, number: int) -> Iterator[Entry]:
        """Yield the next entries after an action, as far as readable."""
        with suppress(*UNREADABLE):
            yield from self._between(number + 1, min(number + MOST_STEPS, self._head))

    def _next(self, entry: Entry, events: tuple[Event, ...]) -> None:
        """Fold an entry, and decide the action again if required."""
        if self._fold is None:
            return
        if self._decide:
            following = self._following(entry.number)
            otherwise = compare_decision(
                self._rulebook, self._fold.state, entry, events, self._fold, following, cut=self._cut
            )
            if otherwise is not None:
                self._findings.append(
                    Finding(self._game, entry.number, otherwise.description, exempt=otherwise.exempt)
                )
        try:
            self._fold.take(entry.number, entry.recorded_at, self._seq, events)
        except Exception as fault:  # Invented data may raise any exception.
            self._note(entry.number, cannot_have_happened(fault))
            self._stop()

    def _stop(self) -> None:
        """Fold no further: the state is not known any more."""
        self._fold = None

    def _compare_snapshot(self, moment: Moment, state: State) -> None:
        form = self._snapshots.pop(moment)
        body = self._rows.snapshot(self._game, moment[0], form)
        if body is not None and body != self._rulebook.codec.to_snapshot(state):
            self._note(moment[0], "the snapshot of the state after it is not what a fresh fold gives")

    def _finish_fold(self) -> None:
        """Note the findings about the whole game."""
        if self._fold is None:
            self._note(0, "its journal could not be folded to the end")
            return
        for number, _ in sorted(self._snapshots):
            self._note(number, "there is a snapshot of a correction that never changed it")
        if not self._head:
            return
        try:
            players = setup_of(self._record).players
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            self._note(0, f"the setup of the game cannot be read: {fault}")
            return
        description = other_players(self._fold.state, players)
        if description is not None:
            self._note(0, description)
