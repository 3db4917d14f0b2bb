"""Flows from party to party, also through accounts that belong to no party."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable

import msgspec

from ledger.kernel.facts.accounts import Posting
from ledger.moving.exporting import ISSUERS

HELD = "held"
"""Stands for the owner of amounts in accounts that belong to no party."""


class _Lot(msgspec.Struct):
    """An amount in an account of no party: who paid it in, and for which purpose."""

    source: str
    purpose: str
    amount: int
    times: int


class Sum(msgspec.Struct):
    """An amount, and the number of payments."""

    amount: int = 0
    times: int = 0

    def add(self, amount: int, times: int) -> None:
        """Add to both. The values may be negative."""
        self.amount += amount
        self.times += times


class Matrix:
    """The amounts from party to party.

    A party is a seat or an issuer. Any other account passes on first what came in first. So a paid-out escrow is a
    payment by the party that paid in, and an amount that is handed back was never paid. Takes a function that
    gives the owner of an account (None for no owner), and one that gives the name under which a commodity is
    followed through an account.
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
        """The party that owns an account; None for an account of no party."""
        return account if account in ISSUERS else self._owner(account)

    def _entering(self, posting: Posting, lots: Iterable[_Lot]) -> None:
        """Count amounts that enter an account of no party."""
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
        """Count an amount that leaves an account of no party: first what came in first.

        When the viewer did not see it come in, its source is `HELD`.
        """
        key = (posting.source, self._followed(posting.commodity))
        waiting = self._waiting.get(key, deque())
        left, lots = posting.amount, []
        while left and waiting:
            first = waiting[0]
            taken = min(left, first.amount)
            whole = taken == first.amount
            lots.append(_Lot(first.source, first.purpose, taken, first.times if whole else 0))
            self._add(first.source, HELD, posting.commodity, first.purpose, -taken, -lots[-1].times)
            first.amount -= taken
            first.times -= lots[-1].times
            left -= taken
            if whole:
                waiting.popleft()
        if not waiting:
            self._waiting.pop(key, None)
        if left:
            lots.append(_Lot(HELD, purpose, left, 1))
        return lots

    def _add(self, source: str, target: str, commodity: str, purpose: str, amount: int, times: int) -> None:
        if source != target:
            self.sums.setdefault((source, target, commodity, purpose), Sum()).add(amount, times)
