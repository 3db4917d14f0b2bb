"""A game in memory."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import msgspec

from ledger.games.history import History
from ledger.games.setups import Setup
from ledger.kernel.audience import Viewer
from ledger.kernel.events import Amendment
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State
from ledger.store.errors import StoreBusy
from ledger.store.records import GameRecord

PATIENCE_SECONDS = 10.0
"""How long a request waits for another one of the same game, or for a game to be opened."""


class SeenCorrection(msgspec.Struct, frozen=True):
    """What a viewer sees of a correction: what it did to earlier actions, and by how much holdings changed."""

    amendments: tuple[Amendment, ...]
    changes: Mapping[str, Mapping[str, int]]
    """By account and commodity; negative when the account holds less."""


class GameBusy(StoreBusy):
    """Other requests have kept the game, or the loading of games, busy for too long."""


class Turn:
    """A game's lock: one thread at a time changes the game or brings it up to date.

    A thread may take it again while it has it. Whoever waits longer than `patience` seconds gets GameBusy.
    """

    __slots__ = ("_lock", "_patience")

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._lock = threading.RLock()
        self._patience = patience

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=self._patience):
            raise GameBusy(f"another request has had the game for {self._patience:g} seconds")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()


@dataclass(slots=True)
class Game:
    """A game in memory: its record and setup, its history, and its state at some version.

    The state is never changed. It is only replaced, under the lock.
    """

    record: GameRecord
    setup: Setup
    rulebook: Rulebook[Any]
    history: History
    state: State
    lock: Turn = field(default_factory=Turn)
    corrections: dict[tuple[Viewer, int], dict[int, SeenCorrection]] = field(default_factory=dict)
    """A cache for `seen_corrections`: what a viewer sees of each correction, by its number.

    The key is the viewer and the last correction taken as known.
    """

    @property
    def id(self) -> str:
        """The game's id."""
        return self.record.game_id
