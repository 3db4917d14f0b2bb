"""I. Fundamental principles."""

from __future__ import annotations

from ledger.kernel.refusals import RuleBroken
from ledger.kernel.rulebook import Chapter
from ledger.rulebooks.negopoly.table import Deal, Leg, Table

chapter = Chapter("I. Fundamental principles")


def propose(
    table: Table, parties: tuple[str, ...], legs: tuple[Leg, ...], clauses: tuple[str, ...], *, rule: str
) -> Deal:
    """Record a proposal of a deal by the acting seat, who agrees to it by proposing it."""
    raise RuleBroken(rule, "no deals yet", "pas encore d'accords")
