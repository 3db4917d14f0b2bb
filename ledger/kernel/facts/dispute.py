"""Disputes as the state of a game keeps them."""

from __future__ import annotations

from datetime import datetime

import msgspec

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import Audience, told_to
from ledger.kernel.facts.edits import Edit
from ledger.kernel.facts.labels import Name


class Said(msgspec.Struct, frozen=True):
    """What a seat, or the banker ("banker"), says in a dispute."""

    by: str
    text: str
    at: datetime


class Dispute(Agreement, frozen=True, kw_only=True, tag="dispute"):
    """Actions that a seat contests. It suspends nothing. status: open, withdrawn, ruled."""

    opener: str
    actions: tuple[Name, ...]
    """The actions cited."""
    claim: str
    rules: tuple[str, ...] = ()
    """The rules that the opener relies on."""
    edits: tuple[Edit, ...] = ()
    """The correction that the opener asks for."""
    opened_at: datetime
    parties: tuple[str, ...] | None = None
    """The seats that may know of it; None for everybody."""
    matters: tuple[str, ...] = ()
    """The private deals it is about."""
    statements: tuple[Said, ...] = ()
    ruling: str | None = None
    """The ruling that ended it: the number of its action."""

    @property
    def audience(self) -> Audience:
        """Who may know of it."""
        return told_to(self.parties)
