"""VIII.D. Deliveries."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter
from ledger.rulebooks.negopoly.table import Table

chapter = Chapter("VIII.D. Deliveries")


def arrive(table: Table, sender: str) -> None:
    """Hand over what the seat sent in an earlier turn: its turn is starting (VIII.D.3)."""
