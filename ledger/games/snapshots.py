"""Snapshots of states in the store. A snapshot is read only by the exact code that wrote the snapshot."""

from __future__ import annotations

import hashlib
import logging
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from ledger.kernel.facts.state import State
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store import snapshots
from ledger.store.database.errors import StoreError

log = logging.getLogger("mabligop")

_SHARED = ("ledger.kernel", "ledger.rulebooks.parts")
"""The packages behind every state, besides the package of the rulebook."""


class Snapshots:
    """The snapshots of one game. Snapshots only save time: the journal holds everything."""

    def __init__(self, stored: snapshots.Snapshots, game_id: str, rulebook: Rulebook[Any]) -> None:
        self._stored = stored
        self._game_id = game_id
        self._rulebook = rulebook

    def latest(self, upto: int | None = None, correction: int | None = None) -> State | None:
        """Return the state of the latest snapshot at or before action `upto`; None without a readable snapshot.

        With a correction: a snapshot of a moment before the correction, as changed by the correction.
        """
        snapshot = self._stored.latest(self._game_id, self._format(correction), upto)
        if snapshot is None:
            return None
        try:
            state: State = self._rulebook.codec.from_snapshot(snapshot[1])
        except (msgspec.ValidationError, msgspec.DecodeError):
            log.warning("the snapshot of game %s at %d cannot be read and is not used", self._game_id, snapshot[0])
            return None
        return state

    def save(self, state: State, correction: int | None = None) -> None:
        """Save a state. With a correction: a moment before the correction, as changed by the correction."""
        try:
            self._stored.save(
                self._game_id, state.version, self._format(correction), self._rulebook.codec.to_snapshot(state)
            )
        except StoreError:
            log.warning("no snapshot of game %s at %d", self._game_id, state.version)

    def _format(self, correction: int | None) -> str:
        made_by = fingerprint(self._rulebook)
        return made_by if correction is None else f"{made_by}+{correction}"


@cache
def fingerprint(rulebook: Rulebook[Any]) -> str:
    """Return a hash over the code and data of the kernel and of the rulebook, as a mark of the snapshots.

    Snapshots of other code are never read, so a corrected fold gives corrected states everywhere.
    """
    return f"{rulebook.id}:{code_hash(*_SHARED, type(rulebook).__module__)}"


@cache
def code_hash(*packages: str) -> str:
    """Return a hash over the code and data of packages: 16 hex digits."""
    hashed = hashlib.sha256()
    for package in packages:
        folder = _folder(import_module(package))
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".py", ".toml"}:
                hashed.update(path.name.encode() + path.read_bytes())
    return hashed.hexdigest()[:16]


def _folder(package: ModuleType) -> Path:
    if package.__file__ is None:
        raise RuntimeError(f"{package.__name__} has no file")
    return Path(package.__file__).parent
