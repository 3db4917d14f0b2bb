"""Disputes in the state of a game."""

from __future__ import annotations

from datetime import datetime

import msgspec

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import Audience, told_to
from ledger.kernel.facts.edits import Edit
from ledger.kernel.facts.labels import Name


class DisputeStatement(msgspec.Struct, frozen=True):
    """What a seat, or the banker ("banker"), says in a dispute."""

    by: str
    text: str
    at: datetime


class Dispute(Agreement, frozen=True, kw_only=True, tag="dispute"):
    """Actions that a seat contests. It suspends nothing. status: open, withdrawn, ruled."""

    opener: str
    actions: tuple[Name, ...]
    """The cited actions."""
    claim: str
    rules: tuple[str, ...] = ()
    """The rules cited by the opener."""
    edits: tuple[Edit, ...] = ()
    """The correction requested by the opener."""
    opened_at: datetime
    parties: tuple[str, ...] | None = None
    """The seats allowed to know of the dispute; None for everybody."""
    matters: tuple[str, ...] = ()
    """The private deals of the dispute."""
    statements: tuple[DisputeStatement, ...] = ()
    ruling: str | None = None
    """The ruling on the dispute, as the number of the action."""

    @property
    def audience(self) -> Audience:
        """The audience of the dispute."""
        return told_to(self.parties)
