"""Négoces 2 (François Tréca, 2008): four merchants, eight goods, offers up or face down, and coins to hide.

A file per chapter of the rules; `table` holds the state, `cards` the pieces, `terms` the accounts; `views` says
who sees what, and `speaking` how it is told. Rules are cited by their id in rules.toml.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from ledger.kernel.accounts import BOX
from ledger.kernel.actions import Action
from ledger.kernel.agreements import Agreement
from ledger.kernel.audience import EVERYONE, Audience, Viewer
from ledger.kernel.bots import Bot
from ledger.kernel.opening import Opening
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.sentences import AccountName, Speaker
from ledger.kernel.state import State
from ledger.kernel.wealth import Asset
from ledger.rulebooks.negoces2 import auction, banker, coins, ends, forced_sales, offers, sales, setup, statistics
from ledger.rulebooks.negoces2.bots import STRATEGIES
from ledger.rulebooks.negoces2.cards import CARDS, COIN, COINS, COINS_EACH, VICTORY_COINS
from ledger.rulebooks.negoces2.speaking import ACCOUNT_NAMES, speakers_of
from ledger.rulebooks.negoces2.table import Draft, Negoces2, Settings
from ledger.rulebooks.negoces2.terms import SALE_COINS, VEIL, hand, hidden, offer_coins, visible
from ledger.rulebooks.negoces2.views import audience_lasts, audience_of, awaited, summary_of, view_of
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.opening import lay_out, require_players
from ledger.rulebooks.parts.tallies import Tallies


class Negoces2Rules(Rulebook[Negoces2]):
    """The rulebook of Négoces 2."""

    id: str = "negoces2"
    title: str = "Négoces 2"
    currency: str = COIN
    money_is_told: bool = False
    correction_rule: str = "negoces2:banker.2"
    dispute_rule: str = "negoces2:banker.2"
    ruling_rule: str = "negoces2:banker.2"
    privacy_rule: str = "negoces2:secrecy.1"
    end_rule: str = "negoces2:end.10"
    players: tuple[int, int] = (4, 4)
    settings: type[msgspec.Struct] = Settings
    state: type[State] = Negoces2
    player_undo: bool = True
    strategies: Mapping[str, Bot] = STRATEGIES
    account_names: Mapping[str, AccountName] = ACCOUNT_NAMES
    tallies: Tallies = statistics.TALLIES

    def opening_action(self, opening: Opening) -> Action:
        """Lay out the table for exactly four players (setup.1). Raises Malformed for another number."""
        require_players(self.title, opening.players, self.players, rule="negoces2:setup.1")
        setup.check_labels(opening.settings)
        return lay_out(setup.SetupGame, opening)

    def may_owe(self, account: str, commodity: str) -> bool:
        """The box issues all cards and coins, once; nobody may owe anything (setup.2 to setup.4)."""
        return account == BOX

    def holding_audience(self, state: Negoces2, account: str, commodity: str) -> Audience:
        """What lies open is for all, a hand and what lies face down for its owner (secrecy.1)."""
        return audience_of(state, account)

    def veil(self, commodity: str) -> str | None:
        """Everybody sees how many cards there are; of hidden coins not even that (coins.1)."""
        return VEIL if commodity in CARDS else None

    def audience_lasts(self, account: str) -> bool:
        """Hands are shown at first, and what lies on the market lies up or down (setup.8, sale.2)."""
        return audience_lasts(account)

    def purse(self, seat: str) -> str:
        """The visible coins."""
        return visible(seat)

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """The hand, the visible coins and the hidden ones."""
        return hand(seat), visible(seat), hidden(seat)

    def settle(self, draft: Draft) -> None:
        """Once a victory is claimed and everybody has answered, the game ends (end.8 to end.10)."""
        ends.settle(draft)

    def view(self, state: Negoces2, viewer: Viewer) -> dict[str, Any]:
        """The table as the viewer sees it."""
        return view_of(state, viewer)

    def summary(self, state: Negoces2) -> dict[str, Any]:
        """Phase, round, who is awaited, who sells, who has won."""
        return summary_of(state)

    def awaited(self, state: Negoces2) -> Sequence[str]:
        """Whose turn it is to bid, who has a claim to answer, or the seller."""
        return awaited(state)

    def winners(self, state: Negoces2) -> Sequence[str]:
        """Who is "Grand négociateur" (end.10)."""
        return state.winners

    def wealth(self, state: Negoces2, seat: str) -> Sequence[Asset]:
        """The coins, which decide between claims; cards have no value (setup.12).

        What a player has laid on the table stays theirs until the sale is completed.
        """
        shown, kept = (state.holdings.of(account, COIN) for account in (visible(seat), hidden(seat)))
        laid = state.holdings.of(offer_coins(seat), COIN)
        if state.sale is not None and state.sale.seller == seat:
            laid += state.holdings.of(SALE_COINS, COIN)
        return (
            Asset("visible", COIN, shown, shown),
            Asset("laid", COIN, laid, laid),
            Asset("hidden", COIN, kept, kept),
        )

    def in_setup(self, state: Negoces2) -> bool:
        """Until the goods are dealt and the opener is known."""
        return state.phase == "setup"

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """There are none: what players promise each other has no effect here (sale.11, sale.13)."""
        return EVERYONE

    def speakers(self, state: Negoces2) -> Mapping[str, Speaker]:
        """Seats, cards and coins by the names that this table gives them (setup.18)."""
        return speakers_of(state)

    def components(self) -> dict[str, Any]:
        """The cards with their names and copies, and the coins."""
        return {
            "cards": [msgspec.to_builtins(card) for card in CARDS.values()],
            "coins": {"total": COINS, "each": COINS_EACH, "victory": VICTORY_COINS},
        }


RULEBOOK = Negoces2Rules(
    reading.register(files(__name__)),
    (
        setup.chapter,
        auction.chapter,
        sales.chapter,
        offers.chapter,
        forced_sales.chapter,
        coins.chapter,
        ends.chapter,
        banker.chapter,
    ),
)
"""The rulebook, ready to play."""
