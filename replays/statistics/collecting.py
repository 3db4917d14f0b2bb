"""Collecting the numbers of a game in a single pass over its effective history.

Memory does not grow with the length of the journal. The collector holds sums, a curve with a limited number of
points, and the few actions that changed the lead most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.facts.audience import Viewer
from ledger.kernel.facts.events import Event, kind_of
from ledger.kernel.facts.labels import Name, name_of
from ledger.kernel.facts.state import State
from ledger.kernel.journal.sight import visible_entry
from ledger.kernel.journal.timeline import TimelineEntry
from ledger.kernel.rules.rulebook import Rulebook
from ledger.kernel.rules.wealth import Asset
from ledger.reading.money.obligations import AllObligations
from ledger.reading.money.standings import assets_of
from replays.statistics.curves import Curve, Point, Worth
from replays.statistics.flows import HELD, Matrix
from replays.statistics.tallying import Clock, Debts, Tallying, Throws
from replays.statistics.turning import LargestSwings

DEBTS = "debts"
"""The part of a seat's wealth with negative values."""


class RulingSeen(msgspec.Struct, frozen=True):
    """A ruling that counts, and the money moved by its action, by party."""

    action: Name
    event: RulingGiven
    moved: Mapping[str, int]


class Collector:
    """Collects the numbers of a game, limited to a viewer's view.

    `viewer` is the viewer of a moment, with `revealed` set after an end that reveals everything. Call `take`
    with every action of the history in order, including actions that do not count. Then read the attributes.
    """

    def __init__(self, rulebook: Rulebook[Any], viewer: Viewer) -> None:
        self._rulebook = rulebook
        self._viewer = viewer
        self._whole = viewer.sees_all
        tallies = rulebook.tallies
        self._parts = {kind: name for name, part in tallies.parts.items() for kind in part.kinds}
        self._public = {kind for part in tallies.parts.values() if part.public for kind in part.kinds}
        self._purposes = {kind: name for name, purpose in tallies.purposes.items() for kind in purpose.events}
        self._owners: dict[str, str] = {}
        self._curve = Curve()
        self._time: datetime | None = None
        self._worth: Worth = {}
        self.state: State = rulebook.blank()
        self.flows = Matrix(self.owner, lambda commodity: rulebook.secrets.veil(commodity) or commodity)
        self.tallying = Tallying(tallies)
        self._won_by = frozenset(tallies.won_by)
        self.throws = Throws(tallies)
        self.clock = Clock(tallies)
        self.debts = Debts(self.owner)
        self.turning = LargestSwings()
        self.rulings: list[RulingSeen] = []
        self.ending: list[Event] = []
        """The events of winning or of the end of the game."""
        self.actions: Counter[str] = Counter()
        """The number of effective actions visible to the viewer, by seat."""
        self.counting = 0
        self.dropped = 0
        self.began: datetime | None = None

    def owner(self, account: str) -> str | None:
        """Return the seat that owns an account, or None."""
        return self._owners.get(account)

    # Actions ----------------------------------------------------------------------------------

    def take(self, timeline_entry: TimelineEntry) -> None:
        """Collect an action, even if the action does not count."""
        moment = timeline_entry.position[0]
        if moment != self.state.version:
            self._moment_over()
        entry, state = timeline_entry.entry, self.state
        visible = visible_entry(timeline_entry, self._viewer)
        if not timeline_entry.insert:
            self._advance(entry.recorded_at)
        state.version = moment
        if visible.status in {"undone", "voided"}:
            self.dropped += 1
        else:
            self._count(
                timeline_entry, [event for _, event in visible.effective_events], visible=visible.is_visible
            )
        if not timeline_entry.counts:
            return
        worth = self._worth
        for event in timeline_entry.events:
            ended = state.ended
            state.record(event)
            if (state.ended and not ended) or kind_of(event) in self._won_by:
                self.ending.append(event)
        if self._whole and timeline_entry.events:
            self._worth = self._worths()
            if not self._rulebook.screen.in_setup(state):
                self._turn(timeline_entry, worth)

    def _advance(self, at: datetime) -> None:
        """Advance the time of the game."""
        if self.began is None:
            self.began = at
        # The awaited seats could reveal something hidden.
        waits = self._whole and self.state.seats and not self.state.ended
        playing = waits and not self._rulebook.screen.in_setup(self.state)
        self.clock.advance(at, self._rulebook.screen.awaited(self.state) if playing else ())
        self._time = self.clock.last_at

    def _count(self, timeline_entry: TimelineEntry, events: Sequence[Event], *, visible: bool) -> None:
        """Count the visible part of an action."""
        entry = timeline_entry.entry
        self.counting += 1
        if entry.seat is not None and visible:
            self.actions[entry.seat] += 1
        if not self._owners:
            self._meet(timeline_entry)
        for event in events:
            kind = kind_of(event)
            self.flows.take(event.postings, self._purposes.get(kind, kind))
            self.tallying.take(event)
            self.throws.take(event)
            self.clock.take(event, name_of(timeline_entry.label))
            if isinstance(event, RulingGiven):
                self.rulings.append(RulingSeen(name_of(timeline_entry.label), event, self.moved(events)))

    def _meet(self, timeline_entry: TimelineEntry) -> None:
        """Read the owners of accounts from the action that seats the players, before its postings count."""
        seated = self.state.copy()
        seated.fold(timeline_entry.events)
        self._owners = {
            account: seat for seat in seated.seats for account in self._rulebook.accounts.accounts_of(seat)
        }

    def _turn(self, timeline_entry: TimelineEntry, worth_before: Worth) -> None:
        entry = timeline_entry.entry
        self.turning.take(
            action=name_of(timeline_entry.label),
            moment=timeline_entry.position[0],
            at=entry.recorded_at,
            kind=entry.kind,
            seat=entry.seat,
            round=self.round(),
            events=timeline_entry.events,
            worth_before={seat: sum(parts.values()) for seat, parts in worth_before.items()},
            worth_after={seat: sum(parts.values()) for seat, parts in self._worth.items()},
        )

    def round(self) -> int | None:
        """Return the current round, which is public, or None."""
        return self._rulebook.screen.round_of(self.state)

    def moved(self, events: Iterable[Event]) -> dict[str, int]:
        """Return the change of each party's money by the events."""
        sums: Counter[tuple[str, str]] = Counter()
        for event in events:
            for posting in event.postings:
                sums[posting.source, posting.commodity] -= posting.amount
                sums[posting.target, posting.commodity] += posting.amount
        return self.money(sums)

    def money(self, sums: Mapping[tuple[str, str], int]) -> dict[str, int]:
        """Return the change of each party's money, from the changes by account and commodity."""
        parties: Counter[str] = Counter()
        for (account, commodity), change in sums.items():
            if commodity == self._rulebook.accounts.currency:
                parties[self.flows.party(account) or HELD] += change
        return {party: change for party, change in sorted(parties.items()) if change}

    # Wealth -----------------------------------------------------------------------------------

    def assets(self, seat: str) -> Sequence[Asset]:
        """Return the assets of a seat, or only its money if the rulebook does not list assets."""
        return assets_of(self._rulebook, self.state, seat)

    def _worths(self) -> Worth:
        """Return the visible wealth of all seats by part."""
        return {seat: self._parts_of(seat) for seat in self.state.seats}

    def _parts_of(self, seat: str) -> dict[str, int]:
        sums: dict[str, int] = {}
        complete = self._whole or seat == self._viewer.seat
        for asset in self.assets(seat):
            if complete or asset.kind in self._public:
                part = DEBTS if asset.value < 0 else self._parts.get(asset.kind, asset.kind)
                sums[part] = sums.get(part, 0) + asset.value
        return sums

    def _moment_over(self) -> None:
        if self._time is not None:
            worth: Callable[[], Worth] = (lambda: self._worth) if self._whole else self._worths
            owed = AllObligations(self._rulebook, self.state, "en").visible(self._viewer)
            self.debts.take(owed, self._time)
            self._curve.pass_by(self.state.version, self._time, worth, self.round)

    def curve(self) -> Sequence[Point]:
        """Return the wealth of all seats over time. Call `curve` once, at the end."""
        if self._time is None:
            return ()
        self._moment_over()
        self.clock.stop()
        return self._curve.up_to(self.state.version, self._time, self._worths, self.round)
