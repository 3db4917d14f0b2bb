"""X. Contracts, bounties and loans: what the rest of the game sets off in them."""

from __future__ import annotations

from ledger.rulebooks.negopoly.agreements import bounties, contracts, loans
from ledger.rulebooks.negopoly.meetings import meetings
from ledger.rulebooks.negopoly.table.state import Draft


def lapse(draft: Draft, seat: str) -> None:
    """End the contracts whose last round is over: the turn of this seat is starting (X.A.5)."""
    contracts.lapse(draft, seat)


def spawn_passage(draft: Draft, seat: str) -> None:
    """Count a passage by Spawn for the borrower's loans, and collect those that are due (X.C.3, X.C.4)."""
    loans.spawn_passage(draft, seat)


def close_at_end(draft: Draft) -> None:
    """At the end of the game: bounty deposits (X.B.5) and what contracts hold go back, meetings break up."""
    bounties.close_at_end(draft)
    contracts.close_at_end(draft)
    meetings.close_at_end(draft)
