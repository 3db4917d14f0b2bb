"""Performing actions: decide, append, then answer.

Deciding is optimistic. An action is decided on the state in memory and appended under the next number. If the
number is taken, the state was stale: the state is brought up to date and the action is decided again, or
refused if the caller expected a version. A refusal counts only if decided on the head. If races are lost,
because several processes write to one game, the writers take turns.

Actions due by time come right before the requested action, and actions made due at once right after. All
actions are appended in one transaction, or none. Actions due by time are appended separately in two cases: if
they end the game, because no action of play can follow, and before a player's undo, which must be decided on a
journal with the effects of time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import msgspec

from ledger.acting.allowing import Command, allowed_action, require_may_settle
from ledger.acting.appending import AppendedEntry, Appending, StoredPast
from ledger.acting.covering import as_far_as_known, require_foreseeable, require_may_try
from ledger.acting.outcomes import Performed, StaleVersion, TooBusy
from ledger.acting.requests import (
    CallerRequest,
    decide_requested,
    is_undo_by_player,
    key_used,
    request_digest,
    request_in_game,
    undo_too_late,
)
from ledger.acting.seeds import Seeds
from ledger.acting.sharing import Sharing, TooManyWaiting
from ledger.games.clock import Clock
from ledger.games.game import Game
from ledger.games.games import Games, UnknownGame
from ledger.games.moments import open_moment
from ledger.kernel.deciding.decision import Decision, named
from ledger.kernel.deciding.due import MOST_AT_ONCE, due, due_immediately
from ledger.kernel.deciding.steps import (
    alternatives,
    decide_after_steps,
    decide_request,
    entry_of,
    require_may_mend,
    salt_of,
)
from ledger.kernel.dice.deriving import Throws
from ledger.kernel.dice.shared import CollectedValues, SharedThrows, ValuesNeeded
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.refusals import GameOver, Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import as_playing_banker
from ledger.kernel.journal.timeline import TimelineEntry, made_at_once
from ledger.kernel.rules.draft import Request
from ledger.reading.entries.consequences import foreseen_changes, seen_corrections
from ledger.reading.entries.dry_run import view_dry_run
from ledger.reading.entries.journal import read_entry
from ledger.reading.entries.overdue import warn_of_due
from ledger.reading.entries.shared import SharedEntry, keep, made_correction
from ledger.reading.entries.views import EntryView
from ledger.reading.history.previews import preview_of
from ledger.store.records import KeyReused, LostRace, Replayed

T = TypeVar("T")


_HASTY_ATTEMPTS = 2
"""Number of attempts on the state in memory before the action waits for a turn among all processes."""


_ATTEMPTS = 100
"""Number of attempts in turn, each after another action was appended out of turn."""


_THROWS = 10
"""Number of shared throws awaited by an action, each after another action took the throw before."""


_CROWDED = 50
"""Number of turns without writes by other processes after which writers, following a lost race, stop waiting
for turns.
"""


@dataclass(frozen=True, slots=True)
class _Decisions:
    """The decisions of a request, in order, each made on the state of the previous decision.

    `timely` are the actions due by time, `steps` the default steps before the `requested` action, and
    `consequences` the actions made due at once. All decisions draw from `throws`.
    """

    timely: list[tuple[Request, Decision]]
    steps: list[tuple[Request, Decision]]
    requested: tuple[Request, Decision]
    consequences: list[tuple[Request, Decision]]
    throws: Throws | SharedThrows | None


class _DueActionsFirst(Exception):  # noqa: N818 - it names a condition
    """The actions due by time, with the throws, must be appended before the request is decided."""

    def __init__(self, timely: list[tuple[Request, Decision]], throws: Throws | SharedThrows | None) -> None:
        super().__init__("what is due by time comes first")
        self.timely = timely
        self.throws = throws


@dataclass(frozen=True, slots=True)
class _Appended:
    """The appended entries: the default steps with the requested action last, and the state after all actions."""

    done: list[tuple[AppendedEntry, Decision]]
    state: State


class Performing:
    """Performs and previews actions.

    Takes the games, the clock, a source of randomness, the appending part, the seeds for throws by the service,
    and the sharing part, which asks the seats for the values of shared throws.
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
        original: object = None,
        settle: bool = False,
    ) -> Performed:
        """Perform an action and return the entry for the viewer.

        With `settle`, reserved for the banker, the default steps needed by the action come first.

        `expected` is the version expected by the caller. `key` makes the request safe to repeat. `original` is
        the caller's request if the command was derived from a different request. Raises a Refusal (nothing is
        written), UnknownGame, StaleVersion, KeyUsed, TooBusy, ValuesNotRevealed, or StoreError if the database
        fails.
        """
        game = self._games.open(game_id)
        with as_far_as_known(game, viewer, command.kind, command.seat):
            return self._perform(game, viewer, command, language, expected, key, original, settle=settle)

    def _perform(
        self,
        game: Game,
        viewer: Viewer,
        command: Command,
        language: str,
        expected: int | None,
        key: str | None,
        original: object,
        *,
        settle: bool,
    ) -> Performed:
        action = allowed_action(game, viewer, command)
        if settle:
            require_may_settle(viewer, action)
            original = ["settle", command]
        digest = None if key is None else request_digest(viewer, command if original is None else original)
        call = CallerRequest(viewer, command, action, expected, key, digest, settle)
        try:
            done = self._written(game, call)
        except (Refusal, StaleVersion):
            # A repeated request gets the first answer, even if the rules would refuse it now.
            earlier = self.earlier(game, key, digest)
            if earlier is None:
                raise
            return self.repeated(game, earlier, viewer, language)
        if isinstance(done, Replayed):
            return self.repeated(game, done.number, viewer, language)
        # Move the game's time forward, even if the clock was set back.
        self._clock.game_time(done.state)
        *steps, view = (self.answer(game, done.state, *pair, viewer, language) for pair in done.done)
        return Performed(_after_steps(view, steps), done.state.version)

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
        """Return the answer of `perform` without writing. Nothing is drawn: the request must contain the draws.

        Actions made due at once are not included.
        """
        game = self._games.open(game_id)
        viewer = as_playing_banker(game.state, viewer)
        require_may_try(viewer, command.seat)
        with as_far_as_known(game, viewer, command.kind, command.seat):
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
            at = self._clock.game_time(head)
            # Not the seed: a dry run must not reveal the real throws.
            chance = self._chance if head.dice == "service" else None
            takes_back = is_undo_by_player(viewer, action)
            waits = takes_back or not action.docket
            timely = list(due(game.rulebook, head, at, chance)) if waits else []
            if timely and takes_back:
                with named(game.rulebook, head):
                    raise undo_too_late(timely)
            state = timely[-1][1].state if timely else head
            past = StoredPast(game, state)
            request = request_in_game(game, past, viewer, command, action, at)
            require_may_mend(game.rulebook, state, request, past)
            require_foreseeable(game, state, past, viewer, request, dry_run=True)
            steps: list[tuple[Request, Decision]] = []
            plan = None
            if settle:
                steps, decision = decide_after_steps(game.rulebook, state, request, past, None)
            else:
                decision, plan = decide_request(game.rulebook, state, request, past, None)
            changes = {} if plan is None else foreseen_changes(game.rulebook, plan, viewer)
            # The effects of time are as new to the viewer as the requested action, so compare with the head.
            views = []
            since = head
            for step_request, step_decision in (*steps, (request, decision)):
                views.append(
                    view_dry_run(
                        game.rulebook,
                        entry_of(game.id, step_request, step_decision, salt_of(self._chance)),
                        step_decision.events,
                        head,
                        step_decision.state,
                        viewer,
                        language,
                        changes,
                        since,
                    )
                )
                since = step_decision.state
            *step_views, view = views
            shown_preview = None
            if plan is not None:
                plan = alternatives(game.rulebook, state, request, past, plan)
                shown_preview = preview_of(game.rulebook, plan, viewer, language, game.setup.players)
                stale = self._games.store.journal.head(game.id) > head.version
                extra_warnings = warn_of_due(game.rulebook, decision.state, at, language)
                shown_preview = msgspec.structs.replace(
                    shown_preview, stale=stale, warnings=(*shown_preview.warnings, *extra_warnings)
                )
            return Performed(_after_steps(view, step_views), head.version, preview=shown_preview)

    def time_after(self, state: State) -> datetime:
        """Return the time of an action after a state."""
        return self._clock.game_time(state)

    def earlier(self, game: Game, key: str | None, digest: bytes | None) -> int | None:
        """Return the number of the action performed by an earlier request with the given key, or None. Raises
        KeyUsed.
        """
        if key is None:
            return None
        outcome = self._games.store.journal.request(game.id, key, digest)
        if isinstance(outcome, KeyReused):
            raise key_used(outcome)
        return None if outcome is None else outcome.number

    def repeated(self, game: Game, number: int, viewer: Viewer, language: str) -> Performed:
        """Answer a repeated request, which performed action `number` the first time."""
        entry = read_entry(self._games.moment(game.id, viewer), number, language)
        if entry is None:
            raise UnknownGame(game.id)
        return Performed(entry, self._last_with(game, number), replayed=True)

    def _last_with(self, game: Game, number: int) -> int:
        """Return the number of the last action appended together with an action as due at once."""
        last = min(number + MOST_AT_ONCE, game.state.version)
        entries = {entry.number: entry for entry in game.history.entries_between(number, last)}
        return max((number, *made_at_once(number, entries.get)))

    def in_turn(self, game: Game, work: Callable[[], T]) -> T:
        """Run the work in turn among the writers of all processes, with hardly any lost race.

        Returns the result and raises the exceptions of the work. Raises StoreUnavailable after too long a wait.
        """
        return game.queue.run(work, lambda: self._turn(game))

    @contextmanager
    def _turn(self, game: Game) -> Iterator[None]:
        """Hold the game's turn in the block. Decisions on a state older than the turn would be in vain.

        Without a turn in time, the block runs anyway and may lose races.
        """
        with self._games.store.turns.in_turn(game.id) as is_mine:
            if not is_mine:
                game.crowded = 0  # Waiting is in vain.
            if self._games.catch_up(game) and is_mine:
                game.crowded = _CROWDED
            elif game.crowded:
                game.crowded -= 1
            yield

    def _written(self, game: Game, call: CallerRequest) -> _Appended | Replayed:
        """Decide and append. A request waits for the values of a shared throw without blocking other requests.

        Raises the exceptions of `perform`.
        """
        gathered: CollectedValues | None = None
        for _ in range(_THROWS):
            try:
                return self._written_with(game, call, gathered)
            except ValuesNeeded as missing_values:
                strict = game.state.shared == "shared_or_table"
                try:
                    gathered = self._sharing.gather(game.id, missing_values, strict=strict)
                except TooManyWaiting:
                    raise TooBusy(game.id) from None
        raise TooBusy(game.id)

    def _written_with(
        self, game: Game, call: CallerRequest, gathered: CollectedValues | None
    ) -> _Appended | Replayed:
        """Decide and append: at once, or in turn in a crowded game. Raises ValuesNeeded for another throw."""
        if not game.crowded:
            done = self._tried(game, call, gathered, _HASTY_ATTEMPTS)
            if done is not None:
                return done
            game.crowded = _CROWDED
        done = self.in_turn(game, lambda: self._tried(game, call, gathered, _ATTEMPTS))
        if done is None:
            raise TooBusy(game.id)
        return done

    def _tried(
        self, game: Game, call: CallerRequest, gathered: CollectedValues | None, attempts: int
    ) -> _Appended | Replayed | None:
        """Decide and append; None if another action was faster each time."""
        for _ in range(attempts):
            with game.lock:
                done = self._append(game, call, gathered)
                if done is not None:
                    return done
                self._games.catch_up(game)
        return None

    def _append(
        self, game: Game, call: CallerRequest, gathered: CollectedValues | None
    ) -> _Appended | Replayed | None:
        """Decide on the state in memory and append. None if the state was not the head."""
        # 1. Decide on the state in memory: actions due by time, the requested action, and actions due at once.
        try:
            decisions = self.decide(game, call, gathered)
        except _DueActionsFirst as first_of_all:
            # The new decision may be a refusal: the game is over, or the action to undo is no longer the last.
            self._appending.append_all(game, first_of_all.timely, throws=first_of_all.throws)
            return None
        except (Refusal, StaleVersion):
            # 2. A refusal counts only if decided on the head.
            if self._games.catch_up(game):
                return None
            raise
        # 3. Append the requested action, with the actions before and after: all or none.
        first = [*decisions.timely, *decisions.steps]
        entries = [*first, decisions.requested, *decisions.consequences]
        outcome: list[AppendedEntry] | AppendedEntry | Replayed | KeyReused | LostRace
        if len(entries) > 1:
            outcome = self._appending.append_all(
                game, entries, call.key, call.digest, requested=len(first), throws=decisions.throws
            )
        else:
            outcome = self._appending.append(
                game, *decisions.requested, call.key, call.digest, throws=decisions.throws
            )
        match outcome:
            case list():
                written = zip(outcome, (decision for _, decision in entries), strict=True)
                return _Appended(list(written)[len(decisions.timely) : len(first) + 1], entries[-1][1].state)
            case AppendedEntry():
                return _Appended([(outcome, decisions.requested[1])], decisions.requested[1].state)
            case Replayed():
                return outcome
            case KeyReused():
                raise key_used(outcome)
            case LostRace():
                return None

    def decide(self, game: Game, call: CallerRequest, gathered: CollectedValues | None) -> _Decisions:
        """Decide all actions of the request on the state in memory."""
        state = game.state
        if state.ended and not call.action.docket:
            raise GameOver(game.rulebook.governance.end_rule)
        if call.expected is not None and call.expected != state.version:
            raise StaleVersion(call.expected, state.version)
        at = self._clock.game_time(state)
        throws = self._seeds.throws(game, gathered) if state.dice == "service" else None
        takes_back = is_undo_by_player(call.viewer, call.action)
        waits = takes_back or not call.action.docket
        timely = list(due(game.rulebook, state, at, throws)) if waits else []
        base = timely[-1][1].state if timely else state
        if timely and (base.ended or takes_back):
            raise _DueActionsFirst(timely, throws)
        past = StoredPast(game, base)
        request = request_in_game(game, past, call.viewer, call.command, call.action, at)
        require_may_mend(game.rulebook, base, request, past)
        require_foreseeable(game, base, past, call.viewer, request, dry_run=False)
        try:
            steps, decision = decide_requested(game, base, request, past, call, throws)
        except (Refusal, ValuesNeeded):
            # A refusal must not reveal the throw, and seats give no values for a refused action: an action
            # refused on any throw is refused here on a different throw.
            if throws is not None and request.action.correction_request() is None:
                decide_requested(game, base, request, past, call, self._chance)
            raise
        consequences = due_immediately(game.rulebook, decision.state, at, throws)
        return _Decisions(timely, steps, (request, decision), list(consequences), throws)

    def answer(
        self, game: Game, state: State, written: AppendedEntry, decision: Decision, viewer: Viewer, language: str
    ) -> EntryView:
        """Return the view of a new entry. The view is cached for other viewers of the entry.

        `state` is the state after the whole request.
        """
        entry, number = written.entry, written.entry.number
        timeline_entry = TimelineEntry(
            entry, "effective", decision.events, decision.events, position=(number, 0, 0)
        )
        state_before = decision.state
        if not made_correction(decision.state, number):
            state_before = game.history.state_after(number - 1, state.corrections)
        shared = SharedEntry(game, state, timeline_entry, written.leaf, state_before, decision.state)
        moment = open_moment(self._games.store, game, state, viewer)
        keep(moment, number, shared)
        return shared.seen_by(moment.viewer, language, seen_corrections(moment, (number,)))


def _after_steps(view: EntryView, steps: list[EntryView]) -> EntryView:
    """Return the view of an action, with the default steps before the action."""
    return msgspec.structs.replace(view, settled=tuple(steps)) if steps else view
