"""The statistics of a game, with what the viewer may see.

They cover the effective history: undone and voided actions do not count, and restated actions count with their new
events. While a game lasts, a player gets what is public and what is their own, and nothing that would reveal
anything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ledger.kernel.facts.events import Event
from ledger.kernel.language.sentences import speak
from ledger.moving.exporting import ISSUERS, Export
from ledger.reading.words.naming import Names
from ledger.rulebooks.parts.boards import places_of
from ledger.rulebooks.parts.tallies import Words, out_of, round_of, tallies_of
from replays.results import changed
from replays.statistics.collecting import DEBTS, Collector
from replays.statistics.curves import Point, gini, rounded
from replays.statistics.flows import HELD
from replays.statistics.shapes import (
    CorrectionEffect,
    DiceTally,
    Estate,
    EstateHolder,
    Flow,
    Flows,
    GoodsTransfer,
    ItemCount,
    MoneyEffect,
    NamedThing,
    RulingEffect,
    SeatCount,
    SeatCurve,
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
    """The default for `progress`, which does nothing."""


def statistics_of(export: Export, progress: Callable[[int, int], None] = _ignore_progress) -> Statistics:
    """The statistics of an exported game, as its viewer may see them.

    `progress` takes how many of the actions are done, and their total. Raises StoreError when the database fails.
    """
    collector = Collector(export.rulebook, export.viewer)
    after = 0
    while after < export.version:
        last = min(after + _AT_ONCE, export.version)
        for standing in export.standings(after, last):
            collector.take(standing)
        after = last
        progress(after, export.version)
    return _StatisticsWriter(export, collector).statistics()


class _StatisticsWriter:
    """Writes the collected numbers with names in the viewer's language."""

    def __init__(self, export: Export, collector: Collector) -> None:
        self._export = export
        self._collected = collector
        self._rulebook = export.rulebook
        self._language = export.language
        self._seats = tuple(export.state.seats)
        self._out = out_of(export.rulebook, export.state)
        self._places = collector.clock.first_turns.places(self._seats)
        self._names = Names(export.rulebook, export.state, export.language, "")

    def statistics(self) -> Statistics:
        """All statistics."""
        export, found = self._export, self._collected
        points = found.curve()
        flows = self._flows()
        winners = tuple(self._rulebook.winners(export.state))
        began, now = found.began, found.clock.now
        if began is None or now is None:
            raise ValueError(f"the game {export.record.game_id} has no actions")
        return Statistics(
            game=export.record.game_id,
            rulebook=export.record.rulebook,
            title=export.record.title,
            version=export.version,
            whole=export.whole,
            ended=export.state.ended,
            winners=winners,
            ending=self._sentences(found.ending if export.state.ended else ()),
            currency=NamedThing(self._rulebook.currency, self._names.commodity(self._rulebook.currency)),
            settings=changed(self._rulebook, export.setup.settings),
            actions=found.counting,
            dropped=found.dropped,
            rounds=round_of(self._rulebook, export.state),
            began=began,
            lasted=int((now - began).total_seconds()),
            seats=tuple(self._standing(seat, points, flows, winners) for seat in self._seats),
            wealth=self._wealth(points),
            flows=flows,
            estates=self._estates(),
            counts=self._counts(),
            dice=self._dice(),
            time=tuple(self._time(seat) for seat in self._seats),
            corrections=self._corrections(),
            rulings=self._rulings(),
            turning_points=tuple(self._turning_point(swing) for swing in found.turning.swings()),
        )

    # Names --------------------------------------------------------------------------------------

    def _word_for(self, words: Mapping[str, Words], name: str) -> str:
        return word_for(words, name, self._language)

    def _spoken(self, speaker: str, value: Any) -> str:
        speak_of = self._names.speakers.get(speaker)
        return str(value).replace("_", " ") if speak_of is None else speak_of(value, self._language)

    def _sentences(self, events: Sequence[Event]) -> tuple[str, ...]:
        speakers = self._names.speakers
        spoken = (speak(getattr(event, self._language), event, self._language, speakers) for event in events)
        return tuple(sentence for sentence in spoken if sentence)

    # Wealth -------------------------------------------------------------------------------------

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
        known = tallies_of(self._rulebook).parts
        met = {
            part for point in points for parts in point.worth.values() for part, value in parts.items() if value
        }
        # Debts come last, because they are subtracted from the rest.
        order = [name for name in known if name in met]
        order += sorted(name for name in met if name not in known and name != DEBTS)
        order += [DEBTS] if DEBTS in met else []
        words = {**PARTS, **known}
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
        found = gini([sum(parts.values()) for parts in point.worth.values()])
        return None if found is None else rounded(10_000 * found)

    # Flows --------------------------------------------------------------------------------------

    def _flows(self) -> Flows:
        currency = self._rulebook.currency
        money: list[Flow] = []
        goods: dict[tuple[str, str, str], int] = {}
        for (source, target, commodity, purpose), found in self._collected.flows.sums.items():
            if commodity == currency and found.amount:
                money.append(Flow(source, target, purpose, found.amount, found.times))
            elif commodity != currency and {source, target} <= set(self._seats):
                key = source, target, commodity
                goods[key] = goods.get(key, 0) + found.amount
        named = {**PURPOSES, **tallies_of(self._rulebook).purposes}
        order = {purpose: place for place, purpose in enumerate(named)}
        used = sorted({flow.purpose for flow in money}, key=lambda one: (order.get(one, len(order)), one))
        met = {party for flow in money for party in (flow.source, flow.target)}
        others = [party for party in (*ISSUERS, HELD) if party in met]
        parties = (*self._seats, *others)
        rank = {party: place for place, party in enumerate(parties)}
        return Flows(
            parties=tuple(NamedThing(party, party_name(party, self._names)) for party in parties),
            purposes=tuple(NamedThing(purpose, self._word_for(named, purpose)) for purpose in used),
            money=tuple(sorted(money, key=lambda one: (rank[one.source], rank[one.target], one.purpose))),
            goods=tuple(
                GoodsTransfer(source, target, commodity, self._names.commodity(commodity), quantity)
                for (source, target, commodity), quantity in sorted(goods.items())
                if quantity
            ),
        )

    # Counts -------------------------------------------------------------------------------------

    def _estates(self) -> tuple[Estate, ...]:
        estates = tallies_of(self._rulebook).estates
        if estates is None:
            return ()
        found = self._collected.tallying.estates
        places = places_of(self._rulebook, self._export.state)
        owners = {place.asset: place.owner for place in places if place.asset is not None}
        order = {asset: rank for rank, asset in enumerate(owners)}
        assets = sorted({asset for asset, _ in found}, key=lambda one: (order.get(one, len(order)), one))
        rows: list[Estate] = []
        for asset in assets:
            by_seat = {seat: found[asset, seat] for seat in self._seats if (asset, seat) in found}
            cost, income = (sum(getattr(one, name) for one in by_seat.values()) for name in ("cost", "income"))
            rows.append(
                Estate(
                    id=asset,
                    name=self._spoken(estates.spoken, asset),
                    owner=owners.get(asset),
                    cost=cost,
                    income=income,
                    rent=sum(one.rent for one in by_seat.values()),
                    rents=sum(one.rents for one in by_seat.values()),
                    percent=rounded(Fraction(100 * income, cost)) if cost else None,
                    holders=tuple(EstateHolder(seat, one.cost, one.income) for seat, one in by_seat.items()),
                )
            )
        return tuple(rows)

    def _counts(self) -> tuple[Tally, ...]:
        rows: list[Tally] = []
        for name, count in tallies_of(self._rulebook).counts.items():
            moves_money = any(one.money is not None for one in count.of)
            seats = []
            for seat in self._seats:
                sums = self._collected.tallying.counts.get((name, seat))
                if sums is None or not (sums.quantity or sums.money):
                    continue
                items = tuple(
                    ItemCount(str(item), self._spoken(count.spoken, item), quantity)
                    for item, quantity in sorted(sums.items.items(), key=lambda one: (-one[1], str(one[0])))
                    if quantity
                )
                seats.append(SeatCount(seat, sums.quantity, sums.money if moves_money else None, items))
            if seats:
                total = self._collected.tallying.totals[name]
                money = total.money if moves_money else None
                rows.append(Tally(name, count.said(self._language), total.quantity, money, tuple(seats)))
        return tuple(rows)

    def _dice(self) -> tuple[DiceTally, ...]:
        rows: list[DiceTally] = []
        for name, dice in tallies_of(self._rulebook).dice.items():
            seats = []
            for seat in self._seats:
                faces = self._collected.throws.faces.get((name, seat))
                if faces is None:
                    continue
                many = sum(faces)
                total = sum(face * times for face, times in enumerate(faces, start=1))
                seats.append(SeatThrows(seat, tuple(faces), many, total, many * (dice.sides + 1) / 2))
            if seats:
                rows.append(DiceTally(name, dice.said(self._language), dice.sides, tuple(seats)))
        return tuple(rows)

    def _time(self, seat: str) -> SeatTime:
        spent = self._collected.clock.spent.get(seat)
        if spent is None:
            return SeatTime(seat, 0, 0, 0, None, 0 if self._export.whole else None)
        waited = spent.waited if self._export.whole else None
        return SeatTime(seat, spent.turns, spent.seconds, spent.longest, spent.longest_from, waited)

    # Corrections and rulings --------------------------------------------------------------------

    def _corrections(self) -> tuple[CorrectionEffect, ...]:
        rows: list[CorrectionEffect] = []
        for correction in self._export.corrections():
            made: Counter[str] = Counter()
            changes: Counter[tuple[str, str]] = Counter()
            for one in correction.consequences:
                made[one.status] += 1
                for moved, change in one.change.items():
                    changes[moved] += change
            rows.append(
                CorrectionEffect(
                    action=correction.number,
                    reason=correction.event.reason,
                    ruled=correction.ruled,
                    made=dict(sorted(made.items())),
                    effects=_effects(self._collected.money(changes)),
                )
            )
        return tuple(rows)

    def _rulings(self) -> tuple[RulingEffect, ...]:
        return tuple(
            RulingEffect(one.action, one.event.dispute, one.event.finding, one.event.rules, _effects(one.moved))
            for one in self._collected.rulings
        )

    # Turning points -----------------------------------------------------------------------------

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
