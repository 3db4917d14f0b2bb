"""Counting for the tallies of a rulebook: events, dice, returns of estates, the time of turns, and debts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.facts.events import Event, kind_of
from ledger.kernel.facts.labels import Name
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.rules.faces.tallies import Counted, Tallies, Thrown, Yield, value_at


class Sums(msgspec.Struct):
    """A quantity, the money moved, and the quantity of each kind."""

    quantity: int = 0
    money: int = 0
    items: Counter[Any] = msgspec.field(default_factory=Counter)


class Account(msgspec.Struct):
    """The cost and income of an estate for a seat, the rent in the income, and the number of rents."""

    cost: int = 0
    income: int = 0
    rent: int = 0
    rents: int = 0


class Tallying:
    """Counts the events of a game visible to a viewer. Hidden events do not count."""

    def __init__(self, tallies: Tallies) -> None:
        self._counted: dict[str, list[tuple[str, Counted]]] = {}
        for name, count in tallies.counts.items():
            for counted in count.of:
                self._counted.setdefault(counted.event, []).append((name, counted))
        self._yields: dict[str, list[Yield]] = {}
        for brought in () if tallies.estates is None else tallies.estates.of:
            self._yields.setdefault(brought.event, []).append(brought)
        self.counts: dict[tuple[str, str], Sums] = {}
        """The sums by tally and seat. A value shared by several seats (a deal) counts for each seat."""
        self.totals: dict[str, Sums] = {}
        """The sums by tally for the whole table. A value shared by several seats counts once."""
        self.estates: dict[tuple[str, str], Account] = {}
        """The accounts by estate and seat."""

    def take(self, event: Event) -> None:
        """Count an event."""
        kind = kind_of(event)
        for name, counted in self._counted.get(kind, ()):
            if counted.applies(event):
                self._count(name, counted, event)
        for brought in self._yields.get(kind, ()):
            self._brought(brought, event)

    def _count(self, name: str, counted: Counted, event: Event) -> None:
        quantity = counted.quantity
        many = _many(value_at(event, quantity)) if isinstance(quantity, str) else quantity
        money = None if counted.money is None else value_at(event, counted.money)
        item = counted.item if counted.by is None else value_at(event, counted.by)
        seats = tuple(_seats(value_at(event, counted.seat)))
        for seat in seats:
            sums = self.counts.setdefault((name, seat), Sums())
            sums.quantity += many
            sums.money += money or 0
            if item is not None:
                sums.items[item] += many
        if seats:
            total = self.totals.setdefault(name, Sums())
            total.quantity += many
            total.money += money or 0

    def _brought(self, brought: Yield, event: Event) -> None:
        asset, seat, amount = (value_at(event, path) for path in (brought.asset, brought.seat, brought.amount))
        if asset is None or seat is None or amount is None:
            return
        account = self.estates.setdefault((asset, seat), Account())
        if brought.brings == "cost":
            account.cost += amount
            return
        account.income += amount
        if brought.brings == "rent":
            account.rent += amount
            account.rents += 1


def _many(value: Any) -> int:
    if value is None:
        return 0
    return value if isinstance(value, int) else len(value)


def _seats(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif value is not None:
        yield from value


class Throws:
    """Counts each seat's throws of each face, for each use of dice, from the events that show the throws."""

    def __init__(self, tallies: Tallies) -> None:
        self._throws: dict[str, list[tuple[str, int, Thrown]]] = {}
        for name, dice in tallies.dice.items():
            for thrown in dice.of:
                self._throws.setdefault(thrown.event, []).append((name, dice.sides, thrown))
        self.faces: dict[tuple[str, str], list[int]] = {}
        """The number of throws of each face, from 1 on, by dice and seat."""

    def take(self, event: Event) -> None:
        """Count the throw in an event."""
        for name, sides, thrown in self._throws.get(kind_of(event), ()):
            seat = value_at(event, thrown.seat)
            for face in thrown.faces_in(event) if seat is not None else ():
                if 1 <= face <= sides:
                    self.faces.setdefault((name, seat), [0] * sides)[face - 1] += 1


class Spent(msgspec.Struct):
    """The time of a seat: its turns, their seconds, and its longest turn with the action that began it."""

    turns: int = 0
    seconds: int = 0
    longest: int = 0
    longest_from: Name | None = None
    waited: int = 0


