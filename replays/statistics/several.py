"""Totals over many games of one rulebook. Memory holds only sums and a few numbers for each game.

What a game adds to the totals are its `GameFigures`. They are small, so they can be kept (`kept.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from replays.results import BySettings, Result, Results, SettingsResult, Spread, spread
from replays.statistics.curves import rounded
from replays.statistics.shapes import Statistics

T = TypeVar("T", bound=msgspec.Struct)


class PlayerTotal(msgspec.Struct, frozen=True):
    """A player by name: games, ended games, won games, and wealth at the end of the ended games.

    Players of one name at the same table have their seats beside their names.
    """

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


class SeatFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of a game: who played for it, from which place in the order of play, and its wealth at the end."""

    name: str
    strategy: str | None
    place: int | None
    won: bool
    worth: int


class GameFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What one game adds to the totals. `gini` is that of the wealth at the end of a game that has ended."""

    rulebook: str
    currency: str
    ended: bool
    actions: int
    lasted: int
    gini: int | None
    corrections: int
    rulings: int
    settings: Mapping[str, Any]
    seats: tuple[SeatFigures, ...]
    money: tuple[MoneyTotal, ...]
    counts: tuple[CountTotal, ...]
    dice: tuple[DiceTotal, ...]
    estates: tuple[EstateTotal, ...]


def figures_of(game: Statistics) -> GameFigures:
    """The figures of a game. Its statistics must be complete, not those of a view."""
    names = Counter(seat.name for seat in game.seats)
    purposes = {purpose.id: purpose.name for purpose in game.flows.purposes}
    amounts: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for flow in game.flows.money:
        amounts[flow.purpose] += flow.amount
        times[flow.purpose] += flow.times
    dice = []
    for one in game.dice:
        faces = [sum(column) for column in zip(*(seat.faces for seat in one.seats), strict=True)]
        dice.append(_dice(one.id, one.name, faces))
    return GameFigures(
        rulebook=game.rulebook,
        currency=game.currency.name,
        ended=game.ended,
        actions=game.actions,
        lasted=game.lasted,
        gini=game.wealth.gini[-1] if game.ended else None,
        corrections=len(game.corrections),
        rulings=len(game.rulings),
        settings=game.settings,
        seats=tuple(
            SeatFigures(
                name=seat.name if names[seat.name] == 1 else f"{seat.name} ({seat.seat})",
                strategy=seat.strategy,
                place=seat.place,
                won=seat.won,
                worth=seat.worth or 0,
            )
            for seat in game.seats
        ),
        money=tuple(MoneyTotal(name, said, amounts[name], times[name]) for name, said in purposes.items()),
        counts=tuple(CountTotal(one.id, one.name, one.quantity, one.money) for one in game.counts),
        dice=tuple(dice),
        estates=tuple(
            EstateTotal(
                one.id, one.name, 1, one.cost, one.income, one.rent, one.rents, _percent(one.income, one.cost)
            )
            for one in game.estates
        ),
    )


def _dice(name: str, said: str, faces: list[int]) -> DiceTotal:
    total = sum(face * times for face, times in enumerate(faces, start=1))
    return DiceTotal(name, said, tuple(faces), total, sum(faces) * (len(faces) + 1) / 2)


def _percent(income: int, cost: int) -> int | None:
    return rounded(Fraction(100 * income, cost)) if cost else None


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """The totals of the games of one rulebook.

    `gini` is the Gini coefficient of the wealth at the end of the games, in ten-thousandths. `lasted` is in
    seconds. `strategies` and `places` are the results, in ended games, of the bots' strategies and of the places
    in the order of play.
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
    settings: tuple[SettingsResult, ...]
    strategies: tuple[Result, ...]
    places: tuple[Result, ...]
    players: tuple[PlayerTotal, ...]
    money: tuple[MoneyTotal, ...]
    counts: tuple[CountTotal, ...]
    dice: tuple[DiceTotal, ...]
    estates: tuple[EstateTotal, ...]


