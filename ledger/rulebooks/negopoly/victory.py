"""II.E. Victory."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter
from ledger.rulebooks.negopoly.table import Table

chapter = Chapter("II.E. Victory")


def by_wealth(table: Table) -> None:
    """End a game that is too long: the highest net worth wins (II.E.4)."""


def by_elimination(table: Table) -> None:
    """End the game when only one player is left (II.E.3)."""
