"""Accounts, postings and holdings: the only way to move anything of value.

A posting moves a positive whole amount of a commodity from account to account. So the holdings of each
commodity sum to zero over all accounts. Only overdrafts need a check: an account may hold less than nothing
only as the issuer of the commodity, or if the rulebook lets it owe the commodity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import INT64_MAX, LARGEST

BANK = "bank"
"""The account of the bank, which issues commodities without a fixed count."""


BOX = "box"
"""The account that issues the pieces of a fixed count, once, at the opening of a game."""


CONSERVATION = "conservation"
"""The rule cited when a posting would create or lose something; part of every rulebook."""


MayOwe = Callable[[str, str], bool]
"""(account, commodity) -> True if the account may hold a negative amount of the commodity."""


class Posting(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An amount (whole, 1 to 2**63 - 1) of a commodity moved from the source to the target account."""

    commodity: str
    amount: int
    source: str
    target: str


class Holdings:
    """The amount of each commodity in each account: the sum of the postings.

    A copy shares the balances of an account with the original until either object posts to the account.
    """

    __slots__ = ("_accounts", "_may_owe", "_unshared")

    def __init__(self, may_owe: MayOwe, accounts: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self._may_owe = may_owe
        self._accounts: dict[str, dict[str, int]] = {
            account: dict(balances) for account, balances in (accounts or {}).items()
        }
        self._unshared = set(self._accounts)

    def post(self, posting: Posting) -> None:
        """Carry out a posting.

        Raises Impossible if the amount is not a positive 64-bit integer, if the source is the target, or if the
        source would hold less than nothing without being allowed to owe.
        """
        commodity = posting.commodity
        amount = posting.amount
        source = posting.source
        target = posting.target
        accounts = self._accounts
        source_balances = accounts.get(source)
        remaining = (source_balances.get(commodity, 0) if source_balances is not None else 0) - amount
        if amount <= 0 or amount > INT64_MAX or source == target:
            raise Impossible(
                CONSERVATION,
                "a posting of {amount} × {commodity:goods} from {source:account} to {target:account} "
                "moves nothing",
                "une écriture de {amount} × {commodity:goods} ({source:account} → {target:account}) "
                "ne déplace rien",
                amount=amount,
                commodity=commodity,
                source=source,
                target=target,
            )
        if remaining < 0 and not self._may_owe(source, commodity):
            raise Impossible(
                CONSERVATION,
                "{source:account} does not hold {amount} × {commodity:goods}",
                "{source:account} ne détient pas {amount} × {commodity:goods}",
                source=source,
                amount=amount,
                commodity=commodity,
            )
        if source_balances is None or source not in self._unshared:
            source_balances = self._unshare(source)
        if remaining:
            source_balances[commodity] = remaining
        else:
            # Delete empty balances, so that spent escrows do not slow down later copies.
            del source_balances[commodity]
            if not source_balances:
                del accounts[source]
        target_balances = accounts.get(target)
        if target_balances is None or target not in self._unshared:
            target_balances = self._unshare(target)
        balance = target_balances.get(commodity, 0) + amount
        if balance:
            target_balances[commodity] = balance
        else:
            del target_balances[commodity]
            if not target_balances:
                del accounts[target]

    def _unshare(self, account: str) -> dict[str, int]:
        """Return the balances of the account in a dict of this object alone."""
        balances = self._accounts[account] = dict(self._accounts.get(account, ()))
        self._unshared.add(account)
        return balances

    def post_all(self, postings: Sequence[Posting]) -> None:
        """Carry out all the postings, or none. Raises Impossible as `post` does."""
        post = self.post
        posted = 0
        try:
            for posting in postings:
                post(posting)
                posted += 1
        except Impossible:
            for posting in reversed(postings[:posted]):
                post(Posting(posting.commodity, posting.amount, posting.target, posting.source))
            raise

    def beyond(self, postings: Sequence[Posting]) -> tuple[str, str, int] | None:
        """Return the first holding that the postings would make larger, in size, than `LARGEST`.

        Returns the account, the commodity and the new balance; None if all balances stay within the bound. A
        balance beyond the bound, from a game older than the bound, may still become smaller.
        """
        moved = sum(posting.amount for posting in postings)
        of = self.of
        for posting in postings:
            source, target = of(posting.source, posting.commodity), of(posting.target, posting.commodity)
            if moved + abs(source) > LARGEST or moved + abs(target) > LARGEST:
                break
        else:
            return None  # Nearly always, without a sum for each holding.
        balances: dict[tuple[str, str], int] = {}
        for posting in postings:
            for account, change in ((posting.source, -posting.amount), (posting.target, posting.amount)):
                holding = account, posting.commodity
                balances[holding] = balances.get(holding, of(*holding)) + change
        for (account, commodity), amount in balances.items():
            if abs(amount) > max(LARGEST, abs(of(account, commodity))):
                return account, commodity, amount
        return None

    def of(self, account: str, commodity: str) -> int:
        """Return the amount of the commodity in the account; 0 without any."""
        balances = self._accounts.get(account)
        return balances.get(commodity, 0) if balances is not None else 0

    def account(self, account: str) -> Mapping[str, int]:
        """Return all balances of the account: commodity -> amount, without zeros, in no reliable order."""
        return self._accounts.get(account, {})

    def holder(self, commodity: str) -> str | None:
        """Return the first account, by name, with a positive amount of the commodity; None without a holder."""
        return min(
            (account for account, balances in self._accounts.items() if balances.get(commodity, 0) > 0),
            default=None,
        )

    def items(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Iterate over the accounts with a balance, each with all balances of the account."""
        return iter(self._accounts.items())

    def total(self, commodity: str) -> int:
        """Return the sum over all accounts: always zero."""
        return sum(balances.get(commodity, 0) for balances in self._accounts.values())

    def copy(self) -> Holdings:
        """Return an independent copy."""
        copied = Holdings.__new__(Holdings)
        copied._may_owe = self._may_owe
        copied._accounts = self._accounts.copy()
        copied._unshared = set()
        if self._unshared:
            self._unshared = set()
        return copied

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Return plain data: account -> commodity -> amount."""
        return {account: dict(balances) for account, balances in self._accounts.items()}

    def __eq__(self, value: object) -> bool:
        return isinstance(value, Holdings) and self._accounts == value._accounts

    __hash__ = None  # type: ignore[assignment]
