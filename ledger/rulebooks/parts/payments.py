"""Payments by players from their accounts, in the game's money."""

from __future__ import annotations

from typing import Any

from ledger.kernel.facts.accounts import BANK, Posting
from ledger.kernel.rules.draft import Draft


def payment(
    draft: Draft[Any],
    seat: str,
    amount: int,
    rule: str,
    target: str = BANK,
    *,
    owing: bool = False,
    solvency: str | None = None,
) -> tuple[Posting, ...]:
    """Build the posting of a seat's payment into an account, as a tuple for an event; empty for 0.

    Refuse a payment beyond the seat's funds, unless `owing` allows a debt. The refusal cites the rule
    `solvency` with the payment's own `rule` beside, or only the latter in a game without a rule of solvency.
    """
    purse, money = draft.rulebook.accounts.purse(seat), draft.rulebook.accounts.currency
    if not owing:
        draft.require_funds(purse, money, amount, solvency or rule, beside=(rule,))
    return draft.move(money, amount, purse, target)
