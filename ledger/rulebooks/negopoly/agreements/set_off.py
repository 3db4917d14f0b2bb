"""X. Contracts, bounties, loans and meetings: the effects of a turn's start, of Spawn and of the end of the
game.
"""

from __future__ import annotations

from ledger.rulebooks.negopoly.agreements import bounties, contracts, loans
from ledger.rulebooks.negopoly.meetings import meetings
from ledger.rulebooks.negopoly.table.state import Draft


def lapse(draft: Draft, seat: str) -> None:
    """End the contracts due to lapse at the start of the seat's turn (X.A.5)."""
    contracts.lapse(draft, seat)


def spawn_passage(draft: Draft, seat: str) -> None:
    """Count a passage by Spawn for the borrower's loans, and collect the loans due (X.C.3, X.C.4)."""
    loans.spawn_passage(draft, seat)


def close_at_end(draft: Draft) -> None:
    """Return bounty deposits (X.B.5) and the escrow of contracts, and end meetings, at the end of the game."""
    bounties.close_at_end(draft)
    contracts.close_at_end(draft)
    meetings.close_at_end(draft)
