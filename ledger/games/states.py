"""The states of games: kept in memory, brought up to the journal's head, rebuilt for any earlier moment."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from ledger.kernel.audience import Viewer
from ledger.kernel.events import Amendment, kind_of
from ledger.kernel.history.corrections import HistoryCorrected
from ledger.kernel.history.timeline import Timeline
from ledger.kernel.journal import Entry, read
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State, collector_paused
from ledger.store.errors import StoreError
from ledger.store.records import GameRecord, Selection
from ledger.store.store import Store

log = logging.getLogger("mabligop")

SNAPSHOT_EVERY = 500
"""A snapshot is kept every so many actions: reading any moment folds at most that many."""

CORRECTED_EVERY = 100
"""Moments before a correction have theirs closer together: what was corrected is slower to fold."""

_CACHED_GAMES = 512
_PAGE = 1000
_ONE_BY_ONE = 8
"""More entries than that are read in one stretch."""
_CORRECTED = kind_of(HistoryCorrected)


class UnknownGame(LookupError):  # noqa: N818 - an answer, not a fault
    """There is no game of this id."""


class UnknownRulebook(LookupError):  # noqa: N818
    """There is no rulebook of this name."""


@dataclass(slots=True)
class Game:
    """A game in memory: what it was created with, and its state at some version.

    The state is never changed, only replaced, and that under the lock.
    """

    record: GameRecord
    rulebook: Rulebook[Any]
    state: State
    lock: threading.RLock = field(default_factory=threading.RLock)
    read: dict[int, Entry] = field(default_factory=dict)
    """Entries of corrections, and of what they changed, that have been read already, by number."""
    changes: dict[int, dict[int, frozenset[str]]] = field(default_factory=dict)
    """What each correction changes: the accounts concerned, by action number."""
    told: dict[tuple[Viewer, int], dict[int, tuple[Amendment, ...]]] = field(default_factory=dict)
    """What a viewer can tell that corrections made, by their number, knowing them up to the number in the key."""


class States:
    """The states of all games of one database. Takes the store and the rulebooks by id."""

    def __init__(self, store: Store, rulebooks: Mapping[str, Rulebook[Any]]) -> None:
        self.store = store
        self.rulebooks = rulebooks
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._cache_lock = threading.Lock()

    @property
    def cached_games(self) -> int:
        """How many games are in memory."""
        return len(self._games)

    def rulebook(self, rulebook_id: str) -> Rulebook[Any]:
        """The rulebook of this id. Raises UnknownRulebook."""
        try:
            return self.rulebooks[rulebook_id]
        except KeyError:
            raise UnknownRulebook(
                f"there is no rulebook {rulebook_id!r}; there are: {', '.join(self.rulebooks)}"
            ) from None

    def record(self, game_id: str) -> GameRecord:
        """What is stored of a game beside its journal. Raises UnknownGame."""
        return self.opened_game(game_id).record

    def games(self, after: tuple[datetime, str] | None, limit: int) -> list[GameRecord]:
        """Games, newest first, from behind the one named by its creation time and id."""
        return self.store.games(after=after, limit=limit)

    def rulebook_of(self, game_id: str) -> Rulebook[Any]:
        """The rulebook that a game is played by. Raises UnknownGame."""
        return self.opened_game(game_id).rulebook

    def state(self, game_id: str, at: int | None = None, known_at: int | None = None) -> State:
        """The state after action number `at` (the head when None), as known when `known_at` was the head.

        Nobody changes the state that is given. Numbers beyond the head are the head; what is not known yet at
        `known_at` has not happened.
        """
        game = self.opened_game(game_id)
        with game.lock:
            self.catch_up(game)
            head = game.state
        known = head.version if known_at is None else min(known_at, head.version)
        wanted = known if at is None else min(at, known)
        return head if wanted == known == head.version else self.state_after(game, wanted, known)

    def version(self, game_id: str) -> int:
        """The number of the last action of a game."""
        game = self.opened_game(game_id)
        return self.store.head(game.record.game_id)

    def opened_game(self, game_id: str) -> Game:
        """The game, from memory or rebuilt. Raises UnknownGame."""
        with self._cache_lock:
            known = self._games.get(game_id)
            if known is not None:
                self._games.move_to_end(game_id)
                return known
        record = self.store.game(game_id)
        if record is None:
            raise UnknownGame(game_id)
        rulebook = self.rulebook(record.rulebook)
        game = Game(record, rulebook, self._restore(game_id, rulebook, None))
        self.catch_up(game)
        self.opened(game)
        with self._cache_lock:
            game = self._games.setdefault(game_id, game)
            while len(self._games) > _CACHED_GAMES:
                self._games.popitem(last=False)
        return game

    def _restore(self, game_id: str, rulebook: Rulebook[Any], upto: int | None) -> State:
        """The state of the latest snapshot (at or before `upto`), blank when there is none that can be read."""
        found = self._snapshot(game_id, rulebook, fingerprint(rulebook), upto)
        return self._blank(rulebook) if found is None else found

    def _snapshot(
        self,
        game_id: str,
        rulebook: Rulebook[Any],
        format: str,  # noqa: A002
        upto: int | None,
    ) -> State | None:
        """The state of the latest snapshot in a format, at or before `upto`; None without one that can be read."""
        found = self.store.latest_snapshot(game_id, format, upto)
        if found is None:
            return None
        try:
            state: State = rulebook.thaw(found[1])
        except (msgspec.ValidationError, msgspec.DecodeError):
            log.warning("the snapshot of game %s at %d cannot be read and is not used", game_id, found[0])
            return None
        return state

    @staticmethod
    def _blank(rulebook: Rulebook[Any]) -> State:
        blank: State = rulebook.blank()
        return blank

    def catch_up(self, game: Game) -> bool:
        """Fold what the journal has and the state has not. Gives whether there was anything."""
        with game.lock:
            if self.store.head(game.record.game_id) == game.state.version:
                return False
            game.state = self._brought_up(game, game.state)
            return True

    def state_after(self, game: Game, number: int, known_at: int | None = None) -> State:
        """The state right after an action at or before the head, as known at `known_at` (now, when None)."""
        if number < 1:
            return self._blank(game.rulebook)
        return self._rebuilt(game, number, self.known_corrections(game, known_at))

    def moments(self, game: Game, known_at: int | None) -> Moments:
        """The states after actions that are asked for in order, as known at `known_at` (now, when None)."""
        return Moments(self, game, known_at)

    def timeline(self, game: Game, first: int, last: int, known_at: int | None = None) -> Timeline:
        """The effective history from one action number to another, with every correction known that touches it."""
        return self.timeline_of(game, self.entries_between(game, first, last), known_at)

    def timeline_of(self, game: Game, entries: Iterable[Entry], known_at: int | None = None) -> Timeline:
        """The effective history over some entries of the journal, with every correction known."""
        return self._timeline(game, entries, self.known_corrections(game, known_at))

    def known_corrections(self, game: Game, known_at: int | None) -> list[tuple[int, int]]:
        """The corrections known when `known_at` was the head: number, and first action touched."""
        return [one for one in game.state.corrections if known_at is None or one[0] <= known_at]

    def _brought_up(self, game: Game, base: State) -> State:
        """A state brought up to the head. The one given stays as it is: others may read it."""
        state = base.copy()
        for batch in self.store.facts(game.record.game_id, after=state.version):
            if any(kind == _CORRECTED for kind, _ in batch.kinds_versions):
                # What was folded so far may not have happened like that.
                head = self.store.head(game.record.game_id)
                known = [*base.corrections, *self._corrections_between(game, base.version + 1, head)]
                return self._rebuilt(game, head, known)
            game.rulebook.fold(state, batch.body, _tags(batch.kinds_versions))
            state.version = batch.numbers[-1]
            state.last_at = batch.last_at
        return state

    def _rebuilt(self, game: Game, number: int, known: list[tuple[int, int]]) -> State:
        """The state after an action, given the corrections known: (number, first action touched) of each."""
        state = self._base(game, number, known)
        base = state.version
        if not any(correction > base and first <= number for correction, first in known):
            for batch in self.store.facts(game.record.game_id, after=base, upto=number):
                game.rulebook.fold(state, batch.body, _tags(batch.kinds_versions))
                state.version = batch.numbers[-1]
                state.last_at = batch.last_at
            if state.version - base > SNAPSHOT_EVERY:
                # A journal that was written at once has none on the way.
                self._save(game, state, fingerprint(game.rulebook))
            return state
        timeline = self._timeline(game, self.entries_between(game, base + 1, number), known)
        reached = base
        with collector_paused():
            for standing in timeline.effective(number):
                if standing.place[0] <= base:
                    continue
                for passed in range(reached + 1, standing.place[0]):
                    self._keep_corrected(game, state, timeline, passed, known)
                    reached = passed
                state.fold(standing.events)
            for passed in range(reached + 1, number + 1):
                self._keep_corrected(game, state, timeline, passed, known)
        _stand_at(state, timeline, number, known)
        return state

    def _base(self, game: Game, number: int, known: list[tuple[int, int]]) -> State:
        """The latest state that can be had at or before an action and that no correction known overtook."""
        game_id, rulebook = game.record.game_id, game.rulebook
        upto = number
        for correction, first in reversed(known):
            if upto >= correction:
                found = self._snapshot(game_id, rulebook, fingerprint(rulebook), upto)
                if found is not None and found.version >= correction:
                    return found
            # From its first action on, only what was folded again afterwards holds.
            last = min(upto, correction - 1)
            if last // CORRECTED_EVERY > (first - 1) // CORRECTED_EVERY:
                found = self._snapshot(game_id, rulebook, _corrected_format(rulebook, correction), last)
                if found is not None:
                    return found
            upto = min(upto, first - 1)
        return self._restore(game_id, rulebook, upto)

    def _keep_corrected(
        self, game: Game, state: State, timeline: Timeline, number: int, known: list[tuple[int, int]]
    ) -> None:
        """Keep a snapshot of a corrected moment that is passed, so that it is folded again only once."""
        if number % CORRECTED_EVERY:
            return
        correction = next((one for one, first in reversed(known) if first <= number < one), None)
        if correction is None:
            return
        moment = state.copy()
        _stand_at(moment, timeline, number, known)
        self._save(game, moment, _corrected_format(game.rulebook, correction))

    def keep_corrected_snapshots(self, game: Game) -> None:
        """After a correction: fold again what snapshots there were, so that no later reading has to."""
        correction, first = game.state.corrections[-1]
        last = (correction - 1) // CORRECTED_EVERY * CORRECTED_EVERY
        if last < first:
            return
        try:
            self.state_after(game, last)
        except StoreError:
            log.warning("no snapshots of the corrected past of game %s", game.record.game_id)

    def _timeline(self, game: Game, entries: Iterable[Entry], known: list[tuple[int, int]]) -> Timeline:
        numbered = {entry.number: entry for entry in entries}
        for number, _ in known:
            if number not in numbered:
                numbered[number] = self._correction(game, number)
        return Timeline((numbered[number] for number in sorted(numbered)), game.rulebook.event)

    def entries_between(self, game: Game, first: int, last: int) -> Iterator[Entry]:
        """The entries of the journal from one number to another, as recorded."""
        after = first - 1
        while after < last:
            page = self.store.entries(game.record.game_id, Selection(after=after, before=last + 1, limit=_PAGE))
            for _, stored in page:
                yield read(stored)
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def changed_by(self, game: Game, number: int) -> Mapping[int, frozenset[str]]:
        """The action numbers at which correction `number` gives or inserts events, and the accounts these touch.

        An action that it takes out, or that counts again as recorded, touches what its own events do.
        """
        changes = game.changes.get(number)
        if changes is None:
            changed: dict[int, set[str]] = {}
            for stored in self._correction(game, number).events:
                event = game.rulebook.event(stored)
                for amendment in event.amends():
                    changed.setdefault(amendment.number, set()).update(_accounts(game, amendment.events))
                for insertion in event.inserts():
                    changed.setdefault(insertion.after, set()).update(_accounts(game, insertion.action.events))
            changes = game.changes[number] = {one: frozenset(accounts) for one, accounts in changed.items()}
        return changes

    def changed_entries(self, game: Game, numbers: list[int]) -> list[Entry]:
        """The entries of these numbers, in order; they are kept in memory for the next time."""
        unread = [number for number in numbers if number not in game.read]
        if len(unread) > _ONE_BY_ONE:
            wanted = set(unread)
            stretch = self.entries_between(game, unread[0], unread[-1])
            game.read.update((entry.number, entry) for entry in stretch if entry.number in wanted)
        return [self._remembered(game, number) for number in numbers]

    def _correction(self, game: Game, number: int) -> Entry:
        """The entry of a correction."""
        return self._remembered(game, number)

    def _remembered(self, game: Game, number: int) -> Entry:
        """An entry as recorded, from memory or from the journal, and in memory from then on."""
        entry = game.read.get(number)
        if entry is None:
            stored = self.store.entry(game.record.game_id, number)
            if stored is None:
                raise LookupError(f"the journal of game {game.record.game_id} has no action {number}")
            entry = game.read[number] = read(stored)
        return entry

    def _corrections_between(self, game: Game, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The corrections of the journal from one number to another: number, and first action touched."""
        for entry in self.entries_between(game, first, last):
            for stored in entry.events:
                event = game.rulebook.event(stored)
                if isinstance(event, HistoryCorrected):
                    yield entry.number, event.earliest

    def opened(self, game: Game) -> None:
        """Called when a game has been brought into memory."""

    def keep_snapshot(self, game: Game) -> None:
        """Keep a snapshot of the game as it stands."""
        self._save(game, game.state, fingerprint(game.rulebook))

    def _save(self, game: Game, state: State, format: str) -> None:  # noqa: A002
        """Keep a snapshot of a state of the game, in a format."""
        try:
            self.store.save_snapshot(game.record.game_id, state.version, format, game.rulebook.freeze(state))
        except StoreError:
            # The journal has it all; the snapshot only saves time later.
            log.warning("no snapshot of game %s at %d", game.record.game_id, state.version)


