"""Importing a game: its whole journal, every entry verified, or nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from typing import Any

import msgspec

from ledger.access import credentials
from ledger.access.tokens import Tokens
from ledger.acting.appending import event_record
from ledger.games.games import Games
from ledger.games.setups import setup_of
from ledger.kernel.events import Event, version_of
from ledger.kernel.history.corrections import HistoryCorrected
from ledger.kernel.history.timeline import Timeline
from ledger.kernel.journal import Entry, leaf, read
from ledger.kernel.refusals import Impossible
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import Seat, State
from ledger.store.errors import RecordRefused
from ledger.store.records import ActionRecord, EventRecord, GameRecord

_PAGE = 1000
_ACTORS = ("banker", "system")
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError, AttributeError)
"""What reading an entry raises that is none, or an event of an older shape that never was one."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


class Unfit(ValueError):  # noqa: N818 - it names a condition
    """What is to be imported is no journal of a game: the number of the entry (0: the game itself), and why."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"action {number}: {reason}" if number else reason)
        self.number = number
        self.reason = reason


class GameExists(Exception):  # noqa: N818
    """There is a game of this id already."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"there is a game {game_id} already; nothing was imported")
        self.game = game_id


class ExportedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it was exported: what it was created with, and how many actions and events it has.

    `setup` is the JSON that was stored beside it.
    """

    game: str
    rulebook: str
    title: str
    created_at: datetime
    setup: msgspec.Raw
    actions: int
    events: int


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was put in: its new tokens, shown this once, and how far it goes."""

    game: str
    tokens: credentials.Sealed
    actions: int
    events: int


class _Tag(msgspec.Struct, frozen=True):
    kind: str


_tag = msgspec.json.Decoder(_Tag)


class Importing:
    """Putting games in. Takes the games that there are and what issues tokens."""

    def __init__(self, games: Games, tokens: Tokens) -> None:
        self._games = games
        self._tokens = tokens

    def import_game(self, exported: ExportedGame, journal: Callable[[], Iterable[bytes]]) -> Imported:
        """Import a game under the id that its entries carry, with new tokens.

        `journal` gives the canonical bytes of its entries from the first on, and gives them twice: first every
        entry is verified by itself and in its order, then what counts is folded, so that nothing is made or lost,
        while it is written in one transaction. Whatever `journal` raises undoes everything.

        Raises Unfit for what is no journal of a game of that rulebook, GameExists, UnknownRulebook, StoreError.
        """
        rulebook = self._games.rulebook(exported.rulebook)
        if not _ID.fullmatch(exported.game):
            raise Unfit(0, f"{exported.game!r} cannot be the id of a game")
        record = GameRecord(
            exported.game, exported.rulebook, exported.title, exported.created_at, bytes(exported.setup)
        )
        players = _players(record)
        store = self._games.store
        if store.game(exported.game) is not None:
            raise GameExists(exported.game)
        checker = _EntryChecker(rulebook, exported.game)
        corrections = [entry for _, entry in checker.entries(journal()) if checker.corrects]
        if not checker.number or (checker.number, checker.seq) != (exported.actions, exported.events):
            raise Unfit(
                0,
                f"the journal has {checker.number} actions and {checker.seq} events,"
                f" not {exported.actions} and {exported.events}",
            )
        tokens, rows = self._tokens.issue(exported.game, players)
        again = _EntryChecker(rulebook, exported.game)
        try:
            if not store.write_game(record, rows, _fold_and_record(again, journal(), corrections, players)):
                raise GameExists(exported.game)
        except RecordRefused as refused:
            raise Unfit(again.number, str(refused)) from refused
        game = self._games.open(exported.game)
        game.history.save(game.state)
        return Imported(game=exported.game, tokens=tokens, actions=again.number, events=again.seq)


def _players(record: GameRecord) -> tuple[Seat, ...]:
    try:
        return setup_of(record).players
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Unfit(0, f"the setup of the game cannot be read: {fault}") from fault


