"""I.A.1.2 and X.A.2. The moves of a party that has not agreed to a proposal yet."""

from __future__ import annotations

from collections import Counter

from ledger.kernel.facts.audience import Viewer, only
from ledger.rulebooks.negopoly.table.pieces import travels
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import MONEY, Contract, Deal, player
from ledger.rulebooks.parts.titles import deed


def answers(state: Negopoly, found: Deal | Contract, party: str, viewer: Viewer) -> tuple[str, ...]:
    """The ids of the moves with which a party answers a proposal, those that the viewer knows to be legal.

    A party may always refuse. Agreeing is named where the proposal can be carried out for certain: what money it
    moves is there (a secret of those who pay), and its titles; goods that would be sent at once are not judged.
    """
    kind = "deal" if isinstance(found, Deal) else "contract"
    refusing = f"withdraw_{kind}:{found.id}"
    return (f"agree_{kind}:{found.id}", refusing) if _can_agree(state, found, party, viewer) else (refusing,)


def _can_agree(state: Negopoly, found: Deal | Contract, party: str, viewer: Viewer) -> bool:
    if any(one in state.eliminated for one in found.parties):
        return False
    if {*found.agreed, party} != set(found.parties):
        return True  # others are still to agree: nothing is carried out yet
    if isinstance(found, Contract):
        paid = Counter(found.payers)
        paid.update(found.escrow)
        return _are_solvent(state, paid, party, viewer)
    paid = Counter()
    for leg in found.legs:
        if leg.commodity == MONEY:
            paid[leg.giver] += leg.amount
        elif travels(leg.commodity):
            if state.turn is not None and state.turn.seat == leg.giver:
                return False
        elif not state.holdings.of(player(leg.giver), leg.commodity) or _is_struck(state, leg.commodity):
            return False
    return _are_solvent(state, paid, party, viewer)


def _is_struck(state: Negopoly, commodity: str) -> bool:
    """Whether a title is under attack (IX.B.15)."""
    return any(commodity == deed(title) for strike in state.strikes for title in strike.titles)


def _are_solvent(state: Negopoly, paid: Counter[str], party: str, viewer: Viewer) -> bool:
    """Whether the viewer knows that all can pay: the party reads it in its own moves."""
    if not paid or state.settings.voluntary_overdraft:
        return True
    held = (state.holdings.of(player(one), MONEY) >= amount for one, amount in paid.items())
    return only(party).admits(viewer) and all(held)
