"""Going through a game again, action by action: as it was recorded and as corrections say it was, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ledger.games.moments import Moment
from ledger.kernel.agreements import Agreement
from ledger.kernel.audience import Viewer
from ledger.kernel.events import Event
from ledger.kernel.history.corrections import HistoryCorrected
from ledger.kernel.history.timeline import Place, Standing
from ledger.kernel.journal import Entry, leaf, read
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import seen_account, sight
from ledger.kernel.state import State
from ledger.reading.consequences import visible_amendments
from ledger.reading.entries import EntryView, EntryWriter
from ledger.store.records import Selection

_PAGE = 100

_DOES_NOT_COUNT = frozenset({"undone", "voided"})


class Transition(msgspec.Struct, frozen=True):
    """One of the two ways in which an action is told: the states before and after it."""

    before: State
    after: State


class Step(msgspec.Struct, frozen=True):
    """An action of a game that is gone through again.

    `recorded` is how it was believed to be when it was recorded, None for one that a correction inserted;
    `corrected` how it is now said to be, None for one that does not count, as far as the reader can tell. Where no
    correction has made a difference so far, the two are one and the same. `view` is what the reader sees of it.
    """

    name: str
    place: Place
    view: EntryView
    recorded: Transition | None
    corrected: Transition | None

    @property
    def after(self) -> int | None:
        """The action right after which an inserted one stands; None for one of the journal itself."""
        return self.place[0] if self.place[1] else None


def steps(moment: Moment, *, first: int = 1, last: int | None = None, language: str = "en") -> Iterator[Step]:
    """The actions from one number to another, in the order of the history, as the viewer may see them.

    `known_at` of the moment is how much of the journal is known to those who now say how it was. What is not known
    then is left out, and so is an inserted action of which the viewer sees nothing. The states given are not to be
    changed. Reaching the first action takes no longer at the end of a game than at its beginning.
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
        entries = {number: read(one) for number, one in stored.items()}
        amendments = visible_amendments(moment, stored)
        writing = EntryWriter(moment.rulebook, moment.now, moment.viewer, language, amendments)
        for standing in moment.timeline(list(entries.values())).standings():
            number = standing.place[0]
            if number not in entries:
                continue
            recorded, corrected = histories.on(standing, entries[number])
            if standing.insert and not sight(standing, moment.viewer).anything:
                continue
            own = standing.entry.number
            if own not in hashes:  # what was inserted comes again and again from one correction
                hashes[own] = leaf(stored.get(own) or moment.store.entry(moment.game.id, own) or b"")
            view = writing.view(standing, hashes[own], corrected.after)
            counts = view.status not in _DOES_NOT_COUNT
            yield Step(standing.name, standing.place, view, recorded, corrected if counts else None)
        first = end + 1


class _TwoHistories:
    """The two histories of a game, gone through together from the state after an action on.

    As long as they are the same they are folded once, and every state is one object for both.
    """

    def __init__(self, moment: Moment, start: int) -> None:
        self._moment = moment
        self._known = moment.corrections
        self._corrected = moment.state_after(start)
        self._recorded = self._corrected if self._alike(start) else self._believed(start)

    def on(self, standing: Standing, at: Entry) -> tuple[Transition | None, Transition]:
        """The two tellings of the next action; one that does not count leaves the corrected history as it is.

        Takes the entry of the journal at whose number the action stands.
        """
        one_history = self._corrected is self._recorded
        counted = standing.events if standing.counts else ()
        corrected = Transition(self._corrected, self._folded(self._corrected, counted, at))
        self._corrected = corrected.after
        if standing.insert:
            return None, corrected
        if self._alike(at.number) and (one_history or _corrects(standing)):
            # What a correction makes of the past is what is now said of it, unless another one has come since.
            recorded = Transition(self._recorded, corrected.after)
        elif _corrects(standing):
            recorded = Transition(self._recorded, self._believed(at.number))
        else:
            recorded = Transition(self._recorded, self._folded(self._recorded, standing.recorded, at))
        self._recorded = recorded.after
        return (corrected if one_history and recorded.after is corrected.after else recorded), corrected

    def _believed(self, number: int) -> State:
        """The state after an action as it was believed to be when it was recorded."""
        believed = [one for one in self._known if one[0] <= number]
        return self._moment.game.history.state_after(number, believed)

    def _alike(self, number: int) -> bool:
        """Whether the state after an action is what was believed then: no later correction has touched it."""
        return not any(first <= number < correction for correction, first in self._known)

    def _folded(self, before: State, events: Iterable[Event], at: Entry) -> State:
        after = before.copy()
        after.fold(events)
        after.version, after.last_at = at.number, at.recorded_at
        # Sequence numbers count what is stored, whatever of it still counts.
        after.seq = at.first_seq + len(at.events) - 1
        after.corrections = tuple(one for one in self._known if one[0] <= at.number)
        return after


def _corrects(standing: Standing) -> bool:
    return any(isinstance(event, HistoryCorrected) for event in standing.recorded)


class SeenStates:
    """What a viewer may see of one state after another, as plain data: what did not change is looked at once.

    The states asked for are never changed afterwards, so that what an account holds is the same as long as it is
    the same object. So is an agreement.
    """

    def __init__(self, rulebook: Rulebook[Any], viewer: Viewer) -> None:
        self._rulebook = rulebook
        self._viewer = viewer
        self._accounts: dict[str, tuple[Mapping[str, int], dict[str, int]]] = {}
        self._agreements: dict[str, tuple[Agreement, tuple[str, ...], dict[str, Any]]] = {}

    def of(self, state: State) -> dict[str, Any]:
        """Its table, its accounts, its open agreements by their id. Before the first action: nothing."""
        if not state.version:
            return {"table": {}, "accounts": {}, "agreements": {}}
        return {
            "table": msgspec.to_builtins(self._rulebook.view(state, self._viewer)),
            "accounts": dict(self._seen_accounts(state)),
            "agreements": self._seen_agreements(state),
        }

    def _seen_accounts(self, state: State) -> Iterator[tuple[str, dict[str, int]]]:
        for account, held in sorted(state.holdings.items()):
            known = self._accounts.get(account)
            if known is not None and known[0] is held:
                shown = known[1]
            else:
                shown = dict(seen_account(self._rulebook, state, account, self._viewer))
                if self._viewer.sees_all or self._rulebook.audience_lasts(account):
                    self._accounts[account] = held, shown
            if shown:
                yield account, shown

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
        return collections, msgspec.to_builtins(agreement)
