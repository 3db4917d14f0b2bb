"""Appending decisions to the journal. A lost race writes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import UnsetType

from ledger.acting.seeds import Seeds
from ledger.games.game import Game
from ledger.games.games import Games
from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.steps import entry_of, salt_of
from ledger.kernel.dice.deriving import Throws
from ledger.kernel.dice.shared import SharedThrows
from ledger.kernel.facts.events import Event, kind_of, tag_of, version_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Chances, Entry
from ledger.kernel.journal.sealing import is_open, seal
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.draft import Request
from ledger.store.database.errors import JournalNotAsSigned
from ledger.store.records import ActionRecord, Appended, EventRecord, KeyReused, LostRace, Replayed

ACTORS = frozenset({"banker", "system"})
"""The actors of actions besides the players."""


class AppendedEntry(msgspec.Struct, frozen=True):
    """An entry appended to the journal, and the hash of the canonical bytes."""

    entry: Entry
    leaf: bytes


class StoredPast:
    """The recorded past of a stored game up to a state (a `steps.Past`)."""

    def __init__(self, game: Game, state: State) -> None:
        self._history = game.history
        self._state = state
        self._timeline: Timeline | None = None

    def recorded(self, numbers: Iterable[int]) -> Iterator[Entry]:
        """Return the existing entries with the given numbers, in order."""
        existing = sorted({number for number in numbers if number <= self._state.version})
        return (entry for number in existing for entry in self._history.entries_between(number, number))

    def timeline(self) -> Timeline:
        """Return the effective history from the first action to the last."""
        if self._timeline is None:
            self._timeline = self._history.timeline_between(1, self._state.version, self._state.corrections)
        return self._timeline

    def state_then(self, number: int) -> State:
        """Return the state right after an action as known at the time."""
        corrections = tuple(correction for correction in self._state.corrections if correction[0] <= number)
        return self._history.state_after(number, corrections)

    def state_after(self, number: int) -> State:
        """Return the state right after an action of the effective history."""
        return self._history.state_after(number, self._state.corrections)


class Appending:
    """Appends decisions to journals.

    Takes the games, a source of randomness for the salts, and the seeds of games in which the service throws.
    """

    def __init__(self, games: Games, chance: random.Random, seeds: Seeds) -> None:
        self._games = games
        self._chance = chance
        self._seeds = seeds

    def append(
        self,
        game: Game,
        request: Request,
        decision: Decision,
        key: str | None = None,
        request_hash: bytes | None = None,
        *,
        throws: Throws | SharedThrows | None = None,
    ) -> AppendedEntry | Replayed | KeyReused | LostRace:
        """Append a decision made on the game's present state, and move the game to the new state.

        The decision drew from `throws`. Returns the written entry, or the store's reason for writing nothing.
        Raises StoreUnavailable, RecordRefused, JournalNotAsSigned.
        """
        _require_as_signed(game)
        chance, seeds = self._seeds.next_chances(
            game,
            self._seeds.status(game),
            decision.state,
            throws,
            openly=_draws_openly(throws, [(request, decision)]),
            first=True,
            last=True,
        )
        entry, record = self.record(game, request, decision, (), chance, game.leaf, key, request_hash)
        outcome = self._games.store.journal.append(game.id, record)
        if not isinstance(outcome, Appended):
            return outcome
        game.seeds = seeds
        self._games.advance(
            game, decision.state, record.leaf, corrected=request.action.correction_request() is not None
        )
        return AppendedEntry(entry, record.leaf)

    def append_all(
        self,
        game: Game,
        decisions: Sequence[tuple[Request, Decision]],
        key: str | None = None,
        request_hash: bytes | None = None,
        *,
        requested: int = -1,
        throws: Throws | SharedThrows | None = None,
    ) -> list[AppendedEntry] | Replayed | KeyReused | LostRace:
        """Append several decisions, each made on the state of the previous decision: all or none.

        `requested` is the index of the requested action, the owner of the key. All decisions drew from
        `throws`. Returns the results and raises the exceptions of `append`.
        """
        _require_as_signed(game)
        records: list[tuple[Entry, ActionRecord]] = []
        previous = game.leaf
        seeds = self._seeds.status(game)
        openly = _draws_openly(throws, decisions)
        for index, (request, decided) in enumerate(decisions):
            used = (key, request_hash) if index == requested % len(decisions) else (None, None)
            chance, seeds = self._seeds.next_chances(
                game,
                seeds,
                decided.state,
                throws,
                openly=openly,
                first=not records,
                last=index == len(decisions) - 1,
            )
            unwritten = [entry for entry, _ in records]
            records.append(self.record(game, request, decided, unwritten, chance, previous, *used))
            previous = records[-1][1].leaf
        outcome = self._games.store.journal.append_all(game.id, [record for _, record in records])
        if not isinstance(outcome, Appended):
            return outcome
        game.seeds = seeds
        for (request, decided), (_, record) in zip(decisions, records, strict=True):
            self._games.advance(
                game, decided.state, record.leaf, corrected=request.action.correction_request() is not None
            )
        return [AppendedEntry(entry, record.leaf) for entry, record in records]

    def record(
        self,
        game: Game,
        request: Request,
        decision: Decision,
        unwritten: Sequence[Entry],
        chance: Chances | UnsetType,
        previous: bytes | None,
        key: str | None = None,
        request_hash: bytes | None = None,
    ) -> tuple[Entry, ActionRecord]:
        """Make the journal entry of a decision, and its record for the store.

        `unwritten` lists the earlier entries that are not in the journal yet, `previous` is the hash of the
        entry before. `chance` is the chance data of the entry.
        """
        entry = entry_of(game.id, request, decision, salt_of(self._chance), chance)

        def touched() -> Iterator[TimelineEntry]:
            return game.history.touched_by(entry, decision.events, unwritten, game.state.corrections)

        stored = seal(game.rulebook.codec, decision.state, entry, decision.events, touched)
        return entry, ActionRecord(
            number=entry.number,
            kind=entry.kind,
            seat=entry.seat,
            by=entry.by if entry.by in ACTORS else "player",
            recorded_at=entry.recorded_at,
            canonical=stored,
            leaf=leaf(stored),
            events=[
                event_record(event, entry.first_seq + offset, bytes(raw))
                for offset, (event, raw) in enumerate(zip(decision.events, entry.events, strict=True))
            ],
            idempotency_key=key,
            request_hash=request_hash,
            previous=previous,
        )


def _draws_openly(throws: Throws | SharedThrows | None, decisions: Iterable[tuple[Request, Decision]]) -> bool:
    """Return True if everything drawn from a shared throw is public, so that all values of the throw may be
    public too.
    """
    return isinstance(throws, SharedThrows) and all(
        request.override is None and is_open(decision.warnings, decision.draws, decision.events)
        for request, decision in decisions
        if throws.drawn(decision.state.version) is not None
    )


def _require_as_signed(game: Game) -> None:
    if game.fault is not None:
        raise JournalNotAsSigned(game.id, game.fault)


def event_record(event: Event, seq: int, stored: bytes) -> EventRecord:
    """Make the store's record of an event from the sequence number and the stored body."""
    accounts: dict[str, None] = {}
    commodities: dict[str, None] = {}
    for posting in event.postings:
        accounts[posting.source] = accounts[posting.target] = None
        commodities[posting.commodity] = None
    return EventRecord(
        seq=seq,
        kind=kind_of(event),
        version=version_of(tag_of(event)),
        rule=event.rule,
        accounts=tuple(accounts),
        commodities=tuple(commodities),
        body=stored,
    )
