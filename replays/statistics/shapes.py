"""The types of a game's statistics. Money and quantities are whole numbers; durations are whole seconds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.facts.labels import Name


class NamedThing(msgspec.Struct, frozen=True):
    """A thing with its id and its name for people."""

    id: str
    name: str


# Wealth ---------------------------------------------------------------------------------------


class SeatCurve(msgspec.Struct, frozen=True):
    """The wealth of a seat at each moment of the curve. `total` is null when a part is hidden from the viewer.

    `parts` are the visible parts; parts that were always 0 are left out.
    """

    seat: str
    total: tuple[int, ...] | None
    parts: Mapping[str, tuple[int, ...]]


class Wealth(msgspec.Struct, frozen=True):
    """The wealth of the seats over time, in the `unit` of the statistics.

    `moments` are numbers of actions and `at` their times: every action of a short game, actions at even distances
    of a long game, and always the last one. `gini` is the Gini coefficient of the seats' wealth in
    ten-thousandths, where a half is rounded up: 0 when all are worth the same. Negative wealth counts as 0. The
    value is null while nobody owns anything, and for a viewer who may not see the wealth of all.
    """

    moments: tuple[int, ...]
    at: tuple[datetime, ...]
    parts: tuple[NamedThing, ...]
    seats: tuple[SeatCurve, ...]
    gini: tuple[int | None, ...]
    rounds: tuple[int | None, ...] = ()
    """The round at each moment; null before the first round, and in a game without rounds."""


# Flows ----------------------------------------------------------------------------------------


class Flow(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """The money that one party paid to another for a purpose. Money that was handed back was never paid."""

    source: str
    target: str
    purpose: str
    amount: int
    times: int


class GoodsTransfer(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """Goods that went from one player to another."""

    source: str
    target: str
    commodity: str
    name: str
    quantity: int


class Flows(msgspec.Struct, frozen=True):
    """The flows between parties. `parties` are the seats, the issuers, and "held" for accounts of neither.

    Money that goes through such an account (an escrow, coins on offer) is a payment from the party that paid in to
    the party that is paid. So the change of a seat's balance is what it received minus what it paid.
    """

    parties: tuple[NamedThing, ...]
    purposes: tuple[NamedThing, ...]
    money: tuple[Flow, ...]
    goods: tuple[GoodsTransfer, ...]


# Titles ---------------------------------------------------------------------------------------


class EstateHolder(msgspec.Struct, frozen=True):
    """The cost and income of an estate for one of its owners."""

    seat: str
    cost: int
    income: int


class Estate(msgspec.Struct, frozen=True):
    """An estate, such as a title: its cost for its owners and its income, `rent` included.

    `percent` is the income in percent of the cost, where a half is rounded up; null when the cost is 0. Prices of
    private deals are not counted.
    """

    id: str
    name: str
    owner: str | None
    cost: int
    income: int
    rent: int
    rents: int
    """The number of rents paid."""
    percent: int | None
    holders: tuple[EstateHolder, ...]


# Counts ---------------------------------------------------------------------------------------


class ItemCount(msgspec.Struct, frozen=True):
    """A quantity of one kind of thing."""

    id: str
    name: str
    quantity: int


class SeatCount(msgspec.Struct, frozen=True):
    """A count for a seat: the quantity, the money if any was moved, and the quantity of each kind."""

    seat: str
    quantity: int
    money: int | None
    items: tuple[ItemCount, ...]


class Tally(msgspec.Struct, frozen=True):
    """Something that is counted for each seat. Seats without any are left out.

    `quantity` and `money` are the totals of the table. What several seats share (a deal, a contract) counts for
    each of them, and once in the totals.
    """

    id: str
    name: str
    quantity: int
    money: int | None
    seats: tuple[SeatCount, ...]


class SeatThrows(msgspec.Struct, frozen=True):
    """The dice that a seat has thrown: how often each face came, from 1 on, and the sum.

    `expected` is the average sum of as many fair dice, an exact multiple of one half.
    """

    seat: str
    faces: tuple[int, ...]
    dice: int
    total: int
    expected: float


class FairBand(msgspec.Struct, frozen=True):
    """A usual count: from `least` to `greatest`, both included."""

    least: int
    greatest: int


class DiceTally(msgspec.Struct, frozen=True):
    """Dice of one use, with the throws of each seat.

    `band` says how often one face comes in the throws of all seats together on 95 of 100 evenings with fair dice:
    from `least` to `greatest`. Less often and more often each happen on at most 25 of
    1,000 evenings, by the binomial distribution, exactly.
    """

    id: str
    name: str
    sides: int
    seats: tuple[SeatThrows, ...]
    band: FairBand


# Time -----------------------------------------------------------------------------------------


class SeatTime(msgspec.Struct, frozen=True):
    """The time of a seat: its turns, their seconds, and its longest turn with the action that began it.

    `waited` is how many seconds the game waited for the seat, alone or with others; null when it is hidden.
    """

    seat: str
    turns: int
    seconds: int
    longest: int
    longest_from: Name | None
    waited: int | None


# Debts ----------------------------------------------------------------------------------------


class SeatDebts(msgspec.Struct, frozen=True):
    """The debts of a seat in a commodity, or in its veil: the amounts that the seat `owes` and is `owed`.

    `owes_most` and `owed_most` are the largest amounts right after an action, `seconds` the time for which the
    seat owed any. An amount that has left the purse of the debtor is no debt. Pairs without debts are left out.
    """

    seat: str
    commodity: str
    name: str
    owes: int
    owes_most: int
    owed: int
    owed_most: int
    seconds: int


# Corrections and rulings ----------------------------------------------------------------------


class MoneyEffect(msgspec.Struct, frozen=True):
    """The change of a party's money."""

    party: str
    change: int


