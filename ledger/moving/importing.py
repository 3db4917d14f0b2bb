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

from ledger.access.first_answers import Sealed
from ledger.access.tokens import Tokens
from ledger.acting.appending import event_record
from ledger.games.games import Games
from ledger.games.setups import setup_of
from ledger.kernel import texts
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
"""The exceptions of decoding a text that is no entry, or an event of an unknown older shape."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


class Unfit(ValueError):  # noqa: N818 - it names a condition
    """The data is no journal of a game: the number of the wrong entry (0 for the game itself), and the reason."""

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
    """A game as it was exported: its record, and how many actions and events it has.

    `setup` is the JSON that was stored with the game.
    """

    game: str
    rulebook: str
    title: str
    created_at: datetime
    setup: msgspec.Raw
    actions: int
    events: int


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """An imported game: its new tokens, shown only once, and how many actions and events it has."""

    game: str
    tokens: Sealed
    actions: int
    events: int


class _Tag(msgspec.Struct, frozen=True):
    kind: str


_tag = msgspec.json.Decoder(_Tag)


class Importing:
    """Imports games. Takes the games and the tokens."""

    def __init__(self, games: Games, tokens: Tokens) -> None:
        self._games = games
        self._tokens = tokens

    def import_game(self, exported: ExportedGame, journal: Callable[[], Iterable[bytes]]) -> Imported:
        """Import a game under its own id, with new tokens.

        `journal` returns the canonical bytes of the entries in order, and is called twice. The first pass verifies
        every entry and their order. The second pass folds the effective history, which shows that nothing is made
        or lost, and writes the entries in one transaction. An exception of `journal` undoes everything.

        Raises Unfit when the data is no journal of a game of that rulebook, GameExists, UnknownRulebook,
        StoreError.
        """
        rulebook = self._games.rulebook(exported.rulebook)
        if not _ID.fullmatch(exported.game):
            raise Unfit(0, f"{exported.game!r} cannot be the id of a game")
        record = GameRecord(
            exported.game, exported.rulebook, exported.title, exported.created_at, bytes(exported.setup)
        )
        players = _players(record)
        _require_fit(record.title, players)
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


def _require_fit(title: str, players: Iterable[Seat]) -> None:
    """Refuse a title or a name that no new game could have. What was written in the game stays as it is."""
    found = texts.unfit({"title": title, "players": [player.name for player in players]})
    if found is not None:
        raise Unfit(0, f"{found.pointer}: {found.character} is refused: {found.en}")


class _EntryChecker:
    """Verifies entries of one game: each is readable, of this game, the next one, and cites only known rules."""

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
        """The entries with their bytes. Raises Unfit for the first wrong entry."""
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
        """The effective history over these entries."""
        return Timeline(entries, self._rulebook.event)


def _fold_and_record(
    checker: _EntryChecker, journal: Iterable[bytes], corrections: list[Entry], players: Iterable[Seat]
) -> Iterator[ActionRecord]:
    """Make the records of the entries, and fold the effective history at the same time.

    Raises Unfit, also when the final state has other players than these.
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
            except Exception as fault:  # An invented event may raise any exception.
                raise Unfit(standing.place[0], f"it cannot have happened: {fault!r}") from fault
        for stored, entry, events in page:
            yield record_of(stored, entry, events)
    if Counter(state.seats.values()) != Counter(players):
        seated = ", ".join(state.seats)
        raise Unfit(0, f"the setup of the game names other players than those who sit at its table: {seated}")


def record_of(stored: bytes, entry: Entry, events: Iterable[Event]) -> ActionRecord:
    """Make the store's record of an entry from its canonical bytes and its events in the current shape."""
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
    """Make the record of an event in the shape in which it was stored, which may be older than the current one."""
    tag = _tag.decode(raw).kind
    record = event_record(event, seq, bytes(raw))
    return replace(record, kind=tag.partition("@")[0], version=version_of(tag))
