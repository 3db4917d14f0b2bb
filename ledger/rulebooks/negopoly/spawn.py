"""VI.A. Spawn."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter
from ledger.rulebooks.negopoly.table import Table

chapter = Chapter("VI.A. Spawn")


def pass_by(table: Table, seat: str) -> None:
    """Post a passage by Spawn: pay, loan deadlines, licence, warrant, in this order (VI.A.3)."""