class SeveralGames:
    """Adds up games of one rulebook, one by one."""

    def __init__(self) -> None:
        self._first: GameFigures | None = None
        self._ended = 0
        self._corrections = 0
        self._rulings = 0
        self._actions: list[int] = []
        self._lasted: list[int] = []
        self._gini: list[int] = []
        self._settings, self._strategies, self._places = BySettings(), Results(), Results()
        self._players: dict[str, PlayerTotal] = {}
        self._worth: dict[str, list[int]] = {}
        self._money: dict[str, MoneyTotal] = {}
        self._counts: dict[str, CountTotal] = {}
        self._dice: dict[str, DiceTotal] = {}
        self._estates: dict[str, EstateTotal] = {}

    def take(self, game: Statistics) -> None:
        """Add a game. Its statistics must be complete, not those of a view."""
        self.add(figures_of(game))

    def add(self, game: GameFigures) -> None:
        """Add the figures of a game."""
        self._first = self._first or game
        self._ended += game.ended
        self._corrections += game.corrections
        self._rulings += game.rulings
        self._actions.append(game.actions)
        self._lasted.append(game.lasted)
        if game.gini is not None:
            self._gini.append(game.gini)
        self._settings.take(game.settings, ended=game.ended, actions=game.actions)
        for seat in game.seats:
            self._add_seat(seat, ended=game.ended)
        for paid in game.money:
            _add(self._money, paid.id, paid, _money_sum)
        for count in game.counts:
            _add(self._counts, count.id, count, _count_sum)
        for dice in game.dice:
            _add(self._dice, dice.id, dice, _dice_sum)
        for estate in game.estates:
            _add(self._estates, estate.id, estate, _estate_sum)

    def _add_seat(self, seat: SeatFigures, *, ended: bool) -> None:
        known = self._players.get(seat.name, PlayerTotal(seat.name, 0, 0, 0, None))
        self._players[seat.name] = PlayerTotal(
            seat.name, known.games + 1, known.ended + ended, known.won + (ended and seat.won), None
        )
        if not ended:
            return
        self._worth.setdefault(seat.name, []).append(seat.worth)
        if seat.strategy is not None:
            self._strategies.take(seat.strategy, won=seat.won, worth=seat.worth)
        if seat.place is not None:
            self._places.take(str(seat.place), won=seat.won, worth=seat.worth)

    def totals(self) -> Totals:
        """The totals of all games. Raises ValueError when there are none."""
        if self._first is None:
            raise ValueError("there are no games")
        players = [
            msgspec.structs.replace(one, worth=spread(self._worth[name])) if name in self._worth else one
            for name, one in self._players.items()
        ]
        return Totals(
            rulebook=self._first.rulebook,
            currency=self._first.currency,
            games=len(self._actions),
            ended=self._ended,
            actions=spread(self._actions),
            lasted=spread(self._lasted),
            gini=spread(self._gini) if self._gini else None,
            corrections=self._corrections,
            rulings=self._rulings,
            settings=self._settings.rows(),
            strategies=self._strategies.rows(),
            places=self._places.rows(),
            players=tuple(sorted(players, key=lambda one: (-one.won, -one.games, one.name))),
            money=tuple(sorted(self._money.values(), key=lambda one: (-one.amount, one.id))),
            counts=tuple(sorted(self._counts.values(), key=lambda one: (-one.quantity, one.id))),
            dice=tuple(sorted(self._dice.values(), key=lambda one: (-sum(one.faces), one.id))),
            estates=tuple(sorted(self._estates.values(), key=lambda one: (-(one.percent or 0), one.id))),
        )


def _add(sums: dict[str, T], name: str, more: T, both: Callable[[T, T], T]) -> None:
    known = sums.get(name)
    sums[name] = more if known is None else both(known, more)


def _money_sum(one: MoneyTotal, other: MoneyTotal) -> MoneyTotal:
    return MoneyTotal(one.id, other.name, one.amount + other.amount, one.times + other.times)


def _count_sum(one: CountTotal, other: CountTotal) -> CountTotal:
    money = None if one.money is None and other.money is None else (one.money or 0) + (other.money or 0)
    return CountTotal(one.id, other.name, one.quantity + other.quantity, money)


def _dice_sum(one: DiceTotal, other: DiceTotal) -> DiceTotal:
    return _dice(one.id, other.name, [here + there for here, there in zip(one.faces, other.faces, strict=True)])


def _estate_sum(one: EstateTotal, other: EstateTotal) -> EstateTotal:
    cost, income = one.cost + other.cost, one.income + other.income
    return EstateTotal(
        one.id,
        other.name,
        one.games + other.games,
        cost,
        income,
        one.rent + other.rent,
        one.rents + other.rents,
        _percent(income, cost),
    )
