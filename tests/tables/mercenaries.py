"""What the scenarios of the bar and of reactions lay out and look at."""

from __future__ import annotations

from typing import Any

from ledger.kernel.accounts import BANK, Posting
from ledger.kernel.audience import Viewer
from ledger.kernel.moves import moves
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.rulebooks.negopoly.table.terms import Question, attached, player
from tests.tables.negopoly import Table

WEST, EAST = 5, 25
"""The squares of the two bars."""


def at_the_bar(table: Table, seat: str) -> None:
    """The seat, whose turn it is, rolls two ones and stops on the western bar."""
    table.place(seat, WEST - 2)
    table.play(seat, "roll_dice", dice=[1, 1])


def attach(table: Table, title: str, commodity: str, amount: int = 1) -> None:
    """Put something on a title before the scenario proper: a defence, squatters, a charge."""
    with table.arranged() as state:
        state.holdings.post(Posting(commodity, amount, BANK, attached(title)))


def stopped_on(table: Table, seat: str, square: int) -> None:
    """The seat, whose turn it is, rolls a three onto the square."""
    table.place(seat, (square - 3) % 40)
    table.play(seat, "roll_dice", dice=[1, 2])


def hacks(table: Table, buyer: str, target: str) -> None:
    """The buyer holds a hack of the target."""
    table.give(buyer, "hack")
    with table.arranged() as state:
        state.services[buyer] = state.services.get(buyer, 0) + 1
        state.hacks.append((buyer, target))


def offered(table: Table, seat: str, kind: str) -> list[dict[str, Any]]:
    """The parameters of this kind that the seat's moves offer."""
    found = moves(RULEBOOK, table.state, seat, player(seat), Viewer("player", seat), table.now)
    return [move.params for move in found if move.kind == kind]


def asked(table: Table) -> list[str]:
    """Who is being asked something, oldest question first."""
    return [question.seat for question in table.state.questions]


def question_to(table: Table, seat: str) -> Question:
    """The first question that waits for the seat."""
    return next(question for question in table.state.questions if question.seat == seat)


def answer(table: Table, seat: str, said: str) -> list[Any]:
    """The seat answers the first question that waits for it; gives the events."""
    return table.play(seat, "answer", question=question_to(table, seat).id, answer=said)
