"""A game in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ledger.games.history import History
from ledger.games.kept import KeptAnswers
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
    """What a viewer sees of a correction: what it did to other actions, and by how much holdings changed.

    `edits` are what was asked for; none for a viewer who may not see them. `ruled` is whether the viewer sees that
    a ruling ordered the correction.
    """

    number: int
    reason: str
    edits: tuple[Edit, ...]
    amendments: tuple[Amendment, ...]
    outcomes: Mapping[str, tuple[Name, ...]]
    """The names of the actions that it touched, in the order of the history, by their status since then;
    "inserted" for those that it added."""
    changes: Mapping[str, Mapping[str, int]]
    """By account and commodity; negative when the account holds less."""
    ruled: bool


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
    leaf: bytes | None = None
    """The hash of the last entry that the state has; None as long as no entry has been read."""
    kept: KeptAnswers = field(default_factory=KeptAnswers)
    """Answers about the newest state; one collection for all games of a process (see `Moment.kept`)."""
    lock: PatientLock = field(default_factory=PatientLock)
    queue: Queue = field(default_factory=Queue)
    crowded: int = 0
    """In how many more turns no other process must have written, until writers do without turns again."""
    corrections: dict[tuple[Viewer, int], dict[int, SeenCorrection]] = field(default_factory=dict)
    """A cache for `seen_corrections`: what a viewer sees of each correction, by its number.

    The key is the viewer and the last correction taken as known.
    """

    fault: str | None = None
    """What of the stored journal is not what was signed. Nothing more is written to it then."""
    seeds: Any = None
    """What its journal tells of the service's seeds, once the service has thrown (`acting.seeds`)."""
    lines: Any = None
    """The lines of its history, once they are asked for (`reading.lines`)."""

    @property
    def id(self) -> str:
        """The game's id."""
        return self.record.game_id
