"""What every part of the report is set with: the game, its numbers and words, and who has which colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.exporting import ISSUERS, Export
from ledger.naming import Names
from replays.report.charts import Axis, Mark
from replays.report.shapes import Bar, Person
from replays.report.words import Speech, capital
from replays.statistics.collecting import DEBTS
from replays.statistics.flows import HELD
from replays.statistics.shapes import Effect, Flow, Statistics
from replays.statistics.words import party_said

_SEATS = 8
"""How many colours there are for players."""
_PARTS = 7
"""And for the parts of what they are worth; debts have one of their own, 0."""


class Setting:
    """The game to be told, as its reader may see it, with its statistics."""

    def __init__(self, export: Export, found: Statistics) -> None:
        self.export = export
        self.found = found
        self.names = Names(export.rulebook, export.state, export.language, "")
        self.say = Speech(export.language, self.names.speakers.get("money"))
        self.people = _people(found, self.names)
        self.parts = {
            part.id: 0 if part.id == DEBTS else 1 + place % _PARTS for place, part in enumerate(found.wealth.parts)
        }
        """The colour of each part of what somebody is worth."""

    def name(self, party: str) -> str:
        """What a party is called."""
        person = self.people.get(party)
        return party if person is None else person.name

    def across(self) -> Axis:
        """A few moments for the bottom of a chart over time."""
        moments = self.found.wealth.moments
        last = len(moments) - 1
        places = sorted({round(last * part / 4) for part in range(5)})
        return Axis(tuple(Mark(round(100 * place / max(1, last), 1), str(moments[place])) for place in places))

    def effects(self, effects: Iterable[Effect]) -> tuple[tuple[Person, str, bool], ...]:
        """Who has more, or less, and how much; who gained most comes first."""
        return tuple(
            (self.people[one.party], self.say.signed(one.change), one.change > 0)
            for one in sorted(effects, key=lambda one: -one.change)
        )

    def by_purpose(self, flows: Iterable[Flow], most: int) -> tuple[Bar, ...]:
        """Payments as bars by what they were for."""
        names = {purpose.id: capital(purpose.name) for purpose in self.found.flows.purposes}
        sums: dict[str, int] = {}
        for flow in flows:
            sums[names[flow.purpose]] = sums.get(names[flow.purpose], 0) + flow.amount
        return self.bars(sums, most)

    def by_party(self, flows: Iterable[tuple[str, int]]) -> tuple[Bar, ...]:
        """Payments as bars by who is on the other side."""
        sums: dict[str, int] = {}
        for party, amount in flows:
            sums[self.name(party)] = sums.get(self.name(party), 0) + amount
        return self.bars(sums, None, {person.name: person.colour for person in self.people.values()})

    def bars(
        self, amounts: Mapping[str, int], most: int | None, colours: Mapping[str, int] | None = None
    ) -> tuple[Bar, ...]:
        """Amounts as bars, the longest first; of many, the smallest together."""
        order = sorted(amounts.items(), key=lambda one: (-one[1], one[0]))
        if most is not None and len(order) > most:
            rest = sum(amount for _, amount in order[most - 1 :])
            order = [*order[: most - 1], (self.say("other"), rest)]
        longest = max((amount for _, amount in order), default=0)
        return tuple(
            Bar(name, self.say.money(amount), percent(amount, longest), (colours or {}).get(name, 0))
            for name, amount in order
            if amount
        )


def percent(value: float, whole: float) -> float:
    """A part of something in percent, to two places; 0 of nothing."""
    return round(100 * value / whole, 2) if whole else 0.0


def place_of(action: str) -> tuple[int, ...]:
    """An action's name as numbers, to sort by."""
    return tuple(int(part) for part in action.split("."))


def _people(found: Statistics, names: Names) -> dict[str, Person]:
    """Every party: seats in the colours of their places."""
    people: dict[str, Person] = {}
    taken: set[str] = set()
    seats = [(seat.seat, seat.name, 1 + place % _SEATS) for place, seat in enumerate(found.seats)]
    others = [(party, party_said(party, names), 0) for party in (*ISSUERS, HELD)]
    for party, name, colour in (*seats, *others):
        initials = _initials(name if colour else name.split()[-1], taken)
        taken.add(initials)
        people[party] = Person(party, name, colour, initials)
    return people


def _initials(name: str, taken: set[str]) -> str:
    """A letter or two that stand for a name, and for no other as far as possible."""
    words = name.split() or ["?"]
    ways = [words[0][0], words[0][:2], *(words[0][0] + letter for letter in (*words[-1], *words[0]))]
    return next((capital(way) for way in ways if capital(way) not in taken), capital(words[0][:2]))
