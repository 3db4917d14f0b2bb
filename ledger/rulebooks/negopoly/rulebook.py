"""What the kernel asks of a game, answered for Negopoly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ledger.kernel.accounts import BANK, BOX
from ledger.kernel.actions import Action
from ledger.kernel.agreements import Agreement
from ledger.kernel.audience import Audience, Viewer
from ledger.kernel.bots import BANKER, RANDOM, Bot
from ledger.kernel.events import Event
from ledger.kernel.opening import Opening
from ledger.kernel.rulebook import Rulebook
from ledger.kernel.sentences import AccountName, Speaker
from ledger.kernel.state import State
from ledger.kernel.wealth import Asset
from ledger.rulebooks.negopoly.board import walking
from ledger.rulebooks.negopoly.bots import house, strategy
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.vocabulary import DECKS, is_card
from ledger.rulebooks.negopoly.deals import deals
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.meetings import meetings
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table import own_table, setup, speaking, statistics, views
from ledger.rulebooks.negopoly.table.pieces import (
    BOARD,
    CARDS,
    ITEMS,
    OPERATIONS,
    SIMULATED,
    TITLES,
    VEHICLES,
)
from ledger.rulebooks.negopoly.table.settings import Settings
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly, in_play
from ledger.rulebooks.negopoly.table.terms import (
    MONEY,
    POLICE,
    USED,
    Bounty,
    Contract,
    Deal,
    Delivery,
    Loan,
    Meeting,
)
from ledger.rulebooks.negopoly.turns import clock, turns, victory
from ledger.rulebooks.parts import agreements
from ledger.rulebooks.parts.boards import Place
from ledger.rulebooks.parts.opening import lay_out, require_players
from ledger.rulebooks.parts.tallies import Tallies


class NegopolyRules(Rulebook[Negopoly]):
    """The rulebook of Negopoly."""

    id: str = "negopoly"
    title: str = "Negopoly"
    currency: str = MONEY
    correction_rule: str = "P.4"
    dispute_rule: str = "P.2"
    ruling_rule: str = "P.1"
    privacy_rule: str = "I.C.5"
    end_rule: str = "II.E.1"
    players: tuple[int, int] = (2, 8)
    settings: type[msgspec.Struct] = Settings
    state: type[State] = Negopoly
    account_names: Mapping[str, AccountName] = speaking.ACCOUNT_NAMES
    strategies: Mapping[str, Bot] = {
        RANDOM: strategy.ANYTHING,
        "plain": strategy.PLAIN,
        BANKER: house.HOUSE,
    }
    simulated_tables: Sequence[Mapping[str, Any]] = SIMULATED
    agreement_types: Mapping[str, type[Agreement]] = {
        "contracts": Contract,
        "loans": Loan,
        "bounties": Bounty,
        "deals": Deal,
        "deliveries": Delivery,
        "meetings": Meeting,
    }
    tallies: Tallies = statistics.TALLIES

    def opening_action(self, opening: Opening) -> Action:
        """Lay out the table for 2 to 8 players. Raises Malformed for another number."""
        require_players(self.title, opening.players, self.players)
        own_table.check(opening.settings.decks, opening.settings.board)
        return lay_out(setup.CreateGame, opening)

    def may_owe(self, account: str, commodity: str) -> bool:
        """The bank issues all but the titles, which come from the box; a player may owe money (I.B.3)."""
        if account == BANK:
            return not commodity.startswith("title:") and not is_card(commodity)
        if account == BOX:
            return True
        return commodity == MONEY and account.startswith("player:")

    def holding_audience(self, state: Negopoly, account: str, commodity: str) -> Audience:
        """Titles and what is attached to them are public but for defences, which are their owner's secret.

        Balances and inventories are private (I.C.6).
        """
        return views.audience_of(state, account, commodity)

    def audience_lasts(self, account: str) -> bool:
        """What a delivery or a contract holds, and what lies on a title, is seen by some for a time only."""
        return views.audience_lasts(account)

    def settle(self, draft: Draft) -> None:
        """Record what follows from the action without anybody asking for it.

        The last player left wins (II.E.3). A player who has left the game is waited for no more, neither for an
        answer nor for the end of a turn (I.B.5). Abilities become active or end (V.E.1, V.E.2), and meetings that
        cannot go on break up (IV.B, IV.C).
        """
        victory.by_elimination(draft)
        if not draft.state.ended:
            reactions.settle(draft)
            walking.resume(draft)
        turn = draft.state.turn
        if turn is not None and turn.seat in draft.state.eliminated:
            turns.leave_turn(draft, turn.seat, "I.B.5")
        if not draft.state.ended:
            quarters.announce(draft)
            meetings.settle(draft)

    def due(self, state: Negopoly, at: datetime) -> tuple[Action, str | None] | None:
        """Meetings (IV.B.2), and turns (II.B.13) with what is asked in them, are over with their time."""
        if not state.ended and (ending := meetings.due(state, at)) is not None:
            return ending, None
        if state.turn is not None and not state.ended and state.turn.is_over(at):
            return turns.ExpireTurn(), state.turn.seat
        return None

    def taking_up(self, state: Negopoly) -> tuple[Action, str | None] | None:
        """The turn under way waits for the players of the new table (II.B.13)."""
        return None if state.turn is None or state.ended else (clock.TakeUpTurn(), state.turn.seat)

    def view(self, state: Negopoly, viewer: Viewer) -> dict[str, Any]:
        """The public table, and what the viewer's own seat may know besides (I.C.6)."""
        return views.view_of(state, viewer)

    def summary(self, state: Negopoly) -> dict[str, Any]:
        """Round, whose turn, who is left, who won."""
        return {
            "round": state.round,
            "turn": None if state.turn is None else state.turn.seat,
            "in_play": in_play(state),
            "winners": list(state.winners),
        }

    def awaited(self, state: Negopoly) -> Sequence[str]:
        """Who has been asked something, and whose turn it is; during set-up, everybody."""
        asked = [question.seat for question in state.questions]
        return in_play(state) if state.turn is None else (*asked, state.turn.seat)

    def positions(self, state: Negopoly) -> Mapping[str, int]:
        """Where the tokens are, which everybody sees (II.B)."""
        return state.positions

    def winners(self, state: Negopoly) -> Sequence[str]:
        """Who has won (II.E.1)."""
        return state.winners

    def wealth(self, state: Negopoly, seat: str) -> Sequence[Asset]:
        """The net worth (II.E.5)."""
        return victory.net_worth(state, seat)

    def agreements(self, state: Negopoly, collection: str) -> list[Agreement]:
        """Every agreement of the collection, open or ended, in the order of opening."""
        return agreements.in_order(agreements.scan(state, self.agreement_types[collection]))

    def has_ended(self, state: Negopoly, agreement: Agreement) -> bool:
        """Proposals wait, and a concluded deal may still owe goods: what is open is kept apart."""
        return agreement.id not in state.open

    def open_agreements(self, state: Negopoly) -> Iterable[Agreement]:
        """What is open is kept apart from what has ended."""
        return state.open.values()

    def in_setup(self, state: Negopoly) -> bool:
        """Until the banker starts the game (II.A)."""
        return state.phase == "setup"

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """Deals, which are nobody's affair but their parties' (I.C.5); contracts are the bank's too (X.A.7)."""
        return deals.private_deals(events)

    def knows_account(self, state: Negopoly, account: str) -> bool:
        """The police, the shops, the decks, what is used up or lies on a title: there while they hold nothing."""
        return (
            account in {POLICE, USED, decks.WEATHER, *shops.ACCOUNTS}
            or account in {place(deck) for place in (decks.pile, decks.discards) for deck in DECKS}
            or (account.startswith("property:") and account.removeprefix("property:") in TITLES)
            or super().knows_account(state, account)
        )

    def knows_commodity(self, state: Negopoly, commodity: str) -> bool:
        """Whatever is on the price list, although nobody has any yet."""
        return commodity in ITEMS or super().knows_commodity(state, commodity)

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Deals and contracts are their parties' affair, bounties everybody's."""
        return views.audience_of_agreement(agreement)

    def speakers(self, state: Negopoly) -> Mapping[str, Speaker]:
        """Seats by their player's name, money with its sign, titles, squares and goods by their names."""
        return speaking.speakers_of(state)

    def components(self) -> dict[str, Any]:
        """Titles and items with their prices; what vehicles do; the cards, and what their operations do."""
        return {
            "titles": [msgspec.to_builtins(title) for title in TITLES.values()],
            "items": [msgspec.to_builtins(item) for item in ITEMS.values()],
            "vehicles": [msgspec.to_builtins(vehicle) for vehicle in VEHICLES.values()],
            "cards": [msgspec.to_builtins(card) for card in CARDS],
            "operations": OPERATIONS,
        }

    def board(self) -> list[dict[str, Any]]:
        """The 40 squares of the default board."""
        return [msgspec.to_builtins(square) for square in BOARD]

    def places(self, state: Negopoly) -> Sequence[Place]:
        """The squares of this table's board, with whose they are and what lies on them."""
        return statistics.places(state)
