"""Wealth: the worth of a seat, line by line."""

from __future__ import annotations

import msgspec

from ledger.kernel.facts.audience import EVERYONE, Audience
from ledger.kernel.language.phrase import Phrase


class Asset(msgspec.Struct, frozen=True):
    """One line of what a seat is worth: what it is, how many, and its value in the unit of worth.

    `kind` groups lines (balance, title, houses, goods, loan…), `what` is the commodity, or the id of an agreement.
    The value is negative for what is owed.
    """

    kind: str
    what: str
    quantity: int
    value: int


class Progress(msgspec.Struct, frozen=True):
    """A count on the way to a victory: so many of so many, for an audience.

    `id` is the same for all counts of one thing: of those, a viewer gets the first that they may see.
    """

    id: str
    label: Phrase
    have: int
    of: int
    audience: Audience = EVERYONE
