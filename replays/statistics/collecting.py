"""One pass over the history of a game as it now counts, by which everything is collected.

What lies in memory does not grow with the length of the journal: sums, a curve of so many points at most, and the
few actions that moved the lead most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.arbitration.rulings import RulingGiven
from ledger.kernel.audience import Viewer
from ledger.kernel.events import Event, kind_of
from ledger.kernel.history.timeline import Standing
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.seeing import sight
from ledger.kernel.state import State
from ledger.kernel.wealth import Asset
from ledger.rulebooks.parts.tallies import tallies_of
from replays.statistics.curves import Curve, Point, Worth
from replays.statistics.flows import HELD, Matrix
from replays.statistics.tallying import Clock, Tallying, Throws
from replays.statistics.turning import Turning

DEBTS = "debts"
"""The part of what a seat is worth that is less than nothing."""


class RulingSeen(msgspec.Struct, frozen=True):
    """A ruling that counts, and what its action moved in money, by party."""

    action: str
    event: RulingGiven
    moved: Mapping[str, int]


class Collector:
    """Collects what happens in a game, as far as one viewer may see it.

    Takes a viewer who has been told by `looking` what is revealed. `take` is given every action of the timeline in
    the order of the history, whether it counts or not; then everything collected lies open.
    """

    def __init__(self, rulebook: Rulebook[Any], viewer: Viewer) -> None:
        self._rulebook = rulebook
        self._viewer = viewer
        self._whole = viewer.sees_all
        tallies = tallies_of(rulebook)
        self._parts = {kind: name for name, part in tallies.parts.items() for kind in part.kinds}
        self._public = {kind for part in tallies.parts.values() if part.public for kind in part.kinds}
        self._purposes = {kind: name for name, purpose in tallies.purposes.items() for kind in purpose.events}
        self._owners: dict[str, str] = {}
        self._curve = Curve()
        self._time: datetime | None = None
        self._worth: Worth = {}
        self.state: State = rulebook.blank()
        self.flows = Matrix(self.owner, lambda commodity: rulebook.veil(commodity) or commodity)
        self.tallying = Tallying(tallies)
        self._won_by = frozenset(tallies.won_by)
        self.throws = Throws(tallies)
        self.clock = Clock(tallies)
        self.turning = Turning()
        self.rulings: list[RulingSeen] = []
        self.ending: list[Event] = []
        """How the game was won, and what ended it."""
        self.actions: Counter[str] = Counter()
        """How many count, by the seat that they were for, as far as the viewer can tell."""
        self.counting = 0
        self.dropped = 0
        self.began: datetime | None = None

    def owner(self, account: str) -> str | None:
        """The seat whose account it is; None when it is nobody's."""
        return self._owners.get(account)

    # One action after the other -----------------------------------------------------------------

    def take(self, standing: Standing) -> None:
        """Collect an action, counting or not."""
        moment = standing.place[0]
        if moment != self.state.version:
            self._moment_over()
        entry, state = standing.entry, self.state
        shown = sight(standing, self._viewer)
        if not standing.insert:
            self._advance(entry.recorded_at)
        state.version = moment
        if shown.status in {"undone", "voided"}:
            self.dropped += 1
        else:
            self._count(standing, [event for _, event in shown.counting], known=shown.anything)
        if shown.whole and standing.counts:
            self.throws.take(entry.seat, entry.draws)
        if not standing.counts:
            return
        worth = self._worth
        for event in standing.events:
            ended = state.ended
            state.record(event)
            if (state.ended and not ended) or kind_of(event) in self._won_by:
                self.ending.append(event)
        if self._whole and standing.events:
            self._worth = self._worths()
            if not self._rulebook.in_setup(state):
                self._turn(standing, worth)

    def _advance(self, at: datetime) -> None:
        """The time of the game goes on."""
        if self.began is None:
            self.began = at
        # Whom the game waits for may follow from what is hidden.
        waits = self._whole and self.state.seats and not self.state.ended
        playing = waits and not self._rulebook.in_setup(self.state)
        self.clock.advance(at, self._rulebook.awaited(self.state) if playing else ())
        self._time = self.clock.now

    def _count(self, standing: Standing, events: Sequence[Event], *, known: bool) -> None:
        """Count what the viewer sees of an action."""
        entry = standing.entry
        self.counting += 1
        if entry.seat is not None and (known or entry.by == self._viewer.seat):
            self.actions[entry.seat] += 1
        if not self._owners:
            self._meet(standing)
        for event in events:
            kind = kind_of(event)
            self.flows.take(event.postings, self._purposes.get(kind, kind))
            self.tallying.take(event)
            self.clock.take(event, standing.name)
            if isinstance(event, RulingGiven):
                self.rulings.append(RulingSeen(standing.name, event, self.moved(events)))

    def _meet(self, standing: Standing) -> None:
        """Learn whose accounts there are, before the action by which the seats sit down moves anything."""
        seated = self.state.copy()
        seated.fold(standing.events)
        self._owners = {account: seat for seat in seated.seats for account in self._rulebook.accounts_of(seat)}

    def _turn(self, standing: Standing, before: Worth) -> None:
        entry = standing.entry
        self.turning.take(
            action=standing.name,
            moment=standing.place[0],
            at=entry.recorded_at,
            kind=entry.kind,
            seat=entry.seat,
            events=standing.events,
            before={seat: sum(parts.values()) for seat, parts in before.items()},
            after={seat: sum(parts.values()) for seat, parts in self._worth.items()},
        )

    def moved(self, events: Iterable[Event]) -> dict[str, int]:
        """What each party came to have in money by these events, more or less."""
        sums: Counter[tuple[str, str]] = Counter()
        for event in events:
            for posting in event.postings:
                sums[posting.source, posting.commodity] -= posting.amount
                sums[posting.target, posting.commodity] += posting.amount
        return self.money(sums)

    def money(self, sums: Mapping[tuple[str, str], int]) -> dict[str, int]:
        """What each party came to have in money, given what came to each account of each commodity."""
        parties: Counter[str] = Counter()
        for (account, commodity), change in sums.items():
            if commodity == self._rulebook.currency:
                parties[self.flows.party(account) or HELD] += change
        return {party: change for party, change in sorted(parties.items()) if change}

    # What everybody is worth --------------------------------------------------------------------

    def assets(self, seat: str) -> Sequence[Asset]:
        """What a seat is worth, line by line: its money, where the rulebook does not say more."""
        found = self._rulebook.wealth(self.state, seat)
        if found:
            return found
        held = self.state.holdings
        currency = self._rulebook.currency
        money = sum(held.of(account, currency) for account in self._rulebook.accounts_of(seat))
        return (Asset("balance", currency, 1, money),)

    def _worths(self) -> Worth:
        """What everybody is worth by part, as far as the viewer may see it."""
        return {seat: self._parts_of(seat) for seat in self.state.seats}

    def _parts_of(self, seat: str) -> dict[str, int]:
        sums: dict[str, int] = {}
        own = self._whole or seat == self._viewer.seat
        for asset in self.assets(seat):
            if own or asset.kind in self._public:
                part = DEBTS if asset.value < 0 else self._parts.get(asset.kind, asset.kind)
                sums[part] = sums.get(part, 0) + asset.value
        return sums

    def _moment_over(self) -> None:
        if self._time is not None:
            worth: Callable[[], Worth] = (lambda: self._worth) if self._whole else self._worths
            self._curve.pass_by(self.state.version, self._time, worth)

    def curve(self) -> Sequence[Point]:
        """What everybody was worth over time. To be asked for once, at the end."""
        if self._time is None:
            return ()
        self._moment_over()
        self.clock.stop()
        return self._curve.up_to(self.state.version, self._time, self._worths)
