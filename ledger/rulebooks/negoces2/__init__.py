"""Négoces 2 (François Tréca, 2008): four merchants, eight goods, hidden offers and hidden coins.

Each chapter of the rules has a file. `table` has the state, `cards` the pieces, `terms` the accounts, `views` the
visibility, `speaking` the sentences. The code cites rules by their id in rules.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import msgspec

from ledger.kernel.facts.accounts import BOX
from ledger.kernel.facts.agreements import Agreement
from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer
from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.state import State
from ledger.kernel.language.parameter_words import ParameterWording
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.language.setting_words import SettingsWording
from ledger.kernel.language.wording import Wording
from ledger.kernel.rules.actions import Action, DefaultStep, Toward
from ledger.kernel.rules.bots import Bot
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.display import AwaitedView, BoardView, Display, PhaseView
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.negoces2 import (
    auction,
    banker,
    coins,
    consistency,
    defaults,
    ends,
    forced_sales,
    offers,
    sales,
    setup,
)
from ledger.rulebooks.negoces2.bots import STRATEGIES
from ledger.rulebooks.negoces2.cards import CARDS, COIN, COINS, COINS_EACH, VICTORY_COINS
from ledger.rulebooks.negoces2.showing import changes, display, statistics
from ledger.rulebooks.negoces2.showing.speaking import ACCOUNT_NAMES, commodities_of, speakers_of
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
    wording: Wording = reading.wording(files(__name__))
    settings_wording: SettingsWording = reading.settings_wording(files(__name__))
    parameter_wording: ParameterWording = reading.parameter_wording(files(__name__))
    tallies: Tallies = statistics.TALLIES

    def opening_action(self, opening: Opening) -> Action:
        """Return the action that lays out the table for exactly four players (setup.1).

        Raises Malformed otherwise.
        """
        require_players(self.title, opening.players, self.players, rule="negoces2:setup.1")
        setup.check_labels(opening.settings)
        setup.check_last_winners(opening.players, opening.settings)
        return lay_out(setup.SetupGame, opening)

    def may_owe(self, account: str, commodity: str) -> bool:
        """The box issues all cards and coins once; no player may owe anything (setup.2 to setup.4)."""
        return account == BOX

    def holding_audience(self, state: Negoces2, account: str, commodity: str) -> Audience:
        """The audience of a holding: everybody if it is face up, its owner if it is hidden (secrecy.1)."""
        return audience_of(state, account)

    def veil(self, commodity: str) -> str | None:
        """The public name of a hidden commodity.

        The number of cards is public; the number of hidden coins is not (coins.1).
        """
        return VEIL if commodity in CARDS else None

    def audience_lasts(self, account: str) -> bool:
        """Whether an account's audience stays the same; hands and the market change theirs (setup.8, sale.2)."""
        return audience_lasts(account)

    def purse(self, seat: str) -> str:
        """The account of the seat's visible coins."""
        return visible(seat)

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """The seat's accounts: hand, visible coins, hidden coins."""
        return hand(seat), visible(seat), hidden(seat)

    def settle(self, draft: Draft) -> None:
        """End the game once a victory is claimed and all players have answered (end.8 to end.10)."""
        ends.settle(draft)

    def own_view(self, state: Negoces2, viewer: Viewer) -> dict[str, Any]:
        """The table as the viewer sees it."""
        return view_of(state, viewer)

    def summary(self, state: Negoces2) -> dict[str, Any]:
        """The phase, the round, the awaited seat, the seller and the winners."""
        return summary_of(state)

    def awaited(self, state: Negoces2) -> Sequence[str]:
        """The awaited seats: the next bidder, the players who must answer a claim, or the seller."""
        return awaited(state)

    def board_drawn(self, state: Negoces2 | None, language: str) -> BoardView:
        """The market and the zones of each seat."""
        return display.drawn(language)

    def display(self, state: Negoces2, viewer: Viewer, language: str) -> Display:
        """The cards and coins of each zone; hidden cards under their veil (secrecy.1)."""
        return display.display(self, state, viewer, language)

    def phase(self, state: Negoces2, language: str) -> PhaseView:
        """The phase: the set-up, the auction, a sale and its steps, the time between two sales."""
        return display.phase(state, language)

    def waiting(self, state: Negoces2, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """The next bidder, the seller, or the players who must answer a claim; in the set-up the banker."""
        return list(display.waiting(state, viewer, language))

    def winners(self, state: Negoces2) -> Sequence[str]:
        """The "Grand négociateur" (end.10)."""
        return state.winners

    def inconsistencies(self, state: Negoces2) -> Iterable[Inconsistency]:
        """Numbers of cards that make no seller, a bid that is not covered, a bidder who has withdrawn."""
        return consistency.inconsistencies(state)

    def wealth(self, state: Negoces2, seat: str) -> Sequence[Asset]:
        """The seat's coins, which decide between claims; cards have no value (setup.12)."""
        kept = state.holdings.of(hidden(seat), COIN)
        return (*self.shown_wealth(state, seat), Asset("hidden", COIN, kept, kept))

    def shown_wealth(self, state: Negoces2, seat: str) -> tuple[Asset, ...]:
        """The coins in front of the seat and those that it has laid on the table, which everybody can count.

        What a player has laid on the table is theirs until the sale is completed.
        """
        shown = state.holdings.of(visible(seat), COIN)
        laid = state.holdings.of(offer_coins(seat), COIN)
        if state.sale is not None and state.sale.seller == seat:
            laid += state.holdings.of(SALE_COINS, COIN)
        return (
            Asset("visible", COIN, shown, shown),
            Asset("laid", COIN, laid, laid),
        )

    def default_step(self, state: Negoces2, toward: Toward) -> DefaultStep | None:
        """What a corrected history decides by itself: who has not answered a claim declines (end.8)."""
        return defaults.next_step(state, toward)

    def is_done(self, state: Negoces2, toward: Toward) -> bool:
        """Whether no claim is left to decline."""
        return defaults.is_done(state, toward)

    def whose_turn(self, state: Negoces2) -> tuple[int, str] | None:
        """The round and its seller."""
        return defaults.whose_turn(state)

    def changes_told(
        self, state: Negoces2, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """The differences of two views of the table, in sentences."""
        return changes.told(before, after, self.speakers(state), language)

    def in_setup(self, state: Negoces2) -> bool:
        """Whether the goods are not dealt or the opener is not known yet."""
        return state.phase == "setup"

    def commodities(self, state: Negoces2) -> Glossary:
        """The cards and the coin, and the card whose face nobody sees."""
        return commodities_of(state)

    def movable(self, state: Negoces2, viewer: Viewer) -> Mapping[str, Sequence[str]]:
        """Cards between hands, coins between players' accounts and the box; everybody knows the pieces."""
        return banker.movable(state)

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """There are no agreements: promises between players have no effect (sale.11, sale.13)."""
        return EVERYONE

    def speakers(self, state: Negoces2) -> Mapping[str, Speaker]:
        """The formatters of sentences: seats, cards and coins by this table's names (setup.18)."""
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
