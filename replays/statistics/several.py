"""Totals over many games of a rulebook. Memory holds only sums and a few numbers for each game.

A game contributes `GameFigures` to the totals, small enough to be cached (`kept.py`).
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

    Players with equal names at a table have their seats beside their names.
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
    """The number of occurrences of an event, and the money moved, if any."""

    id: str
    name: str
    quantity: int
    money: int | None


class DiceTotal(msgspec.Struct, frozen=True):
    """The number of throws of each face, from 1 on. `expected` is the average sum of equally many fair dice."""

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
    """A seat of a game: the player, the position in the order of play, and the wealth at the end."""

    name: str
    strategy: str | None
    place: int | None
    won: bool
    worth: int


class GameFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The contribution of a game to the totals. `gini` is the coefficient at the end of an ended game."""

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
    """Compute the figures of a game. The statistics must be complete, not from a view."""
    names = Counter(seat.name for seat in game.seats)
    purposes = {purpose.id: purpose.name for purpose in game.flows.purposes}
    amounts: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for flow in game.flows.money:
        amounts[flow.purpose] += flow.amount
        times[flow.purpose] += flow.times
    dice = []
    for item in game.dice:
        faces = [sum(column) for column in zip(*(seat.faces for seat in item.seats), strict=True)]
        dice.append(_dice(item.id, item.name, faces))
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
        money=tuple(MoneyTotal(name, label, amounts[name], times[name]) for name, label in purposes.items()),
        counts=tuple(CountTotal(item.id, item.name, item.quantity, item.money) for item in game.counts),
        dice=tuple(dice),
        estates=tuple(
            EstateTotal(
                item.id,
                item.name,
                1,
                item.cost,
                item.income,
                item.rent,
                item.rents,
                _percent(item.income, item.cost),
            )
            for item in game.estates
        ),
    )


def _dice(name: str, label: str, faces: list[int]) -> DiceTotal:
    total = sum(face * times for face, times in enumerate(faces, start=1))
    return DiceTotal(name, label, tuple(faces), total, sum(faces) * (len(faces) + 1) / 2)


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
    """Adds up games of a rulebook."""

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
        """Add a game. The statistics must be complete, not from a view."""
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
        player = self._players.get(seat.name, PlayerTotal(seat.name, 0, 0, 0, None))
        self._players[seat.name] = PlayerTotal(
            seat.name, player.games + 1, player.ended + ended, player.won + (ended and seat.won), None
        )
        if not ended:
            return
        self._worth.setdefault(seat.name, []).append(seat.worth)
        if seat.strategy is not None:
            self._strategies.take(seat.strategy, won=seat.won, worth=seat.worth)
        if seat.place is not None:
            self._places.take(str(seat.place), won=seat.won, worth=seat.worth)

    def totals(self) -> Totals:
        """Return the totals of all games. Raises ValueError without games."""
        if self._first is None:
            raise ValueError("there are no games")
        players = [
            msgspec.structs.replace(total, worth=spread(self._worth[name])) if name in self._worth else total
            for name, total in self._players.items()
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
            players=tuple(sorted(players, key=lambda total: (-total.won, -total.games, total.name))),
            money=tuple(sorted(self._money.values(), key=lambda total: (-total.amount, total.id))),
            counts=tuple(sorted(self._counts.values(), key=lambda total: (-total.quantity, total.id))),
            dice=tuple(sorted(self._dice.values(), key=lambda total: (-sum(total.faces), total.id))),
            estates=tuple(sorted(self._estates.values(), key=lambda total: (-(total.percent or 0), total.id))),
        )


def _add(sums: dict[str, T], name: str, added: T, both: Callable[[T, T], T]) -> None:
    existing = sums.get(name)
    sums[name] = added if existing is None else both(existing, added)


def _money_sum(first: MoneyTotal, second: MoneyTotal) -> MoneyTotal:
    return MoneyTotal(first.id, second.name, first.amount + second.amount, first.times + second.times)


def _count_sum(first: CountTotal, second: CountTotal) -> CountTotal:
    money = None if first.money is None and second.money is None else (first.money or 0) + (second.money or 0)
    return CountTotal(first.id, second.name, first.quantity + second.quantity, money)


def _dice_sum(first: DiceTotal, second: DiceTotal) -> DiceTotal:
    return _dice(
        first.id, second.name, [count + addend for count, addend in zip(first.faces, second.faces, strict=True)]
    )


def _estate_sum(first: EstateTotal, second: EstateTotal) -> EstateTotal:
    cost, income = first.cost + second.cost, first.income + second.income
    return EstateTotal(
        first.id,
        second.name,
        first.games + second.games,
        cost,
        income,
        first.rent + second.rent,
        first.rents + second.rents,
        _percent(income, cost),
    )
