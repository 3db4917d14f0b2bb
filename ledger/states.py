"""The states of games: kept in memory, brought up to the journal's head, rebuilt for any earlier moment."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State
from ledger.store.errors import StoreError
from ledger.store.records import GameRecord
from ledger.store.store import Store

log = logging.getLogger("mabligop")

SNAPSHOT_EVERY = 500
"""A snapshot is kept every so many actions: reading any moment folds at most that many."""

_CACHED_GAMES = 512


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
        """The state at the head, or after action number `at`, knowing the journal up to `known_at`.

        What is given is a copy at a fixed version: nobody changes it. A number beyond the head is the head.
        """
        game = self.opened_game(game_id)
        with game.lock:
            self.catch_up(game)
            head = game.state
        asked = [number for number in (at, known_at) if number is not None]
        wanted = min([head.version, *asked])
        return head if wanted == head.version else self.state_after(game, wanted)

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
        found = self.store.latest_snapshot(game_id, fingerprint(rulebook), upto)
        if found is None:
            return self._blank(rulebook)
        try:
            state: State = rulebook.thaw(found[1])
        except (msgspec.ValidationError, msgspec.DecodeError):
            log.warning("the snapshot of game %s at %d cannot be read and is not used", game_id, found[0])
            return self._blank(rulebook)
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
            game.state = self._folded(game, game.state, None)
            return True

    def state_after(self, game: Game, number: int) -> State:
        """The state right after an action, which is at or before the head."""
        state: State = self._restore(game.record.game_id, game.rulebook, number)
        return self._folded(game, state, number)

    def _folded(self, game: Game, state: State, upto: int | None) -> State:
        """A state brought up to a number or to the head. The one given stays as it is: others may read it."""
        state = state.copy()
        for batch in self.store.facts(game.record.game_id, after=state.version, upto=upto):
            game.rulebook.fold(state, batch.body, _tags(batch.kinds_versions))
            state.version = batch.numbers[-1]
            state.last_at = batch.last_at
        return state

    def opened(self, game: Game) -> None:
        """Called when a game has been brought into memory."""

    def keep_snapshot(self, game: Game) -> None:
        """Keep a snapshot of the game as it stands."""
        try:
            self.store.save_snapshot(
                game.record.game_id,
                game.state.version,
                fingerprint(game.rulebook),
                game.rulebook.freeze(game.state),
            )
        except StoreError:
            # The action is in the journal already; the snapshot only saves time later.
            log.warning("no snapshot of game %s at %d", game.record.game_id, game.state.version)


def _tags(kinds_versions: frozenset[tuple[str, int]]) -> Iterator[str]:
    return (kind if version == 1 else f"{kind}@{version}" for kind, version in kinds_versions)


@cache
def fingerprint(rulebook: Rulebook[Any]) -> str:
    """What a snapshot was made by: a hash over the code and data of the kernel and of the rulebook.

    A snapshot of other code is never read: whoever mends a fold gets the mended state everywhere.
    """
    hashed = hashlib.sha256()
    for package in ("ledger.kernel", type(rulebook).__module__):
        folder = _folder(import_module(package))
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".py", ".toml"}:
                hashed.update(path.name.encode() + path.read_bytes())
    return f"{rulebook.id}:{hashed.hexdigest()[:16]}"


def _folder(package: ModuleType) -> Path:
    if package.__file__ is None:
        raise RuntimeError(f"{package.__name__} has no file")
    return Path(package.__file__).parent
