"""Exporting a game: its whole journal as stored, or its history as one viewer may see it.

An export is of one version of the game, however long the export lasts. It is read in stretches, so that memory
does not grow with the length of the journal.
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
from ledger.kernel.journal.sight import seen_account, sees_holding, sight
from ledger.kernel.journal.stored import leaf
from ledger.kernel.journal.timeline import Standing
from ledger.kernel.rules.rulebook import Rulebook
from ledger.reading.entries.attested import attested_lines
from ledger.reading.entries.consequences import Correction, corrections_of, seen_corrections
from ledger.reading.entries.entries import EntryWriter
from ledger.reading.entries.views import EntryView, EventView
from ledger.reading.money.statements import statement_csv
from ledger.store.database.errors import JournalDamaged
from ledger.store.records import GameRecord, Selection, Stretch
from ledger.store.store import Store
from ledger.trust.logs import Logs

_PAGE = 500

ISSUERS = (BANK, BOX)
"""The accounts that issue all commodities."""


class BalanceAfter(msgspec.Struct, frozen=True):
    """An account's holding of a commodity after an action that moved some of it."""

    account: str
    commodity: str
    amount: int


class ShownAction(msgspec.Struct, frozen=True):
    """An action of the history as the viewer may see it.

    `name` is its lasting name: "57", or "60.1" for the first action that correction 60 inserted. An inserted
    action stands right after the action `after`. `moment` is the number of the history at which it stands. `round`
    and `turn` are the round, and the seat whose turn it was, when it was done.
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
        """The events that are part of the effective history."""
        match self.view.status:
            case "effective":
                return self.view.events
            case "restated":
                return self.view.restated
            case _:
                return ()


def turn_in(rulebook: Rulebook[Any], state: State) -> tuple[int | None, str | None]:
    """The round, and the seat whose turn it is, which are public. None where there is none."""
    summary = rulebook.summary(state) if state.seats else {}
    return summary.get("round"), summary.get("turn")


class Export:
    """A game as one viewer may export it, at the version of a moment.

    `logs` are those of the service, where the export has what they prove.
    """

    def __init__(self, moment: Moment, language: str = "en", *, logs: Logs | None = None) -> None:
        self._logs = logs
        self.whole = moment.viewer.sees_all
        """Whether the viewer may see everything: the banker, and everybody after an end that reveals it."""
        self._moment = replace(moment, viewer=HOST) if self.whole else moment
        self.record: GameRecord = moment.game.record
        self.rulebook: Rulebook[Any] = moment.rulebook
        self.state = moment.now
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
        """The players and settings of the game, which everybody may know."""
        return self._moment.game.setup

    @property
    def origin(self) -> Origin | None:
        """The game that this game continues, if it continues another."""
        return self.setup.origin

    @property
    def began_at(self) -> datetime:
        """The time of the game's first action. In a game that continues another it is before the creation."""
        first = self._store.entry(self.record.game_id, 1)
        began = [] if first is None else [self._moment.read(1, first).recorded_at]
        return min([self.record.created_at, *began])

    @property
    def _store(self) -> Store:
        return self._moment.store

    def stretches(self, batch: int) -> Iterator[Stretch]:
        """The journal as stored, byte for byte, in stretches of `batch` entries.

        Raises PermissionError for a viewer who may not see all of the game.
        """
        if not self.whole:
            raise PermissionError(f"the {self.viewer.role} of a running game may not take its journal")
        return self._store.stretches(self.record.game_id, after=0, upto=self.version, batch=batch)

    @property
    def has_logs(self) -> bool:
        """Whether the export has the logs of the service."""
        return self._logs is not None

    @property
    def logs(self) -> Logs:
        """The logs of the service. Raises LookupError for an export without them."""
        if self._logs is None:
            raise LookupError("this export was made without the logs of its service")
        return self._logs

    def attested(self) -> Iterator[bytes]:
        """What the viewer may have of each entry of the journal as it is hashed, in order (`reading.attested`)."""
        return attested_lines(self._moment)

    def reshaped(self) -> bool:
        """Whether some events are stored in an older shape than the current one."""
        stale = [(tag.partition("@")[0], version_of(tag)) for tag in self.rulebook.upcasts]
        return bool(stale) and self._store.has_events_of(self.record.game_id, stale)

    def corrected(self, after: int, last: int) -> bool:
        """Whether corrections changed, or inserted, actions after number `after` up to `last`."""
        return bool(self._moment.game.history.changed_between(after, last, self._moment.corrections))

    def standings(self, after: int, last: int) -> Iterator[Standing]:
        """The actions after number `after` up to `last` with their statuses, inserted ones included, in order."""
        history = self._moment.game.history
        timeline = history.timeline_between(after + 1, last, self._moment.corrections)
        return (standing for standing in timeline.standings() if after < standing.place[0] <= last)

    def corrections(self) -> list[Correction]:
        """Every correction, oldest first, with its consequences as the viewer sees them."""
        return corrections_of(self._moment)

    def statement_csv(self, account: str) -> Iterator[str]:
        """The statement of an account as CSV, in pieces, as the viewer may see it."""
        return statement_csv(self._moment, account, language=self.language)

    def leaf(self, number: int) -> bytes:
        """The leaf hash of an entry. It is cached, because a correction's is asked for each action it inserted."""
        hashed = self._leaves.get(number)
        if hashed is None:
            stored = self._store.entry(self.record.game_id, number)
            if stored is None:
                raise LookupError(f"the journal of game {self.record.game_id} has no action {number}")
            hashed = self._leaves[number] = leaf(stored)
        return hashed

    def actions(self) -> Iterator[ShownAction]:
        """All actions that the viewer may see, undone ones included, in the order of the history."""
        state: State = self.rulebook.blank()
        after = 0
        while after < self.version:
            selection = Selection(after=after, before=self.version + 1, limit=_PAGE)
            stored = dict(self._store.entries(self.record.game_id, selection))
            if not stored:
                raise JournalDamaged(self.record.game_id, after + 1, "it is missing")
            timeline = self._moment.timeline([self._moment.read(number, one) for number, one in stored.items()])
            corrections = seen_corrections(self._moment, stored)
            writing = EntryWriter(self.rulebook, self.state, self.viewer, self.language, corrections)
            last = max(stored)
            for standing in timeline.standings():
                number = standing.place[0]
                if not after < number <= last:
                    continue
                turn = turn_in(self.rulebook, state)
                finish = writing.opened(standing, state)
                if standing.counts:
                    state.fold(standing.events)
                state.version = number
                if standing.insert and not sight(standing, self.viewer).anything:
                    continue
                hashed = self.leaf(standing.entry.number) if standing.insert else leaf(stored[number])
                view = finish(hashed, state)
                yield self._shown(standing, view, state, turn)
            after = last

    def _shown(
        self, standing: Standing, view: EntryView, state: State, turn: tuple[int | None, str | None]
    ) -> ShownAction:
        shown = ShownAction(standing.name, standing.after, standing.place[0], view, (), *turn)
        return msgspec.structs.replace(shown, balances=tuple(self._balances(shown, state)))

    def _balances(self, shown: ShownAction, state: State) -> Iterator[BalanceAfter]:
        """The balances, after the action, of the holdings that it moved and the viewer may see."""
        moved = dict.fromkeys(
            (account, posting.commodity)
            for event in shown.counting
            for posting in event.postings
            for account in (posting.source, posting.target)
        )
        for account, commodity in moved:
            amount = seen_account(self.rulebook, state, account, self.viewer).get(commodity)
            if amount is not None:
                yield BalanceAfter(account, commodity, amount)
            elif sees_holding(self.rulebook, state, account, commodity, self.viewer):
                yield BalanceAfter(account, commodity, 0)
