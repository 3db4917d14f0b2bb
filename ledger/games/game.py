"""A game in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ledger.games.history import History
from ledger.games.kept import AnswerCache
from ledger.games.queues import PatientLock, Queue
from ledger.games.setups import Setup
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.edits import Edit
from ledger.kernel.facts.events import Amendment
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.records import GameRecord


class SeenCorrection(msgspec.Struct, frozen=True):
    """The visible part of a correction for a viewer: the effects on other actions, and the changes of holdings.

    `edits` are the requested edits; empty for a viewer without access. `ruled` is True if the viewer sees a
    ruling that ordered the correction.
    """

    number: int
    reason: str
    edits: tuple[Edit, ...]
    amendments: tuple[Amendment, ...]
    outcomes: Mapping[str, tuple[Name, ...]]
    """The names of the touched actions, in the order of the history, by the new status; "inserted" for added
    actions.
    """
    changes: Mapping[str, Mapping[str, int]]
    """Amounts by account and commodity; negative for a loss."""
    ruled: bool


@dataclass(slots=True)
class Game:
    """A game in memory: the record and the setup, the history, and the state at some version.

    The state is never changed, only replaced, under the lock.
    """

    record: GameRecord
    setup: Setup
    rulebook: Rulebook[Any]
    history: History
    state: State
    leaf: bytes | None = None
    """The hash of the last entry in the state; None until an entry is read."""
    kept: AnswerCache = field(default_factory=AnswerCache)
    """The cache of answers about the newest state, shared by all games of a process (see `Moment.cached`)."""
    lock: PatientLock = field(default_factory=PatientLock)
    queue: Queue = field(default_factory=Queue)
    crowded: int = 0
    """The number of further turns without writes by another process, until writers stop taking turns."""
    corrections: dict[tuple[Viewer, int], dict[int, SeenCorrection]] = field(default_factory=dict)
    """A cache for `consequences.seen_corrections`: the visible part of each correction for a viewer, by number.

    The key is the viewer and the last known correction.
    """

    fault: str | None = None
    """The difference between the stored journal and the signed journal, if any. Nothing more is written to the
    journal then.
    """
    continued: str | None = None
    """The game that the table plays next, once known (see `Moment.continued`)."""
    seeds: Any = None
    """The seed data of the journal, once the service has thrown (`acting.seeds`)."""
    lines: Any = None
    """The lines of the history, once requested (`reading.entries.lines`)."""

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.record.game_id
