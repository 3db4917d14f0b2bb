"""Payments of players from their own account, in the game's money."""

from __future__ import annotations

from typing import Any

from ledger.kernel.accounts import BANK, Posting
from ledger.kernel.draft import Draft


def payment(
    draft: Draft[Any], seat: str, amount: int, rule: str, target: str = BANK, *, owing: bool = False
) -> tuple[Posting, ...]:
    """The posting of a seat's payment into an account, as a tuple for an event; empty for 0.

    Refuses by the rule when the seat has less, unless `owing` allows a debt.
    """
    purse, money = draft.rulebook.purse(seat), draft.rulebook.currency
    if not owing:
        draft.require_funds(purse, money, amount, rule)
    return draft.move(money, amount, purse, target)