class Moments:
    """The states after actions of one game, asked for in its order: each is folded on from the last one."""

    def __init__(self, states: States, game: Game, known_at: int | None) -> None:
        self._states = states
        self._game = game
        self._known_at = known_at
        self._reached: State | None = None

    def after(self, number: int) -> State:
        """The state right after an action. Nobody changes it; it is good until the next one is asked for."""
        reached = self._reached
        if reached is None or not 0 <= number - reached.version <= SNAPSHOT_EVERY:
            self._reached = reached = self._states.state_after(self._game, number, self._known_at)
        if reached.version < number:
            passed = self._states.timeline(self._game, reached.version + 1, number, self._known_at)
            for standing in passed.effective(number):
                if standing.place[0] > reached.version:
                    reached.fold(standing.events)
            reached.version = number
        return reached


def _tags(kinds_versions: frozenset[tuple[str, int]]) -> Iterator[str]:
    return (kind if version == 1 else f"{kind}@{version}" for kind, version in kinds_versions)


def _stand_at(state: State, timeline: Timeline, number: int, known: list[tuple[int, int]]) -> None:
    """Give a folded state the counters that it has at an action."""
    last = timeline.standing(number)
    if last is not None:
        # Sequence numbers count what is stored, whatever of it still counts.
        state.version, state.last_at = number, last.entry.recorded_at
        state.seq = last.entry.first_seq + len(last.entry.events) - 1
    state.corrections = tuple(one for one in known if one[0] <= number)


def _accounts(game: Game, stored: Iterable[msgspec.Raw]) -> Iterator[str]:
    """The accounts that stored events touch."""
    for one in stored:
        for posting in game.rulebook.event(one).postings:
            yield posting.source
            yield posting.target


def _corrected_format(rulebook: Rulebook[Any], correction: int) -> str:
    """The format of snapshots of moments before a correction, as they stand with it."""
    return f"{fingerprint(rulebook)}+{correction}"


@cache
def fingerprint(rulebook: Rulebook[Any]) -> str:
    """What a snapshot was made by: a hash over the code and data of the kernel, the shared parts and the rulebook.

    A snapshot of other code is never read: whoever mends a fold gets the mended state everywhere.
    """
    hashed = hashlib.sha256()
    for package in ("ledger.kernel", "ledger.rulebooks.parts", type(rulebook).__module__):
        folder = _folder(import_module(package))
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".py", ".toml"}:
                hashed.update(path.name.encode() + path.read_bytes())
    return f"{rulebook.id}:{hashed.hexdigest()[:16]}"


def _folder(package: ModuleType) -> Path:
    if package.__file__ is None:
        raise RuntimeError(f"{package.__name__} has no file")
    return Path(package.__file__).parent
