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
    """A game in memory: its record and setup, its history, and its state at some version.

    The state is never changed. It is only replaced, under the lock.
    """

    record: GameRecord
    setup: Setup
    rulebook: Rulebook[Any]
    history: History
    state: State
    lock: threading.RLock = field(default_factory=threading.RLock)
    amendments: dict[tuple[Viewer, int], dict[int, tuple[Amendment, ...]]] = field(default_factory=dict)
    """A cache for `visible_amendments`: what a viewer sees of each correction, by its number.

    The key is the viewer and the last correction taken as known.
    """

    @property
    def id(self) -> str:
        """The game's id."""
        return self.record.game_id
