"""Actions decided under older rules, in a correction by the rules of today."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ledger.kernel.deciding.decision import Decision
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible, Refusal
from ledger.kernel.facts.state import MissingPartError, State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.timeline import TimelineEntry


def decide_mended(
    timeline_entry: TimelineEntry,
    decided: Callable[[State], Decision],
    was: State,
    recorded: State | None,
    state: State,
) -> Decision:
    """Decide an action whose rules were mended since, and leave the outcome alone unless the edits change it.

    Takes the decision by the rules of today, and the states right before the action: without the correction, as
    known when the action was recorded (None if its parameters or its place are no longer the recorded ones), and
    with the correction. If the rules of today decide alike on an earlier state, the edits are not the cause of
    another outcome, and the earlier events count. Otherwise the decision of today counts. Raises the refusal of
    today, or of an earlier correction.
    """
    today = _result(decided, state)
    for earlier, events, draws in _outcomes(timeline_entry, was, recorded):
        if _essence(_result(decided, earlier.copy())) != _essence(today):
            continue
        if not events and (why := timeline_entry.why) is not None:
            raise Impossible(why.rule, "{why}", "{pourquoi}", why=why.en, pourquoi=why.fr)
        next_state = state.copy()
        with suppress(Refusal, MissingPartError):  # the earlier events may not fit this state
            next_state.fold(events)
            next_state.version, next_state.last_at = state.version + 1, timeline_entry.entry.recorded_at
            return Decision(
                events=tuple(events), draws=dict(draws), warnings=timeline_entry.entry.warnings, state=next_state
            )
    if isinstance(today, Refusal):
        raise today
    return today


def _outcomes(
    timeline_entry: TimelineEntry, was: State, recorded: State | None
) -> Iterator[tuple[State, Sequence[Event], Mapping[str, Any]]]:
    """Yield the earlier outcomes of an action, and the state before each: as recorded, and as counting so far."""
    if recorded is not None:
        yield recorded, _without_corrections(timeline_entry.recorded), timeline_entry.entry.draws
    if timeline_entry.status != "undone":
        yield was, _without_corrections(timeline_entry.events), timeline_entry.draws


def _without_corrections(events: Sequence[Event]) -> Sequence[Event]:
    return [event for event in events if not isinstance(event, HistoryCorrected)]


def _result(decided: Callable[[State], Decision], state: State) -> Decision | Refusal:
    try:
        return decided(state)
    except Refusal as refusal:
        return refusal


def _essence(result: Decision | Refusal) -> tuple[Any, ...]:
    """Return the compared part of a result: events and draws, or the rule of a refusal."""
    if isinstance(result, Refusal):
        return type(result), getattr(result, "rule", "")
    return result.events, result.draws
