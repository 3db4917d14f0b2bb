"""V. Real estate."""

from __future__ import annotations

from ledger.kernel.rulebook import Chapter
from ledger.rulebooks.negopoly.table import Negopoly, Table

chapter = Chapter("V. Real estate")


def rent_due(state: Negopoly, visitor: str, title: str) -> int:
    """What the visitor owes for stopping on the title, in whole ₦; 0 when nothing is due (V.A.6 to V.A.8)."""
    return 0


def pay_rent(table: Table, visitor: str, title: str) -> None:
    """Post the rent of a stop, if any is due (V.A.6)."""


def reset(table: Table, title: str, *, cause: str, rule: str) -> None:
    """Return a title to the bank with nothing left on it (V.B.8 to V.B.11)."""
