"""A game kept in memory: the same rulebook, decisions and journal as at a real table, without a database.

What is played here can be stored later: the entries are those that a ledger would have appended.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from random import Random
from typing import Any, Generic, TypeVar

import msgspec

from ledger.kernel.actions import Action
from ledger.kernel.decision import Decision, Request, decide
from ledger.kernel.history.replanning import plan
from ledger.kernel.history.timeline import Timeline
from ledger.kernel.journal import Entry, body, canonical, read
from ledger.kernel.rulebook import Opening, Rulebook
from ledger.kernel.state import State

S = TypeVar("S", bound=State)


class Rehearsal(Generic[S]):
    """A game under way in memory.

    Takes the rulebook, the opening, the name its entries carry as their game, when it is opened, and the source of
    every die, shuffle and salt. `state` is the fold of the effective history, `journal` the entries in order.

    Where the table throws its own dice, whoever acts throws them, and nobody does when time alone is up.
    """

    def __init__(
        self, rulebook: Rulebook[S], opening: Opening, *, name: str, at: datetime, chance: Random
    ) -> None:
        self.rulebook = rulebook
        self.opening = opening
        self.name = name
        self.chance = chance
        self.state: S = rulebook.blank()
        self.journal: list[Entry] = []
        self.perform(rulebook.opening_action(opening), None, "system", at)

    def perform(
        self, action: Action, seat: str | None, by: str, at: datetime, override: str | None = None
    ) -> Decision:
        """Decide an action and keep it. Raises a Refusal; nothing is kept then."""
        request = Request(
            action=action, seat=seat, by=by, at=at, override=override, cited=self._cited(action.cites())
        )
        decision = self._decide(request)
        self._keep(request, decision)
        return decision

    def catch_up(self, at: datetime) -> None:
        """Perform what time alone has made due at this moment."""
        while not self.state.ended and (due := self.rulebook.due(self.state, at)) is not None:
            self.perform(due[0], due[1], "system", at)

    def take_up(self, at: datetime) -> None:
        """Go on after a long pause as a game does that goes on from this moment of another one."""
        first = self.rulebook.taking_up(self.state)
        if first is not None:
            self.perform(first[0], first[1], "system", at)

    def timeline(self, entries: Iterable[Entry] | None = None) -> Timeline:
        """The effective history, of the whole journal or of these entries."""
        return Timeline(self.journal if entries is None else entries, self.rulebook.event)

    def state_after(self, number: int) -> S:
        """The state right after an action of the effective history, folded from the start."""
        state = self.rulebook.blank()
        for standing in self.timeline().effective(number):
            state.fold(standing.events)
        if number:
            entry = self.journal[number - 1]
            state.version, state.last_at = number, entry.recorded_at
            state.seq = entry.first_seq + len(entry.events) - 1
        return state

    def _cited(self, numbers: Iterable[int]) -> dict[int, Any]:
        known = [number for number in numbers if 1 <= number <= self.state.version]
        entries = [self.journal[number - 1] for number in sorted(known)]
        return self.timeline(entries).cited(self.rulebook, known) if known else {}

    def _decide(self, request: Request) -> Decision:
        """Decide; what mends the past is worked out first."""
        chance = None if self.state.dice == "table" and request.by == "system" else self.chance
        mending = request.action.mends()
        if mending is None:
            return decide(self.rulebook, self.state, request, chance=chance)
        found = plan(
            self.rulebook, self.timeline(), self.state, lambda number: self.state_after(number - 1), mending
        )
        return decide(self.rulebook, found.after, request, chance=chance, correction=found.event)

    def _keep(self, request: Request, decision: Decision) -> None:
        """Write the action into the journal as its stored bytes tell it."""
        entry = Entry(
            game=self.name,
            number=self.state.version + 1,
            kind=request.action.kind,
            seat=request.seat,
            by=request.by,
            params=msgspec.Raw(body(request.action)),
            draws=decision.draws,
            recorded_at=request.at,
            override=request.override,
            warnings=decision.warnings,
            events=tuple(msgspec.Raw(body(event)) for event in decision.events),
            first_seq=self.state.seq + 1,
            salt=self.chance.randbytes(16).hex(),
        )
        self.journal.append(read(canonical(entry)))
        self.state = decision.state
