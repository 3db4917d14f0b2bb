"""Importing a game: its whole journal, every entry verified, or nothing."""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random
from tempfile import TemporaryFile
from typing import IO, Any

import msgspec

from ledger.access.first_answers import Sealed
from ledger.access.tokens import Tokens
from ledger.acting.appending import ACTORS, event_record
from ledger.games.game import Game
from ledger.games.games import GameExists, Games
from ledger.games.history import History
from ledger.games.kept import AnswerCache
from ledger.games.moments import open_moment
from ledger.games.past import PastStates
from ledger.games.setups import setup_of
from ledger.games.stored import UNREADABLE
from ledger.kernel.deciding.decision import decide as decided
from ledger.kernel.facts import texts
from ledger.kernel.facts.audience import BANKER, HOST, SPECTATOR, Viewer
from ledger.kernel.facts.events import Event, version_of
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import Seat, State
from ledger.kernel.journal.entry import Entry, read
from ledger.kernel.journal.stored import is_canonical, leaf, parts_fit
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.overdue import overdue
from ledger.reading.moves.moves import shown_moves
from ledger.reading.table.states import folded_state
from ledger.store.database.errors import RecordRefused, StoreError
from ledger.store.records import ActionRecord, EventRecord, GameRecord
from ledger.trust.deciding import compare_decision
from ledger.trust.findings import Finding
from ledger.trust.refolding import Refold
from ledger.trust.verifying import NOT_CANONICAL, PARTS_UNLIKE, EntryRules, cannot_have_happened, other_players

_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


class BadJournal(ValueError):  # noqa: N818 - it names a condition
    """The data is no journal of a game: the number of the wrong entry (0 for the game itself), and the reason."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"action {number}: {reason}" if number else reason)
        self.number = number
        self.reason = reason


class DecidedOtherwise(BadJournal):
    """Repeated decisions differ from the record: the differences, with their actions."""

    def __init__(self, differences: Sequence[Finding]) -> None:
        super().__init__(differences[0].number, differences[0].what)
        self.differences = differences


class ExportedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game from an export: its record, and its numbers of actions and events.

    `setup` is the JSON stored with the game.
    """

    game: str
    rulebook: str
    title: str
    created_at: datetime
    setup: msgspec.Raw
    actions: int
    events: int


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """An imported game: its new tokens, shown only once, and its numbers of actions and events.

    `differences` are the actions with a different result in a repeated decision. `exempt` counts further ones,
    with rules mended since.
    """

    game: str
    tokens: Sealed
    actions: int
    events: int
    differences: tuple[Finding, ...] = ()
    exempt: int = 0


class _Tag(msgspec.Struct, frozen=True):
    kind: str


_tag = msgspec.json.Decoder(_Tag)


class Importing:
    """An importer of games. Takes the games and the tokens."""

    def __init__(self, games: Games, tokens: Tokens) -> None:
        self._games = games
        self._tokens = tokens

    def import_game(
        self,
        exported: ExportedGame,
        journal: Callable[[], Iterable[bytes]],
        *,
        decide: bool = True,
        as_recorded: bool = False,
    ) -> Imported:
        """Import a game under its own id, with new tokens.

        `journal` returns the canonical bytes of the entries in order, and is called twice. The first pass
        verifies every entry and their order, folds the history, to prove that nothing is made or lost, and
        decides every action again (unless `decide` is false). With `as_recorded`, different actions are
        accepted as recorded, and listed in the result. Actions decided under older rules, mended since, are
        always accepted. Even with differences the opening must be legal (an own board is fit to play), except
        one decided under older rules, and the game must be readable. The second pass writes the entries in a
        single transaction. An exception of `journal` undoes everything.

        Raises Unfit if the data is no journal of a game with the rulebook, DecidedOtherwise, GameExists,
        UnknownRulebook, StoreError.
        """
        rulebook = self._games.rulebook(exported.rulebook)
        if not _ID.fullmatch(exported.game):
            raise BadJournal(0, f"{exported.game!r} cannot be the id of a game")
        record = GameRecord(
            exported.game, exported.rulebook, exported.title, exported.created_at, bytes(exported.setup)
        )
        players = _players(record)
        _require_fit(record.title, players)
        store = self._games.store
        if store.games.get(exported.game) is not None:
            raise GameExists(exported.game)
        first = _Reading(rulebook, exported.game)
        unlike = tuple(_verified(first, journal(), players, _cut(record), decide=decide))
        differences = tuple(difference for difference in unlike if not difference.exempt)
        if not first.number or (first.number, first.seq) != (exported.actions, exported.events):
            raise BadJournal(
                0,
                f"the journal has {first.number} actions and {first.seq} events,"
                f" not {exported.actions} and {exported.events}",
            )
        if differences and not as_recorded:
            raise DecidedOtherwise(differences)
        if unlike and first.state is not None:
            self._require_readable(record, rulebook, first.state, unlike[-1].number)
        tokens, rows = self._tokens.issue(exported.game, players)
        again = _Reading(rulebook, exported.game)
        records = (record_of(*entry_read) for entry_read in again.entries(journal()))
        try:
            if not store.copies.write(record, rows, records):
                raise GameExists(exported.game)
        except RecordRefused as refused:
            raise BadJournal(again.number, str(refused)) from refused
        game = self._games.open(exported.game)
        game.history.save(game.state)
        return Imported(
            game=exported.game,
            tokens=tokens,
            actions=again.number,
            events=again.seq,
            differences=differences,
            exempt=len(unlike) - len(differences),
        )

    def _require_readable(self, record: GameRecord, rulebook: Rulebook[Any], state: State, number: int) -> None:
        """Refuse an unreadable game: check its state, and the moves of each seat, for every viewer.

        Takes the state after the last action, and the number of the last different action. Raises Unfit.
        """
        store = self._games.store
        history = History(store, record, rulebook, PastStates())
        game = Game(record, setup_of(record), rulebook, history, state, kept=AnswerCache())
        at = state.last_at or record.created_at
        try:
            rulebook.codec.from_snapshot(rulebook.codec.to_snapshot(state))
            for viewer in (HOST, BANKER, SPECTATOR, *(Viewer("player", seat) for seat in state.seats)):
                moment = open_moment(store, game, state, viewer)
                for language in ("en", "fr"):
                    folded_state(moment, language)
                    overdue(moment, at, language)
                    if viewer.seat is not None:
                        shown_moves(moment, viewer.seat, at, language)
        except StoreError:
            raise
        except Exception as fault:  # Invented data may raise any exception.
            raise BadJournal(number, f"{_UNREADABLE_THEN}: {type(fault).__name__}: {fault}") from fault


