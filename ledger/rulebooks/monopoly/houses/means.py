"""The means of a debtor to pay, and their protection while a debt is open."""

from __future__ import annotations

from collections.abc import Collection

from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses import building, mortgages
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cash, cite, laid
from ledger.rulebooks.monopoly.table.terms import Debt

RAISING = (building.SellBuilding, mortgages.Mortgage)
"""The actions to raise money alone, in the order taken for a debtor who does nothing."""


def could_raise(state: Monopoly, seat: str) -> int:
    """Return the most money a player can gather alone: cash, buildings sold and titles mortgaged."""
    return cash(state, seat) + building.resale_value(state, seat) + mortgages.mortgage_value_left(state, seat)


def is_hopeless(state: Monopoly, seat: str) -> bool:
    """Return True if a player's debts exceed all means, with a bid that may come back."""
    return debts.owed_by(state, seat) > could_raise(state, seat) + laid(state, seat)


def require_kept(draft: Draft, seat: str, earlier: int, later: int, released: Collection[Debt] = ()) -> None:
    """Refuse an exchange that takes a debtor's means to pay, if debts come first.

    `earlier` and `later` are the player's means before and after the exchange, `released` the debts settled by the
    exchange. An exchange is allowed if the means still suffice, or have not shrunk.
    """
    state = draft.state
    owed = [debt for debt in debts.debts_of(state, seat) if debt not in released]
    total = sum(debt.amount for debt in owed)
    draft.require(
        not owed or not state.settings.debts_first or later >= min(earlier, total),
        cite(state, "debts_first"),
        "{seat:seat} could then not pay the {owed:money} owed to {creditors:each|account} ({debts:each|matter}): "
        "{before:money} can be raised now, {after:money} after this trade, {short:money} too little",
        "{seat:seat} ne pourrait alors pas payer les {owed:money} dus à {creditors:each|account} "
        "({debts:each|matter}) : {before:money} peuvent être réunis maintenant, {after:money} après cet échange, "
        "et il manquerait {short:money}",
        seat=seat,
        owed=total,
        creditors=tuple(dict.fromkeys(debt.creditor for debt in owed)),
        debts=tuple(debt.id for debt in owed),
        before=earlier,
        after=later,
        short=total - later,
    )
