"""Flows from party to party, also through accounts without an owner."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable

import msgspec

from ledger.kernel.facts.accounts import Posting
from ledger.moving.exporting import ISSUERS

HELD = "held"
"""The party for amounts in accounts without an owner."""


class _Lot(msgspec.Struct):
    """An amount in an account without an owner: the payer, and the purpose."""

    source: str
    purpose: str
    amount: int
    times: int


class Sum(msgspec.Struct):
    """An amount, and the number of payments."""

    amount: int = 0
    times: int = 0

    def add(self, amount: int, times: int) -> None:
        """Add to the amount and to the number of payments. The values may be negative."""
        self.amount += amount
        self.times += times


class Matrix:
    """The amounts from party to party.

    A party is a seat or an issuer. Any other account passes amounts on in the order of arrival. So a paid-out
    escrow is a payment by the party that paid in, and an amount handed back was never paid. `owner` returns the
    owner of an account (None for no owner), and `followed` the name under which a commodity is followed through
    an account.
    """

    def __init__(self, owner: Callable[[str], str | None], followed: Callable[[str], str]) -> None:
        self._owner = owner
        self._followed = followed
        self._waiting: dict[tuple[str, str], deque[_Lot]] = {}
        self.sums: dict[tuple[str, str, str, str], Sum] = {}
        """The sums by source, target, commodity and purpose."""
        self.balance: Counter[tuple[str, str]] = Counter()
        """The changes of holdings, by party and commodity."""

    def take(self, postings: Iterable[Posting], purpose: str) -> None:
        """Count the postings of an event for a purpose."""
        for posting in postings:
            source, target = self.party(posting.source), self.party(posting.target)
            if source is not None and source == target:
                continue
            commodity = posting.commodity
            if source is not None:
                self.balance[source, commodity] -= posting.amount
                lots = [_Lot(source, purpose, posting.amount, 1)]
            else:
                lots = self._leaving(posting, purpose)
            if target is None:
                self._entering(posting, lots)
                continue
            self.balance[target, commodity] += posting.amount
            for lot in lots:
                if lot.source != target:
                    self._add(lot.source, target, commodity, purpose, lot.amount, 1)

    def party(self, account: str) -> str | None:
        """Return the party that owns an account, or None."""
        return account if account in ISSUERS else self._owner(account)

    def _entering(self, posting: Posting, lots: Iterable[_Lot]) -> None:
        """Count amounts that enter an account without an owner."""
        waiting = self._waiting.setdefault((posting.target, self._followed(posting.commodity)), deque())
        for lot in lots:
            self._add(lot.source, HELD, posting.commodity, lot.purpose, lot.amount, lot.times)
            last = waiting[-1] if waiting else None
            if last is not None and (last.source, last.purpose) == (lot.source, lot.purpose):
                last.amount += lot.amount
                last.times += lot.times
            else:
                waiting.append(lot)

    def _leaving(self, posting: Posting, purpose: str) -> list[_Lot]:
        """Count an amount that leaves an account without an owner, in the order of arrival.

        If the viewer did not see the arrival, the source is `HELD`.
        """
        key = (posting.source, self._followed(posting.commodity))
        waiting = self._waiting.get(key, deque())
        remaining, lots = posting.amount, []
        while remaining and waiting:
            first = waiting[0]
            part = min(remaining, first.amount)
            whole = part == first.amount
            lots.append(_Lot(first.source, first.purpose, part, first.times if whole else 0))
            self._add(first.source, HELD, posting.commodity, first.purpose, -part, -lots[-1].times)
            first.amount -= part
            first.times -= lots[-1].times
            remaining -= part
            if whole:
                waiting.popleft()
        if not waiting:
            self._waiting.pop(key, None)
        if remaining:
            lots.append(_Lot(HELD, purpose, remaining, 1))
        return lots

    def _add(self, source: str, target: str, commodity: str, purpose: str, amount: int, times: int) -> None:
        if source != target:
            self.sums.setdefault((source, target, commodity, purpose), Sum()).add(amount, times)
