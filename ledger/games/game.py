"""A game in memory."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from ledger.games.history import History
from ledger.games.setups import Setup
from ledger.kernel.audience import Viewer
from ledger.kernel.events import Amendment
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.state import State
from ledger.store.records import GameRecord


@dataclass(slots=True)
class Game:
    """A game in memory: what it was created with, its history, and its state at some version.

    The state is never changed, only replaced, and that under the lock.
    """

    record: GameRecord
    setup: Setup
    rulebook: Rulebook[Any]
    history: History
    state: State
    lock: threading.RLock = field(default_factory=threading.RLock)
    amendments: dict[tuple[Viewer, int], dict[int, tuple[Amendment, ...]]] = field(default_factory=dict)
    """What a viewer can tell that corrections made, by their number, knowing them up to the number in the key."""

    @property
    def id(self) -> str:
        """Its id."""
        return self.record.game_id
