"""Exporting a game: its whole journal as stored, or its history as visible to a viewer.

An export covers a single version of the game, for any duration of the export. The journal is read in stretches,
so memory does not grow with the length of the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from ledger.games.moments import Head, Moment
from ledger.games.setups import Origin, Setup
from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.audience import HOST
from ledger.kernel.facts.events import version_of
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import sees_holding, visible_entry, visible_holdings
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.attested import attested_lines
from ledger.reading.entries.consequences import Correction, corrections_of, seen_corrections
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.views import EntryView, EventView
from ledger.reading.money.obligations import ObligationView, obligations_of
from ledger.reading.money.statements import statement_csv
from ledger.store.database.errors import JournalDamaged
from ledger.store.records import GameRecord, Selection, Stretch
from ledger.store.store import Store
from ledger.trust.logs import Logs

_PAGE = 500

ISSUERS = (BANK, BOX)
"""The accounts that issue all commodities."""


class BalanceAfter(msgspec.Struct, frozen=True):
    """An account's holding of a commodity after an action that moved the commodity."""

    account: str
    commodity: str
    amount: int


class ShownAction(msgspec.Struct, frozen=True):
    """An action of the history as visible to the viewer.

    `name` is its lasting name: "57", or "60.1" for the first action inserted by correction 60. An inserted
    action stands right after the action `after`. `moment` is the number of its position in the history. `round`
    and `turn` are the round and the seat in turn at the time of the action.
    """

    name: str
    after: Name | None
    moment: int
    view: EntryView
    balances: tuple[BalanceAfter, ...]
    round: int | None = None
    turn: str | None = None

    @property
    def counting(self) -> tuple[EventView, ...]:
        """The events in the effective history."""
        match self.view.status:
            case "effective":
                return self.view.events
            case "restated":
                return self.view.restated
            case _:
                return ()


def turn_in(rulebook: Rulebook[Any], state: State) -> tuple[int | None, str | None]:
    """Return the public round and seat in turn, or None for each if missing."""
    summary = rulebook.screen.summary(state) if state.seats else {}
    return summary.get("round"), summary.get("turn")


