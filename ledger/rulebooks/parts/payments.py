"""Payments of players: in the game's money, out of their own purse."""

from __future__ import annotations

from typing import Any

from ledger.kernel.accounts import BANK, Posting
from ledger.kernel.draft import Draft


def payment(
    draft: Draft[Any], seat: str, amount: int, rule: str, target: str = BANK, *, owing: bool = False
) -> tuple[Posting, ...]:
    """The posting of what a seat pays into an account, as an event takes it; none when the amount is 0.

    Refuses by the rule when the seat has not got so much, unless it may owe it.
    """
    purse, money = draft.rulebook.purse(seat), draft.rulebook.currency
    if not owing:
        draft.require_funds(purse, money, amount, rule)
    return draft.move(money, amount, purse, target)
