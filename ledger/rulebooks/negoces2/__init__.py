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
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
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
from ledger.rulebooks.negoces2.views import audience_of, awaited, has_fixed_audience, summary_of, view_of
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
        """Return True if the account is the box, which issues all cards and coins once (setup.2 to setup.4).

        No player may owe anything.
        """
        return account == BOX

    def holding_audience(self, state: Negoces2, account: str, commodity: str) -> Audience:
        """Return the audience of a holding: everybody if face up, the owner if hidden (secrecy.1)."""
        return audience_of(state, account)

    def veil(self, commodity: str) -> str | None:
        """Return the public name of a hidden commodity.

        The number of cards is public; the number of hidden coins is not (coins.1).
        """
        return VEIL if commodity in CARDS else None

    def has_fixed_audience(self, account: str) -> bool:
        """Return True if an account's audience is fixed, unlike for hands and the market (setup.8, sale.2)."""
        return has_fixed_audience(account)

    def purse(self, seat: str) -> str:
        """Return the account of the seat's visible coins."""
        return visible(seat)

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """Return the seat's accounts: hand, visible coins, hidden coins."""
        return hand(seat), visible(seat), hidden(seat)

    def settle(self, draft: Draft) -> None:
        """End the game once a victory is claimed and all players have answered (end.8 to end.10)."""
        ends.settle(draft)

    def own_view(self, state: Negoces2, viewer: Viewer) -> dict[str, Any]:
        """Return the table as seen by the viewer."""
        return view_of(state, viewer)

    def summary(self, state: Negoces2) -> dict[str, Any]:
        """Return the phase, the round, the awaited seat, the seller and the winners."""
        return summary_of(state)

    def awaited(self, state: Negoces2) -> Sequence[str]:
        """Return the awaited seats: the next bidder, the players who must answer a claim, or the seller."""
        return awaited(state)

    def board_drawn(self, state: Negoces2 | None, language: str) -> BoardView:
        """Return the market and the zones of each seat."""
        return display.drawn(language)

    def display(self, state: Negoces2, viewer: Viewer, language: str) -> Display:
        """Return the cards and coins of each zone, hidden cards under a veil (secrecy.1)."""
        return display.display(self, state, viewer, language)

    def phase(self, state: Negoces2, language: str) -> PhaseView:
        """Return the phase: the set-up, the auction, a sale and its steps, the time between two sales."""
        return display.phase(state, language)

    def waiting(self, state: Negoces2, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the next bidder, the seller, or the players who must answer a claim; in the set-up the banker."""
        return list(display.waiting(state, viewer, language))

    def winners(self, state: Negoces2) -> Sequence[str]:
        """Return the "Grand négociateur" (end.10)."""
        return state.winners

    def inconsistencies(self, state: Negoces2) -> Iterable[Inconsistency]:
        """Return the numbers of cards without a possible seller, an uncovered bid, a bidder who has withdrawn."""
        return consistency.inconsistencies(state)

    def wealth(self, state: Negoces2, seat: str) -> Sequence[Asset]:
        """Return the seat's coins, which decide between claims. Cards have no value (setup.12)."""
        hidden_coins = state.holdings.of(hidden(seat), COIN)
        return (*self.shown_wealth(state, seat), Asset("hidden", COIN, hidden_coins, hidden_coins))

    def shown_wealth(self, state: Negoces2, seat: str) -> tuple[Asset, ...]:
        """Return the coins in front of the seat and the coins laid on the table, which everybody can count.

        Laid coins belong to the player until the sale is completed.
        """
        visible_coins = state.holdings.of(visible(seat), COIN)
        laid = state.holdings.of(offer_coins(seat), COIN)
        if state.sale is not None and state.sale.seller == seat:
            laid += state.holdings.of(SALE_COINS, COIN)
        return (
            Asset("visible", COIN, visible_coins, visible_coins),
            Asset("laid", COIN, laid, laid),
        )

    def default_step(self, state: Negoces2, goal: StepGoal) -> DefaultStep | None:
        """Return the default step of a corrected history: a silent player declines to claim (end.8)."""
        return defaults.next_step(state, goal)

    def is_done(self, state: Negoces2, goal: StepGoal) -> bool:
        """Return True if no claim is left to decline."""
        return defaults.is_done(state, goal)

    def whose_turn(self, state: Negoces2) -> tuple[int, str] | None:
        """Return the round and the seller."""
        return defaults.whose_turn(state)

    def describe_changes(
        self, state: Negoces2, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Return the differences between two views of the table, in sentences."""
        return changes.differences(before, after, self.speakers(state), language)

    def in_setup(self, state: Negoces2) -> bool:
        """Return True if the goods are not dealt or the opener is not known yet."""
        return state.phase == "setup"

    def commodities(self, state: Negoces2) -> Glossary:
        """Return the cards, the coin, and the veiled card."""
        return commodities_of(state)

    def movable(self, state: Negoces2, viewer: Viewer) -> Mapping[str, Sequence[str]]:
        """Return the cards with the hands, and the coins with the players' accounts and the box.

        Everybody knows the pieces.
        """
        return banker.movable(state)

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return everybody. There are no agreements: promises have no effect (sale.11, sale.13)."""
        return EVERYONE

    def speakers(self, state: Negoces2) -> Mapping[str, Speaker]:
        """Return the formatters of sentences: seats, cards and coins by the table's names (setup.18)."""
        return speakers_of(state)

    def components(self) -> dict[str, Any]:
        """Return the cards with names and copies, and the coins."""
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
