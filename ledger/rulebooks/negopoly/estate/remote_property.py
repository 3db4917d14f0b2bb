"""V.E.18. Bleu foncé: the holder buys, unmortgages and buys back titles from anywhere."""

from __future__ import annotations

from ledger.rulebooks.negopoly.arsenal import disruption
from ledger.rulebooks.negopoly.estate.quarters import has_ability
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, open_passages, passed, square_of

RULE = "V.E.18"


def reach(draft: Draft, title: str, *, rule: str = "V.D.1", stop_only: bool = False) -> str | None:
    """Check that the acting seat may act on a title now: by a passage of the current turn, or from anywhere.

    Returns the rule for acting from anywhere; None for a passage (with `stop_only`, a stop). Refuses by `rule`;
    during a Bombe IEM, refuses the holder of Bleu foncé by IX.C.25, or by IX.C.24 on the square itself.
    """
    state = draft.state
    square = square_of(state, title)
    if open_passages(state, [square], stop_only=stop_only) or not has_ability(state, draft.seat, "bleu_fonce"):
        passed(draft, [square], rule, stop_only=stop_only)
        return None
    disruption.require_title_works(draft, title)
    return RULE


def reaches_all(state: Negopoly, seat: str) -> bool:
    """Return True if the seat may act on titles from anywhere (V.E.18)."""
    return has_ability(state, seat, "bleu_fonce") and not disruption.remote_off(state)
