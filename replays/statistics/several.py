"""Totals over many games of one rulebook. Memory holds only sums and a few numbers for each game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from statistics import median_low
from typing import TypeVar

import msgspec

from replays.statistics.curves import rounded
from replays.statistics.shapes import Statistics

T = TypeVar("T")

Spread = tuple[int, int, int]
"""The smallest of some numbers, the median (the lower one of two), and the largest."""


class PlayerTotal(msgspec.Struct, frozen=True):
    """A player by name: games, ended games, won games, and wealth at the end of the ended games."""

    name: str
    games: int
    ended: int
    won: int
    worth: Spread | None


class MoneyTotal(msgspec.Struct, frozen=True):
    """The money paid for a purpose, and the number of payments."""

    id: str
    name: str
    amount: int
    times: int


class CountTotal(msgspec.Struct, frozen=True):
    """How often something happened, and the money that it moved, if any."""

    id: str
    name: str
    quantity: int
    money: int | None


class DiceTotal(msgspec.Struct, frozen=True):
    """How often each face came, from 1 on. `expected` is the average sum of as many fair dice."""

    id: str
    name: str
    faces: tuple[int, ...]
    total: int
    expected: float


class EstateTotal(msgspec.Struct, frozen=True):
    """The cost and income of an estate over many games. `percent` is the income in percent of the cost."""

    id: str
    name: str
    games: int
    cost: int
    income: int
    rent: int
    rents: int
    percent: int | None


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """The totals of the games of one rulebook.

    `gini` is the Gini coefficient of the wealth at the end of the games, in ten-thousandths. `lasted` is in
    seconds.
    """

    rulebook: str
    currency: str
    games: int
    ended: int
    actions: Spread
    lasted: Spread
    gini: Spread | None
    corrections: int
    rulings: int
    players: tuple[PlayerTotal, ...]
    money: tuple[MoneyTotal, ...]
    counts: tuple[CountTotal, ...]
    dice: tuple[DiceTotal, ...]
    estates: tuple[EstateTotal, ...]


class SeveralGames:
    """Adds up games of one rulebook, one by one."""

    def __init__(self) -> None:
        self._first: Statistics | None = None
        self._names: dict[tuple[str, str], str] = {}
        self._sums: Counter[tuple[str, str, str]] = Counter()
        """The sums by table, row and column."""
        self._actions: list[int] = []
        self._lasted: list[int] = []
        self._gini: list[int] = []
        self._worth: dict[str, list[int]] = {}
        self._faces: dict[str, Counter[int]] = {}
        self._sides: dict[str, int] = {}
        self._with_money: set[str] = set()

    def take(self, game: Statistics) -> None:
        """Add a game. Its statistics must be complete, not those of a view."""
        self._first = self._first or game
        self._actions.append(game.actions)
        self._lasted.append(game.lasted)
        if game.ended and game.wealth.gini[-1] is not None:
            self._gini.append(game.wealth.gini[-1])
        self._add("all", "all", ended=int(game.ended))
        self._add("all", "all", corrections=len(game.corrections), rulings=len(game.rulings))
        self._take_players(game)
        for purpose in game.flows.purposes:
            self._names["money", purpose.id] = purpose.name
        for flow in game.flows.money:
            self._add("money", flow.purpose, amount=flow.amount, times=flow.times)
        for tally in game.counts:
            self._names["counts", tally.id] = tally.name
            self._add("counts", tally.id, quantity=tally.quantity, money=tally.money or 0)
            if tally.money is not None:
                self._with_money.add(tally.id)
        for dice in game.dice:
            self._names["dice", dice.id] = dice.name
            self._sides[dice.id] = dice.sides
            faces = self._faces.setdefault(dice.id, Counter())
            for thrown in dice.seats:
                faces.update({face: times for face, times in enumerate(thrown.faces, start=1) if times})
        for estate in game.estates:
            self._names["estates", estate.id] = estate.name
            self._add("estates", estate.id, games=1, cost=estate.cost, income=estate.income)
            self._add("estates", estate.id, rent=estate.rent, rents=estate.rents)

    def _take_players(self, game: Statistics) -> None:
        for seat in game.seats:
            self._names["players", seat.name] = seat.name
            self._add("players", seat.name, games=1)
            if game.ended:
                self._add("players", seat.name, ended=1, won=int(seat.won))
                self._worth.setdefault(seat.name, []).append(seat.worth or 0)

    def _add(self, table: str, row: str, **columns: int) -> None:
        for column, number in columns.items():
            self._sums[table, row, column] += number

    def totals(self) -> Totals:
        """The totals of all games. Raises ValueError when there are none."""
        if self._first is None:
            raise ValueError("there are no games")
        return Totals(
            rulebook=self._first.rulebook,
            currency=self._first.currency.name,
            games=len(self._actions),
            ended=self._sums["all", "all", "ended"],
            actions=_spread(self._actions),
            lasted=_spread(self._lasted),
            gini=_spread(self._gini) if self._gini else None,
            corrections=self._sums["all", "all", "corrections"],
            rulings=self._sums["all", "all", "rulings"],
            players=tuple(self._rows("players", self._player, lambda one: (-one.won, -one.games, one.name))),
            money=tuple(self._rows("money", self._money, lambda one: (-one.amount, one.id))),
            counts=tuple(self._rows("counts", self._count, lambda one: (-one.quantity, one.id))),
            dice=tuple(self._rows("dice", self._thrown, lambda one: (-sum(one.faces), one.id))),
            estates=tuple(self._rows("estates", self._estate, lambda one: (-(one.percent or 0), one.id))),
        )

    def _rows(
        self, table: str, row: Callable[[str, str], T], order: Callable[[T], tuple[int | str, ...]]
    ) -> list[T]:
        rows = [row(name, said) for (of, name), said in self._names.items() if of == table]
        return sorted(rows, key=order)

    def _player(self, name: str, said: str) -> PlayerTotal:
        games, ended, won = (self._sums["players", name, column] for column in ("games", "ended", "won"))
        worth = self._worth.get(name)
        return PlayerTotal(said, games, ended, won, None if worth is None else _spread(worth))

    def _money(self, name: str, said: str) -> MoneyTotal:
        return MoneyTotal(name, said, *(self._sums["money", name, column] for column in ("amount", "times")))

    def _count(self, name: str, said: str) -> CountTotal:
        quantity, money = (self._sums["counts", name, column] for column in ("quantity", "money"))
        return CountTotal(name, said, quantity, money if name in self._with_money else None)

    def _thrown(self, name: str, said: str) -> DiceTotal:
        sides = self._sides[name]
        faces = tuple(self._faces[name][face] for face in range(1, sides + 1))
        total = sum(face * times for face, times in enumerate(faces, start=1))
        return DiceTotal(name, said, faces, total, sum(faces) * (sides + 1) / 2)

    def _estate(self, name: str, said: str) -> EstateTotal:
        columns = ("games", "cost", "income", "rent", "rents")
        games, cost, income, rent, rents = (self._sums["estates", name, column] for column in columns)
        percent = rounded(Fraction(100 * income, cost)) if cost else None
        return EstateTotal(name, said, games, cost, income, rent, rents, percent)


def _spread(values: list[int]) -> Spread:
    return min(values), median_low(values), max(values)
