"""Moments: a game at a version, for a viewer. Every request opens one moment and reads only from the moment."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from ledger.games.game import Game
from ledger.games.history import Walk
from ledger.games.past import Corrections
from ledger.games.setups import next_game
from ledger.games.stored import read_stored
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.labels import BEYOND, Name, Place, label_of, name_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import current_viewer, visible_entry
from ledger.kernel.journal.timeline import Timeline, TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.store import Store

T = TypeVar("T")

_WHOLE = (BEYOND,)
"""The rest, after the number, of a place after all insertions right after the action with the given number."""


class Head(NamedTuple):
    """The head of a journal: the version, and the hash of the last entry, unique to this journal.

    The hash is None if unknown. `continued` is true once the table of an ended game plays again: answers about the
    game then differ at an equal version.
    """

    version: int
    leaf: bytes | None
    continued: bool = False


class NoSuchAction(LookupError):  # noqa: N818 - an answer, not a fault
    """The game has no action with the given name, or no action visible to the viewer."""

    def __init__(self, name: Name, last: int) -> None:
        super().__init__(f"there is no action {name}; the last one is {last}")
        self.name = name
        self.last = last


@dataclass(frozen=True)
class Moment:
    """A game at a version, for a viewer.

    `newest` is the state at the head of the journal when the moment was opened. All reads from the moment have the
    version of this state. `through` is the place up to which the game is read, and `at` the number in the
    place; `known_at` is the known part of the journal. Both numbers are from 1 (0 in an empty journal) to the
    head. To the `viewer` everything is revealed after an end that reveals everything.
    """

    store: Store
    game: Game
    newest: State
    viewer: Viewer
    through: Place
    known_at: int
    leaf: bytes | None = None
    """The hash of the last entry of `newest`; None if not requested."""

    @property
    def head(self) -> Head:
        """The head of the journal when the moment was opened."""
        return Head(self.version, self.leaf, self.continued is not None)

    @cached_property
    def continued(self) -> str | None:
        """The game that the table of an ended game plays next, or None."""
        if not self.newest.ended:
            return None
        following = next_game(self.game.id)
        if self.game.continued is None and self.store.games.exists(following):
            self.game.continued = following
        return self.game.continued

    @property
    def rulebook(self) -> Rulebook[Any]:
        """The rulebook of the game."""
        return self.game.rulebook

    @property
    def at(self) -> int:
        """The number of the last action read; for an insertion, the number of the action before."""
        return self.through[0]

    @property
    def name(self) -> Name:
        """The name of the last action read."""
        return self.at if self.through[1:] == _WHOLE else name_of((self.through[-2], self.through[-1]))

    @property
    def version(self) -> int:
        """The number of the last action."""
        return self.newest.version

    @cached_property
    def corrections(self) -> Corrections:
        """The known corrections: the number of each, and the first action touched."""
        return [correction for correction in self.newest.corrections if correction[0] <= self.known_at]

    @cached_property
    def state(self) -> State:
        """The state at the moment, as known at `known_at`. Do not change this state."""
        if self.through[1:] != _WHOLE:
            return self.game.history.state_at(self.through, self.corrections)
        if self.at == self.known_at == self.version:
            return self.newest
        return self.state_after(self.at)

    def state_after(self, number: int) -> State:
        """Return the state right after an action, by the known corrections. Do not change this state."""
        if number == self.known_at == self.version:
            return self.newest
        return self.game.history.state_after(number, self.corrections)

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make` for the newest state, kept until the game moves on.

        The result is shared by all callers with an equal key: the key names the viewer, the language and all
        other inputs of the answer. The result may not depend on the time. Do not change the returned value.
        """
        return self.game.kept.answer(self.game.id, self.newest, key, make)

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make` for the state of the moment. The result is cached (see `cached`) if the
        state is the newest.
        """
        return self.cached(key, make) if self.state is self.newest else make()

    def timeline_entry(self, name: Name) -> TimelineEntry | None:
        """Return an action of the known journal in the timeline; None for an insertion hidden from the viewer."""
        number, insert = label_of(name)
        if not 0 < number <= self.known_at:
            return None
        entries = [] if insert else list(self.game.history.entries_between(number, number))
        timeline_entry = self.timeline(entries).entry(number, insert)
        if timeline_entry is None or (insert and not visible_entry(timeline_entry, self.viewer).is_visible):
            return None
        return timeline_entry

    def position_of(self, name: Name) -> Place:
        """Return the place of an action of the known journal. Raises NoSuchAction."""
        timeline_entry = self.timeline_entry(name)
        if timeline_entry is None:
            raise NoSuchAction(name, self.version)
        return timeline_entry.position

    def read(self, number: int, stored: bytes) -> Entry:
        """Return the entry of an action from the canonical bytes. Raises JournalDamaged for the entry of
        another action.
        """
        return read_stored(self.game.id, number, stored)

    def walk(self) -> Walk:
        """Return the states after actions requested in order, by the known corrections."""
        return Walk(self.game.history, self.corrections)

    def timeline(self, entries: list[Entry]) -> Timeline:
        """Return the effective history over some entries of the journal, with every known correction."""
        return self.game.history.timeline(entries, self.corrections)

    def seen_by(self, viewer: Viewer) -> Moment:
        """Return the moment for another viewer."""
        return replace(self, viewer=current_viewer(self.newest, viewer))

    def seen_at(self, at: Name | None, known_at: Name | None) -> Moment:
        """Return the moment at another time: takes `at` and `known_at` like `open_moment`."""
        return open_moment(self.store, self.game, self.newest, self.viewer, at, known_at, leaf=self.leaf)


def open_moment(
    store: Store,
    game: Game,
    newest: State,
    viewer: Viewer,
    at: Name | None = None,
    known_at: Name | None = None,
    *,
    leaf: bytes | None = None,
) -> Moment:
    """Open a game at the version of a state, with the last entry hash `leaf`, right after action `at`.

    `known_at` is the known part of the journal. Both default to the head. Entries after `known_at` have not
    happened yet, so `at` is at most `known_at`. An inserted action is as old as the correction. Raises
    NoSuchAction for missing actions.
    """
    known_version = newest.version
    if known_at is not None:
        known_version = label_of(known_at)[0]
        if known_version > newest.version:
            raise NoSuchAction(known_at, newest.version)
    if at is not None and label_of(at)[0] > newest.version:
        raise NoSuchAction(at, newest.version)
    number = known_version if at is None or isinstance(at, str) else min(at, known_version)
    moment = Moment(store, game, newest, current_viewer(newest, viewer), (number, *_WHOLE), known_version, leaf)
    for inserted in (at, known_at):
        if isinstance(inserted, str):
            position = moment.position_of(inserted)
            if inserted is at:
                return replace(moment, through=position)
    return moment
