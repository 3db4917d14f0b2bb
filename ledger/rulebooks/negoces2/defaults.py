"""The default steps of a corrected history: a player without an answer to a claim of victory has not claimed.

No clock runs in Négoces 2, so no default step happens in play. Nothing is decided for a bidder or a seller: an
auction and a sale wait without a limit. In a corrected history the next sale of the table closes both
(`sales.OfferForSale`).
"""

from __future__ import annotations

from ledger.kernel.rules.actions import DefaultStep, StepGoal
from ledger.kernel.rules.faces.progress import Progress
from ledger.rulebooks.negoces2.ends import DeclineVictory
from ledger.rulebooks.negoces2.sales import OfferForSale
from ledger.rulebooks.negoces2.table import Negoces2, seller_of
from ledger.rulebooks.negoces2.views import awaited, round_of


class Negoces2Progress(Progress[Negoces2]):
    """The effects of passing time, and the steps of the game itself."""

    def default_step(self, state: Negoces2, goal: StepGoal) -> DefaultStep | None:
        """Return the next default step before an action (see `Progress.default_step`).

        A player who has not answered a claim before the next sale declines (end.8).
        """
        if goal.was is None or state.ended:
            return None
        if isinstance(goal.action, OfferForSale) and state.claims and not goal.was.claims:
            silent = awaited(state)
            return DefaultStep(DeclineVictory(), silent[0]) if silent else None
        return None

    def is_done(self, state: Negoces2, goal: StepGoal) -> bool:
        """Return True if nothing remains to be done by an action, because no claim is left to decline."""
        return isinstance(goal.action, DeclineVictory) and not state.claims and not state.ended

    def whose_turn(self, state: Negoces2) -> tuple[int, str] | None:
        """Return the round and the seller. None without a seller: the bidders of the auction have no turns."""
        seller = seller_of(state)
        return None if seller is None or state.ended else (round_of(state), seller)
