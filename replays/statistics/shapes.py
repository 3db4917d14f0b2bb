"""What statistics of a game are made of. Money and quantities are whole numbers; times are whole seconds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec


class Named(msgspec.Struct, frozen=True):
    """Something by its id, and what people call it."""

    id: str
    name: str


# Wealth ---------------------------------------------------------------------------------------------


class SeatCurve(msgspec.Struct, frozen=True):
    """What a seat is worth at each moment of the curve: `total` is None when the reader may not see all of it.

    `parts` are the sums of the parts that they may see, those that were ever more or less than nothing.
    """

    seat: str
    total: tuple[int, ...] | None
    parts: Mapping[str, tuple[int, ...]]


class Wealth(msgspec.Struct, frozen=True):
    """What the seats were worth over time, in the game's money.

    `moments` are numbers of actions, `at` their times: every action of a short game, evenly chosen ones of a long
    one, and always the last. `gini` is the Gini coefficient of what the seats are worth in ten-thousandths, a half
    rounded up: 0 when all are worth the same. Debts count as nothing there; None while nobody owns anything, and
    for who may not see what all are worth.
    """

    moments: tuple[int, ...]
    at: tuple[datetime, ...]
    parts: tuple[Named, ...]
    seats: tuple[SeatCurve, ...]
    gini: tuple[int | None, ...]


# Flows ----------------------------------------------------------------------------------------------


class Flow(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """Money that went from one party to another for a purpose, and how often; what came back was never paid."""

    source: str
    target: str
    purpose: str
    amount: int
    times: int


class Passed(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """Things that went from one player to another."""

    source: str
    target: str
    commodity: str
    name: str
    quantity: int


class Flows(msgspec.Struct, frozen=True):
    """Who fed whom. `parties` are the seats, what issues money, and "held": what waits in an account of neither.

    A payment that goes through such an account (an escrow, coins on offer) is one from who paid in to who is paid
    out. So what a seat has received, less what it has paid, is what its balance has changed by.
    """

    parties: tuple[Named, ...]
    purposes: tuple[Named, ...]
    money: tuple[Flow, ...]
    goods: tuple[Passed, ...]


# Titles ---------------------------------------------------------------------------------------------


class Holder(msgspec.Struct, frozen=True):
    """What something that brings a return has cost one of its owners, and brought them."""

    seat: str
    cost: int
    income: int


class Estate(msgspec.Struct, frozen=True):
    """Something that brings a return: what it has cost its owners, and brought them, `rent` included.

    `percent` is the income in percent of the cost, a half rounded up; None when it has cost nothing. What it went
    for in private deals is not counted.
    """

    id: str
    name: str
    owner: str | None
    cost: int
    income: int
    rent: int
    rents: int
    """How often rent was paid."""
    percent: int | None
    holders: tuple[Holder, ...]


# Counts ---------------------------------------------------------------------------------------------


class Item(msgspec.Struct, frozen=True):
    """So many of a kind."""

    id: str
    name: str
    quantity: int


class SeatCount(msgspec.Struct, frozen=True):
    """What is counted for a seat: how many, how much money if any moves, and what of each kind."""

    seat: str
    quantity: int
    money: int | None
    items: tuple[Item, ...]


class Tally(msgspec.Struct, frozen=True):
    """Something that is counted for every seat; those without any are left out."""

    id: str
    name: str
    seats: tuple[SeatCount, ...]


class Thrown(msgspec.Struct, frozen=True):
    """Dice that a seat has thrown: how often each face came, from 1 on, and their sum.

    `expected` is what fair dice give on average for as many: a multiple of one half, exactly.
    """

    seat: str
    faces: tuple[int, ...]
    dice: int
    total: int
    expected: float


class DiceTally(msgspec.Struct, frozen=True):
    """Dice of one use, and what each seat has thrown with them."""

    id: str
    name: str
    sides: int
    seats: tuple[Thrown, ...]


# Time -----------------------------------------------------------------------------------------------


class SeatTime(msgspec.Struct, frozen=True):
    """How long a seat took: its turns, their seconds, and its longest one with the action that began it.

    `waited` is how many seconds the game waited for the seat, alone or among others; None for who may not know.
    """

    seat: str
    turns: int
    seconds: int
    longest: int
    longest_from: str | None
    waited: int | None


# What was mended ------------------------------------------------------------------------------------


class Effect(msgspec.Struct, frozen=True):
    """What a party came to have more, or less, in money."""

    party: str
    change: int


class CorrectionEffect(msgspec.Struct, frozen=True):
    """A correction: what it made of other actions, how many each time, and its effect in money.

    `ruled` is whether a ruling ordered it.
    """

    action: str
    reason: str
    ruled: bool
    made: Mapping[str, int]
    effects: tuple[Effect, ...]


class RulingEffect(msgspec.Struct, frozen=True):
    """A ruling: what the banker found, by which rules, on which dispute, and what it moved in money."""

    action: str
    dispute: str | None
    finding: str
    rules: tuple[str, ...]
    effects: tuple[Effect, ...]


# Turning points -------------------------------------------------------------------------------------


class TurningPoint(msgspec.Struct, frozen=True):
    """An action that moved the lead: what it moved, in sentences, and what it made of the distance at the top.

    The lead is how much more the leader before the action is worth than whoever is worth most of the others;
    `swing` is what the action added to it. `effects` say what each seat was worth more, or less, after it.
    """

    action: str
    moment: int
    at: datetime
    kind: str
    seat: str | None
    sentences: tuple[str, ...]
    leader_before: str
    leader_after: str
    lead_before: int
    lead_after: int
    swing: int
    effects: tuple[Effect, ...]


# All of it ------------------------------------------------------------------------------------------


class SeatStanding(msgspec.Struct, frozen=True):
    """How a seat stands at the end: what it is worth, and all that it has received and paid in money.

    None is what the reader may not see.
    """

    seat: str
    name: str
    won: bool
    worth: int | None
    received: int
    paid: int
    actions: int


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """A game in numbers, as far as one reader may see it, over what counts of its history."""

    game: str
    rulebook: str
    title: str
    version: int
    whole: bool
    """Whether nothing was hidden from who reads it."""
    ended: bool
    winners: tuple[str, ...]
    ending: tuple[str, ...]
    """How the game was won and what ended it, in sentences; nothing while it lasts."""
    currency: Named
    actions: int
    """How many count."""
    dropped: int
    """How many were undone or have become impossible."""
    began: datetime
    lasted: int
    """Seconds from the first action to the last."""
    seats: tuple[SeatStanding, ...]
    wealth: Wealth
    flows: Flows
    estates: tuple[Estate, ...]
    counts: tuple[Tally, ...]
    dice: tuple[DiceTally, ...]
    time: tuple[SeatTime, ...]
    corrections: tuple[CorrectionEffect, ...]
    rulings: tuple[RulingEffect, ...]
    turning_points: tuple[TurningPoint, ...]
    """The greatest first; none for who may not see what all are worth."""
