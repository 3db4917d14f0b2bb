"""Accounts: the money of a game, the accounts of its seats, and the things that may move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.state import State
from ledger.kernel.language.sentences import AccountName
from ledger.kernel.rules.commodities import CommodityWords, Glossary

S = TypeVar("S", bound=State)


class Accounts(Generic[S]):
    """The money of a game, the accounts of its seats, and the things that may move.

    `currency` is the commodity used as money.
    """

    account_names: Mapping[str, AccountName] = {}
    """The names of accounts, by id or, for a kind of account, by the part before the last colon: {"market": …,
    "hand": …} name "market" and "hand:ana".
    """

    def __init__(self, currency: str) -> None:
        self.currency = currency

    def may_owe(self, account: str, commodity: str) -> bool:
        """Return True if the account may hold less than nothing of the commodity, as the issuer or as a
        permitted debtor. By default the box issues everything, and nobody owes.
        """
        return account == BOX

    def purse(self, seat: str) -> str:
        """Return the account from which a seat pays."""
        return f"player:{seat}"

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """Return the accounts of a seat, empty accounts included."""
        return (self.purse(seat),)

    def account_on(self, commodity: str) -> str | None:
        """Return the account of pieces on a unique piece, such as the houses on a title; None if nothing can
        lie on the piece.
        """
        return None

    def seat_of(self, state: S, account: str) -> str | None:
        """Return the seat that owns an account; None for an account without an owner."""
        return next((seat for seat in state.seats if account in self.accounts_of(seat)), None)

    def knows_account(self, state: S, account: str) -> bool:
        """Return True if the account exists as a source or target of a transfer. A typing mistake must not open
        an account.
        """
        return account == BANK or bool(state.holdings.account(account)) or self.seat_of(state, account) is not None

    def knows_commodity(self, state: S, commodity: str) -> bool:
        """Return True if the commodity exists."""
        return commodity == self.currency or state.holdings.holder(commodity) is not None

    def commodities(self, state: S) -> Glossary:
        """Return the publicly known commodities, held or not, with their words."""
        return {self.currency: CommodityWords(sort="money")}

    def groups(self, state: S, language: str) -> Mapping[str, str]:
        """Return the names of the groups of commodities outside the board, in "en" or "fr"."""
        return {}

    def movable(self, state: S) -> Mapping[str, Sequence[str]] | None:
        """Return the commodities that a ruling may move, each with the accounts between which it may move.

        The pieces are shown to every viewer, so they are publicly known. None if a viewer knows no more pieces
        than the visible holdings.
        """
        return None
