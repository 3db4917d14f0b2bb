"""An oracle of corrections that knows no timelines: it plays all requests again from the first action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ledger.kernel.deciding.decision import Decision, decide
from ledger.kernel.facts.edits import Drop, Replace, Rewind
from ledger.kernel.facts.labels import Place
from ledger.kernel.facts.refusals import NeedsDraw, Refusal
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.rules.actions import StepGoal
from ledger.kernel.rules.draft import Request
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.state import Negopoly


class Oracle:
    """The state of a journal when its edits are applied to the list of requests, and the list is played again.

    `then` gives the state right after an action as it was known when it was recorded. `was` gives the state right
    before a default step as it was known before the last correction, None where it did nothing then. They tell in
    whose turn an action was taken.
    """

    def __init__(
        self, journal: list[Entry], then: Callable[[int], Negopoly], was: Callable[[Place], Negopoly | None]
    ) -> None:
        self.journal = journal
        self._then = then
        self._was = was
        self.corrections = {entry.number: _corrected(entry).edits for entry in journal if entry.kind == "correct"}
        corrected = [_corrected(entry) for entry in journal if entry.kind == "correct"]
        self._begins = corrected[-1].first if corrected else 0
        """The first action decided again by the last correction."""
        self.statuses: dict[tuple[int, int], str] = {}
        self.state = self._play()

    def _in_force(self, number: int) -> bool:
        """The corrections in force: those that no later correction in force drops."""
        return not any(
            Drop(number) in edits and self._in_force(later)
            for later, edits in self.corrections.items()
            if later > number
        )

    def _play(self) -> Negopoly:
        gone: set[tuple[int, int]] = set()
        replaced: dict[int, dict[str, Any]] = {}
        asked: list[tuple[Place, Request, tuple[Any, ...]]] = []
        for entry in self.journal:
            if entry.kind != "correct":
                events = tuple(RULEBOOK.codec.event(raw) for raw in entry.events)
                asked.append(((entry.number, 0, 0), _request(entry, str(entry.number)), events))
            else:
                for index, one in enumerate(_corrected(entry).insertions, start=1):
                    events = tuple(RULEBOOK.codec.event(raw) for raw in one.action.events)
                    request = _request(one.action, f"{entry.number}-{index}")
                    asked.append(((one.after, *one.under, entry.number, index), request, events))
        asked.sort(key=lambda one: one[0])
        for number, edits in self.corrections.items():
            in_force = self._in_force(number)
            self.statuses[number, 0] = "effective" if in_force else "undone"
            gone |= {_label(place) for place, _, _ in asked if place[-2] == number and not in_force}
            for edit in edits if in_force else ():
                if isinstance(edit, Drop):
                    gone.add((edit.action, 0))
                elif isinstance(edit, Replace):
                    replaced[edit.action] = edit.params
                elif isinstance(edit, Rewind):
                    gone |= {
                        _label(place)
                        for place, request, _ in asked
                        if place[0] >= edit.to and (place[-2] or place[0]) < number and not request.action.docket
                    }
        state = RULEBOOK.blank()
        for place, request, recorded in asked:
            label = _label(place)
            if label in gone:
                self.statuses[label] = "undone"
                continue
            if label[0] in replaced and not label[1]:
                action = RULEBOOK.codec.action(request.action.kind, msgspec.json.encode(replaced[label[0]]))
                request = msgspec.structs.replace(request, action=action)
            state.version = place[0] - (0 if place[1] else 1)
            step = bool(place[1]) and request.by == "system"
            was = self._was(place) if step else self._then(state.version)
            if step and was is None and place[0] < self._begins:
                # It did nothing, and the last correction, which begins later, does not decide it again.
                self.statuses[label] = "restated"
                continue
            try:
                decision = _decided(state, request, was)
            except Refusal:
                done = step or RULEBOOK.progress.is_done(state, StepGoal(request.action, request.seat, was))
                self.statuses[label] = "restated" if done else "voided"
                continue
            state = decision.state
            self.statuses[label] = "effective" if decision.events == recorded else "restated"
        return state


def _corrected(entry: Entry) -> HistoryCorrected:
    (corrected,) = [
        event for event in map(RULEBOOK.codec.event, entry.events) if isinstance(event, HistoryCorrected)
    ]
    return corrected


def _decided(state: Negopoly, request: Request, was: Negopoly | None) -> Decision:
    """Decide a request again, in its own turn only; a move goes on without a card that nobody drew."""
    wrong_turn = (
        None if was is None else RULEBOOK.progress.wrong_turn(state, StepGoal(request.action, request.seat, was))
    )
    if wrong_turn is not None:
        raise wrong_turn
    try:
        return decide(RULEBOOK, state, request, chance=None)
    except NeedsDraw:
        return decide(RULEBOOK, state, msgspec.structs.replace(request, undrawn=True), chance=None)


def _label(place: Place) -> tuple[int, int]:
    return (place[-2], place[-1]) if place[1] else (place[0], 0)


def _request(recorded: Any, opens_as: str) -> Request:
    return Request(
        action=RULEBOOK.codec.action(recorded.kind, bytes(recorded.params)),
        seat=recorded.seat,
        by=recorded.by,
        at=recorded.recorded_at,
        override=recorded.override,
        draws=recorded.draws,
        waives=frozenset(warned.rule for warned in recorded.warnings),
        opens_as=opens_as,
        again=True,
    )


def assert_conserved(state: Negopoly) -> None:
    """Per commodity the holdings sum to zero, and only some accounts may be negative."""
    commodities = {commodity for _, held in state.holdings.items() for commodity in held}
    for commodity in commodities:
        assert state.holdings.total(commodity) == 0, commodity
    for account, held in state.holdings.items():
        for commodity, amount in held.items():
            assert amount > 0 or RULEBOOK.accounts.may_owe(account, commodity), (account, commodity, amount)