class Export:
    """A game for the export by a viewer, at the version of a moment.

    `logs` are the logs of the service, if the export needs proofs.
    """

    def __init__(self, moment: Moment, language: str = "en", *, logs: Logs | None = None) -> None:
        self._logs = logs
        self.whole = moment.viewer.sees_all
        """True if the viewer may see everything: the banker, and everybody after an end that reveals the
        secrets.
        """
        self._moment = replace(moment, viewer=HOST) if self.whole else moment
        self.record: GameRecord = moment.game.record
        self.rulebook: Rulebook[Any] = moment.rulebook
        self.state = moment.newest
        self.viewer = self._moment.viewer
        self.language = language
        self._leaves: dict[int, bytes] = {}

    @property
    def version(self) -> int:
        """The number of the last exported action."""
        return self.state.version

    @property
    def head(self) -> Head:
        """The journal's head when the export was opened."""
        return self._moment.head

    @property
    def setup(self) -> Setup:
        """The public players and settings of the game."""
        return self._moment.game.setup

    @property
    def origin(self) -> Origin | None:
        """The game continued by this game, if any."""
        return self.setup.origin

    @property
    def began_at(self) -> datetime:
        """The time of the game's first action. In a continuing game the time is before the creation."""
        first = self._store.journal.entry(self.record.game_id, 1)
        began = [] if first is None else [self._moment.read(1, first).recorded_at]
        return min([self.record.created_at, *began])

    @property
    def _store(self) -> Store:
        return self._moment.store

    def stretches(self, batch: int) -> Iterator[Stretch]:
        """Yield the journal as stored, byte for byte, in stretches of `batch` entries.

        Raises PermissionError for a viewer who may not see the whole game.
        """
        if not self.whole:
            raise PermissionError(f"the {self.viewer.role} of a running game may not take its journal")
        return self._store.copies.stretches(self.record.game_id, start=0, upto=self.version, batch=batch)

    @property
    def has_logs(self) -> bool:
        """True if the export has the logs of the service."""
        return self._logs is not None

    @property
    def logs(self) -> Logs:
        """The logs of the service. Raises LookupError for an export without logs."""
        if self._logs is None:
            raise LookupError("this export was made without the logs of its service")
        return self._logs

    def attested(self) -> Iterator[bytes]:
        """Yield the viewer's attested bytes of each entry of the journal, in order (`attested.attested`)."""
        return attested_lines(self._moment)

    def reshaped(self) -> bool:
        """Return True if some events are stored in an older shape."""
        stale = [(tag.partition("@")[0], version_of(tag)) for tag in self.rulebook.upcasts]
        return bool(stale) and self._store.copies.has_events_of(self.record.game_id, stale)

    def corrected(self, start: int, last: int) -> bool:
        """Return True if corrections changed or inserted actions after number `start` up to `last`."""
        return bool(self._moment.game.history.changed_between(start, last, self._moment.corrections))

    def timeline_entries(self, start: int, last: int) -> Iterator[TimelineEntry]:
        """Yield the actions after number `start` up to `last` with their statuses, in order.

        Inserted actions are included.
        """
        history = self._moment.game.history
        timeline = history.timeline_between(start + 1, last, self._moment.corrections)
        return (
            timeline_entry for timeline_entry in timeline.entries() if start < timeline_entry.position[0] <= last
        )

    def corrections(self) -> list[Correction]:
        """Return every correction, oldest first, with its consequences as visible to the viewer."""
        return corrections_of(self._moment)

    def statement_csv(self, account: str) -> Iterator[str]:
        """Yield the statement of an account as CSV, in pieces, as visible to the viewer."""
        return statement_csv(self._moment, account, language=self.language)

    def obligations(self) -> tuple[ObligationView, ...]:
        """Return the obligations at the exported version, as visible to the viewer."""
        return obligations_of(self._moment, self.language, self.state)

    def leaf(self, number: int) -> bytes:
        """Return the leaf hash of an entry. Cached, because all inserted actions of a correction need its hash."""
        hashed = self._leaves.get(number)
        if hashed is None:
            stored = self._store.journal.entry(self.record.game_id, number)
            if stored is None:
                raise LookupError(f"the journal of game {self.record.game_id} has no action {number}")
            hashed = self._leaves[number] = leaf(stored)
        return hashed

    def actions(self) -> Iterator[ShownAction]:
        """Yield all actions visible to the viewer, undone actions included, in the order of the history."""
        state: State = self.rulebook.blank()
        start = 0
        while start < self.version:
            selection = Selection(above=start, below=self.version + 1, limit=_PAGE)
            stored = dict(self._store.journal.entries(self.record.game_id, selection))
            if not stored:
                raise JournalDamaged(self.record.game_id, start + 1, "it is missing")
            timeline = self._moment.timeline(
                [self._moment.read(number, content) for number, content in stored.items()]
            )
            corrections = seen_corrections(self._moment, stored)
            writing = EntryWriter(self.rulebook, self.state, self.viewer, self.language, corrections)
            last = max(stored)
            for timeline_entry in timeline.entries():
                number = timeline_entry.position[0]
                if not start < number <= last:
                    continue
                turn = turn_in(self.rulebook, state)
                opened = writing.open_view(timeline_entry, state)
                if timeline_entry.counts:
                    state.fold(timeline_entry.events)
                state.version = number
                if timeline_entry.insert and not visible_entry(timeline_entry, self.viewer).is_visible:
                    continue
                hashed = self.leaf(timeline_entry.entry.number) if timeline_entry.insert else leaf(stored[number])
                view = opened.finish(hashed, state)
                yield self._action_with_balances(timeline_entry, view, state, turn)
            start = last

    def _action_with_balances(
        self, timeline_entry: TimelineEntry, view: EntryView, state: State, turn: tuple[int | None, str | None]
    ) -> ShownAction:
        action = ShownAction(
            timeline_entry.name, timeline_entry.inserted_after, timeline_entry.position[0], view, (), *turn
        )
        return msgspec.structs.replace(action, balances=tuple(self._balances(action, state)))

    def _balances(self, action: ShownAction, state: State) -> Iterator[BalanceAfter]:
        """Yield the visible balances after the action, among the holdings moved by the action."""
        moved = dict.fromkeys(
            (account, posting.commodity)
            for event in action.counting
            for posting in event.postings
            for account in (posting.source, posting.target)
        )
        for account, commodity in moved:
            amount = visible_holdings(self.rulebook.secrets, state, account, self.viewer).get(commodity)
            if amount is not None:
                yield BalanceAfter(account, commodity, amount)
            elif sees_holding(self.rulebook.secrets, state, account, commodity, self.viewer):
                yield BalanceAfter(account, commodity, 0)
