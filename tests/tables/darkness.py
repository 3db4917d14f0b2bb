"""A board under a Bombe IEM, for scenarios: Ana has set one off, and others play on in the dark."""

from __future__ import annotations

from typing import Any

from tests.tables.garage import kinds
from tests.tables.negopoly import Table


def dark(*seats: str, settings: dict[str, Any] | None = None) -> Table:
    """Ana has set off a Bombe IEM on square 3 and ended her turn: it is Bob's, and he has not rolled."""
    table = Table(*(seats or ("ana", "bob", "cleo")), settings=settings)
    table.give("ana", "bombe_iem")
    table.play("ana", "roll_dice", dice=[1, 2])
    table.play("ana", "use_emp")
    table.play("ana", "end_turn")
    return table


def rolls(table: Table, seat: str, onto: int, *, come_from: int = 2) -> list[str]:
    """The seat, whose turn it is, rolls two ones (or a three) onto the square; the kinds of what came of it."""
    table.place(seat, (onto - come_from) % 40)
    return kinds(table.play(seat, "roll_dice", dice=[1, come_from - 1]))
