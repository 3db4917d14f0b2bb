"""Secrets: the audiences of holdings, agreements and worth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, only
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.state import State

S = TypeVar("S", bound=State)


class Secrets(ABC, Generic[S]):
    """The audiences of holdings, agreements and worth. There is no default: a game without secrets is `Open`."""

    veils: bool = False
    """True if the game has veiled commodities."""

    @abstractmethod
    def holding_audience(self, state: S, account: str, commodity: str) -> Audience:
        """Return the audience of the amount of the commodity in the account, in the state.

        The end of the game does not matter here: `Viewer.revealed` covers the end, at earlier moments as well.
        """

    def move_audience(self, state: S, account: str, commodity: str) -> Audience:
        """Return the audience of a ruling's move from or to the account: by default the audience of the holding.

        A rulebook widens it for covered things whose moves are made in sight of everybody.
        """
        return self.holding_audience(state, account, commodity)

    def veil(self, commodity: str) -> str | None:
        """Return the name ("card") that replaces a commodity for viewers who may not identify the commodity in
        an account.

        Such viewers see the amount. None hides the holding completely. A game with such names sets `veils`.
        """
        return None

    def has_fixed_audience(self, account: str) -> bool:
        """Return True if the audience of the account's holdings is constant throughout the game.

        Otherwise (a card lies face down, then face up) each balance of a statement is shown to the audience at
        the moment of the balance, which is slower to find.
        """
        return False

    def worth_audience(self, state: S, seat: str) -> Audience:
        """Return the audience of a seat's worth: the seat's player, because a sum would reveal more than the
        visible parts.
        """
        return only(seat)

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return the audience of an agreement: by default the banker alone."""
        return BANKER_ONLY

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """Return the private deals behind the events of an action, by id, each with its parties."""
        return {}


class Open(Secrets[Any]):
    """The audiences of a game without secrets: everybody."""

    def holding_audience(self, state: Any, account: str, commodity: str) -> Audience:
        """Return everybody."""
        return EVERYONE

    def has_fixed_audience(self, account: str) -> bool:
        """Return True: nothing is ever hidden."""
        return True

    def worth_audience(self, state: Any, seat: str) -> Audience:
        """Return everybody."""
        return EVERYONE

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return everybody: agreements are made openly at the table."""
        return EVERYONE
