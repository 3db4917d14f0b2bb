"""Obligations: amounts and acts owed by a rule, as read from a state."""

from __future__ import annotations

from datetime import datetime

import msgspec

from ledger.kernel.facts.audience import EVERYONE, Audience
from ledger.kernel.language.phrase import Phrase


class Obligation(msgspec.Struct, frozen=True):
    """A debt, a deposit, or an answer due in a state of a game. Derived from the state, and never stored."""

    kind: str
    """The kind, a name of the game: "debt", "loan", "offer"."""
    debtor: str | None
    """The seat that owes; None for a debtor not yet known, such as the next prisoner."""
    creditor: str | None
    """The account entitled: a seat's purse, the bank; None for nobody in particular, or nobody known yet."""
    rule: str
    follows: Phrase
    """The consequence, or the course of the game until the obligation is met."""
    commodity: str | None = None
    """The commodity owed; None for an act, such as an answer, a choice or a throw."""
    amount: int | None = None
    """Whole units of the commodity, at least 1; None for an act."""
    laid: bool = False
    """True if the amount has left the debtor's purse: in escrow, in transit, on the market."""
    awaited: bool = False
    """True if the debtor owes now: the game, or the debtor's next throw, waits."""
    about: str = ""
    """The subject: the id of a debt or an agreement, a title, a card; empty if the kind says enough."""
    part: int | None = None
    """The part of the subject: the number of a leg of a deal, from 0."""
    since: int | None = None
    """The number of the action that opened the matter; None if the state does not keep the number."""
    due: datetime | None = None
    """The time at which the consequence comes by the clock; None without a clock."""
    audience: Audience = EVERYONE
    """The viewers who may read the obligation. For a veiled commodity (`Secrets.veil`), other viewers may read
    the obligation under the veil, like a holding.
    """
    release: str | None = None
    """The commodity that releases the debtor: the creditor's seat gives it to the debtor in a deal. None for an
    obligation that no deal ends.
    """


def opened_by(name: str) -> int:
    """Return the number of the opening action in an id made by `Draft.new_id`: 57 for "57" and "57-2"."""
    return int(name.partition("-")[0])
