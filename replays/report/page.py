"""What stands on the report's page, part by part, in the words of its language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ledger.exporting import Export
from ledger.kernel.seeing import seen_account
from ledger.naming import Names
from replays.report import board, charts
from replays.report.words import Speech, capital
from replays.statistics.collecting import DEBTS
from replays.statistics.shapes import (
    Effect,
    Estate,
    Flow,
    Item,
    SeatCount,
    SeatCurve,
    SeatStanding,
    Statistics,
    TurningPoint,
)

_COLOURS = 8
_PARTS = 7
_FLAGS = 8
"""How many turning points are told."""
_LONG = 6
"""How many rows of a list by size are told; the rest are taken together."""


@dataclass(frozen=True, slots=True)
class Person:
    """A party as it is shown: its colour (from 1 on; 0 for the bank and what is nobody's) and its initials."""

    id: str
    name: str
    colour: int
    initials: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: its name, what it is worth in words, how long it is in percent, and what colour (0 for none)."""

    label: str
    said: str
    width: float
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Rank:
    """A line of the final standings; segments are widths in percent with their part's colour."""

    place: int
    person: Person
    won: bool
    said: str
    offset: float
    segments: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with what is written around it, and what it shows in words."""

    told: str
    across: charts.Axis
    upright: charts.Axis
    lines: tuple[charts.Line, ...] = ()
    areas: tuple[charts.Area, ...] = ()
    flags: tuple[charts.Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A turning point in words."""

    number: int
    point: TurningPoint
    told: str
    text: tuple[str, ...]
    grew: bool
    effects: tuple[tuple[Person, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of numbers in words: its columns, and its rows with who or what each is of."""

    columns: tuple[Any, ...]
    rows: tuple[tuple[Any, tuple[str, ...]], ...]
    foot: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Title:
    """A line of the table of what brings a return."""

    estate: Estate
    colour: str | None
    owner: Person | None
    state: str
    cost: str
    income: str
    rents: str
    percent: str
    bar: float


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done at the table: how often, and by whom most."""

    name: str
    said: str
    most: tuple[Person, ...]
    most_said: str


@dataclass(frozen=True, slots=True)
class Mending:
    """A ruling or a correction in words."""

    kind: str
    action: str
    text: str
    details: tuple[str, ...]
    effects: tuple[tuple[Person, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Luck:
    """Dice that a player threw: faces as bars, with how high fair dice would stand."""

    name: str
    told: str
    verdict: str
    faces: tuple[Bar, ...]
    level: float


@dataclass(frozen=True, slots=True)
class Player:
    """A player's page."""

    person: Person
    standing: SeatStanding
    worth: str
    chart: Chart | None
    received: tuple[Bar, ...]
    paid: tuple[Bar, ...]
    income: tuple[Bar, ...]
    spending: tuple[Bar, ...]
    deeds: tuple[tuple[str, str, str], ...]
    dice: tuple[Luck, ...]
    time: tuple[str, ...]
    holds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """All that the template sets out."""

    say: Speech
    statistics: Statistics
    rulebook: str
    language: str
    headline: str
    sentence: str
    subtitle: str
    view_note: str | None
    winners: tuple[Person, ...]
    ranks: tuple[Rank, ...]
    parts: tuple[tuple[int, str], ...]
    wealth: Chart | None
    scrubber: Mapping[str, Any]
    gini: Chart | None
    gini_end: str
    turns: tuple[Turn, ...]
    arcs: tuple[tuple[charts.Arc, Person], ...]
    ribbons: tuple[tuple[charts.Ribbon, Person, str], ...]
    payments: Table | None
    purposes: tuple[Bar, ...]
    passed: tuple[tuple[str, str, str, str], ...]
    board: board.Board | None
    titles: tuple[Title, ...]
    titles_name: str
    deeds: tuple[Deed, ...]
    players: tuple[Player, ...]
    mendings: tuple[Mending, ...]
    people: Mapping[str, Person] = field(default_factory=dict)


def page_of(export: Export, statistics: Statistics) -> Page:
    """The page of a game as its reader may see it."""
    return _Setting(export, statistics).page()


class _Setting:
    """Sets out one page."""

    def __init__(self, export: Export, found: Statistics) -> None:
        self._export = export
        self._found = found
        self._names = Names(export.rulebook, export.state, export.language, "")
        self._say = Speech(export.language, self._names.speakers.get("money"))
        self._people = _people(found)
        self._parts = {
            part.id: 0 if part.id == DEBTS else 1 + place % _PARTS for place, part in enumerate(found.wealth.parts)
        }
        self._part_names = {part.id: part.name for part in found.wealth.parts}

    def page(self) -> Page:
        """All of it."""
        found, say = self._found, self._say
        turns = self._turns()
        arcs, ribbons = self._circle()
        return Page(
            say=say,
            statistics=found,
            rulebook=self._export.rulebook.title,
            language=self._export.language,
            headline=self._headline(),
            sentence=found.ending[-1] if found.ending else "",
            subtitle=say(
                "of_day",
                day=say.day(found.began),
                lasted=say.duration(found.lasted),
                actions=say.number(found.actions),
            ),
            view_note=None if found.whole else say("a_view", who=self._viewer()),
            winners=tuple(self._people[seat] for seat in found.winners),
            ranks=self._ranks(),
            parts=tuple((self._parts[part.id], part.name) for part in found.wealth.parts),
            wealth=self._wealth(turns),
            scrubber=self._scrubber(),
            gini=self._gini(),
            gini_end=self._share(found.wealth.gini[-1]) if found.wealth.gini else "",
            turns=turns,
            arcs=arcs,
            ribbons=ribbons,
            payments=self._payments(),
            purposes=self._purposes(),
            passed=tuple(
                (self._name(one.source), self._name(one.target), one.name, say.number(one.quantity))
                for one in found.flows.goods
            ),
            board=board.board_of(self._export, self._people),
            titles=self._titles(),
            titles_name=self._titles_name(),
            deeds=self._deeds(),
            players=tuple(self._player(seat) for seat in found.seats),
            mendings=self._mendings(),
            people=self._people,
        )

    def _viewer(self) -> str:
        viewer = self._export.viewer
        return self._name(viewer.seat) if viewer.seat is not None else viewer.role

    def _name(self, party: str) -> str:
        person = self._people.get(party)
        return party if person is None else person.name

    def _headline(self) -> str:
        found, say = self._found, self._say
        names = [self._name(seat) for seat in found.winners]
        if len(names) == 1:
            return say("wins", name=names[0])
        if names:
            return say("share", names=say.list(names))
        if found.ended:
            return say("nobody")
        known = {seat.seat: seat.worth for seat in found.seats if seat.worth is not None}
        if len(known) == len(found.seats) and len(set(known.values())) > 1:
            return say("running_lead", name=self._name(max(known, key=lambda seat: known[seat])))
        return say("running")

    # How everybody stands -----------------------------------------------------------------------

    def _ranks(self) -> tuple[Rank, ...]:
        last = {
            curve.seat: {part: values[-1] for part, values in curve.parts.items()}
            for curve in self._found.wealth.seats
        }
        up = max((sum(max(0, value) for value in parts.values()) for parts in last.values()), default=0)
        down = max((-sum(min(0, value) for value in parts.values()) for parts in last.values()), default=0)
        span = max(1, up + down)
        order = sorted(self._found.seats, key=lambda one: (not one.won, -(one.worth or 0)))
        ranks = []
        for place, seat in enumerate(order, start=1):
            parts = last[seat.seat]
            owed = -sum(min(0, value) for value in parts.values())
            segments = [(self._parts[part], value) for part, value in parts.items() if value > 0]
            if owed:
                segments.insert(0, (0, owed))
            said = (
                self._say("worth_unknown")
                if seat.worth is None
                else self._say("worth", money=self._say.money(seat.worth))
            )
            ranks.append(
                Rank(
                    place=place,
                    person=self._people[seat.seat],
                    won=seat.won,
                    said=said,
                    offset=_percent(down - owed, span),
                    segments=tuple((colour, _percent(value, span)) for colour, value in segments),
                )
            )
        return tuple(ranks)

    # Curves -------------------------------------------------------------------------------------

    def _across(self) -> charts.Axis:
        """A few moments along the bottom."""
        moments = self._found.wealth.moments
        last = len(moments) - 1
        places = sorted({round(last * part / 4) for part in range(5)})
        marks = (charts.Mark(round(100 * place / max(1, last), 1), str(moments[place])) for place in places)
        return charts.Axis(tuple(marks))

    def _wealth(self, turns: Sequence[Turn]) -> Chart | None:
        curves: list[tuple[SeatCurve, Sequence[int], bool]] = []
        for curve in self._found.wealth.seats:
            if curve.total is not None:
                curves.append((curve, curve.total, False))
            elif curve.parts:
                curves.append((curve, [sum(values) for values in zip(*curve.parts.values(), strict=True)], True))
        moments = self._found.wealth.moments
        if not curves or len(moments) < 2:
            return None
        scale = charts.Scale([value for _, values, _ in curves for value in values])
        across = charts.xs(len(moments))
        ends = charts.apart([scale.percent(values[-1]) for _, values, _ in curves], 7)
        lines = []
        for (curve, values, public), end in zip(curves, ends, strict=True):
            person = self._people[curve.seat]
            label = self._say("public_only", name=person.name) if public else person.name
            path = charts.stairs(across, values, scale)
            lines.append(charts.Line(person.colour, path, charts.Mark(end, label), public))
        places = [self._place_of(turn.point.moment) for turn in turns]
        order = sorted(range(len(places)), key=lambda one: places[one])
        rows = charts.rows([places[one] for one in order], 7, 3)
        flags = tuple(
            charts.Mark(places[one], str(turns[one].number), row) for one, row in zip(order, rows, strict=True)
        )
        ended = ", ".join(
            f"{self._name(curve.seat)} {self._say.money(values[-1])}" for curve, values, _ in curves
        )
        return Chart(
            told=self._say("wealth_chart", first=moments[0], last=moments[-1], ends=ended),
            across=self._across(),
            upright=scale.axis(self._say.number),
            lines=tuple(lines),
            flags=flags,
        )

    def _place_of(self, moment: int) -> float:
        """Where a moment stands on a curve whose points are evenly chosen moments, in percent."""
        moments = self._found.wealth.moments
        place = next((one for one, passed in enumerate(moments) if passed >= moment), len(moments) - 1)
        return round(100 * place / max(1, len(moments) - 1), 1)

    def _scrubber(self) -> Mapping[str, Any]:
        """What the page's script tells of a moment."""
        told = [curve for curve in self._found.wealth.seats if curve.total is not None]
        return {
            "moments": list(self._found.wealth.moments),
            "seats": [curve.seat for curve in told],
            "totals": [list(curve.total or ()) for curve in told],
        }

    def _share(self, ten_thousandths: int | None) -> str:
        return "" if ten_thousandths is None else self._say.decimal(ten_thousandths / 10_000, 2)

    def _gini(self) -> Chart | None:
        values = [value or 0 for value in self._found.wealth.gini]
        if not any(values) or len(values) < 2:
            return None
        moments = self._found.wealth.moments
        scale = charts.Scale([*values, 10_000], lines=2)
        areas = charts.stacked({"gini": values}, scale, {"gini": 1})
        return Chart(
            told=self._say(
                "gini_chart",
                first=moments[0],
                last=moments[-1],
                least=self._share(min(values)),
                most=self._share(max(values)),
            ),
            across=self._across(),
            upright=scale.axis(self._share),
            areas=tuple(areas),
        )

    # Turning points -----------------------------------------------------------------------------

    def _turns(self) -> tuple[Turn, ...]:
        chosen = sorted(self._found.turning_points[:_FLAGS], key=lambda one: _place(one.action, one.moment))
        return tuple(
            Turn(
                number=number,
                point=point,
                told=self._swing(point),
                text=point.sentences,
                grew=point.swing > 0,
                effects=self._effects(point.effects),
            )
            for number, point in enumerate(chosen, start=1)
        )

    def _swing(self, point: TurningPoint) -> str:
        say = self._say
        old, new = self._name(point.leader_before), self._name(point.leader_after)
        if old != new:
            after = say.money(-point.lead_after)
            if not point.lead_before:
                return say("swing_taken", old=old, new=new, after=after)
            return say("swing_lost", old=old, new=new, before=say.money(point.lead_before), after=after)
        word = "swing_more" if point.swing > 0 else "swing_less"
        return say(word, name=old, money=say.money(abs(point.swing)), lead=say.money(point.lead_after))

    def _effects(self, effects: Iterable[Effect]) -> tuple[tuple[Person, str, bool], ...]:
        return tuple(
            (self._people[one.party], self._say.signed(one.change), one.change > 0)
            for one in sorted(effects, key=lambda one: -one.change)
        )

    # Flows --------------------------------------------------------------------------------------

    def _circle(
        self,
    ) -> tuple[tuple[tuple[charts.Arc, Person], ...], tuple[tuple[charts.Ribbon, Person, str], ...]]:
        parties = [party.id for party in self._found.flows.parties]
        index = {party: place for place, party in enumerate(parties)}
        amounts: dict[tuple[int, int], int] = {}
        for flow in self._found.flows.money:
            pair = index[flow.source], index[flow.target]
            amounts[pair] = amounts.get(pair, 0) + flow.amount
        arcs, ribbons = charts.circle({pair: max(0, amount) for pair, amount in amounts.items()}, len(parties))
        return (
            tuple((arc, self._people[parties[arc.party]]) for arc in arcs),
            tuple(
                (
                    ribbon,
                    self._people[parties[ribbon.source]],
                    f"{self._name(parties[ribbon.source])} → {self._name(parties[ribbon.target])}: "
                    f"{self._say.money(amounts[ribbon.source, ribbon.target])}",
                )
                for ribbon in ribbons
            ),
        )

    def _payments(self) -> Table | None:
        flows = self._found.flows
        if not flows.money:
            return None
        parties = [party.id for party in flows.parties]
        sums: dict[tuple[str, str], int] = {}
        for flow in flows.money:
            sums[flow.source, flow.target] = sums.get((flow.source, flow.target), 0) + flow.amount
        paid = {party: sum(amount for pair, amount in sums.items() if pair[0] == party) for party in parties}
        received = {party: sum(amount for pair, amount in sums.items() if pair[1] == party) for party in parties}

        def number(amount: int) -> str:
            return self._say.number(amount) if amount else "·"

        rows = tuple(
            (
                self._people[one],
                (*(number(sums.get((one, other), 0)) for other in parties), number(paid[one])),
            )
            for one in parties
        )
        return Table(
            columns=tuple(self._people[party] for party in parties),
            rows=rows,
            foot=(
                (self._say("total_received"), (*(number(received[one]) for one in parties), "")),
                (self._say("change"), (*(number(received[one] - paid[one]) for one in parties), "")),
            ),
        )

    def _purposes(self) -> tuple[Bar, ...]:
        return self._by_purpose(self._found.flows.money)

    def _by_purpose(self, flows: Iterable[Flow], most: int | None = None) -> tuple[Bar, ...]:
        names = {purpose.id: purpose.name for purpose in self._found.flows.purposes}
        sums: dict[str, int] = {}
        for flow in flows:
            sums[flow.purpose] = sums.get(flow.purpose, 0) + flow.amount
        return self._bars({capital(names[purpose]): amount for purpose, amount in sums.items()}, most)

    def _bars(
        self, amounts: Mapping[str, int], most: int | None, colours: Mapping[str, int] | None = None
    ) -> tuple[Bar, ...]:
        """Amounts as bars, the longest first; the smallest of many together."""
        order = sorted(amounts.items(), key=lambda one: (-one[1], one[0]))
        if most is not None and len(order) > most:
            order = [*order[: most - 1], ("…", sum(amount for _, amount in order[most - 1 :]))]
        longest = max((amount for _, amount in order), default=0)
        return tuple(
            Bar(name, self._say.money(amount), _percent(amount, longest), (colours or {}).get(name, 0))
            for name, amount in order
            if amount
        )

    # Titles and deeds ---------------------------------------------------------------------------

    def _titles_name(self) -> str:
        estates = self._export.rulebook.tallies.estates
        return "" if estates is None else capital(estates.said(self._export.language))

    def _titles(self) -> tuple[Title, ...]:
        say = self._say
        places = {place.asset: place for place in self._export.rulebook.places(self._export.state)}
        tallies = self._export.rulebook.tallies
        most = max((estate.percent or 0 for estate in self._found.estates), default=0)
        titles = []
        for estate in self._found.estates:
            place = places.get(estate.id)
            titles.append(
                Title(
                    estate=estate,
                    colour=None if place is None else place.colour,
                    owner=None if estate.owner is None else self._people[estate.owner],
                    state="" if place is None else board.state_said(place, tallies, say.language),
                    cost=say.money(estate.cost),
                    income=say.money(estate.income),
                    rents=say("times_rent", count=estate.rents) if estate.rents else "",
                    percent="" if estate.percent is None else f"{say.number(estate.percent)} %",
                    bar=_percent(estate.percent or 0, most),
                )
            )
        return tuple(titles)

    def _deeds(self) -> tuple[Deed, ...]:
        deeds = []
        for tally in self._found.counts:
            quantity = sum(one.quantity for one in tally.seats)
            money = sum(one.money or 0 for one in tally.seats)
            with_money = any(one.money for one in tally.seats)
            most = max((one.money if with_money else one.quantity) or 0 for one in tally.seats)
            first = [one for one in tally.seats if ((one.money if with_money else one.quantity) or 0) == most]
            said = self._say.money(most) if with_money else self._say.number(most)
            deeds.append(
                Deed(
                    name=capital(tally.name),
                    said=self._say.number(quantity) + (f" · {self._say.money(money)}" if with_money else ""),
                    most=tuple(self._people[one.seat] for one in first),
                    most_said=said,
                )
            )
        return tuple(deeds)

    # Players ------------------------------------------------------------------------------------

    def _player(self, seat: SeatStanding) -> Player:
        me = seat.seat
        received = [flow for flow in self._found.flows.money if flow.target == me]
        paid = [flow for flow in self._found.flows.money if flow.source == me]
        colours = {person.name: person.colour for person in self._people.values()}
        from_whom: dict[str, int] = {}
        to_whom: dict[str, int] = {}
        for flow in received:
            from_whom[self._name(flow.source)] = from_whom.get(self._name(flow.source), 0) + flow.amount
        for flow in paid:
            to_whom[self._name(flow.target)] = to_whom.get(self._name(flow.target), 0) + flow.amount
        return Player(
            person=self._people[me],
            standing=seat,
            worth=self._say("worth_unknown") if seat.worth is None else self._say.money(seat.worth),
            chart=self._composition(me),
            received=self._bars(from_whom, None, colours),
            paid=self._bars(to_whom, None, colours),
            income=self._by_purpose(received, _LONG),
            spending=self._by_purpose(paid, _LONG),
            deeds=tuple(
                (capital(tally.name), self._done(one), self._items(one.items))
                for tally in self._found.counts
                for one in tally.seats
                if one.seat == me
            ),
            dice=self._luck(me),
            time=self._time(me),
            holds=self._holds(me),
        )

    def _done(self, count: SeatCount) -> str:
        said = self._say.number(count.quantity)
        return f"{said} · {self._say.money(count.money)}" if count.money else said

    def _items(self, items: Sequence[Item]) -> str:
        shown = [f"{item.name} ×{item.quantity}" if item.quantity > 1 else item.name for item in items[:_LONG]]
        return ", ".join(shown) + (" …" if len(items) > _LONG else "")

    def _composition(self, seat: str) -> Chart | None:
        curve = next(one for one in self._found.wealth.seats if one.seat == seat)
        moments = self._found.wealth.moments
        if not curve.parts or len(moments) < 2:
            return None
        up = [sum(max(0, value) for value in values) for values in zip(*curve.parts.values(), strict=True)]
        down = [sum(min(0, value) for value in values) for values in zip(*curve.parts.values(), strict=True)]
        scale = charts.Scale([*up, *down], lines=4)
        ends = ", ".join(
            f"{self._part_names[part]} {self._say.money(values[-1])}" for part, values in curve.parts.items()
        )
        return Chart(
            told=self._say("over_time_chart", name=self._name(seat), ends=ends),
            across=self._across(),
            upright=scale.axis(self._say.number),
            areas=tuple(charts.stacked(curve.parts, scale, self._parts)),
        )

    def _luck(self, seat: str) -> tuple[Luck, ...]:
        say = self._say
        told = []
        for tally in self._found.dice:
            for thrown in tally.seats:
                if thrown.seat != seat or not thrown.dice:
                    continue
                difference = thrown.total - thrown.expected
                word = "dice_even" if not difference else "dice_luckier" if difference > 0 else "dice_unluckier"
                places = 0 if difference == int(difference) else 1
                most = max(*thrown.faces, thrown.dice / tally.sides)
                told.append(
                    Luck(
                        name=capital(tally.name),
                        told=say(
                            "dice_lead",
                            dice=say.number(thrown.dice),
                            dice_words=say("die_word" if thrown.dice == 1 else "dice_word"),
                            total=say.number(thrown.total),
                            expected=say.decimal(thrown.expected, places),
                        ),
                        verdict=say(word, difference=say.decimal(abs(difference), places)),
                        faces=tuple(
                            Bar(str(face), say("dice_face", face=face, times=times), _percent(times, most))
                            for face, times in enumerate(thrown.faces, start=1)
                        ),
                        level=_percent(thrown.dice / tally.sides, most),
                    )
                )
        return tuple(told)

    def _time(self, seat: str) -> tuple[str, ...]:
        say = self._say
        found = next(one for one in self._found.time if one.seat == seat)
        told = []
        if found.turns:
            told.append(
                say(
                    "turns" if found.turns > 1 else "one_turn",
                    turns=say.number(found.turns),
                    average=say.duration(found.seconds // found.turns),
                    longest=say.duration(found.longest),
                    action=say("action", number=found.longest_from),
                )
            )
        if found.waited:
            told.append(say("waited", waited=say.duration(found.waited), name=self._name(seat)))
        return tuple(told)

    def _holds(self, seat: str) -> tuple[str, ...]:
        export = self._export
        held: dict[str, int] = {}
        for account in export.rulebook.accounts_of(seat):
            for commodity, amount in seen_account(export.rulebook, export.state, account, export.viewer).items():
                held[commodity] = held.get(commodity, 0) + amount
        told = []
        for commodity, amount in held.items():
            if commodity == export.rulebook.currency:
                told.insert(0, self._say.money(amount))
            else:
                name = self._names.commodity(commodity)
                told.append(f"{name} ×{self._say.number(amount)}" if amount != 1 else name)
        return tuple(told)

    # Rulings ------------------------------------------------------------------------------------

    def _mendings(self) -> tuple[Mending, ...]:
        say = self._say
        found: list[tuple[tuple[int, ...], Mending]] = []
        for ruling in self._found.rulings:
            details = []
            if ruling.dispute is not None:
                details.append(say("on_dispute", dispute=ruling.dispute))
            if ruling.rules:
                details.append(say("by_rules", rules=", ".join(ruling.rules)))
            found.append(
                (
                    (*_place(ruling.action, 0), 0),
                    Mending(
                        say("ruling"),
                        ruling.action,
                        ruling.finding,
                        tuple(details),
                        self._effects(ruling.effects),
                    ),
                )
            )
        for correction in self._found.corrections:
            details = [say(f"made_{status}", count=count) for status, count in correction.made.items()]
            if correction.ruled:
                details.insert(0, say("ordered"))
            found.append(
                (
                    (*_place(correction.action, 0), 1),
                    Mending(
                        say("correction"),
                        correction.action,
                        correction.reason,
                        tuple(details),
                        self._effects(correction.effects),
                    ),
                )
            )
        return tuple(mending for _, mending in sorted(found, key=lambda one: one[0]))


def _people(found: Statistics) -> dict[str, Person]:
    """Every party: seats in the colours of their places."""
    people: dict[str, Person] = {}
    seats = {seat.seat for seat in found.seats}
    place = 0
    taken: set[str] = set()
    parties = [(seat.seat, seat.name) for seat in found.seats]
    parties += [(one.id, one.name) for one in found.flows.parties if one.id not in seats]
    for party, name in parties:
        place += party in seats
        initials = _initials(name, taken)
        taken.add(initials)
        people[party] = Person(party, name, 1 + (place - 1) % _COLOURS if party in seats else 0, initials)
    return people


def _initials(name: str, taken: set[str]) -> str:
    """A letter or two that stand for a name, and for no other as far as possible."""
    words = name.split() or ["?"]
    ways = [words[0][0], words[0][:2], *(words[0][0] + letter for letter in (*words[-1], *words[0]))]
    return next((capital(way) for way in ways if capital(way) not in taken), capital(words[0][:2]))


def _percent(value: float, whole: float) -> float:
    return round(100 * value / whole, 2) if whole else 0.0


def _place(action: str, moment: int) -> tuple[int, ...]:
    """Where an action stands in the order of the game, as far as its name and moment tell."""
    number = tuple(int(part) for part in action.split("."))
    return (moment, *number) if moment else number
