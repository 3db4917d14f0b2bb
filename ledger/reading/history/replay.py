"""Replay of a game action by action: as recorded and as corrected, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.labels import Name, Place, name_of
from ledger.kernel.facts.plain import plain_once
from ledger.kernel.facts.state import State
from ledger.kernel.journal.correction import HistoryCorrected
from ledger.kernel.journal.entry import Entry
from ledger.kernel.journal.sight import visible_entry, visible_holdings
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.consequences import seen_corrections
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.views import EntryView
from ledger.store.records import Selection

_PAGE = 100

_DOES_NOT_COUNT = frozenset({"undone", "voided"})


class Transition(msgspec.Struct, frozen=True):
    """The states before and after an action, in the recorded or the corrected history."""

    start: State
    end: State


class Step(msgspec.Struct, frozen=True):
    """An action of a replay, as visible to a viewer.

    `recorded` is the transition valid when the action was recorded; None for an inserted action. `corrected` is
    the transition by the known corrections; None if the visible action does not count. Both are the same object
    until a correction makes a difference. `effective` is the transition by the known corrections, even if the
    action does not count. `view` is the view of the entry.
    """

    name: Name
    place: Place
    after: Name | None
    """The action right before an inserted action; None for any other action."""
    view: EntryView
    recorded: Transition | None
    corrected: Transition | None
    effective: Transition


def steps(moment: Moment, *, first: int = 1, last: int | None = None, language: str = "en") -> Iterator[Step]:
    """Yield the steps between two actions, in the order of the history, as visible to the viewer.

    The moment's `known_at` limits the known corrections; later entries are left out. Invisible inserted actions
    are left out, too. The caller must not change the states. The first step takes no longer at the end of a
    game than at its beginning.
    """
    known_at = moment.known_at
    first, last = max(first, 1), known_at if last is None else min(last, known_at)
    if first > last:
        return
    histories = _TwoHistories(moment, first - 1)
    hashes: dict[int, bytes] = {}
    while first <= last:
        end = min(last, first + _PAGE - 1)
        selection = Selection(above=first - 1, below=end + 1, limit=_PAGE)
        stored = dict(moment.store.journal.entries(moment.game.id, selection))
        entries = {number: moment.read(number, content) for number, content in stored.items()}
        corrections = seen_corrections(moment, stored)
        writing = EntryWriter(moment.rulebook, moment.newest, moment.viewer, language, corrections)
        for timeline_entry in moment.timeline(list(entries.values())).entries():
            number = timeline_entry.position[0]
            if number not in entries:
                continue
            recorded, corrected = histories.on(timeline_entry, entries[number])
            if timeline_entry.insert and not visible_entry(timeline_entry, moment.viewer).is_visible:
                continue
            entry_number = timeline_entry.entry.number
            if entry_number not in hashes:  # All inserted actions of a correction have its hash.
                hashes[entry_number] = leaf(
                    stored.get(entry_number) or moment.store.journal.entry(moment.game.id, entry_number) or b""
                )
            view = writing.view(timeline_entry, hashes[entry_number], corrected.start, corrected.end)
            counts = view.status not in _DOES_NOT_COUNT
            yield Step(
                name_of(timeline_entry.label),
                timeline_entry.position,
                timeline_entry.inserted_after,
                view,
                recorded,
                corrected if counts else None,
                effective=corrected,
            )
        first = end + 1


class _TwoHistories:
    """The recorded and the corrected history of a game, folded together from the state after an action.

    Equal histories are folded once and share every state.
    """

    def __init__(self, moment: Moment, start: int) -> None:
        self._moment = moment
        self._corrections = moment.corrections
        self._corrected = moment.state_after(start)
        self._recorded = self._corrected if self._is_unchanged(start) else self._state_then(start)

    def on(self, timeline_entry: TimelineEntry, at: Entry) -> tuple[Transition | None, Transition]:
        """Return the two transitions of the next action.

        An action that does not count leaves the corrected state unchanged. `at` is the entry with the number of
        the action's position.
        """
        one_history = self._corrected is self._recorded
        counted = timeline_entry.events if timeline_entry.counts else ()
        corrected = Transition(self._corrected, self._folded(self._corrected, counted, at))
        self._corrected = corrected.end
        if timeline_entry.insert:
            return None, corrected
        if self._is_unchanged(at.number) and (one_history or _corrects(timeline_entry)):
            # After a correction the two histories are equal, unless a later correction has changed them.
            recorded = Transition(self._recorded, corrected.end)
        elif _corrects(timeline_entry):
            recorded = Transition(self._recorded, self._state_then(at.number))
        else:
            recorded = Transition(self._recorded, self._folded(self._recorded, timeline_entry.recorded, at))
        self._recorded = recorded.end
        return (corrected if one_history and recorded.end is corrected.end else recorded), corrected

    def _state_then(self, number: int) -> State:
        """Return the state after an action, by the corrections known when the action was recorded."""
        believed = [correction for correction in self._corrections if correction[0] <= number]
        return self._moment.game.history.state_after(number, believed)

    def _is_unchanged(self, number: int) -> bool:
        """Return True if no later correction has touched the state after an action."""
        return not any(first <= number < correction for correction, first in self._corrections)

    def _folded(self, earlier: State, events: Iterable[Event], at: Entry) -> State:
        next_state = earlier.copy()
        next_state.fold(events)
        next_state.version, next_state.last_at = at.number, at.recorded_at
        # Sequence numbers count all stored events, even if undone or voided.
        next_state.seq = at.first_seq + len(at.events) - 1
        next_state.corrections = tuple(
            correction for correction in self._corrections if correction[0] <= at.number
        )
        return next_state


def _corrects(timeline_entry: TimelineEntry) -> bool:
    return any(isinstance(event, HistoryCorrected) for event in timeline_entry.recorded)


class SeenStates:
    """The visible parts of successive states, as plain data. Unchanged parts are computed once.

    The states must not be changed afterwards: an account's holdings, or an agreement, count as unchanged if the
    object is identical.
    """

    def __init__(self, rulebook: Rulebook[Any], viewer: Viewer) -> None:
        self._rulebook = rulebook
        self._viewer = viewer
        self._accounts: dict[str, tuple[Mapping[str, int], list[Audience], dict[str, int]]] = {}
        self._agreements: dict[str, tuple[Agreement, tuple[str, ...], dict[str, Any]]] = {}

    def of(self, state: State) -> dict[str, Any]:
        """Return the table, the accounts and the open agreements of a state. Empty before the first action."""
        if not state.version:
            return {"table": {}, "accounts": {}, "agreements": {}}
        return {
            "table": msgspec.to_builtins(self._rulebook.screen.view(state, self._viewer)),
            "accounts": dict(self._seen_accounts(state)),
            "agreements": self._seen_agreements(state),
        }

    def _seen_accounts(self, state: State) -> Iterator[tuple[str, dict[str, int]]]:
        rulebook, sees_all = self._rulebook, self._viewer.sees_all
        for account, amounts in sorted(state.holdings.items()):
            is_fixed = sees_all or rulebook.secrets.has_fixed_audience(account)
            audiences = (
                []
                if is_fixed
                else [rulebook.secrets.holding_audience(state, account, commodity) for commodity in amounts]
            )
            cached = self._accounts.get(account)
            if cached is None or cached[0] is not amounts or cached[1] != audiences:
                visible = dict(visible_holdings(rulebook.secrets, state, account, self._viewer))
                cached = self._accounts[account] = amounts, audiences, visible
            if cached[2]:
                yield account, cached[2]

    def _seen_agreements(self, state: State) -> dict[str, dict[str, Any]]:
        visible: dict[str, dict[str, Any]] = {
            collection: {} for collection in self._rulebook.agreements.agreement_types
        }
        for agreement in self._rulebook.agreements.open_agreements(state):
            cached = self._agreements.get(agreement.id)
            if cached is None or cached[0] is not agreement:
                cached = self._agreements[agreement.id] = agreement, *self._seen_agreement(agreement)
            for collection in cached[1]:
                visible[collection][agreement.id] = cached[2]
        return visible

    def _seen_agreement(self, agreement: Agreement) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Return the collections with the agreement, if visible to the viewer, and the agreement as plain data."""
        if not self._rulebook.secrets.agreement_audience(agreement).admits(self._viewer):
            return (), {}
        types = self._rulebook.agreements.agreement_types.items()
        collections = tuple(collection for collection, kind in types if isinstance(agreement, kind))
        return collections, plain_once(agreement)