_NO_GAME = "it lays out no game that can be played"
_UNREADABLE_THEN = "taken as it was recorded, it leads to a game that cannot be read"


def check(
    rulebook: Rulebook[Any], exported: ExportedGame, journal: Iterable[bytes], *, decide: bool
) -> Iterator[Finding]:
    """Read and fold all entries of a journal.

    Yields the actions with a different result in a repeated decision. Raises Unfit for the first wrong entry,
    and the errors of `journal`.
    """
    record = GameRecord(
        exported.game, exported.rulebook, exported.title, exported.created_at, bytes(exported.setup)
    )
    reading = _Reading(rulebook, exported.game)
    yield from _verified(reading, journal, _players(record), _cut(record), decide=decide)
    if (reading.number, reading.seq) != (exported.actions, exported.events):
        raise BadJournal(
            0, f"the journal has {reading.number} actions and {reading.seq} events, not as many as it says"
        )


def _players(record: GameRecord) -> tuple[Seat, ...]:
    try:
        return setup_of(record).players
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadJournal(0, f"the setup of the game cannot be read: {fault}") from fault


def _cut(record: GameRecord) -> int | None:
    """Return the last action shared with the continued game; None without a continued game."""
    origin = setup_of(record).origin
    return None if origin is None else origin.action


def _require_fit(title: str, players: Iterable[Seat]) -> None:
    """Refuse a title or a name that no new game could have. Texts within the game stay unchanged."""
    fault = texts.unfit({"title": title, "players": [player.name for player in players]})
    if fault is not None:
        raise BadJournal(0, f"{fault.pointer}: {fault.character} is refused: {fault.en}")


class _Reading:
    """A reader of the entries of a game, with the checks of single entries."""

    def __init__(self, rulebook: Rulebook[Any], game: str) -> None:
        self.rulebook = rulebook
        self.game = game
        self._rules = EntryRules(rulebook, game)
        self.number = 0
        self.seq = 0
        self.state: State | None = None
        """The state after the last entry, once all entries are folded."""

    def entries(self, journal: Iterable[bytes]) -> Iterator[tuple[bytes, Entry, tuple[Event, ...]]]:
        """Yield the entries with their bytes and their events. Raises Unfit for the first wrong entry."""
        for stored in journal:
            number = self.number + 1
            try:
                entry = read(stored)
                events = tuple(map(self.rulebook.codec.event, entry.events))
            except UNREADABLE as fault:
                raise BadJournal(number, f"it cannot be read: {fault}") from fault
            if not is_canonical(stored):
                raise BadJournal(number, NOT_CANONICAL)
            if not parts_fit(stored):
                raise BadJournal(number, PARTS_UNLIKE)
            for wrong in self._rules.wrong(number, self.seq, entry, events):
                raise BadJournal(number, wrong)
            self.number, self.seq = number, self.seq + len(events)
            yield stored, entry, events


