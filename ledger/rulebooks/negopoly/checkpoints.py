"""VI.F. Checkpoints."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter
from ledger.rulebooks.negopoly.table import Table

chapter = Chapter("VI.F. Checkpoints")


def check(table: Table, seat: str, *, rule: str) -> None:
    """The police check a player where the token stands (VI.F)."""
