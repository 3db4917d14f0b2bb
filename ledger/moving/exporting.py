"""Taking a game away: its whole journal as it lies in the store, or its history as one reader may see it.

Everything is of one version of the game, however long the taking lasts, and comes in stretches: what is held in
memory at a time does not grow with the length of the journal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ledger.games.states import Game
from ledger.kernel.accounts import BANK, BOX
from ledger.kernel.audience import BANKER, Viewer
from ledger.kernel.events import Amendment, version_of
from ledger.kernel.history.timeline import Standing
from ledger.kernel.journal import leaf, read
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import looking, seen_account, sees_holding, sight
from ledger.kernel.state import State
from ledger.moving.forking import origin_of
from ledger.moving.importing import Origin
from ledger.reading.consequences import Correction
from ledger.reading.entries import EntryView, EventView, view_entry
from ledger.reading.journal import Reading
from ledger.store.records import GameRecord, Selection, Stretch

_PAGE = 500

ISSUERS = (BANK, BOX)
"""The accounts that everything comes from."""


class Balance(msgspec.Struct, frozen=True):
    """What an account holds of a commodity after an action that moved some of it."""

    account: str
    commodity: str
    amount: int


class Shown(msgspec.Struct, frozen=True):
    """An action of the history as the reader may see it, where it stands.

    `name` names it ("57", or "60.1" for the first one that correction 60 inserted, which stands right `after` the
    action of that number).
    """

    name: str
    after: int | None
    view: EntryView
    balances: tuple[Balance, ...]

    @property
    def moment(self) -> int:
        """The number of the action at which it stands."""
        return self.view.number if self.after is None else self.after

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


class Export:
    """A game as one reader may take it away, at the version it has now."""

    def __init__(self, ledger: Exporting, game: Game, state: State, viewer: Viewer, language: str) -> None:
        self._ledger = ledger
        self._game = game
        self.record: GameRecord = game.record
        self.rulebook: Rulebook[Any] = game.rulebook
        self.state = state
        viewer = looking(state, viewer)
        self.whole = viewer.sees_all
        """Whether the reader may see everything: the banker, and after the end everybody."""
        self.viewer = BANKER if self.whole else viewer
        self.language = language
        self._leaves: dict[int, bytes] = {}

    @property
    def version(self) -> int:
        """The number of the last action taken away."""
        return self.state.version

    @property
    def origin(self) -> Origin | None:
        """What the game goes on from, if it did not begin with its own first action."""
        return origin_of(self.record)

    @property
    def began_at(self) -> datetime:
        """When its first action was recorded: before it was created, if it goes on from another game."""
        first = self._ledger.store.entry(self.record.game_id, 1)
        return self.record.created_at if first is None else min(self.record.created_at, read(first).recorded_at)

    def stretches(self, batch: int) -> Iterator[Stretch]:
        """The journal as it lies in the store, byte for byte, so many entries at a time.

        Raises PermissionError for a reader who may not see all of it.
        """
        if not self.whole:
            raise PermissionError(f"the {self.viewer.role} of a running game may not take its journal")
        return self._ledger.store.stretches(self.record.game_id, after=0, upto=self.version, batch=batch)

    def reshaped(self) -> bool:
        """Whether some events were stored in an older shape than today's."""
        stale = [(tag.partition("@")[0], version_of(tag)) for tag in self.rulebook.upcasts]
        return bool(stale) and self._ledger.store.has_events_of(self.record.game_id, stale)

    def corrected(self, after: int, last: int) -> bool:
        """Whether corrections made something else of the actions behind `after` up to `last`, or added to them."""
        return self._ledger.touched_by_corrections(self._game, after, last, self.version)

    def standings(self, after: int, last: int) -> Iterator[Standing]:
        """How the actions behind `after` up to `last` stand, and what was inserted after them, in order."""
        timeline = self._ledger.timeline(self._game, after + 1, last, self.version)
        return (standing for standing in timeline.standings() if after < standing.place[0] <= last)

    def corrections(self) -> list[Correction]:
        """Every correction, oldest first, and what it made of the history, as far as the reader can tell."""
        return self._ledger.consequences(self._game, self.viewer, self.version)

    def leaf(self, number: int) -> bytes:
        """The hash of an entry of the journal; of corrections it is asked again and again."""
        hashed = self._leaves.get(number)
        if hashed is None:
            stored = self._ledger.store.entry(self.record.game_id, number)
            if stored is None:
                raise LookupError(f"the journal of game {self.record.game_id} has no action {number}")
            hashed = self._leaves[number] = leaf(stored)
        return hashed

    def shown(self) -> Iterator[Shown]:
        """The whole history as the reader may see it, in the order in which it now counts."""
        state: State = self.rulebook.blank()
        after = 0
        while after < self.version:
            selection = Selection(after=after, before=self.version + 1, limit=_PAGE)
            stored = dict(self._ledger.store.entries(self.record.game_id, selection))
            timeline = self._ledger.timeline_of(self._game, map(read, stored.values()), self.version)
            told = self._ledger.told_by_corrections(self._game, stored, self.viewer, self.version)
            last = max(stored)
            for standing in timeline.standings():
                moment = standing.place[0]
                if not after < moment <= last:
                    continue
                if standing.counts:
                    state.fold(standing.events)
                state.version = moment
                if standing.insert and not sight(standing, self.viewer).anything:
                    continue
                hashed = self.leaf(standing.entry.number) if standing.insert else leaf(stored[moment])
                yield self._shown(standing, hashed, state, told)
            after = last

    def _shown(
        self, standing: Standing, hashed: bytes, state: State, told: Mapping[int, Sequence[Amendment]]
    ) -> Shown:
        view = view_entry(self.rulebook, standing, hashed, state, self.state, self.viewer, self.language, told)
        shown = Shown(standing.name, standing.place[0] if standing.insert else None, view, ())
        return msgspec.structs.replace(shown, balances=tuple(self._balances(shown, state)))

    def _balances(self, shown: Shown, state: State) -> Iterator[Balance]:
        """What the accounts came to hold of what the action moved, as far as the reader may see that."""
        moved = dict.fromkeys(
            (account, posting.commodity)
            for event in shown.counting
            for posting in event.postings
            for account in (posting.source, posting.target)
        )
        for account, commodity in moved:
            amount = seen_account(self.rulebook, state, account, self.viewer).get(commodity)
            if amount is not None:
                yield Balance(account, commodity, amount)
            elif sees_holding(self.rulebook, state, account, commodity, self.viewer):
                yield Balance(account, commodity, 0)


class Exporting(Reading):
    """Reading a game to take it away."""

    def export(self, game_id: str, viewer: Viewer, language: str = "en") -> Export:
        """The game as the viewer may take it away now. Raises UnknownGame."""
        return Export(self, self.opened_game(game_id), self.state(game_id), viewer, language)

    def touched_by_corrections(self, game: Game, after: int, last: int, known_at: int) -> bool:
        """Whether corrections known then touched an action behind `after` up to `last`, or added one there."""
        return bool(self._corrected_numbers(game, after, last, known_at, None))
