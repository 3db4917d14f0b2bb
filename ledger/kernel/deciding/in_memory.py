"""A game in memory: the kernel alone, without storage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from random import Random
from typing import Generic

from ledger.kernel.deciding.decision import Decision
from ledger.kernel.deciding.due import due, due_immediately
from ledger.kernel.deciding.steps import (
    S,
    decide_after_steps,
    decide_request,
    entry_of,
    request_of,
    require_may_mend,
    salt_of,
)
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry, canonical, read
from ledger.kernel.journal.timeline import Timeline
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.draft import Request
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook


class JournalInMemory(Generic[S]):
    """The journal of a game in memory: a `Past` that folds every state from the start."""

    def __init__(self, rulebook: Rulebook[S]) -> None:
        self.rulebook = rulebook
        self.entries: list[Entry] = []
        self._start: S = rulebook.blank()

    def append(self, entry: Entry) -> None:
        """Append an entry, decoded from the stored bytes."""
        self.entries.append(read(canonical(entry)))

    def recorded(self, numbers: Iterable[int]) -> list[Entry]:
        """Return the existing entries with the given numbers."""
        return [self.entries[number - 1] for number in sorted({*numbers}) if 1 <= number <= len(self.entries)]

    def timeline(self) -> Timeline:
        """Return the effective history."""
        return Timeline(self.entries, self.rulebook.codec.event)

    def state_then(self, number: int) -> S:
        """Return the state right after an action as known at the time. Raises LookupError before the start."""
        return self._state(number, Timeline(self.entries[:number], self.rulebook.codec.event))

    def state_after(self, number: int) -> S:
        """Return the state right after an action of the effective history. Raises LookupError before the start."""
        return self._state(number, self.timeline())

    def _state(self, number: int, timeline: Timeline) -> S:
        state = self._start.copy()
        start = state.version
        if number < start:
            raise LookupError(f"nothing is known of the moment after action {number}, before {start}")
        for timeline_entry in timeline.effective(number):
            if timeline_entry.position[0] > start:
                state.fold(timeline_entry.events)
        if number > start:
            entry = self.entries[number - 1]
            state.version, state.last_at = number, entry.recorded_at
            state.seq = entry.first_seq + len(entry.events) - 1
            state.corrections = (*state.corrections, *_corrections(timeline, start, number))
        return state


def _corrections(timeline: Timeline, start: int, until: int) -> Iterator[tuple[int, int]]:
    """Yield the corrections after action `start` up to action `until`: the number, and the first action
    touched.
    """
    for number in range(start + 1, until + 1):
        timeline_entry = timeline.entry(number)
        for event in () if timeline_entry is None else timeline_entry.recorded:
            if isinstance(event, HistoryCorrected):
                yield number, event.first


class GameInMemory(Generic[S]):
    """A game under way in memory, with the entries of a stored game.

    Takes the rulebook, the opening, the game name for the entries, the opening time, and the source of every
    die, shuffle and salt. `state` is the state after the last action.

    If the table throws the dice, `chance` throws for the actions of players, and nothing throws for actions due
    by time. With `draws_given`, the actions bring all values, and nothing is thrown.
    """

    def __init__(
        self,
        rulebook: Rulebook[S],
        opening: Opening,
        *,
        name: str,
        at: datetime,
        chance: Random,
        draws_given: bool = False,
    ) -> None:
        self.rulebook = rulebook
        self.opening = opening
        self.name = name
        self.chance = chance
        self._draws_given = draws_given
        self.state: S = rulebook.blank()
        self.past = JournalInMemory(rulebook)
        self.perform(rulebook.play.opening_action(opening), None, "system", at)

    @property
    def journal(self) -> list[Entry]:
        """The entries, in order."""
        return self.past.entries

    def perform(
        self,
        action: Action,
        seat: str | None,
        by: str,
        at: datetime,
        override: str | None = None,
        *,
        settle: bool = False,
    ) -> Decision:
        """Decide and store an action; with `settle`, after the default steps needed by the action.

        Actions made due at once are stored too. Returns the decision of the action itself. Raises a Refusal,
        and stores nothing then.
        """
        request = request_of(self.rulebook, self.past, action, seat=seat, by=by, at=at, override=override)
        require_may_mend(self.rulebook, self.state, request, self.past)
        chance = self._chance_for(by)
        if settle:
            steps, decision = decide_after_steps(self.rulebook, self.state, request, self.past, chance)
            for step in steps:
                self._keep(*step)
        else:
            decision, _ = decide_request(self.rulebook, self.state, request, self.past, chance)
        self._keep(request, decision)
        for step in due_immediately(self.rulebook, self.state, at, self._chance_for("system")):
            self._keep(*step)
        return decision

    def catch_up(self, at: datetime) -> None:
        """Perform the actions that have fallen due by the moment."""
        for request, decision in due(self.rulebook, self.state, at, self._chance_for("system")):
            self._keep(request, decision)

    def take_up(self, at: datetime) -> None:
        """Resume after a long pause, like a game forked from the moment."""
        first = self.rulebook.progress.resume_action(self.state)
        if first is not None:
            self.perform(first[0], first[1], "system", at)

    def _chance_for(self, by: str) -> Random | None:
        is_given = self._draws_given or (self.state.dice == "table" and by == "system")
        return None if is_given else self.chance

    def _keep(self, request: Request, decision: Decision) -> None:
        self.past.append(entry_of(self.name, request, decision, salt_of(self.chance)))
        self.state = decision.state
