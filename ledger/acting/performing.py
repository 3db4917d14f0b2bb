"""Performing actions: decide, append, then answer.

Deciding is optimistic. An action is decided on the state in memory and appended under the next number. If that
number is taken, the state was stale: it is brought up to date and the action is decided again, or refused when the
caller expected a version. A refusal counts only if the state that it is based on is still the head. When races are
lost, because several processes write to one game, its writers take turns.

What time alone has made due comes right before the requested action, and what the action makes due at once right
after it. All of it is appended in one transaction, or nothing. What is due by time is appended by itself where it
ends the game, since no action of play can follow it any more, and before a player's undo: the undo is decided on
a journal that tells what the time has done.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import msgspec

from ledger.acting.allowing import Command, allowed_action, as_far_as_known, require_may_settle, require_may_try
from ledger.acting.appending import Appending, StoredPast, Written
from ledger.acting.outcomes import Performed, StaleVersion, TooBusy
from ledger.acting.requests import (
    _CallerRequest,
    _decide_asked,
    _key_used,
    _request,
    _takes_back,
    _too_late,
    request_digest,
)
from ledger.acting.seeds import Seeds
from ledger.acting.sharing import Sharing, TooManyWait
from ledger.games.clock import Clock
from ledger.games.game import Game
from ledger.games.games import Games, UnknownGame
from ledger.games.moments import open_moment
from ledger.kernel.deciding.decision import Decision, named
from ledger.kernel.deciding.due import MOST_AT_ONCE, due, due_at_once
from ledger.kernel.deciding.steps import beside, decided, entry_of, require_may_mend, salt_of, settled
from ledger.kernel.dice.deriving import Throws
from ledger.kernel.dice.shared import Gathered, SharedThrows, ValuesWanted
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import GameOver, Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import covered
from ledger.kernel.journal.timeline import Standing, made_at_once
from ledger.kernel.rules.draft import Request
from ledger.reading.entries.consequences import foreseen_changes, seen_corrections
from ledger.reading.entries.dry_run import view_dry_run
from ledger.reading.entries.journal import read_entry
from ledger.reading.entries.overdue import forewarned
from ledger.reading.entries.shared import SharedEntry, keep, made_correction
from ledger.reading.entries.views import EntryView
from ledger.reading.history.previews import preview_of
from ledger.store.records import KeyReused, LostRace, Replayed

T = TypeVar("T")


_HASTY_ATTEMPTS = 2
"""How often an action is decided on the state in memory, before it waits for its turn among all processes."""


_ATTEMPTS = 100
"""How often an action in turn is decided again, because another was appended out of turn."""


_THROWS = 10
"""How many shared throws an action waits for, because another action took each one before it."""


_CROWDED = 50
"""After a lost race, writers wait for their turn from the start, until in so many turns no other process has
written."""


@dataclass(frozen=True, slots=True)
class _Made:
    """What a request comes to, in order, each decided on the state after the one before it.

    `timely` is due by time, `steps` are the default steps before the requested action (`asked`), and `after` is
    what that makes due at once. All of it draws from `throws`.
    """

    timely: list[tuple[Request, Decision]]
    steps: list[tuple[Request, Decision]]
    asked: tuple[Request, Decision]
    after: list[tuple[Request, Decision]]
    throws: Throws | SharedThrows | None


class _TimeFirst(Exception):  # noqa: N818 - it names a condition
    """What time alone has made due is appended before the request is decided: what that is, and its throws."""

    def __init__(self, timely: list[tuple[Request, Decision]], throws: Throws | SharedThrows | None) -> None:
        super().__init__("what is due by time comes first")
        self.timely = timely
        self.throws = throws


@dataclass(frozen=True, slots=True)
class _Appended:
    """What was appended: the default steps with the requested action last, and the state after everything."""

    done: list[tuple[Written, Decision]]
    now: State


class Performing:
    """Performs and previews actions.

    Takes the games, the clock, a source of randomness, what appends, the seeds from which the service throws, and
    what asks the seats for the values of shared throws.
    """

    def __init__(
        self,
        games: Games,
        clock: Clock,
        chance: random.Random,
        appending: Appending,
        seeds: Seeds,
        sharing: Sharing,
    ) -> None:
        self._games = games
        self._clock = clock
        self._chance = chance
        self._appending = appending
        self._seeds = seeds
        self._sharing = sharing

    def perform(
        self,
        game_id: str,
        viewer: Viewer,
        command: Command,
        *,
        language: str = "en",
        expected: int | None = None,
        key: str | None = None,
        asked: object = None,
        settle: bool = False,
    ) -> Performed:
        """Perform one action and return its entry as the viewer sees it.

        With `settle`, which is for the banker, the game's default steps that the action needs come before it.

        `expected` is the version that the caller expects. `key` makes the request safe to repeat. `asked` is the
        caller's original request when the command was derived from it. Raises a Refusal (nothing is written),
        UnknownGame, StaleVersion, KeyUsed, TooBusy, Unrevealed, or StoreError when the database fails.
        """
        game = self._games.open(game_id)
        with as_far_as_known(game, viewer, command):
            return self._perform(game, viewer, command, language, expected, key, asked, settle=settle)

    def _perform(
        self,
        game: Game,
        viewer: Viewer,
        command: Command,
        language: str,
        expected: int | None,
        key: str | None,
        asked: object,
        *,
        settle: bool,
    ) -> Performed:
        action = allowed_action(game, viewer, command)
        if settle:
            require_may_settle(viewer, action)
            asked = ["settle", command]
        digest = None if key is None else request_digest(viewer, command if asked is None else asked)
        wanted = _CallerRequest(viewer, command, action, expected, key, digest, settle)
        try:
            done = self._written(game, wanted)
        except (Refusal, StaleVersion):
            # A repetition of an accepted request gets its first answer, although it would be refused now.
            earlier = self.earlier(game, key, digest)
            if earlier is None:
                raise
            return self.repeated(game, earlier, viewer, language)
        if isinstance(done, Replayed):
            return self.repeated(game, done.number, viewer, language)
        # From now on the time of the game goes on, also where the clock was set back.
        self._clock.after(done.now)
        *steps, view = (self._fresh(game, done.now, *one, viewer, language) for one in done.done)
        return Performed(_after_steps(view, steps), done.now.version)

    def preview(
        self,
        game_id: str,
        viewer: Viewer,
        command: Command,
        *,
        language: str = "en",
        expected: int | None = None,
        settle: bool = False,
    ) -> Performed:
        """Return what `perform` would answer, without writing. Nothing is drawn: the draws must be given.

        What the action would make due at once is not part of it.
        """
        game = self._games.open(game_id)
        viewer = covered(game.state, viewer)
        require_may_try(viewer, command)
        with as_far_as_known(game, viewer, command):
            return self._preview(game, viewer, command, language, expected, settle=settle)

    def _preview(
        self, game: Game, viewer: Viewer, command: Command, language: str, expected: int | None, *, settle: bool
    ) -> Performed:
        action = allowed_action(game, viewer, command)
        if settle:
            require_may_settle(viewer, action)
        with game.lock:
            self._games.catch_up(game)
            head = game.state
            if expected is not None and expected != head.version:
                raise StaleVersion(expected, head.version)
            at = self._clock.after(head)
            # Not from the seed: a dry run must not tell what will really be thrown.
            chance = self._chance if head.dice == "service" else None
            takes_back = _takes_back(viewer, action)
            waits = takes_back or not action.docket
            timely = list(due(game.rulebook, head, at, chance)) if waits else []
            if timely and takes_back:
                with named(game.rulebook, head):
                    raise _too_late(timely)
            state = timely[-1][1].state if timely else head
            past = StoredPast(game, state)
            request = _request(game, past, viewer, command, action, at)
            require_may_mend(game.rulebook, state, request, past)
            steps: list[tuple[Request, Decision]] = []
            found = None
            if settle:
                steps, decision = settled(game.rulebook, state, request, past, None)
            else:
                decision, found = decided(game.rulebook, state, request, past, None)
            changes = {} if found is None else foreseen_changes(game.rulebook, found, viewer)
            # What is due by time is as unknown to the viewer as the requested action: compare with the head.
            views = []
            since = head
            for asked, made in (*steps, (request, decision)):
                views.append(
                    view_dry_run(
                        game.rulebook,
                        entry_of(game.id, asked, made, salt_of(self._chance)),
                        made.events,
                        head,
                        made.state,
                        viewer,
                        language,
                        changes,
                        since,
                    )
                )
                since = made.state
            *before, view = views
            shown = None
            if found is not None:
                found = beside(game.rulebook, state, request, past, found)
                shown = preview_of(game.rulebook, found, viewer, language, game.setup.players)
                stale = self._games.store.head(game.id) > head.version
                more = forewarned(game.rulebook, decision.state, at, language)
                shown = msgspec.structs.replace(shown, stale=stale, warnings=(*shown.warnings, *more))
            return Performed(_after_steps(view, before), head.version, preview=shown)

    def time_after(self, state: State) -> datetime:
        """The time of an action that comes after a state."""
        return self._clock.after(state)

    def earlier(self, game: Game, key: str | None, digest: bytes | None) -> int | None:
        """The number of the action that a request with this key performed; None without one. Raises KeyUsed."""
        if key is None:
            return None
        outcome = self._games.store.request(game.id, key, digest)
        if isinstance(outcome, KeyReused):
            raise _key_used(outcome)
        return None if outcome is None else outcome.number

    def repeated(self, game: Game, number: int, viewer: Viewer, language: str) -> Performed:
        """Answer a repeated request, which performed action `number` the first time."""
        entry = read_entry(self._games.moment(game.id, viewer), number, language)
        if entry is None:
            raise UnknownGame(game.id)
        return Performed(entry, self._last_with(game, number), replayed=True)

    def _last_with(self, game: Game, number: int) -> int:
        """The number of the last action that was appended together with an action, which made it due at once."""
        last = min(number + MOST_AT_ONCE, game.state.version)
        entries = {one.number: one for one in game.history.entries_between(number, last)}
        return max((number, *made_at_once(number, entries.get)))

    def in_turn(self, game: Game, work: Callable[[], T]) -> T:
        """Run the work when it is its turn among the writers of all processes, so that hardly any race is lost.

        Returns and raises as the work does; raises StoreUnavailable when the others take too long.
        """
        return game.queue.run(work, lambda: self._turn(game))

    @contextmanager
    def _turn(self, game: Game) -> Iterator[None]:
        """Have a game's turn in the block. A decision on a state of before the turn would be in vain.

        When the turn does not come, the block goes on without it, and may lose races.
        """
        with self._games.store.in_turn(game.id) as is_mine:
            if not is_mine:
                game.crowded = 0  # Waiting is in vain.
            if self._games.catch_up(game) and is_mine:
                game.crowded = _CROWDED
            elif game.crowded:
                game.crowded -= 1
            yield

    def _written(self, game: Game, asked: _CallerRequest) -> _Appended | Replayed:
        """Decide and append. Whoever needs values for a shared throw waits for them without holding up others.

        Raises the exceptions of `perform`.
        """
        gathered: Gathered | None = None
        for _ in range(_THROWS):
            try:
                return self._written_with(game, asked, gathered)
            except ValuesWanted as wanted:
                strict = game.state.shared == "shared_or_table"
                try:
                    gathered = self._sharing.gather(game.id, wanted, strict=strict)
                except TooManyWait:
                    raise TooBusy(game.id) from None
        raise TooBusy(game.id)

    def _written_with(self, game: Game, asked: _CallerRequest, gathered: Gathered | None) -> _Appended | Replayed:
        """Decide and append: at once, or in turn while others are fast. Raises ValuesWanted for another throw."""
        if not game.crowded:
            done = self._tried(game, asked, gathered, _HASTY_ATTEMPTS)
            if done is not None:
                return done
            game.crowded = _CROWDED
        done = self.in_turn(game, lambda: self._tried(game, asked, gathered, _ATTEMPTS))
        if done is None:
            raise TooBusy(game.id)
        return done

    def _tried(
        self, game: Game, asked: _CallerRequest, gathered: Gathered | None, attempts: int
    ) -> _Appended | Replayed | None:
        """Decide and append; None when another action was faster each time."""
        for _ in range(attempts):
            with game.lock:
                done = self._append(game, asked, gathered)
                if done is not None:
                    return done
                self._games.catch_up(game)
        return None

    def _append(self, game: Game, asked: _CallerRequest, gathered: Gathered | None) -> _Appended | Replayed | None:
        """Decide on the state in memory and append. None when this was not the head."""
        # 1. Decide on the state in memory: what is due by time, the requested action, what that makes due.
        try:
            made = self._decide(game, asked, gathered)
        except _TimeFirst as first_of_all:
            # Decided again after it, the request is refused: the game is over, or its action the last one no more.
            self._appending.append_all(game, first_of_all.timely, throws=first_of_all.throws)
            return None
        except (Refusal, StaleVersion):
            # 2. A refusal counts only if it was decided on the head.
            if self._games.catch_up(game):
                return None
            raise
        # 3. Append the requested action, with what comes before it and after it: all of it or nothing.
        first = [*made.timely, *made.steps]
        entries = [*first, made.asked, *made.after]
        outcome: list[Written] | Written | Replayed | KeyReused | LostRace
        if len(entries) > 1:
            outcome = self._appending.append_all(
                game, entries, asked.key, asked.digest, asked=len(first), throws=made.throws
            )
        else:
            outcome = self._appending.append(game, *made.asked, asked.key, asked.digest, throws=made.throws)
        match outcome:
            case list():
                written = zip(outcome, (one for _, one in entries), strict=True)
                return _Appended(list(written)[len(made.timely) : len(first) + 1], entries[-1][1].state)
            case Written():
                return _Appended([(outcome, made.asked[1])], made.asked[1].state)
            case Replayed():
                return outcome
            case KeyReused():
                raise _key_used(outcome)
            case LostRace():
                return None

    def _decide(self, game: Game, asked: _CallerRequest, gathered: Gathered | None) -> _Made:
        """Decide on the state in memory all that the request comes to."""
        state = game.state
        if state.ended and not asked.action.docket:
            raise GameOver(game.rulebook.end_rule)
        if asked.expected is not None and asked.expected != state.version:
            raise StaleVersion(asked.expected, state.version)
        at = self._clock.after(state)
        throws = self._seeds.throws(game, gathered) if state.dice == "service" else None
        takes_back = _takes_back(asked.viewer, asked.action)
        waits = takes_back or not asked.action.docket
        timely = list(due(game.rulebook, state, at, throws)) if waits else []
        base = timely[-1][1].state if timely else state
        if timely and (base.ended or takes_back):
            raise _TimeFirst(timely, throws)
        past = StoredPast(game, base)
        request = _request(game, past, asked.viewer, asked.command, asked.action, at)
        require_may_mend(game.rulebook, base, request, past)
        try:
            steps, decision = _decide_asked(game, base, request, past, asked, throws)
        except (Refusal, ValuesWanted):
            # What is refused must not tell what would be thrown, and seats give no values for it: whatever is
            # refused without regard to the throw is refused on another one.
            if throws is not None and request.action.mends() is None:
                _decide_asked(game, base, request, past, asked, self._chance)
            raise
        after = due_at_once(game.rulebook, decision.state, at, throws)
        return _Made(timely, steps, (request, decision), list(after), throws)

    def _fresh(
        self, game: Game, now: State, written: Written, decision: Decision, viewer: Viewer, language: str
    ) -> EntryView:
        """The view of an entry right after it was written. It is kept for the other viewers of the entry.

        `now` is the state after the whole request.
        """
        entry, number = written.entry, written.entry.number
        standing = Standing(entry, "effective", decision.events, decision.events, place=(number, 0, 0))
        before = decision.state
        if not made_correction(decision.state, number):
            before = game.history.state_after(number - 1, now.corrections)
        shared = SharedEntry(game, now, standing, written.leaf, before, decision.state)
        moment = open_moment(self._games.store, game, now, viewer)
        keep(moment, number, shared)
        return shared.seen_by(moment.viewer, language, seen_corrections(moment, (number,)))


def _after_steps(view: EntryView, steps: list[EntryView]) -> EntryView:
    """The view of an action after the default steps that were taken before it."""
    return msgspec.structs.replace(view, settled=tuple(steps)) if steps else view