def _verified(
    reading: _Reading, journal: Iterable[bytes], players: Iterable[Seat], cut: int | None, *, decide: bool
) -> Iterator[Finding]:
    """Read and fold all entries, and decide them again if required. Yields the differences.

    `cut` is the last action shared with the continued game, if any. Raises Unfit, also if the final state has
    other players.
    """
    with TemporaryFile() as file:
        spool = _Spool(file)
        fold = Refold(reading.rulebook, spool.entries)
        read_on = _Ahead(reading.entries(journal))
        seq = 0
        for stored, entry, events in read_on:
            number, seq = entry.number, seq + len(events)
            spool.add(stored)
            following = (later for _, later, _ in read_on.following())
            otherwise = (
                compare_decision(reading.rulebook, fold.state, entry, events, fold, following, cut=cut)
                if decide
                else None
            )
            try:
                fold.take(number, entry.recorded_at, seq, events)
            except Exception as fault:  # An invented event may raise any exception.
                raise BadJournal(number, cannot_have_happened(fault)) from fault
            if otherwise is not None:
                if number == 1 and otherwise.refused and not otherwise.exempt:
                    raise BadJournal(number, f"{_NO_GAME}: {otherwise.description}")
                if number == 1 and not otherwise.exempt:
                    _require_legal(reading.rulebook, fold.state, events, entry.recorded_at)
                _require_told(reading.rulebook, fold.state, number, events)
                yield Finding(reading.game, number, otherwise.description, exempt=otherwise.exempt)
        reading.state = fold.state
        others = other_players(fold.state, players)
        if others is not None and reading.number:
            raise BadJournal(0, others)


def _require_legal(rulebook: Rulebook[Any], state: State, events: Iterable[Event], at: datetime) -> None:
    """Refuse an opening whose events lay out a table with illegal settings.

    Takes the state after the opening. Raises Unfit.
    """
    recorded_settings = next(
        (value for event in events if (value := getattr(event, "settings", None)) is not None), None
    )
    if recorded_settings is None:
        return
    try:
        settings = msgspec.convert(msgspec.to_builtins(recorded_settings), rulebook.settings)
        opening = Opening(players=tuple(state.seats.values()), settings=settings, dice="service")
        request = Request(action=rulebook.play.opening_action(opening), seat=None, by="system", at=at)
        decided(rulebook, rulebook.blank(), request, chance=Random(0))  # noqa: S311 - what it draws is not kept
    except (Refusal, msgspec.ValidationError) as fault:
        raise BadJournal(1, f"{_NO_GAME}: {fault.en if isinstance(fault, Refusal) else fault}") from fault


def _require_told(rulebook: Rulebook[Any], state: State, number: int, events: Iterable[Event]) -> None:
    """Refuse events that no sentence can tell. Takes the state after the events. Raises Unfit."""
    speakers = rulebook.language.speakers(state)
    try:
        for event in events:
            for language in ("en", "fr"):
                event.sentence(language, speakers)
    except Exception as fault:  # What was invented may raise any exception.
        raise BadJournal(number, f"no sentence can tell it: {type(fault).__name__}: {fault}") from fault


_Read = tuple[bytes, Entry, tuple[Event, ...]]
"""The canonical bytes of an entry, the entry, and its events."""


class _Ahead:
    """A queue of entries in order, with a view of the following entries. Takes the entries."""

    def __init__(self, entries: Iterator[_Read]) -> None:
        self._entries = entries
        self._waiting: deque[_Read] = deque()

    def __iter__(self) -> Iterator[_Read]:
        """Yield each entry in its turn."""
        while self._waiting or self._read_on():
            yield self._waiting.popleft()

    def following(self) -> Iterator[_Read]:
        """Yield the entries after the current entry, without removing them from the queue."""
        index = 0
        while index < len(self._waiting) or self._read_on():
            yield self._waiting[index]
            index += 1

    def _read_on(self) -> bool:
        """Read the next entry into the queue. Returns False at the end."""
        entry = next(self._entries, None)
        if entry is not None:
            self._waiting.append(entry)
        return entry is not None


class _Spool:
    """Entries in a temporary file, so corrections can read earlier entries again."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._starts = array("Q", [0])

    def add(self, stored: bytes) -> None:
        """Add the canonical bytes of the next entry."""
        self._file.seek(self._starts[-1])
        self._file.write(stored)
        self._starts.append(self._starts[-1] + len(stored))

    def entries(self, first: int, last: int) -> Iterator[Entry]:
        """Yield the entries of a range of numbers."""
        for number in range(first, last + 1):
            start = self._starts[number - 1]
            self._file.seek(start)
            yield read(self._file.read(self._starts[number] - start))


def record_of(stored: bytes, entry: Entry, events: Iterable[Event]) -> ActionRecord:
    """Build the store's record of an entry from its canonical bytes and its events in the current shape."""
    return ActionRecord(
        number=entry.number,
        kind=entry.kind,
        seat=entry.seat,
        by=entry.by if entry.by in ACTORS else "player",
        recorded_at=entry.recorded_at,
        canonical=stored,
        leaf=leaf(stored),
        events=[
            _event_record(event, entry.first_seq + offset, raw)
            for offset, (event, raw) in enumerate(zip(events, entry.events, strict=True))
        ],
    )


def _event_record(event: Event, seq: int, raw: msgspec.Raw) -> EventRecord:
    """Build the record of an event in its stored shape, possibly an older shape."""
    tag = _tag.decode(raw).kind
    record = event_record(event, seq, bytes(raw))
    return replace(record, kind=tag.partition("@")[0], version=version_of(tag))
