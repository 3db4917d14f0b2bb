"""The worth of a seat: money, titles at the printed price or half the price, buildings at cost."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from ledger.kernel.facts.events import Event
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.monopoly.houses.places import costs_of
from ledger.rulebooks.monopoly.table.roles import Role
from ledger.rulebooks.monopoly.table.state import (
    Draft,
    Monopoly,
    cash,
    cite,
    currency,
    has_hotel,
    is_mortgaged,
    laid,
    level,
    pieces,
    titles_of,
)
from ledger.rulebooks.monopoly.table.terms import HOTEL, HOUSE, TOWER
from ledger.rulebooks.parts.titles import deed, lies_on

chapter = Chapter("The end")


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of what a seat is worth, and the rule by which it counts. `what` is a commodity.

    The buildings of a title are a line of their own; `title` says where they stand.
    """

    kind: str
    what: str
    quantity: int
    value: int
    rule: str
    title: str = ""


def lines(state: Monopoly, seat: str) -> list[Line]:
    """List a player's worth, line by line: the money first, then each title and the buildings on the title."""
    money = cash(state, seat)
    result = [Line(kind="cash", what=currency(state), quantity=money, value=money, rule=cite(state, "worth"))]
    for title in titles_of(state, seat):
        price, mortgaged = pieces(state).titles[title].price, is_mortgaged(state, title)
        role: Role = "worth_mortgaged" if mortgaged else "worth_title"
        value = price // 2 if mortgaged else price
        result.append(
            Line(kind="title", what=deed(title), quantity=1, value=value, rule=cite(state, role), title=title)
        )
        if built := level(state, title):
            result.append(_building(state, title, built))
    return result


def _building(state: Monopoly, title: str, built: int) -> Line:
    """Return the line of a title's buildings, at cost: those on top, with the price of all that is below."""
    hotel, towers = has_hotel(state, title), lies_on(state, title, TOWER)
    return Line(
        kind="buildings",
        what=TOWER if towers else HOTEL if hotel else HOUSE,
        quantity=towers or (1 if hotel else built),
        value=sum(costs_of(state, title)),
        rule=cite(state, "worth_hotel" if hotel else "worth_house"),
        title=title,
    )


def worth(state: Monopoly, seat: str) -> list[Asset]:
    """Return a player's worth as assets; the highest bid belongs to the bidder until the auction closes."""
    escrowed = laid(state, seat)
    money, *others = [Asset(line.kind, line.what, line.quantity, line.value) for line in lines(state, seat)]
    return [replace(money, quantity=money.quantity + escrowed, value=money.value + escrowed), *others]


@chapter.event
class WorthCounted(Event, frozen=True, kw_only=True):
    """What a player is worth at the end, line by line."""

    en: ClassVar[str] = "{seat:seat} is worth {amount:money}."
    fr: ClassVar[str] = "La fortune {seat:de|seat} est de {amount:money}."

    seat: str
    lines: tuple[Line, ...]

    @property
    def amount(self) -> int:
        """The sum of the lines."""
        return sum(line.value for line in self.lines)


def count(draft: Draft, seat: str) -> int:
    """Record a player's worth, and return the sum."""
    counted = WorthCounted(rule=cite(draft.state, "worth"), seat=seat, lines=tuple(lines(draft.state, seat)))
    draft.record(counted)
    return counted.amount
