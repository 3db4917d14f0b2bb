"""I.A.1.2 and X.A.2. The answers open to a party that has not agreed to a proposal yet."""

from __future__ import annotations

from collections import Counter

from ledger.kernel.facts.audience import Viewer, only
from ledger.rulebooks.negopoly.table.pieces import travels
from ledger.rulebooks.negopoly.table.state import Negopoly
from ledger.rulebooks.negopoly.table.terms import MONEY, Contract, Deal, player
from ledger.rulebooks.parts.titles import deed


def answers(state: Negopoly, proposal: Deal | Contract, party: str, viewer: Viewer) -> tuple[str, ...]:
    """Return the ids of a party's moves in answer to a proposal, if the viewer knows them to be legal.

    A party may always refuse. Agreeing is listed while other consents are missing. The last consent is listed
    only if the proposal can certainly be carried out: the payers have the money (a secret of the payers), the
    givers have the titles, and no goods would be sent at once.
    """
    kind = "deal" if isinstance(proposal, Deal) else "contract"
    refusing = f"withdraw_{kind}:{proposal.id}"
    return (f"agree_{kind}:{proposal.id}", refusing) if _can_agree(state, proposal, party, viewer) else (refusing,)


def _can_agree(state: Negopoly, proposal: Deal | Contract, party: str, viewer: Viewer) -> bool:
    if any(signer in state.eliminated for signer in proposal.parties):
        return False
    if {*proposal.agreed, party} != set(proposal.parties):
        return True  # nothing is carried out before the last party agrees
    if isinstance(proposal, Contract):
        paid = Counter(proposal.payers)
        paid.update(proposal.escrow)
        return _are_solvent(state, paid, party, viewer)
    paid = Counter()
    for leg in proposal.legs:
        if leg.commodity == MONEY:
            paid[leg.giver] += leg.amount
        elif travels(leg.commodity):
            if state.turn is not None and state.turn.seat == leg.giver:
                return False
        elif not state.holdings.of(player(leg.giver), leg.commodity) or _is_struck(state, leg.commodity):
            return False
    return _are_solvent(state, paid, party, viewer)


def _is_struck(state: Negopoly, commodity: str) -> bool:
    """Return True if a title is under attack (IX.B.15)."""
    return any(commodity == deed(title) for strike in state.strikes for title in strike.titles)


def _are_solvent(state: Negopoly, paid: Counter[str], party: str, viewer: Viewer) -> bool:
    """Return True if the viewer knows that all payers can pay. The party may see the answer in its own moves."""
    if not paid or state.settings.voluntary_overdraft:
        return True
    covered = (state.holdings.of(player(payer), MONEY) >= amount for payer, amount in paid.items())
    return only(party).admits(viewer) and all(covered)