class FirstTurns:
    """The seats in the order of their first turns."""

    def __init__(self, tallies: Tallies) -> None:
        self._turns = tallies.turns
        self._seats: list[str] = []

    def take(self, event: Event) -> None:
        """Record the seat if the event begins its first turn."""
        if self._turns is not None and kind_of(event) in self._turns.begin:
            seat = value_at(event, self._turns.seat)
            if seat is not None and seat not in self._seats:
                self._seats.append(seat)

    def places(self, seats: Iterable[str]) -> Mapping[str, int]:
        """Return the positions, from 1. Without a definition of turns in the rulebook, use the order of the
        seats.
        """
        order = seats if self._turns is None else self._seats
        return {seat: place for place, seat in enumerate(order, start=1)}


class Clock:
    """Measures turns, and the time for which the game waited for seats, by the times of actions.

    An inserted action takes no time in the game.
    """

    def __init__(self, tallies: Tallies) -> None:
        self._turns = tallies.turns
        self._running: tuple[str, datetime, Name] | None = None
        self._last_at: datetime | None = None
        self.spent: dict[str, Spent] = {}
        self.first_turns = FirstTurns(tallies)

    @property
    def last_at(self) -> datetime | None:
        """The time of the last action."""
        return self._last_at

    def advance(self, at: datetime, awaited: Iterable[str]) -> None:
        """Advance to the time of the next action, which was awaited from the seats."""
        if self._last_at is not None and at > self._last_at:
            seconds = int((at - self._last_at).total_seconds())
            for seat in dict.fromkeys(awaited):
                self._of(seat).waited += seconds
        self._last_at = at if self._last_at is None else max(self._last_at, at)

    def take(self, event: Event, action: Name) -> None:
        """Begin or end a turn, if an event of the named action does so."""
        self.first_turns.take(event)
        if self._turns is None or self._last_at is None:
            return
        kind = kind_of(event)
        if kind in self._turns.end or kind in self._turns.begin:
            self.stop()
        if kind in self._turns.begin and (seat := value_at(event, self._turns.seat)) is not None:
            self._running = seat, self._last_at, action

    def stop(self) -> None:
        """End the current turn."""
        if self._running is None or self._last_at is None:
            return
        seat, since, action = self._running
        self._running = None
        seconds = int((self._last_at - since).total_seconds())
        spent = self._of(seat)
        spent.turns += 1
        spent.seconds += seconds
        if spent.longest_from is None or seconds > spent.longest:
            spent.longest, spent.longest_from = seconds, action

    def _of(self, seat: str) -> Spent:
        return self.spent.setdefault(seat, Spent())


class Debt(msgspec.Struct):
    """The amounts of a commodity that a seat owes and is owed, now and at most, and the seconds of owing."""

    owes: int = 0
    owes_most: int = 0
    owed: int = 0
    owed_most: int = 0
    seconds: int = 0


class Debts:
    """Sums the visible debts of each seat, moment by moment. Acts, and amounts already laid, are no debts."""

    def __init__(self, owner: Callable[[str], str | None]) -> None:
        self._owner = owner
        self._last_at: datetime | None = None
        self.debts: dict[tuple[str, str], Debt] = {}
        """The debts by seat and commodity."""

    def take(self, obligations: Iterable[Obligation], at: datetime) -> None:
        """Count the obligations at the end of a moment, which came at a time."""
        passed = 0 if self._last_at is None else int((at - self._last_at).total_seconds())
        self._last_at = at
        for debt in self.debts.values():
            debt.seconds += passed if debt.owes else 0
            debt.owes = debt.owed = 0
        for obligation in obligations:
            if obligation.commodity is None or obligation.amount is None or obligation.laid:
                continue
            creditor = obligation.creditor and self._owner(obligation.creditor)
            if obligation.debtor is not None:
                self._of(obligation.debtor, obligation.commodity).owes += obligation.amount
            if creditor:
                self._of(creditor, obligation.commodity).owed += obligation.amount
        for debt in self.debts.values():
            debt.owes_most = max(debt.owes_most, debt.owes)
            debt.owed_most = max(debt.owed_most, debt.owed)

    def _of(self, seat: str, commodity: str) -> Debt:
        return self.debts.setdefault((seat, commodity), Debt())
