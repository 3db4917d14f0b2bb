"""Replaying a game action by action, as it was recorded and as corrections left it, side by side."""

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
from ledger.kernel.journal.sight import seen_account, sight
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.consequences import seen_corrections
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.views import EntryView
from ledger.store.records import Selection

_PAGE = 100

_DOES_NOT_COUNT = frozenset({"undone", "voided"})


class Transition(msgspec.Struct, frozen=True):
    """The states before and after an action, in one of the two histories."""

    before: State
    after: State


class Step(msgspec.Struct, frozen=True):
    """An action of a replay, as one viewer sees it.

    `recorded` is the transition that was believed when the action was recorded; None for an inserted action.
    `corrected` is the transition by the known corrections; None for an action that does not count as far as the
    viewer sees. Both are the same object while no correction has made a difference. `effective` is the transition
    by the known corrections whether the action counts or not. `view` is the view of the entry.
    """

    name: Name
    place: Place
    after: Name | None
    """The action right after which an inserted action stands; None for any other action."""
    view: EntryView
    recorded: Transition | None
    corrected: Transition | None
    effective: Transition


def steps(moment: Moment, *, first: int = 1, last: int | None = None, language: str = "en") -> Iterator[Step]:
    """The steps from one action to another, in the order of the history, as the viewer may see them.

    The moment's `known_at` says which corrections are known; later entries are left out. Inserted actions of which
    the viewer sees nothing are left out, too. Do not change the states. The first step takes no longer at the end
    of a game than at its beginning.
    """
    known = moment.known_at
    first, last = max(first, 1), known if last is None else min(last, known)
    if first > last:
        return
    histories = _TwoHistories(moment, first - 1)
    hashes: dict[int, bytes] = {}
    while first <= last:
        end = min(last, first + _PAGE - 1)
        selection = Selection(after=first - 1, before=end + 1, limit=_PAGE)
        stored = dict(moment.store.entries(moment.game.id, selection))
        entries = {number: moment.read(number, one) for number, one in stored.items()}
        corrections = seen_corrections(moment, stored)
        writing = EntryWriter(moment.rulebook, moment.now, moment.viewer, language, corrections)
        for standing in moment.timeline(list(entries.values())).standings():
            number = standing.place[0]
            if number not in entries:
                continue
            recorded, corrected = histories.on(standing, entries[number])
            if standing.insert and not sight(standing, moment.viewer).anything:
                continue
            own = standing.entry.number
            if own not in hashes:  # The inserted actions of a correction share its hash.
                hashes[own] = leaf(stored.get(own) or moment.store.entry(moment.game.id, own) or b"")
            view = writing.view(standing, hashes[own], corrected.before, corrected.after)
            counts = view.status not in _DOES_NOT_COUNT
            yield Step(
                name_of(standing.label),
                standing.place,
                standing.after,
                view,
                recorded,
                corrected if counts else None,
                effective=corrected,
            )
        first = end + 1


