"""The data shared by all parts of the report: the game, its statistics, names and colors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from msgspec.structs import replace

from ledger.kernel.facts.labels import Name
from ledger.moving.exporting import ISSUERS, Export
from ledger.reading.words.naming import Names
from ledger.reading.words.seating import seat_views
from replays.report.charts import Axis, moments_across, rounds_across
from replays.report.shapes import Bar, Person
from replays.report.words import Speech, capital
from replays.statistics.collecting import DEBTS
from replays.statistics.flows import HELD
from replays.statistics.shapes import Flow, MoneyEffect, Statistics, Wealth
from replays.statistics.words import party_name

_PARTS = 7
"""The number of colours for parts of wealth. Debts have colour 0."""
_ROOM = 12
"""The largest number of letters of a short name."""
_SITTING_DOWN = Fraction(1, 4)
"""The curves begin once everybody owns something, if at most this part of the game has passed."""


class Setting:
    """The game of a report, limited to the viewer's view, with its statistics."""

    def __init__(self, export: Export, statistics: Statistics) -> None:
        self.export = export
        self.statistics = statistics
        self.names = Names(export.rulebook, export.state, export.language, "")
        self.say = Speech(export.language, self.names.speakers.get("money"), self.names.speakers.get("worth"))
        self.people = _people(export, statistics, self.names)
        self.wealth = from_the_start(statistics.wealth)
        self.parts = {
            part.id: 0 if part.id == DEBTS else 1 + index % _PARTS
            for index, part in enumerate(statistics.wealth.parts)
        }
        """The color of each part of wealth."""

    def name(self, party: str) -> str:
        """Return the name of a party."""
        person = self.people.get(party)
        return party if person is None else person.name

    def counted(self, name: str, quantity: int) -> str:
        """Write the name of a good with its quantity, unless the quantity is 1."""
        name = self.say.set(name)
        return name if quantity == 1 else f"{name}\u00a0×{self.say.number(quantity)}"

    @property
    def in_rounds(self) -> bool:
        """True if the axis of time has rounds: more than one round was played."""
        return len(set(self.wealth.rounds) - {None}) > 1

    def across(self) -> Axis:
        """Build the horizontal axis of a chart over time, in rounds, or else in actions."""
        if self.in_rounds:
            return rounds_across(self.wealth.rounds, self.say.number)
        return moments_across(self.wealth.moments, self.say.number)

    def moment(self, round_number: int | None, action: Name) -> str:
        """Describe a moment of the game: the round, if any, and the action."""
        if round_number is None:
            return self.say("action", number=action)
        return self.say("round_action", round=round_number, number=action)

    def effects(self, effects: Iterable[MoneyEffect]) -> tuple[tuple[Person, str, bool], ...]:
        """List the changes by party, the largest gain first."""
        return tuple(
            (self.people[effect.party], self.say.signed(effect.change), effect.change > 0)
            for effect in sorted(effects, key=lambda effect: -effect.change)
        )

    def by_purpose(self, flows: Iterable[Flow], limit: int) -> tuple[Bar, ...]:
        """Show payments by purpose, as bars."""
        names = {purpose.id: capital(self.say.set(purpose.name)) for purpose in self.statistics.flows.purposes}
        sums: dict[str, int] = {}
        for flow in flows:
            sums[flow.purpose] = sums.get(flow.purpose, 0) + flow.amount
        return self._bars([(names[purpose], amount, None) for purpose, amount in sums.items()], limit)

    def by_party(self, flows: Iterable[tuple[str, int]]) -> tuple[Bar, ...]:
        """Show payments by counterparty, as bars."""
        sums: dict[str, int] = {}
        for party, amount in flows:
            sums[party] = sums.get(party, 0) + amount
        people = self.people
        return self._bars(
            [
                (people[counterparty].name, amount, people[counterparty].colour)
                for counterparty, amount in sums.items()
            ],
            None,
        )

    def _bars(self, amounts: Iterable[tuple[str, int, int | None]], limit: int | None) -> tuple[Bar, ...]:
        """Convert labels with amounts and colors to bars, the longest first. Beyond the limit, the smallest are
        joined.
        """
        order = sorted(amounts, key=lambda item: (-item[1], item[0]))
        if limit is not None and len(order) > limit:
            remainder = sum(amount for _, amount, _ in order[limit - 1 :])
            order = [*order[: limit - 1], (self.say("other"), remainder, None)]
        longest = max((amount for _, amount, _ in order), default=0)
        return tuple(
            Bar(label, self.say.money(amount), percent(amount, longest), colour)
            for label, amount, colour in order
            if amount
        )