class _EntryChecker:
    """Entries of one game, each verified: it can be read, belongs here, comes next, and keeps to the register."""

    def __init__(self, rulebook: Rulebook[Any], game: str) -> None:
        self._rulebook = rulebook
        self._game = game
        self._last_at: datetime | None = None
        self.number = 0
        self.seq = 0
        self.corrects = False
        """Whether the last entry corrects the history."""
        self.events: tuple[Event, ...] = ()
        """The events of the last entry."""

    def entries(self, journal: Iterable[bytes]) -> Iterator[tuple[bytes, Entry]]:
        """The entries with their bytes. Raises Unfit for the first one that is not right."""
        for stored in journal:
            number = self.number + 1
            try:
                entry = read(stored)
                self.events = tuple(map(self._rulebook.event, entry.events))
            except _UNREADABLE as fault:
                raise Unfit(number, f"it cannot be read: {fault}") from fault
            self._require(number, entry)
            self.number, self.seq = number, self.seq + len(entry.events)
            self._last_at = entry.recorded_at
            self.corrects = any(isinstance(event, HistoryCorrected) for event in self.events)
            yield stored, entry

    def _require(self, number: int, entry: Entry) -> None:
        if entry.game != self._game:
            raise Unfit(number, f"it belongs to game {entry.game}, not to {self._game}")
        if entry.number != number:
            raise Unfit(number, f"it is numbered {entry.number}")
        if entry.first_seq != self.seq + 1 or not entry.events:
            raise Unfit(number, f"its events do not go on from {self.seq + 1}")
        if self._last_at is not None and entry.recorded_at < self._last_at:
            raise Unfit(number, "it was recorded before the action in front of it")
        if entry.kind not in self._rulebook.actions:
            raise Unfit(number, f"{self._rulebook.id} has no action {entry.kind!r}")
        for event in self.events:
            if event.rule not in self._rulebook.register:
                raise Unfit(number, f"it cites rule {event.rule!r}, which {self._rulebook.id} does not have")

    def blank(self) -> State:
        """The state before the first action."""
        blank: State = self._rulebook.blank()
        return blank

    def timeline(self, entries: Iterable[Entry]) -> Timeline:
        """How entries stand to one another."""
        return Timeline(entries, self._rulebook.event)


def _fold_and_record(
    checker: _EntryChecker, journal: Iterable[bytes], corrections: list[Entry], players: Iterable[Seat]
) -> Iterator[ActionRecord]:
    """The journal's entries as records, while what counts of them is folded.

    Raises Unfit, also when others than these players sit at the table in the end.
    """
    state = checker.blank()
    entries = checker.entries(journal)
    while page := list(islice(((stored, entry, checker.events) for stored, entry in entries), _PAGE)):
        first, last = page[0][1].number, page[-1][1].number
        around = {entry.number: entry for entry in chain(corrections, (entry for _, entry, _ in page))}
        timeline = checker.timeline(around[number] for number in sorted(around))
        for standing in timeline.effective(last):
            if standing.place[0] < first:
                continue
            try:
                state.fold(standing.events)
            except Impossible as refused:
                raise Unfit(standing.place[0], f"it cannot have happened: {refused.en}") from refused
            except Exception as fault:  # whatever an event that was made up stumbles over
                raise Unfit(standing.place[0], f"it cannot have happened: {fault!r}") from fault
        for stored, entry, events in page:
            yield record_of(stored, entry, events)
    if Counter(state.seats.values()) != Counter(players):
        seated = ", ".join(state.seats)
        raise Unfit(0, f"the setup of the game names other players than those who sit at its table: {seated}")


def record_of(stored: bytes, entry: Entry, events: Iterable[Event]) -> ActionRecord:
    """What the store keeps of an entry, given its canonical bytes and its events as they are read today."""
    return ActionRecord(
        number=entry.number,
        kind=entry.kind,
        seat=entry.seat,
        by=entry.by if entry.by in _ACTORS else "player",
        recorded_at=entry.recorded_at,
        canonical=stored,
        leaf=leaf(stored),
        events=[
            _event_record(event, entry.first_seq + offset, raw)
            for offset, (event, raw) in enumerate(zip(events, entry.events, strict=True))
        ],
    )


def _event_record(event: Event, seq: int, raw: msgspec.Raw) -> EventRecord:
    """The record of an event under the shape that it was stored in, which may be older than today's."""
    tag = _tag.decode(raw).kind
    record = event_record(event, seq, bytes(raw))
    return replace(record, kind=tag.partition("@")[0], version=version_of(tag))
