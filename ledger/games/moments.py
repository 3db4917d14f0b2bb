"""Moments: a game at one version, seen by one viewer. Every request opens one moment and reads only from it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from ledger.games.game import Game
from ledger.games.history import Walk
from ledger.games.past import Corrections
from ledger.games.stored import read_stored
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.labels import BEYOND, Name, Place, label_of, name_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import sight, viewer_now
from ledger.kernel.journal.timeline import Standing, Timeline
from ledger.kernel.rules.rulebook import Rulebook
from ledger.store.store import Store

T = TypeVar("T")

_WHOLE = (BEYOND,)
"""What follows the number in a place that is after everything inserted right after that number."""


class Head(NamedTuple):
    """The head of a journal: its version, and the hash of its last entry, which no other journal has.

    The hash is None where it is not known.
    """

    version: int
    leaf: bytes | None


class NoSuchAction(LookupError):  # noqa: N818 - an answer, not a fault
    """The game has no action of this name, or none that the viewer may know of."""

    def __init__(self, name: Name, last: int) -> None:
        super().__init__(f"there is no action {name}; the last one is {last}")
        self.name = name
        self.last = last


@dataclass(frozen=True)
class Moment:
    """A game at one version, as one viewer sees it.

    `now` is the state at the journal's head when the moment was opened. Its version is the version of everything
    that is read from the moment. `through` is the place up to which the game is read, and `at` its number;
    `known_at` is how much of the journal is taken as known. Both numbers are from 1 (0 in an empty journal) to the
    head. To the `viewer` everything is revealed after an end that reveals everything.
    """

    store: Store
    game: Game
    now: State
    viewer: Viewer
    through: Place
    known_at: int
    leaf: bytes | None = None
    """The hash of the last entry of `now`; None where nobody asks for it."""

    @property
    def head(self) -> Head:
        """The journal's head when the moment was opened."""
        return Head(self.version, self.leaf)

    @property
    def rulebook(self) -> Rulebook[Any]:
        """The rulebook of the game."""
        return self.game.rulebook

    @property
    def at(self) -> int:
        """The number of the last action read; or the one after which it is inserted."""
        return self.through[0]

    @property
    def name(self) -> Name:
        """The action right after which the game is read."""
        return self.at if self.through[1:] == _WHOLE else name_of((self.through[-2], self.through[-1]))

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
        """The state at the moment, as known at `known_at`. Do not change this state."""
        if self.through[1:] != _WHOLE:
            return self.game.history.state_at(self.through, self.corrections)
        if self.at == self.known_at == self.version:
            return self.now
        return self.state_after(self.at)

    def state_after(self, number: int) -> State:
        """The state right after an action, by the known corrections. Do not change this state."""
        if number == self.known_at == self.version:
            return self.now
        return self.game.history.state_after(number, self.corrections)

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives of the newest state, kept until the game moves on.

        It is the same for all who have the same key: the key names the viewer, the language and whatever else the
        answer depends on. It may not depend on the time. Do not change what is given.
        """
        return self.game.kept.answer(self.game.id, self.now, key, make)

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives of the state at the moment: kept (see `kept`) when that is the newest one."""
        return self.kept(key, make) if self.state is self.now else make()

    def standing(self, name: Name) -> Standing | None:
        """How an action of the known journal stands; None for an inserted one that the viewer may not know of."""
        number, insert = label_of(name)
        if not 0 < number <= self.known_at:
            return None
        entries = [] if insert else list(self.game.history.entries_between(number, number))
        standing = self.timeline(entries).standing(number, insert)
        if standing is None or (insert and not sight(standing, self.viewer).anything):
            return None
        return standing

    def place(self, name: Name) -> Place:
        """The place of an action of the known journal. Raises NoSuchAction."""
        standing = self.standing(name)
        if standing is None:
            raise NoSuchAction(name, self.version)
        return standing.place

    def read(self, number: int, stored: bytes) -> Entry:
        """The entry of an action from its canonical bytes. Raises JournalDamaged when it is another one's."""
        return read_stored(self.game.id, number, stored)

    def walk(self) -> Walk:
        """The states after actions that are asked for in order, by the known corrections."""
        return Walk(self.game.history, self.corrections)

    def timeline(self, entries: list[Entry]) -> Timeline:
        """The effective history over some entries of the journal, with every known correction."""
        return self.game.history.timeline(entries, self.corrections)

    def seen_by(self, viewer: Viewer) -> Moment:
        """The same moment as another viewer sees it."""
        return replace(self, viewer=viewer_now(self.now, viewer))

    def seen_at(self, at: Name | None, known_at: Name | None) -> Moment:
        """The same version at another time: `at` and `known_at` as `open_moment` takes them."""
        return open_moment(self.store, self.game, self.now, self.viewer, at, known_at, leaf=self.leaf)


def open_moment(
    store: Store,
    game: Game,
    now: State,
    viewer: Viewer,
    at: Name | None = None,
    known_at: Name | None = None,
    *,
    leaf: bytes | None = None,
) -> Moment:
    """Open a game at the version of a state, whose last entry has the hash `leaf`, right after action `at`.

    `known_at` is how much of the journal is taken as known. Both are the head when they are None. Entries after
    `known_at` have not happened yet, so `at` is at most that one. An inserted action is as old as its correction.
    Raises NoSuchAction for actions that there are not.
    """
    known = now.version
    if known_at is not None:
        known = label_of(known_at)[0]
        if known > now.version:
            raise NoSuchAction(known_at, now.version)
    if at is not None and label_of(at)[0] > now.version:
        raise NoSuchAction(at, now.version)
    number = known if at is None or isinstance(at, str) else min(at, known)
    moment = Moment(store, game, now, viewer_now(now, viewer), (number, *_WHOLE), known, leaf)
    for inserted in (at, known_at):
        if isinstance(inserted, str):
            place = moment.place(inserted)
            if inserted is at:
                return replace(moment, through=place)
    return moment
