"""Secrecy: the readers of hands, offers, pile and trades (hand)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, only
from ledger.kernel.facts.events import Event
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.rulebooks.parts import decks
from tests.example.bazaar.table import DECK, VEIL, Bazaar, Trade
from tests.example.bazaar.trades import private_trades


class BazaarSecrets(Secrets[Bazaar]):
    """The audiences of holdings and trades."""

    veils = True

    def holding_audience(self, state: Bazaar, account: str, commodity: str) -> Audience:
        """Return the owner for a hand (hand.1) and an offer (trade.3), nobody for the pile, or else everybody."""
        kind, _, seat = account.partition(":")
        if account == decks.pile(DECK):
            return BANKER_ONLY
        return only(seat) if kind in {"hand", "offer"} else EVERYONE

    def veil(self, commodity: str) -> str | None:
        """Return "a card" for every card: numbers are public (hand.2)."""
        return VEIL if decks.is_card(commodity) else None

    def has_fixed_audience(self, account: str) -> bool:
        """Return True: cards move, accounts do not open."""
        return True

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return the parties of a trade (trade.4)."""
        return only(agreement.by, agreement.to) if isinstance(agreement, Trade) else BANKER_ONLY

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """Return the trades behind the events (banker.4)."""
        return private_trades(events)
