"""Payments of players from their own account, in the game's money."""

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
    """The posting of a seat's payment into an account, as a tuple for an event; empty for 0.

    Refuses when the seat has less, unless `owing` allows a debt: by the rule `solvency` and beside it by the
    payment's own `rule`, or by that alone in a game without a rule of solvency.
    """
    purse, money = draft.rulebook.purse(seat), draft.rulebook.currency
    if not owing:
        draft.require_funds(purse, money, amount, solvency or rule, beside=(rule,))
    return draft.move(money, amount, purse, target)
