"""Games at a glance: the public facts of each game, for lists of many games.

A glance is stored beside the snapshots, for a version of its game and a version of the code. A list of games
thus folds only the games that have moved on since the last list.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ledger.games.clock import Clock
from ledger.games.games import Games
from ledger.games.moments import Moment
from ledger.games.snapshots import fingerprint
from ledger.kernel.facts.labels import DiceMode
from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.overdue import Late, late
from ledger.reading.words.seating import turn_order
from ledger.store.database.errors import StoreError, StoreUnavailable
from ledger.store.records import GameRecord, Head

log = logging.getLogger("mabligop")

Status = Literal["setup", "play", "ended"]

_FAMILY = "glance:"
_SHAPE = "2"
"""Version of `GameOverview`. A change makes stored glances of another shape unreadable."""


class GameOverview(msgspec.Struct, frozen=True, kw_only=True):
    """The public facts of a game at a version. `order` are the seats in the order of turns.

    `summary` is the rulebook's own. `late` are the actions due by time after all deadlines; UNSET if not
    computed yet.
    """

    version: int
    last_at: datetime | None
    dice: DiceMode
    order: tuple[str, ...]
    status: Status
    summary: dict[str, Any]
    deadlines: tuple[datetime, ...] | None
    late: Late | UnsetType | None = UNSET

    def late_at(self, at: datetime) -> Late | UnsetType | None:
        """Return the actions due by the time `at`: None for nothing, UNSET if only the state can tell."""
        if self.deadlines is None:
            return UNSET
        if not self.deadlines or at < min(self.deadlines):
            return None
        return self.late if at > max(self.deadlines) else UNSET


class _StoredGlance(msgspec.Struct, frozen=True, array_like=True):
    """A glance in the store, with the hash of the last entry."""

    leaf: bytes
    glance: GameOverview


_decoder = msgspec.json.Decoder(_StoredGlance)


def glance_of(rulebook: Rulebook[Any], state: State) -> GameOverview:
    """Build the glance of a game in this state."""
    deadlines = rulebook.progress.deadlines(state)
    return GameOverview(
        version=state.version,
        last_at=state.last_at,
        dice=state.drawn_by,
        order=tuple(turn_order(rulebook, state)),
        status=status_of(rulebook, state),
        summary=rulebook.screen.summary(state),
        deadlines=None if deadlines is None else tuple(deadlines),
    )


def status_of(rulebook: Rulebook[Any], state: State) -> Status:
    """Return the phase of the game: set-up, play, or ended."""
    if state.ended:
        return "ended"
    return "setup" if rulebook.screen.in_setup(state) else "play"


def glances(
    games: Games, clock: Clock, records: Sequence[GameRecord]
) -> Iterator[tuple[GameRecord, GameOverview, Late | None]]:
    """Yield the glance of each game, with the actions due by time. The rulebooks of the games must be known.

    A game without a stored glance is opened, and its glance is stored. An unreadable game is left out, and
    logged. Raises StoreUnavailable.
    """
    formats = {record.rulebook: _format(games.rulebook(record.rulebook)) for record in records}
    heads = games.store.snapshots.heads([record.game_id for record in records], set(formats.values()))
    writable = True
    for record in records:
        head = heads[record.game_id]
        glance = _read(head)
        if glance is not None:
            overdue = glance.late_at(clock.later(glance.last_at))
            if overdue is not UNSET:
                yield record, glance, overdue
                continue
        moment = _opened(games, record)
        if moment is None:
            continue
        at = clock.game_time(moment.newest)
        glance = glance_of(moment.rulebook, moment.newest)
        due = late(moment.rulebook, moment.newest, at)
        if glance.deadlines and at > max(glance.deadlines):
            glance = msgspec.structs.replace(glance, late=due)
        if writable and moment.version == head.number:
            writable = _keep(games, record, head, glance, formats[record.rulebook])
        yield record, glance, due


def _read(head: Head) -> GameOverview | None:
    """Return the stored glance for the head of a game, or None without a readable glance."""
    if head.snapshot is None:
        return None
    try:
        stored = _decoder.decode(head.snapshot)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
    return stored.glance if stored.leaf == head.leaf else None


def _opened(games: Games, record: GameRecord) -> Moment | None:
    """Open a game. None if the game cannot be read: an unreadable game must not hide the rest."""
    try:
        return games.moment(record.game_id)
    except StoreUnavailable:
        raise
    except Exception as fault:
        # Only the kind of fault: its message may quote secrets of the game.
        log.error("game %s cannot be read and is not listed: %s", record.game_id, type(fault).__name__)
        return None


def _keep(games: Games, record: GameRecord, head: Head, glance: GameOverview, format: str) -> bool:  # noqa: A002
    """Store a glance. Returns False if storing fails; the rest of the list is then not stored either."""
    body = msgspec.json.encode(_StoredGlance(head.leaf, glance))
    if body == head.snapshot:
        return True
    try:
        games.store.snapshots.replace(record.game_id, head.number, format, body, family=_FAMILY)
    except StoreError as fault:
        log.warning(
            "the glance of game %s at %d is not kept: %s", record.game_id, head.number, type(fault).__name__
        )
        return False
    return True


@cache
def _format(rulebook: Rulebook[Any]) -> str:
    return f"{_FAMILY}{_SHAPE}:{fingerprint(rulebook)}"
