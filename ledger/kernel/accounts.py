"""Accounts, postings and holdings: the only way anything of value moves.

A posting moves a positive whole amount of one commodity from one account to another, so per commodity the
holdings of all accounts always sum to zero. What remains to be checked is that no account gives what it does
not have: only the issuer of a commodity, and those whom the rulebook lets owe it, may hold less than nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from ledger.kernel.refusals import INT64_MAX, LARGEST, Impossible

BANK = "bank"
"""The account of the bank, which issues what has no fixed count."""

BOX = "box"
"""Where the pieces that exist in a fixed number come from; it issues them once, at the opening of a game."""

CONSERVATION = "conservation"
"""The rule cited when a posting would create or lose something; it belongs to every rulebook."""

MayOwe = Callable[[str, str], bool]
"""(account, commodity) -> whether the account may hold a negative amount of it."""


class Posting(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An amount (whole, 1 to 2**63 - 1) of a commodity moved from the source to the target account."""

    commodity: str
    amount: int
    source: str
    target: str


class Holdings:
    """How much of each commodity every account holds: the sum of the postings.

    A copy shares what every account holds until either of the two posts to it.
    """

    __slots__ = ("_accounts", "_may_owe", "_unshared")

    def __init__(self, may_owe: MayOwe, accounts: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self._may_owe = may_owe
        self._accounts: dict[str, dict[str, int]] = {
            account: dict(held) for account, held in (accounts or {}).items()
        }
        self._unshared = set(self._accounts)

    def post(self, posting: Posting) -> None:
        """Move what the posting says.

        Raises Impossible when the amount is not a positive 64-bit integer, when source and target are the
        same, or when the source would hold less than nothing without being allowed to.
        """
        commodity = posting.commodity
        amount = posting.amount
        source = posting.source
        target = posting.target
        accounts = self._accounts
        held = accounts.get(source)
        left = (held.get(commodity, 0) if held is not None else 0) - amount
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
        if left < 0 and not self._may_owe(source, commodity):
            raise Impossible(
                CONSERVATION,
                "{source:account} does not hold {amount} × {commodity:goods}",
                "{source:account} ne détient pas {amount} × {commodity:goods}",
                source=source,
                amount=amount,
                commodity=commodity,
            )
        if held is None or source not in self._unshared:
            held = self._unshare(source)
        if left:
            held[commodity] = left
        else:
            # An emptied holding leaves no trace, so that spent escrows do not make every later copy slower.
            del held[commodity]
            if not held:
                del accounts[source]
        gained = accounts.get(target)
        if gained is None or target not in self._unshared:
            gained = self._unshare(target)
        now = gained.get(commodity, 0) + amount
        if now:
            gained[commodity] = now
        else:
            del gained[commodity]
            if not gained:
                del accounts[target]

    def _unshare(self, account: str) -> dict[str, int]:
        """What the account holds, in a dict that no copy has."""
        held = self._accounts[account] = dict(self._accounts.get(account, ()))
        self._unshared.add(account)
        return held

    def post_all(self, postings: Sequence[Posting]) -> None:
        """Move what all the postings say, or nothing at all. Raises Impossible as `post` does."""
        post = self.post
        made = 0
        try:
            for posting in postings:
                post(posting)
                made += 1
        except Impossible:
            for posting in reversed(postings[:made]):
                post(Posting(posting.commodity, posting.amount, posting.target, posting.source))
            raise

    def beyond(self, postings: Sequence[Posting]) -> tuple[str, str, int] | None:
        """The first holding that the postings would make larger, in size, than `LARGEST`.

        Gives the account, the commodity and what the account would hold; None when all stay within the bound. A
        holding that is beyond it already, in a game from before, may become smaller.
        """
        moved = sum(posting.amount for posting in postings)
        of = self.of
        for posting in postings:
            source, target = of(posting.source, posting.commodity), of(posting.target, posting.commodity)
            if moved + abs(source) > LARGEST or moved + abs(target) > LARGEST:
                break
        else:
            return None  # Nearly always, without a sum for each holding.
        after: dict[tuple[str, str], int] = {}
        for posting in postings:
            for account, change in ((posting.source, -posting.amount), (posting.target, posting.amount)):
                holding = account, posting.commodity
                after[holding] = after.get(holding, of(*holding)) + change
        for (account, commodity), amount in after.items():
            if abs(amount) > max(LARGEST, abs(of(account, commodity))):
                return account, commodity, amount
        return None

    def of(self, account: str, commodity: str) -> int:
        """How much the account holds of the commodity; 0 when none."""
        held = self._accounts.get(account)
        return held.get(commodity, 0) if held is not None else 0

    def account(self, account: str) -> Mapping[str, int]:
        """Everything the account holds: commodity -> amount, without zeros, in no order that may be relied on."""
        return self._accounts.get(account, {})

    def holder(self, commodity: str) -> str | None:
        """The account that holds a positive amount of the commodity (the first by name), None if nobody does."""
        return min(
            (account for account, held in self._accounts.items() if held.get(commodity, 0) > 0), default=None
        )

    def items(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Every account that holds something, with what it holds."""
        return iter(self._accounts.items())

    def total(self, commodity: str) -> int:
        """The sum over all accounts: zero, always."""
        return sum(held.get(commodity, 0) for held in self._accounts.values())

    def copy(self) -> Holdings:
        """An independent copy."""
        copied = Holdings.__new__(Holdings)
        copied._may_owe = self._may_owe
        copied._accounts = self._accounts.copy()
        copied._unshared = set()
        if self._unshared:
            self._unshared = set()
        return copied

    def as_dict(self) -> dict[str, dict[str, int]]:
        """Plain data: account -> commodity -> amount."""
        return {account: dict(held) for account, held in self._accounts.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Holdings) and self._accounts == other._accounts

    __hash__ = None  # type: ignore[assignment]
