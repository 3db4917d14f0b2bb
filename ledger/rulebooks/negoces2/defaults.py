"""What a corrected history decides by itself: who has not answered a claim of victory has not claimed.

No clock runs in Négoces 2, so nothing of this happens in play. Nothing is decided for a bidder or a seller: an
auction and a sale wait for them as long as it takes.
"""

from __future__ import annotations

from ledger.kernel.rules.actions import DefaultStep, Toward
from ledger.rulebooks.negoces2.ends import DeclineVictory
from ledger.rulebooks.negoces2.sales import OfferForSale
from ledger.rulebooks.negoces2.table import Negoces2, seller_of
from ledger.rulebooks.negoces2.views import awaited, round_of


def whose_turn(state: Negoces2) -> tuple[int, str] | None:
    """The round and its seller; None before there is one, because the bidders of the auction have no turns."""
    seller = seller_of(state)
    return None if seller is None or state.ended else (round_of(state), seller)


def next_step(state: Negoces2, toward: Toward) -> DefaultStep | None:
    """The next default step before an action (see `Rulebook.default_step`).

    A player who has not answered a claim before the next sale declines (end.8).
    """
    if toward.was is None or state.ended:
        return None
    if isinstance(toward.action, OfferForSale) and state.claims and not toward.was.claims:
        silent = awaited(state)
        return DefaultStep(DeclineVictory(), silent[0]) if silent else None
    return None


def is_done(state: Negoces2, toward: Toward) -> bool:
    """Whether there is nothing left for an action to do: no claim is left to decline."""
    return isinstance(toward.action, DeclineVictory) and not state.claims and not state.ended