def percent(value: float, whole: float) -> float:
    """Return a part of a whole in percent, with two decimal places; 0 if the whole is 0."""
    return round(100 * value / whole, 2) if whole else 0.0


def place_of(action: Name) -> tuple[int, ...]:
    """Convert an action's name to numbers, for sorting."""
    return tuple(int(part) for part in str(action).split("."))


def from_the_start(wealth: Wealth) -> Wealth:
    """Cut the curves before the first moment at which everybody owns something.

    The curves stay complete if a seat owns nothing for a long time.
    """
    totals = [curve.total for curve in wealth.seats if curve.total is not None]
    moments = len(wealth.moments)
    start = next((index for index in range(moments) if totals and all(values[index] for values in totals)), 0)
    if not 0 < start <= moments * _SITTING_DOWN:
        return wealth
    seats = tuple(
        replace(
            curve,
            total=None if curve.total is None else curve.total[start:],
            parts={part: values[start:] for part, values in curve.parts.items()},
        )
        for curve in wealth.seats
    )
    return replace(
        wealth,
        moments=wealth.moments[start:],
        at=wealth.at[start:],
        seats=seats,
        gini=wealth.gini[start:],
        rounds=wealth.rounds[start:],
    )


def _people(export: Export, statistics: Statistics, names: Names) -> dict[str, Person]:
    """List all parties: the seats, with the letters and colors of every screen, and the issuers.

    Players with equal names have their seats beside their names.
    """
    people: dict[str, Person] = {}
    named = Counter(seat.name for seat in statistics.seats)
    players = export.setup.players
    badges = {badge.seat: badge for badge in seat_views(players, [player.seat for player in players])}
    initials: set[str] = set()
    shorts: set[str] = set()
    for seat in statistics.seats:
        alone = named[seat.name] == 1
        name = seat.name if alone else f"{seat.name} ({seat.seat})"
        short = short_name(seat.name, shorts) if alone else name
        badge = badges[seat.seat]
        person = Person(seat.seat, name, short, 1 + badge.colour, badge.letter)
        people[person.id] = person
        initials.add(person.initials)
        shorts.add(person.short)
    for party in (*ISSUERS, HELD):
        name = party_name(party, names)
        people[party] = Person(party, name, name, 0, _initials(name.split()[-1], initials))
        initials.add(people[party].initials)
    return people


def short_name(name: str, used: set[str]) -> str:
    """Return a short name: the first name, or its beginning."""
    if len(name) <= _ROOM:
        return name
    words = [word for word in re.split(r"[\s-]+", name) if word]
    first = words[0] if words and len(words[0]) <= _ROOM else f"{name[: _ROOM - 1]}…"
    candidates = [first, *(f"{first} {word[0]}." for word in words[1:])]
    return next((candidate for candidate in candidates if candidate not in used), name)


def _initials(name: str, used: set[str]) -> str:
    """Return one or two letters for a name, unique if possible."""
    words = name.split() or ["?"]
    candidates = [words[0][0], words[0][:2], *(words[0][0] + letter for letter in (*words[-1], *words[0]))]
    return next(
        (capital(candidate) for candidate in candidates if capital(candidate) not in used), capital(words[0][:2])
    )
