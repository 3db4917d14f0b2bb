"""Games at a glance: what everybody may see of each, for lists of many games.

A glance is kept in the store beside the snapshots, for one version of its game and one version of the code. So a
list of games folds only those that have moved on since they were listed last.
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
"""Changes with `Glance`, so that glances of another shape are not read."""


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may see of a game at one version. `order` are the seats in the order of turns.

    `summary` is the rulebook's own.

    `late` is what time has made due when all deadlines have passed; UNSET when that has not been found out yet.
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
        """What time has made due at a time; UNSET when only the state can tell."""
        if self.deadlines is None:
            return UNSET
        if not self.deadlines or at < min(self.deadlines):
            return None
        return self.late if at > max(self.deadlines) else UNSET


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """A glance as it is kept: with the hash of the last entry that it counts with."""

    leaf: bytes
    glance: Glance


_kept = msgspec.json.Decoder(_Kept)


def glance_of(rulebook: Rulebook[Any], state: State) -> Glance:
    """A game at a glance, in this state."""
    deadlines = rulebook.deadlines(state)
    return Glance(
        version=state.version,
        last_at=state.last_at,
        dice=state.drawn_by,
        order=tuple(turn_order(rulebook, state)),
        status=status_of(rulebook, state),
        summary=rulebook.summary(state),
        deadlines=None if deadlines is None else tuple(deadlines),
    )


def status_of(rulebook: Rulebook[Any], state: State) -> Status:
    """Whether the game is in its set-up, in play, or ended."""
    if state.ended:
        return "ended"
    return "setup" if rulebook.in_setup(state) else "play"


def glances(
    games: Games, clock: Clock, records: Sequence[GameRecord]
) -> Iterator[tuple[GameRecord, Glance, Late | None]]:
    """Each of these games at a glance, with what time has made due in it. Their rulebooks must be known.

    A game whose glance is not kept is opened, and its glance is kept. A game that cannot be read is left out, and
    the log says so. Raises StoreUnavailable.
    """
    formats = {record.rulebook: _format(games.rulebook(record.rulebook)) for record in records}
    heads = games.store.heads([record.game_id for record in records], set(formats.values()))
    writable = True
    for record in records:
        head = heads[record.game_id]
        glance = _read(head)
        if glance is not None:
            found = glance.late_at(clock.later(glance.last_at))
            if found is not UNSET:
                yield record, glance, found
                continue
        moment = _opened(games, record)
        if moment is None:
            continue
        at = clock.after(moment.now)
        glance = glance_of(moment.rulebook, moment.now)
        due = late(moment.rulebook, moment.now, at)
        if glance.deadlines and at > max(glance.deadlines):
            glance = msgspec.structs.replace(glance, late=due)
        if writable and moment.version == head.number:
            writable = _keep(games, record, head, glance, formats[record.rulebook])
        yield record, glance, due


def _read(head: Head) -> Glance | None:
    """The glance that is kept for the head of a game; None without one that can be read."""
    if head.kept is None:
        return None
    try:
        kept = _kept.decode(head.kept)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
    return kept.glance if kept.leaf == head.leaf else None


def _opened(games: Games, record: GameRecord) -> Moment | None:
    """Open a game; None when it cannot be read. One such game must not hide all others."""
    try:
        return games.moment(record.game_id)
    except StoreUnavailable:
        raise
    except Exception as fault:
        # Only the kind of fault: its words may quote what is secret in the game.
        log.error("game %s cannot be read and is not listed: %s", record.game_id, type(fault).__name__)
        return None


def _keep(games: Games, record: GameRecord, head: Head, glance: Glance, format: str) -> bool:  # noqa: A002
    """Keep a glance. Returns whether that is possible: if not, the rest of the list is not kept either."""
    body = msgspec.json.encode(_Kept(head.leaf, glance))
    if body == head.kept:
        return True
    try:
        games.store.replace_snapshot(record.game_id, head.number, format, body, family=_FAMILY)
    except StoreError as fault:
        log.warning(
            "the glance of game %s at %d is not kept: %s", record.game_id, head.number, type(fault).__name__
        )
        return False
    return True


@cache
def _format(rulebook: Rulebook[Any]) -> str:
    return f"{_FAMILY}{_SHAPE}:{fingerprint(rulebook)}"
