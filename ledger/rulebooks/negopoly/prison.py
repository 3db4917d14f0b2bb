"""VI.D. Prison."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter
from ledger.rulebooks.negopoly.table import Table

chapter = Chapter("VI.D. Prison")


def arrest(table: Table, seat: str, *, cause: str, rule: str) -> None:
    """Send a player to Prison, where waiting rackets collect (VI.D.1, VI.D.4)."""
