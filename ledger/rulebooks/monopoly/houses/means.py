"""What a player can raise for a debt, and that nobody gives it away while they owe."""

from __future__ import annotations

from ledger.rulebooks.monopoly.debts import debts
from ledger.rulebooks.monopoly.houses import building, mortgages
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, cash, cite


def could_raise(state: Monopoly, seat: str) -> int:
    """The most money that a player can gather alone: what they have, buildings sold and titles mortgaged."""
    return cash(state, seat) + building.resale_value(state, seat) + mortgages.mortgage_value_left(state, seat)


def is_hopeless(state: Monopoly, seat: str) -> bool:
    """Whether a player owes more than they can gather."""
    return debts.owed_by(state, seat) > could_raise(state, seat)


def require_kept(draft: Draft, seat: str, before: int, after: int) -> None:
    """Where debts come first, refuse an exchange that takes from who owes what they need to pay it.

    Takes what the player can raise before the exchange and after it. An exchange that leaves enough is allowed,
    and so is one that leaves no less than before.
    """
    state = draft.state
    owed = debts.debts_of(state, seat)
    draft.require(
        not owed or not state.settings.debts_first or after >= before or after >= debts.owed_by(state, seat),
        cite(state, "debts_first"),
        "{seat:seat} could then not pay the {owed:money} owed to {creditors:each|account}: {before:money} can be "
        "raised now, {after:money} after this trade",
        "{seat:seat} ne pourrait alors pas payer les {owed:money} dus à {creditors:each|account} : {before:money} "
        "peuvent être réunis maintenant, {after:money} après cet échange",
        seat=seat,
        owed=debts.owed_by(state, seat),
        creditors=tuple(dict.fromkeys(one.creditor for one in owed)),
        before=before,
        after=after,
    )
