"""The games of one database: kept in memory, and brought up to the head of the journal before use."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from ledger.games.game import Game
from ledger.games.history import SNAPSHOT_EVERY, History
from ledger.games.kept import AnswerCache
from ledger.games.loading import Loading
from ledger.games.moments import Head, Moment, open_moment
from ledger.games.past import PastStates
from ledger.games.setups import setup_of
from ledger.kernel.facts.audience import HOST, Viewer
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.database.errors import JournalDamaged, NothingWritten, StoreUnavailable
from ledger.store.journal import WRITTEN_AGAIN
from ledger.store.records import GameRecord
from ledger.store.store import Store

_CACHED_GAMES = 512


class UnknownGame(LookupError):  # noqa: N818 - an answer, not a fault
    """No game has this id."""


class GameExists(Exception):  # noqa: N818 - an answer, not a fault
    """A game with this id exists already."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"there is a game {game_id} already")
        self.game = game_id


class UnknownRulebook(LookupError):  # noqa: N818 - an answer, not a fault
    """No rulebook has this name."""


class Games:
    """The games of one database.

    Takes the store, the rulebooks by id, a function that performs the first action of a game with an empty
    journal, the loading part, and a function that describes a difference between a stored game and the signed
    log.
    """

    def __init__(
        self,
        store: Store,
        rulebooks: Mapping[str, Rulebook[Any]],
        begin: Callable[[Game], None],
        loading: Loading[Game] | None = None,
        fault_in: Callable[[Game], str | None] = lambda _: None,
    ) -> None:
        self.store = store
        self.rulebooks = rulebooks
        self._begin = begin
        self._fault_in = fault_in
        self._played: set[str] = set()
        self._loading = loading or Loading()
        self._past = PastStates()
        self._answers = AnswerCache()
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def in_memory(self) -> int:
        """The number of games in memory."""
        return len(self._games)

    def rulebook(self, rulebook_id: str) -> Rulebook[Any]:
        """Return the rulebook with the given id. Raises UnknownRulebook."""
        try:
            return self.rulebooks[rulebook_id]
        except KeyError:
            raise UnknownRulebook(
                f"there is no rulebook {rulebook_id!r}; there are: {', '.join(self.rulebooks)}"
            ) from None

    def list_records(self, cursor: tuple[datetime, str] | None, limit: int) -> list[GameRecord]:
        """Return the records of games, newest first, after the game with the given creation time and id."""
        return self.store.games.newest(cursor=cursor, limit=limit)

    def open(self, game_id: str) -> Game:
        """Open a game, from memory or from the store. Raises UnknownGame, UnknownRulebook, GameBusy."""
        game = self._remembered(game_id)
        if game is not None:
            return game
        return self._loading.load(game_id, lambda: self._remembered(game_id) or self._stored(game_id))

    def _remembered(self, game_id: str) -> Game | None:
        with self._lock:
            game = self._games.get(game_id)
            if game is not None:
                self._games.move_to_end(game_id)
            return game

    def _stored(self, game_id: str) -> Game:
        """Load a game, bring it up to the head of the journal, begin it if necessary, and keep it in memory."""
        began = time.perf_counter()
        record = self.store.games.get(game_id)
        if record is None:
            raise UnknownGame(game_id)
        game = self.load(record)
        game.fault = self._fault_in(game)
        self.catch_up(game)
        if game.state.version == 0:
            try:
                self._begin(game)
            except NothingWritten as busy:
                # The game itself is written, so the error must not say that nothing was written.
                raise StoreUnavailable(str(busy)) from busy
        with self._lock:
            game = self._games.setdefault(game_id, game)
            while len(self._games) > _CACHED_GAMES:
                self._games.popitem(last=False)
        self.store.tally.opened(time.perf_counter() - began)
        return game

    def take_played(self) -> list[str]:
        """Return the games with actions appended by this process since the last call."""
        played: list[str] = []
        with suppress(KeyError):
            while True:
                played.append(self._played.pop())
        return played

    def load(self, record: GameRecord) -> Game:
        """Load the game of a record, with the state of the latest snapshot. Raises UnknownRulebook."""
        rulebook = self.rulebook(record.rulebook)
        history = History(self.store, record, rulebook, self._past)
        return Game(record, setup_of(record), rulebook, history, history.latest_snapshot(), kept=self._answers)

    def moment(
        self, game_id: str, viewer: Viewer = HOST, at: Name | None = None, known_at: Name | None = None
    ) -> Moment:
        """Open a game at the head of the journal for a viewer. The head is read once.

        `at` is the last action to read, `known_at` the known part of the journal. Both default to the head.
        Raises UnknownGame, and NoSuchAction for missing actions.
        """
        game = self.open(game_id)
        with game.lock:
            self.catch_up(game)
            state, leaf = game.state, game.leaf
        return open_moment(self.store, game, state, viewer, at, known_at, leaf=leaf)

    def head(self, game_id: str, version: int) -> Head:
        """Return the head of a game at a version; without the hash if the game has moved on."""
        game = self.open(game_id)
        with game.lock:
            return Head(version, game.leaf if game.state.version == version else None)

    def catch_up(self, game: Game) -> bool:
        """Fold the entries of the journal missing in the state. Returns True if any were missing.

        Raises JournalDamaged if the journal does not begin with the entries of the state.
        """
        with game.lock:
            head, leaf = self.store.journal.head_and_leaf(game.id)
            version = game.state.version
            if head < version:
                raise JournalDamaged(game.id, head + 1, f"it is missing, with all up to action {version}")
            if head > version:
                game.state, game.leaf = game.history.caught_up(game.state, game.leaf)
                game.history.keep(game.state)
                return True
            if game.leaf is None and head:
                game.leaf = leaf
            if head and leaf != game.leaf:
                raise JournalDamaged(game.id, head, WRITTEN_AGAIN)
            return False

    def advance(self, game: Game, state: State, leaf: bytes, *, corrected: bool) -> None:
        """Set the state after an appended action with the given entry hash.

        Saves a snapshot from time to time, and after a correction.
        """
        game.state, game.leaf = state, leaf
        self._played.add(game.id)
        game.history.keep(state)
        if corrected or state.version % SNAPSHOT_EVERY == 0:
            # Also after a correction, so that loading the game does not fold the corrected history again.
            game.history.save(state)
        if corrected:
            game.history.refold_snapshots(state.corrections)
