"""Moments: a game at one version, looked at by one viewer. Every request opens one, and reads from it alone."""

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
    """A game as one viewer looks at it.

    `now` is the state at the journal's head when the moment was opened: its version is the version of everything
    that is read from the moment. `at` is the action up to which the game is looked at, `known_at` how much of the
    journal is known: both are numbers from 1 (0 in an empty journal) to the head. `viewer` is who looks; once the
    game has ended, all is revealed to them.
    """

    store: Store
    game: Game
    now: State
    viewer: Viewer
    at: int
    known_at: int

    @property
    def rulebook(self) -> Rulebook[Any]:
        """The rulebook the game is played by."""
        return self.game.rulebook

    @property
    def version(self) -> int:
        """The number of the last action."""
        return self.now.version

    @cached_property
    def corrections(self) -> Corrections:
        """The corrections known: the number of each, and the first action number that it touches."""
        return [one for one in self.now.corrections if one[0] <= self.known_at]

    @cached_property
    def state(self) -> State:
        """The state after action `at`, as known at `known_at`. Nobody changes it."""
        if self.at == self.known_at == self.version:
            return self.now
        return self.state_after(self.at)

    def state_after(self, number: int) -> State:
        """The state right after an action, as it is known. Nobody changes it."""
        if number == self.known_at == self.version:
            return self.now
        return self.game.history.state_after(number, self.corrections)

    def walk(self) -> Walk:
        """The states after actions that are asked for in order, as they are known."""
        return Walk(self.game.history, self.corrections)

    def timeline(self, entries: list[Entry]) -> Timeline:
        """The effective history over some entries of the journal, with every correction known."""
        return self.game.history.timeline(entries, self.corrections)

    def seen_at(self, at: int | None, known_at: int | None) -> Moment:
        """The same version looked at another time: `at` and `known_at` as `open_moment` takes them."""
        return open_moment(self.store, self.game, self.now, self.viewer, at, known_at)


def open_moment(
    store: Store, game: Game, now: State, viewer: Viewer, at: int | None = None, known_at: int | None = None
) -> Moment:
    """A game at the version of a state, looked at by a viewer.

    `at` and `known_at` are the head when None and when beyond it. What is not known yet at `known_at` has not
    happened.
    """
    known = now.version if known_at is None else min(known_at, now.version)
    wanted = known if at is None else min(at, known)
    return Moment(store, game, now, viewer_now(now, viewer), wanted, known)
