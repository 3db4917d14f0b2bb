"""Moments: a game at one version, seen by one viewer. Every request opens one moment and reads only from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ledger.games.game import Game
from ledger.games.history import Walk
from ledger.games.past import Corrections
from ledger.kernel.audience import Viewer
from ledger.kernel.history.timeline import Timeline
from ledger.kernel.journal import Entry
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import viewer_now
from ledger.kernel.state import State
from ledger.store.store import Store


@dataclass(frozen=True)
class Moment:
    """A game at one version, as one viewer sees it.

    `now` is the state at the journal's head when the moment was opened. Its version is the version of everything
    that is read from the moment. `at` is the action up to which the game is read, `known_at` how much of the
    journal is taken as known. Both are numbers from 1 (0 in an empty journal) to the head. To the `viewer`
    everything is revealed once the game has ended.
    """

    store: Store
    game: Game
    now: State
    viewer: Viewer
    at: int
    known_at: int

    @property
    def rulebook(self) -> Rulebook[Any]:
        """The rulebook of the game."""
        return self.game.rulebook

    @property
    def version(self) -> int:
        """The number of the last action."""
        return self.now.version

    @cached_property
    def corrections(self) -> Corrections:
        """The known corrections: the number of each, and the first action that it touches."""
        return [one for one in self.now.corrections if one[0] <= self.known_at]

    @cached_property
    def state(self) -> State:
        """The state after action `at`, as known at `known_at`. Do not change this state."""
        if self.at == self.known_at == self.version:
            return self.now
        return self.state_after(self.at)

    def state_after(self, number: int) -> State:
        """The state right after an action, by the known corrections. Do not change this state."""
        if number == self.known_at == self.version:
            return self.now
        return self.game.history.state_after(number, self.corrections)

    def walk(self) -> Walk:
        """The states after actions that are asked for in order, by the known corrections."""
        return Walk(self.game.history, self.corrections)

    def timeline(self, entries: list[Entry]) -> Timeline:
        """The effective history over some entries of the journal, with every known correction."""
        return self.game.history.timeline(entries, self.corrections)

    def seen_at(self, at: int | None, known_at: int | None) -> Moment:
        """The same version at another time: `at` and `known_at` as `open_moment` takes them."""
        return open_moment(self.store, self.game, self.now, self.viewer, at, known_at)


def open_moment(
    store: Store, game: Game, now: State, viewer: Viewer, at: int | None = None, known_at: int | None = None
) -> Moment:
    """Open a game at the version of a state for a viewer.

    `at` and `known_at` are the head when they are None or beyond the head. Entries after `known_at` have not
    happened yet.
    """
    known = now.version if known_at is None else min(known_at, now.version)
    wanted = known if at is None else min(at, known)
    return Moment(store, game, now, viewer_now(now, viewer), wanted, known)
