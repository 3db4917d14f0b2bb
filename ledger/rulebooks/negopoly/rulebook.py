"""The rulebook of Negopoly, an implementation of the kernel's interface."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any

import msgspec

from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.agreements import Agreement, Terms
from ledger.kernel.facts.audience import Audience, Viewer
from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.language.parameter_words import ParameterWording
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.language.setting_words import SettingsWording
from ledger.kernel.language.wording import Wording
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.bots import BANKER, RANDOM, Bot
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.display import AwaitedView, BoardView, ClockView, Display, PhaseView, TurnView
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.negopoly.agreements import telling
from ledger.rulebooks.negopoly.banker import adjusting, consistency
from ledger.rulebooks.negopoly.board import walking
from ledger.rulebooks.negopoly.bots import house, strategy
from ledger.rulebooks.negopoly.cards import decks
from ledger.rulebooks.negopoly.cards.vocabulary import DECKS, is_card
from ledger.rulebooks.negopoly.deals import deals
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.goods import shops
from ledger.rulebooks.negopoly.meetings import meetings
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table import (
    changes,
    display,
    glossary,
    own_table,
    setup,
    speaking,
    statistics,
    views,
)
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
    attached,
)
from ledger.rulebooks.negopoly.turns import clock, closed, defaults, turns, victory
from ledger.rulebooks.parts import agreements, reading
from ledger.rulebooks.parts import decks as piles
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
    display_is_public: bool = True
    account_names: Mapping[str, AccountName] = speaking.ACCOUNT_NAMES
    parameter_wording: ParameterWording = reading.parameter_wording(files(__package__))
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
    wording: Wording = reading.wording(files(__package__))
    settings_wording: SettingsWording = reading.settings_wording(files(__package__) / "table")
    agreement_names = glossary.AGREEMENTS
    tallies: Tallies = statistics.TALLIES

    def opening_action(self, opening: Opening) -> Action:
        """Return the action that lays out the table for 2 to 8 players. Raises Malformed for other numbers."""
        require_players(self.title, opening.players, self.players)
        own_table.check(opening.settings.decks, opening.settings.board)
        return lay_out(setup.CreateGame, opening)

    def may_owe(self, account: str, commodity: str) -> bool:
        """Return True if an account may owe a commodity.

        The bank may owe everything except cards and titles, which come from the box; a player may owe money
        (I.B.3). A deck may owe a card drawn at the table and recorded elsewhere in the journal (I.C.6).
        """
        if account == BANK:
            return not commodity.startswith("title:") and not is_card(commodity)
        if account == BOX:
            return True
        if commodity == MONEY:
            return account.startswith("player:")
        return piles.owes(account, commodity)

    def holding_audience(self, state: Negopoly, account: str, commodity: str) -> Audience:
        """Return the audience of a holding: titles and their attachments are public, except defences.

        Balances and inventories are private (I.C.6).
        """
        return views.audience_of(state, account, commodity)

    def has_fixed_audience(self, account: str) -> bool:
        """Return True if an account's audience is fixed, unlike for deliveries, contracts and titles."""
        return views.has_fixed_audience(account)

    def settle(self, draft: Draft) -> None:
        """Record the consequences of an action.

        The last player left wins (II.E.3). Nothing waits any longer for a player who has just left the game,
        neither an answer nor the end of a turn (I.B.5). Abilities start or end (V.E.1, V.E.2), and forbidden
        meetings end (IV.B, IV.C).
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
        """Return the next action by time: the end of a meeting (IV.B.2), or of a turn (II.B.13)."""
        if not state.ended and (ending := meetings.due(state, at)) is not None:
            return ending, None
        if state.turn is not None and not state.ended and state.turn.is_over(at):
            return turns.ExpireTurn(), state.turn.seat
        return None

    def deadlines(self, state: Negopoly) -> Sequence[datetime]:
        """Return the ends of the meetings (IV.B.2), and of the turn while the clock runs (II.B.13)."""
        if state.ended:
            return ()
        turn = state.turn
        ends = () if turn is None or turn.paused_at is not None else (turn.ends_at,)
        return (*ends, *meetings.deadlines(state))

    def closed_kinds(self, state: Negopoly, seat: str) -> Collection[str]:
        """Return the kinds closed to the seat: moves of its turn at other times, bar moves away from a bar."""
        return closed.kinds(state, seat)

    def default_step(self, state: Negopoly, goal: StepGoal) -> DefaultStep | None:
        """Return the next default answer, stop to resolve, or turn to end before an action (II.B.7, II.B.13)."""
        return defaults.next_step(state, goal)

    def wrong_turn(self, state: Negopoly, goal: StepGoal) -> Refusal | None:
        """Return the refusal for an action of another turn, or None (II.2)."""
        return defaults.wrong_turn(state, goal)

    def is_done(self, state: Negopoly, goal: StepGoal) -> bool:
        """Return True if the turn that an action ends is over already, or its stop resolved."""
        return defaults.is_done(state, goal)

    def whose_turn(self, state: Negopoly) -> tuple[int, str] | None:
        """Return the round and the seat of the turn under way (II.2)."""
        return defaults.whose_turn(state)

    def resume_action(self, state: Negopoly) -> tuple[Action, str | None] | None:
        """Return the action that stops the clock until the players of the new table are ready (II.B.13)."""
        return None if state.turn is None or state.ended else (clock.TakeUpTurn(), state.turn.seat)

    def public_view(self, state: Negopoly) -> dict[str, Any]:
        """Return the public table."""
        return views.public_view(state)

    def own_view(self, state: Negopoly, viewer: Viewer) -> dict[str, Any]:
        """Return the viewer's questions and prices, and the private facts of the viewer's seat (I.C.6)."""
        return views.own_view(state, viewer)

    def describe_changes(
        self, state: Negopoly, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Return the differences between two views of the table, in sentences."""
        return changes.differences(before, after, self.speakers(state), language)

    def summary(self, state: Negopoly) -> dict[str, Any]:
        """Return the round, the turn, the players in play, and the winners."""
        turn = {} if state.turn is None else {"turn": state.turn.seat}
        return {"round": state.round, **turn, "in_play": in_play(state), "winners": list(state.winners)}

    def awaited(self, state: Negopoly) -> Sequence[str]:
        """Return the awaited seats: the players asked and the player in turn; without a turn, all players."""
        answering = [question.seat for question in state.questions]
        return in_play(state) if state.turn is None else (*answering, state.turn.seat)

    def is_due(self, state: Negopoly, seat: str, kind: str, params: Mapping[str, Any]) -> bool:
        """Return True if the move agrees to an open proposal. Its legality may depend on goods sent at once."""
        if kind not in {"agree_deal", "agree_contract"}:
            return False
        proposal = state.open.get(str(params.get("deal") or params.get("contract")))
        return isinstance(proposal, Deal | Contract) and seat not in proposal.agreed

    def positions(self, state: Negopoly) -> Mapping[str, int]:
        """Return the positions of the tokens, which are public (II.B)."""
        return state.positions

    def board_drawn(self, state: Negopoly | None, language: str) -> BoardView:
        """Return the ring of the table's squares, with the quarters and their colours."""
        return display.drawn(BOARD if state is None else state.board, language)

    def display(self, state: Negopoly, viewer: Viewer, language: str) -> Display:
        """Return tokens, titles with their attachments, notices and decks; everything is public."""
        return display.display(state, self.speakers(state), language)

    def turn(self, state: Negopoly) -> TurnView | None:
        """Return the turn under way (II.B)."""
        turn = state.turn
        return None if turn is None else TurnView(turn.seat, turn.started_at)

    def phase(self, state: Negopoly, language: str) -> PhaseView:
        """Return the phase of the turn under way."""
        return display.phase(state, language)

    def clock(self, state: Negopoly) -> ClockView | None:
        """Return the clock of the turn under way (II.B.13)."""
        return display.clock(state)

    def waiting(self, state: Negopoly, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the pending answers, turn and offers of deals, and the banker's pending decisions."""
        return list(display.waiting(state, viewer, self.speakers(state), language))

    def winners(self, state: Negopoly) -> Sequence[str]:
        """Return the winners (II.E.1)."""
        return state.winners

    def inconsistencies(self, state: Negopoly) -> Iterable[Inconsistency]:
        """Return the broken limits and orphaned pieces, such as two licences, or houses on a title of the bank."""
        return consistency.inconsistencies(state)

    def wealth(self, state: Negopoly, seat: str) -> Sequence[Asset]:
        """Return the seat's net worth (II.E.5)."""
        return victory.net_worth(state, seat)

    def shown_wealth(self, state: Negopoly, seat: str) -> Sequence[Asset]:
        """Return the seat's titles, less their mortgages, and houses, which lie open on the board (I.C.6)."""
        return victory.on_the_board(state, seat)

    def agreements(self, state: Negopoly, collection: str) -> list[Agreement]:
        """Return all agreements of the collection, open or ended, in the order of opening."""
        return agreements.in_order(agreements.scan(state, self.agreement_types[collection]))

    def has_ended(self, state: Negopoly, agreement: Agreement) -> bool:
        """Return True if the agreement has ended.

        The state stores open agreements apart, such as a concluded deal with goods due.
        """
        return agreement.id not in state.open

    def open_agreements(self, state: Negopoly) -> Iterable[Agreement]:
        """Return the open agreements, which the state stores apart."""
        return state.open.values()

    def terms(self, state: Negopoly, agreement: Agreement, language: str) -> Terms:
        """Return the terms of a loan, a deal, a contract, a bounty, a delivery or a meeting."""
        return telling.terms_of(state, agreement, language, self.speakers(state))

    def in_setup(self, state: Negopoly) -> bool:
        """Return True if the game is still in set-up, before the banker's start (II.A)."""
        return state.phase == "setup"

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """Return the private deals among the events (I.C.5).

        Contracts are not private: the bank knows contracts too (X.A.7).
        """
        return deals.private_deals(events)

    def account_on(self, commodity: str) -> str | None:
        """Return the account of the attachments of a title."""
        title = commodity.removeprefix("title:")
        return attached(title) if title in TITLES and title != commodity else None

    def knows_account(self, state: Negopoly, account: str) -> bool:
        """Return True if an account exists, even without holdings, such as the police, the shops and the decks."""
        return (
            account in {POLICE, USED, decks.WEATHER, *shops.ACCOUNTS}
            or account in {place(deck) for place in (decks.pile, decks.discards) for deck in DECKS}
            or (account.startswith("property:") and account.removeprefix("property:") in TITLES)
            or super().knows_account(state, account)
        )

    def knows_commodity(self, state: Negopoly, commodity: str) -> bool:
        """Return True if the commodity is on the price list or an attachment of titles, even without any
        holder.
        """
        return commodity in ITEMS or commodity in adjusting.ON_TITLES or super().knows_commodity(state, commodity)

    def commodities(self, state: Negopoly) -> Glossary:
        """Return money, titles, goods, cards, and the pieces on titles. The contents of the box are no secret."""
        return glossary.commodities(state)

    def groups(self, state: Negopoly, language: str) -> Mapping[str, str]:
        """Return the decks. The quarters are groups of the board."""
        return glossary.groups(language)

    def movable(self, state: Negopoly, viewer: Viewer) -> Mapping[str, Sequence[str]]:
        """Return the commodities that `adjust` moves, with the accounts. Everybody knows the pieces."""
        return adjusting.movable(state)

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return the audience of an agreement: the parties if private, everybody for a bounty or a meeting."""
        return views.audience_of_agreement(agreement)

    def speakers(self, state: Negopoly) -> Mapping[str, Speaker]:
        """Return the formatters of sentences: seats by player, money with its sign, everything else by name."""
        return speaking.speakers_of(state)

    def components(self) -> dict[str, Any]:
        """Return the components: titles and items with prices, vehicles, cards and card operations."""
        return {
            "titles": [msgspec.to_builtins(title) for title in TITLES.values()],
            "items": [msgspec.to_builtins(item) for item in ITEMS.values()],
            "vehicles": [msgspec.to_builtins(vehicle) for vehicle in VEHICLES.values()],
            "cards": [msgspec.to_builtins(card) for card in CARDS],
            "operations": OPERATIONS,
        }

    def board(self) -> list[dict[str, Any]]:
        """Return the 40 squares of the default board."""
        return [msgspec.to_builtins(square) for square in BOARD]

    def places(self, state: Negopoly) -> Sequence[Place]:
        """Return the squares of the table's board, with owners and contents."""
        return statistics.places(state)