class CorrectionEffect(msgspec.Struct, frozen=True):
    """A correction: how many actions it left with each status (`made`), and its effect in money.

    `ruled` is whether a ruling ordered the correction.
    """

    action: Name
    reason: str
    ruled: bool
    made: Mapping[str, int]
    effects: tuple[MoneyEffect, ...]


class RulingEffect(msgspec.Struct, frozen=True):
    """A ruling: its dispute, its finding, the rules that it cites, and its effect in money."""

    action: Name
    dispute: str | None
    finding: str
    rules: tuple[str, ...]
    effects: tuple[MoneyEffect, ...]


# Turning points -------------------------------------------------------------------------------


class TurningPoint(msgspec.Struct, frozen=True):
    """An action that changed the lead: its sentences, and the lead before and after it.

    The lead is the wealth of the seat that led before the action, minus the largest wealth of the others. `swing`
    is the change of the lead. `effects` are the changes of the seats' wealth.
    """

    action: Name
    moment: int
    round: int | None
    at: datetime
    kind: str
    seat: str | None
    sentences: tuple[str, ...]
    leader_before: str
    leader_after: str
    lead_before: int
    lead_after: int
    swing: int
    effects: tuple[MoneyEffect, ...]


# Awards ---------------------------------------------------------------------------------------


class Award(msgspec.Struct, frozen=True):
    """An award at the end of a game: its `title`, the seat, the rule by which it is given (`text`), the `figure`.

    `id` is one of: lucky, unlucky (the sum of the dice against fair dice), thinker (the longest turn), generous
    (paid most to other seats), collector (received most from other seats), investor (most income of an estate).
    """

    id: str
    title: str
    seat: str
    text: str
    figure: str


# The whole ------------------------------------------------------------------------------------


class SeatStanding(msgspec.Struct, frozen=True):
    """The standing of a seat: its wealth at the end, and all money that it received and paid.

    `worth` is null when it is hidden from the viewer. `place` is the seat's place (from 1) in the order of play of
    the first round, or else in the order of the seats; null for a seat that has had no turn. `strategy` is the
    strategy of the bot that played for the seat; null for a person. `out` is whether the seat is out of the game.
    """

    seat: str
    name: str
    won: bool
    worth: int | None
    received: int
    paid: int
    actions: int
    place: int | None
    strategy: str | None
    out: bool


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """The statistics of a game over its effective history, with what one viewer may see."""

    game: str
    rulebook: str
    title: str
    version: int
    whole: bool
    """True if nothing is hidden from the viewer."""
    ended: bool
    winners: tuple[str, ...]
    ending: tuple[str, ...]
    """The victory and the end of the game in sentences; empty while the game lasts."""
    currency: NamedThing
    unit: NamedThing
    """The commodity that worth and wealth are counted in: money, or points."""
    settings: Mapping[str, Any]
    """The settings of the game unlike the defaults."""
    actions: int
    """The number of counting actions."""
    dropped: int
    """The number of undone and voided actions."""
    rounds: int | None
    """The number of the last round; null in a game without rounds."""
    began: datetime
    lasted: int
    """The seconds from the first action to the last."""
    seats: tuple[SeatStanding, ...]
    wealth: Wealth
    flows: Flows
    estates: tuple[Estate, ...]
    counts: tuple[Tally, ...]
    dice: tuple[DiceTally, ...]
    time: tuple[SeatTime, ...]
    debts: tuple[SeatDebts, ...]
    corrections: tuple[CorrectionEffect, ...]
    rulings: tuple[RulingEffect, ...]
    turning_points: tuple[TurningPoint, ...]
    """The actions that changed the lead by a twentieth or more of the total wealth of all seats, the largest
    change first. Empty for a viewer with a partial view of the wealth.
    """
    story: tuple[str, ...] = ()
    """The story of the victory in sentences: who won or leads, by how much, since when, and what it came from."""
    awards: tuple[Award, ...] = ()
    """The awards; empty while the game lasts, and without those that hidden payments could decide."""
