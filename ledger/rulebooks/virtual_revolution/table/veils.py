"""The view of moving cards without sight of the faces: only the number of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, only
from ledger.kernel.rules.faces.secrets import Secrets
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import ASIDE, retired

VEIL = "card"
"""The commodity in the place of a hidden card."""
RETIRED = retired("")


def veiled(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """Return the postings without the faces of cards: the number of cards from account to account."""
    cards = Counter((posting.source, posting.target) for posting in postings if decks.is_card(posting.commodity))
    return tuple(Posting(VEIL, amount, source, target) for (source, target), amount in cards.items())


class VirtualRevolutionSecrets(Secrets[VirtualRevolution]):
    """The audiences of holdings."""

    veils = True

    def holding_audience(self, state: VirtualRevolution, account: str, commodity: str) -> Audience:
        """Return the player for hands, Objectives and retired Agents, the banker for decks, the players for
        Agents set aside, else everybody.
        """
        if account.startswith(("hand:", "objectives:", RETIRED)):
            return only(account.partition(":")[2])
        if account.startswith(("deck:", "discard:corruption")):
            return BANKER_ONLY
        return only(*state.seats) if account == ASIDE else EVERYONE

    def move_audience(self, state: VirtualRevolution, account: str, commodity: str) -> Audience:
        """Return everybody for retired Agents: an Agent is turned face down in sight of all (vr:secrecy.5)."""
        return EVERYONE if account.startswith(RETIRED) else self.holding_audience(state, account, commodity)

    def veil(self, commodity: str) -> str | None:
        """Return the veil "card" for a hidden card, because numbers of cards are public."""
        return VEIL if commodity.startswith("card:") else None

    def has_fixed_audience(self, account: str) -> bool:
        """Return True: the audience of each account stays as it is for the whole game."""
        return True
