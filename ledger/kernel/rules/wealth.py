"""Wealth: the worth of a seat, line by line."""

from __future__ import annotations

import msgspec


class Asset(msgspec.Struct, frozen=True):
    """One line of what a seat is worth: what it is, how many, and its value in the unit of worth.

    `kind` groups lines (balance, title, houses, goods, loan…), `what` is the commodity, or the id of an agreement.
    The value is negative for what is owed.
    """

    kind: str
    what: str
    quantity: int
    value: int