class _TwoHistories:
    """The recorded and the corrected history of a game, folded together from the state after an action on.

    While the two are the same, they are folded once and share every state.
    """

    def __init__(self, moment: Moment, start: int) -> None:
        self._moment = moment
        self._known = moment.corrections
        self._corrected = moment.state_after(start)
        self._recorded = self._corrected if self._alike(start) else self._believed(start)

    def on(self, standing: Standing, at: Entry) -> tuple[Transition | None, Transition]:
        """The two transitions of the next action. An action that does not count leaves the corrected state.

        `at` is the entry at whose number the action stands.
        """
        one_history = self._corrected is self._recorded
        counted = standing.events if standing.counts else ()
        corrected = Transition(self._corrected, self._folded(self._corrected, counted, at))
        self._corrected = corrected.after
        if standing.insert:
            return None, corrected
        if self._alike(at.number) and (one_history or _corrects(standing)):
            # After a correction the two histories are the same, unless a later correction has changed them.
            recorded = Transition(self._recorded, corrected.after)
        elif _corrects(standing):
            recorded = Transition(self._recorded, self._believed(at.number))
        else:
            recorded = Transition(self._recorded, self._folded(self._recorded, standing.recorded, at))
        self._recorded = recorded.after
        return (corrected if one_history and recorded.after is corrected.after else recorded), corrected

    def _believed(self, number: int) -> State:
        """The state after an action that was believed when the action was recorded."""
        believed = [one for one in self._known if one[0] <= number]
        return self._moment.game.history.state_after(number, believed)

    def _alike(self, number: int) -> bool:
        """Whether the state after an action is still the one believed then: no later correction has touched it."""
        return not any(first <= number < correction for correction, first in self._known)

    def _folded(self, before: State, events: Iterable[Event], at: Entry) -> State:
        after = before.copy()
        after.fold(events)
        after.version, after.last_at = at.number, at.recorded_at
        # Sequence numbers count all stored events, also those that no longer count.
        after.seq = at.first_seq + len(at.events) - 1
        after.corrections = tuple(one for one in self._known if one[0] <= at.number)
        return after


def _corrects(standing: Standing) -> bool:
    return any(isinstance(event, HistoryCorrected) for event in standing.recorded)


class SeenStates:
    """The visible part of one state after another, as plain data. Unchanged parts are computed once.

    The states must not be changed afterwards: while an account's holdings, or an agreement, are the same object,
    they are taken as unchanged.
    """

    def __init__(self, rulebook: Rulebook[Any], viewer: Viewer) -> None:
        self._rulebook = rulebook
        self._viewer = viewer
        self._accounts: dict[str, tuple[Mapping[str, int], list[Audience], dict[str, int]]] = {}
        self._agreements: dict[str, tuple[Agreement, tuple[str, ...], dict[str, Any]]] = {}

    def of(self, state: State) -> dict[str, Any]:
        """The table, the accounts and the open agreements of a state. Empty before the first action."""
        if not state.version:
            return {"table": {}, "accounts": {}, "agreements": {}}
        return {
            "table": msgspec.to_builtins(self._rulebook.view(state, self._viewer)),
            "accounts": dict(self._seen_accounts(state)),
            "agreements": self._seen_agreements(state),
        }

    def _seen_accounts(self, state: State) -> Iterator[tuple[str, dict[str, int]]]:
        rulebook, sees_all = self._rulebook, self._viewer.sees_all
        for account, held in sorted(state.holdings.items()):
            is_fixed = sees_all or rulebook.audience_lasts(account)
            audiences = [] if is_fixed else [rulebook.holding_audience(state, account, one) for one in held]
            known = self._accounts.get(account)
            if known is None or known[0] is not held or known[1] != audiences:
                shown = dict(seen_account(rulebook, state, account, self._viewer))
                known = self._accounts[account] = held, audiences, shown
            if known[2]:
                yield account, known[2]

    def _seen_agreements(self, state: State) -> dict[str, dict[str, Any]]:
        shown: dict[str, dict[str, Any]] = {collection: {} for collection in self._rulebook.agreement_types}
        for agreement in self._rulebook.open_agreements(state):
            known = self._agreements.get(agreement.id)
            if known is None or known[0] is not agreement:
                known = self._agreements[agreement.id] = agreement, *self._seen_agreement(agreement)
            for collection in known[1]:
                shown[collection][agreement.id] = known[2]
        return shown

    def _seen_agreement(self, agreement: Agreement) -> tuple[tuple[str, ...], dict[str, Any]]:
        """The collections in which the viewer sees an agreement, and the agreement as plain data."""
        if not self._rulebook.agreement_audience(agreement).admits(self._viewer):
            return (), {}
        types = self._rulebook.agreement_types.items()
        collections = tuple(collection for collection, kind in types if isinstance(agreement, kind))
        return collections, plain_once(agreement)
