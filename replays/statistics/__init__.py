"""The statistics of a game, limited to the viewer's view.

The statistics cover the effective history: undone and voided actions do not count, and restated actions count
with their new events. During a game, a player gets public data and their own, and nothing from which hidden
data could be derived.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from ledger.kernel.facts.events import Event
from ledger.kernel.language.phrase import Phrase
from ledger.moving.exporting import ISSUERS, Export
from ledger.reading.words.naming import Names
from ledger.rulebooks.parts.boards import places_of
from replays.results import changed
from replays.statistics.collecting import DEBTS, Collector
from replays.statistics.curves import Point, gini, rounded
from replays.statistics.fair import fair_band
from replays.statistics.flows import HELD
from replays.statistics.shapes import (
    CorrectionEffect,
    DiceTally,
    Estate,
    EstateHolder,
    FairBand,
    Flow,
    Flows,
    GoodsTransfer,
    ItemCount,
    MoneyEffect,
    NamedThing,
    RulingEffect,
    SeatCount,
    SeatCurve,
    SeatDebts,
    SeatStanding,
    SeatThrows,
    SeatTime,
    Statistics,
    Tally,
    TurningPoint,
    Wealth,
)
from replays.statistics.turning import Swing
from replays.statistics.words import PARTS, PURPOSES, party_name, word_for

__all__ = ["Statistics", "statistics_of"]

_AT_ONCE = 500


def _ignore_progress(done: int, total: int) -> None:
    """Do nothing: the default for `progress`."""


def statistics_of(export: Export, progress: Callable[[int, int], None] = _ignore_progress) -> Statistics:
    """Compute the statistics of an exported game for its viewer.

    `progress` is called with the number of processed actions, and the total. Raises StoreError if the database
    fails.
    """
    collector = Collector(export.rulebook, export.viewer)
    start = 0
    while start < export.version:
        last = min(start + _AT_ONCE, export.version)
        for timeline_entry in export.timeline_entries(start, last):
            collector.take(timeline_entry)
        start = last
        progress(start, export.version)
    return _StatisticsWriter(export, collector).statistics()


class _StatisticsWriter:
    """Writes the collected numbers with names in the viewer's language."""

    def __init__(self, export: Export, collector: Collector) -> None:
        self._export = export
        self._collected = collector
        self._rulebook = export.rulebook
        self._language = export.language
        self._seats = tuple(export.state.seats)
        self._out = export.rulebook.screen.out(export.state)
        self._places = collector.clock.first_turns.places(self._seats)
        self._names = Names(export.rulebook, export.state, export.language, "")

    def statistics(self) -> Statistics:
        """Return all statistics."""
        export, collected = self._export, self._collected
        points = collected.curve()
        flows = self._flows()
        winners = tuple(self._rulebook.score.winners(export.state))
        currency = self._rulebook.accounts.currency
        unit = self._rulebook.score.unit or currency
        began, end = collected.began, collected.clock.last_at
        if began is None or end is None:
            raise ValueError(f"the game {export.record.game_id} has no actions")
        return Statistics(
            game=export.record.game_id,
            rulebook=export.record.rulebook,
            title=export.record.title,
            version=export.version,
            whole=export.whole,
            ended=export.state.ended,
            winners=winners,
            ending=self._sentences(collected.ending if export.state.ended else ()),
            currency=NamedThing(currency, self._names.commodity(currency)),
            unit=NamedThing(unit, self._names.commodity(unit)),
            settings=changed(self._rulebook, export.setup.settings),
            actions=collected.counting,
            dropped=collected.dropped,
            rounds=self._rulebook.screen.round_of(export.state),
            began=began,
            lasted=int((end - began).total_seconds()),
            seats=tuple(self._standing(seat, points, flows, winners) for seat in self._seats),
            wealth=self._wealth(points),
            flows=flows,
            estates=self._estates(),
            counts=self._counts(),
            dice=self._dice(),
            time=tuple(self._time(seat) for seat in self._seats),
            debts=tuple(self._debts()),
            corrections=self._corrections(),
            rulings=self._rulings(),
            turning_points=tuple(self._turning_point(swing) for swing in collected.turning.swings()),
        )

    # Names ------------------------------------------------------------------------------------

    def _word_for(self, words: Mapping[str, Phrase], name: str) -> str:
        return word_for(words, name, self._language)

    def _spoken(self, speaker: str, value: Any) -> str:
        speak_of = self._names.speakers.get(speaker)
        return str(value).replace("_", " ") if speak_of is None else speak_of(value, self._language)

    def _sentences(self, events: Sequence[Event]) -> tuple[str, ...]:
        speakers = self._names.speakers
        spoken = (event.sentence(self._language, speakers) for event in events)
        return tuple(sentence for sentence in spoken if sentence)

    # Wealth -----------------------------------------------------------------------------------

    def _sees(self, seat: str) -> bool:
        return self._export.whole or seat == self._export.viewer.seat

    def _standing(self, seat: str, points: Sequence[Point], flows: Flows, winners: Sequence[str]) -> SeatStanding:
        simulated = self._export.setup.simulated
        return SeatStanding(
            seat=seat,
            name=self._export.state.seats[seat].name,
            won=seat in winners,
            worth=sum(points[-1].worth[seat].values()) if self._sees(seat) else None,
            received=sum(flow.amount for flow in flows.money if flow.target == seat),
            paid=sum(flow.amount for flow in flows.money if flow.source == seat),
            actions=self._collected.actions[seat],
            place=self._places.get(seat),
            strategy=None if simulated is None else simulated.strategies.get(seat),
            out=seat in self._out,
        )

    def _wealth(self, points: Sequence[Point]) -> Wealth:
        named_parts = self._rulebook.tallies.parts
        met = {
            part for point in points for parts in point.worth.values() for part, value in parts.items() if value
        }
        # Debts come last, because they are subtracted.
        order = [name for name in named_parts if name in met]
        order += sorted(name for name in met if name not in named_parts and name != DEBTS)
        order += [DEBTS] if DEBTS in met else []
        words = {**PARTS, **named_parts}
        return Wealth(
            moments=tuple(point.moment for point in points),
            at=tuple(point.at for point in points),
            parts=tuple(NamedThing(name, self._word_for(words, name)) for name in order),
            seats=tuple(self._curve(seat, points, order) for seat in self._seats),
            gini=tuple(map(self._gini, points)),
            rounds=tuple(point.round for point in points),
        )

    def _curve(self, seat: str, points: Sequence[Point], order: Sequence[str]) -> SeatCurve:
        worth = [point.worth.get(seat, {}) for point in points]
        values = {name: tuple(parts.get(name, 0) for parts in worth) for name in order}
        return SeatCurve(
            seat=seat,
            total=tuple(sum(parts.values()) for parts in worth) if self._sees(seat) else None,
            parts={name: line for name, line in values.items() if any(line)},
        )

    def _gini(self, point: Point) -> int | None:
        if not self._export.whole:
            return None
        coefficient = gini([sum(parts.values()) for parts in point.worth.values()])
        return None if coefficient is None else rounded(10_000 * coefficient)

    # Flows ------------------------------------------------------------------------------------

    def _flows(self) -> Flows:
        currency = self._rulebook.accounts.currency
        money: list[Flow] = []
        goods: dict[tuple[str, str, str], int] = {}
        for (source, target, commodity, purpose), total in self._collected.flows.sums.items():
            if commodity == currency and total.amount:
                money.append(Flow(source, target, purpose, total.amount, total.times))
            elif commodity != currency and {source, target} <= set(self._seats):
                key = source, target, commodity
                goods[key] = goods.get(key, 0) + total.amount
        named = {**PURPOSES, **self._rulebook.tallies.purposes}
        order = {purpose: index for index, purpose in enumerate(named)}
        used = sorted({flow.purpose for flow in money}, key=lambda item: (order.get(item, len(order)), item))
        met = {party for flow in money for party in (flow.source, flow.target)}
        others = [party for party in (*ISSUERS, HELD) if party in met]
        parties = (*self._seats, *others)
        rank = {party: index for index, party in enumerate(parties)}
        return Flows(
            parties=tuple(NamedThing(party, party_name(party, self._names)) for party in parties),
            purposes=tuple(NamedThing(purpose, self._word_for(named, purpose)) for purpose in used),
            money=tuple(sorted(money, key=lambda item: (rank[item.source], rank[item.target], item.purpose))),
            goods=tuple(
                GoodsTransfer(source, target, commodity, self._names.commodity(commodity), quantity)
                for (source, target, commodity), quantity in sorted(goods.items())
                if quantity
            ),
        )

    # Counts -----------------------------------------------------------------------------------

    def _estates(self) -> tuple[Estate, ...]:
        estates = self._rulebook.tallies.estates
        if estates is None:
            return ()
        accounts = self._collected.tallying.estates
        places = places_of(self._rulebook, self._export.state)
        owners = {place.asset: place.owner for place in places if place.asset is not None}
        order = {asset: rank for rank, asset in enumerate(owners)}
        assets = sorted({asset for asset, _ in accounts}, key=lambda item: (order.get(item, len(order)), item))
        rows: list[Estate] = []
        for asset in assets:
            by_seat = {seat: accounts[asset, seat] for seat in self._seats if (asset, seat) in accounts}
            cost, income = (sum(getattr(item, name) for item in by_seat.values()) for name in ("cost", "income"))
            rows.append(
                Estate(
                    id=asset,
                    name=self._spoken(estates.spoken, asset),
                    owner=owners.get(asset),
                    cost=cost,
                    income=income,
                    rent=sum(item.rent for item in by_seat.values()),
                    rents=sum(item.rents for item in by_seat.values()),
                    percent=rounded(Fraction(100 * income, cost)) if cost else None,
                    holders=tuple(EstateHolder(seat, item.cost, item.income) for seat, item in by_seat.items()),
                )
            )
        return tuple(rows)

    def _counts(self) -> tuple[Tally, ...]:
        rows: list[Tally] = []
        for name, count in self._rulebook.tallies.counts.items():
            moves_money = any(entry.money is not None for entry in count.of)
            seats = []
            for seat in self._seats:
                sums = self._collected.tallying.counts.get((name, seat))
                if sums is None or not (sums.quantity or sums.money):
                    continue
                items = tuple(
                    ItemCount(str(item), self._spoken(count.spoken, item), quantity)
                    for item, quantity in sorted(sums.items.items(), key=lambda entry: (-entry[1], str(entry[0])))
                    if quantity
                )
                seats.append(SeatCount(seat, sums.quantity, sums.money if moves_money else None, items))
            if seats:
                total = self._collected.tallying.totals[name]
                money = total.money if moves_money else None
                rows.append(Tally(name, count.in_language(self._language), total.quantity, money, tuple(seats)))
        return tuple(rows)

    def _dice(self) -> tuple[DiceTally, ...]:
        rows: list[DiceTally] = []
        for name, dice in self._rulebook.tallies.dice.items():
            seats = []
            for seat in self._seats:
                faces = self._collected.throws.faces.get((name, seat))
                if faces is None:
                    continue
                many = sum(faces)
                total = sum(face * times for face, times in enumerate(faces, start=1))
                seats.append(SeatThrows(seat, tuple(faces), many, total, many * (dice.sides + 1) / 2))
            if seats:
                band = FairBand(*fair_band(sum(throws.dice for throws in seats), dice.sides))
                rows.append(DiceTally(name, dice.in_language(self._language), dice.sides, tuple(seats), band))
        return tuple(rows)

    def _time(self, seat: str) -> SeatTime:
        spent = self._collected.clock.spent.get(seat)
        if spent is None:
            return SeatTime(seat, 0, 0, 0, None, 0 if self._export.whole else None)
        waited = spent.waited if self._export.whole else None
        return SeatTime(seat, spent.turns, spent.seconds, spent.longest, spent.longest_from, waited)

    def _debts(self) -> Iterator[SeatDebts]:
        """Yield the debts in the order of the seats, the commodities in the order of their first debts."""
        for seat in self._seats:
            for (debtor, commodity), debt in self._collected.debts.debts.items():
                if debtor == seat:
                    name = self._names.commodity(commodity)
                    yield SeatDebts(seat, commodity, name, **msgspec.structs.asdict(debt))

    # Corrections and rulings ------------------------------------------------------------------

    def _corrections(self) -> tuple[CorrectionEffect, ...]:
        rows: list[CorrectionEffect] = []
        for correction in self._export.corrections():
            statuses: Counter[str] = Counter()
            changes: Counter[tuple[str, str]] = Counter()
            for consequence in correction.consequences:
                statuses[consequence.status] += 1
                for moved, change in consequence.change.items():
                    changes[moved] += change
            rows.append(
                CorrectionEffect(
                    action=correction.number,
                    reason=correction.event.reason,
                    ruled=correction.ruled,
                    made=dict(sorted(statuses.items())),
                    effects=_effects(self._collected.money(changes)),
                )
            )
        return tuple(rows)

    def _rulings(self) -> tuple[RulingEffect, ...]:
        return tuple(
            RulingEffect(
                ruling.action,
                ruling.event.dispute,
                ruling.event.finding,
                ruling.event.rules,
                _effects(ruling.moved),
            )
            for ruling in self._collected.rulings
        )

    # Turning points ---------------------------------------------------------------------------

    def _turning_point(self, swing: Swing) -> TurningPoint:
        changes = {seat: swing.after[seat] - swing.before[seat] for seat in swing.before}
        return TurningPoint(
            action=swing.action,
            moment=swing.moment,
            round=swing.round,
            at=swing.at,
            kind=swing.kind,
            seat=swing.seat,
            sentences=self._sentences(swing.events),
            leader_before=swing.leader_before,
            leader_after=swing.leader_after,
            lead_before=swing.lead_before,
            lead_after=swing.lead_after,
            swing=swing.lead_after - swing.lead_before,
            effects=_effects(changes),
        )


def _effects(moved: Mapping[str, int]) -> tuple[MoneyEffect, ...]:
    return tuple(MoneyEffect(party, change) for party, change in moved.items() if change)
