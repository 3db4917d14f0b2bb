"""The rulebook of Negopoly: it implements the kernel's interface."""

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
from ledger.kernel.rules.actions import Action, DefaultStep, Toward
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
        """Return the action that lays out the table for 2 to 8 players. Raises Malformed for another number."""
        require_players(self.title, opening.players, self.players)
        own_table.check(opening.settings.decks, opening.settings.board)
        return lay_out(setup.CreateGame, opening)

    def may_owe(self, account: str, commodity: str) -> bool:
        """The bank may owe everything except titles, which come from the box; a player may owe money (I.B.3).

        A deck may owe a card that the table has drawn from it, and the journal has elsewhere (I.C.6).
        """
        if account == BANK:
            return not commodity.startswith("title:") and not is_card(commodity)
        if account == BOX:
            return True
        if commodity == MONEY:
            return account.startswith("player:")
        return piles.owes(account, commodity)

    def holding_audience(self, state: Negopoly, account: str, commodity: str) -> Audience:
        """The audience of a holding: titles and what is attached to them are public, except defences.

        Balances and inventories are private (I.C.6).
        """
        return views.audience_of(state, account, commodity)

    def audience_lasts(self, account: str) -> bool:
        """Whether an account's audience stays the same; deliveries, contracts and titles change theirs."""
        return views.audience_lasts(account)

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
        """The next action by time: the end of a meeting (IV.B.2) or of a turn with its questions (II.B.13)."""
        if not state.ended and (ending := meetings.due(state, at)) is not None:
            return ending, None
        if state.turn is not None and not state.ended and state.turn.is_over(at):
            return turns.ExpireTurn(), state.turn.seat
        return None

    def deadlines(self, state: Negopoly) -> Sequence[datetime]:
        """The ends of the meetings (IV.B.2), and of the turn while its clock runs (II.B.13)."""
        if state.ended:
            return ()
        turn = state.turn
        ends = () if turn is None or turn.paused_at is not None else (turn.ends_at,)
        return (*ends, *meetings.deadlines(state))

    def closed_kinds(self, state: Negopoly, seat: str) -> Collection[str]:
        """What needs the seat's own turn, at another time; what is done at the bar, elsewhere."""
        return closed.kinds(state, seat)

    def default_step(self, state: Negopoly, toward: Toward) -> DefaultStep | None:
        """The next default answer, stop to be resolved, or turn to be ended before an action (II.B.7, II.B.13)."""
        return defaults.next_step(state, toward)

    def misplaced(self, state: Negopoly, toward: Toward) -> Refusal | None:
        """Why an action that belongs to another turn is not taken in this one (II.2)."""
        return defaults.misplaced(state, toward)

    def is_done(self, state: Negopoly, toward: Toward) -> bool:
        """Whether the turn that an action ends is over already, or its stop resolved."""
        return defaults.is_done(state, toward)

    def whose_turn(self, state: Negopoly) -> tuple[int, str] | None:
        """The round and the seat of the turn under way (II.2)."""
        return defaults.whose_turn(state)

    def taking_up(self, state: Negopoly) -> tuple[Action, str | None] | None:
        """Stop the clock of the turn under way until the players of the new table are there (II.B.13)."""
        return None if state.turn is None or state.ended else (clock.TakeUpTurn(), state.turn.seat)

    def public_view(self, state: Negopoly) -> dict[str, Any]:
        """The public table."""
        return views.public_view(state)

    def own_view(self, state: Negopoly, viewer: Viewer) -> dict[str, Any]:
        """Questions and prices as the viewer sees them, and the private facts of the viewer's own seat (I.C.6)."""
        return views.own_view(state, viewer)

    def changes_told(
        self, state: Negopoly, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """The differences of two views of the table, in sentences."""
        return changes.told(before, after, self.speakers(state), language)

    def summary(self, state: Negopoly) -> dict[str, Any]:
        """The round, the turn, the players in play, and the winners."""
        turn = {} if state.turn is None else {"turn": state.turn.seat}
        return {"round": state.round, **turn, "in_play": in_play(state), "winners": list(state.winners)}

    def awaited(self, state: Negopoly) -> Sequence[str]:
        """The seats that the game waits for: asked players and the player whose turn it is; in set-up, all."""
        asked = [question.seat for question in state.questions]
        return in_play(state) if state.turn is None else (*asked, state.turn.seat)

    def is_due(self, state: Negopoly, seat: str, kind: str, params: Mapping[str, Any]) -> bool:
        """Whether the seat agrees by it to a proposal that others made: it may depend on what is sent at once."""
        if kind not in {"agree_deal", "agree_contract"}:
            return False
        proposal = state.open.get(str(params.get("deal") or params.get("contract")))
        return isinstance(proposal, Deal | Contract) and seat not in proposal.agreed

    def positions(self, state: Negopoly) -> Mapping[str, int]:
        """The positions of the tokens, which are public (II.B)."""
        return state.positions

    def board_drawn(self, state: Negopoly | None, language: str) -> BoardView:
        """The ring of this table's squares, with the quarters and their colours."""
        return display.drawn(BOARD if state is None else state.board, language)

    def display(self, state: Negopoly, viewer: Viewer, language: str) -> Display:
        """Tokens, titles with what is attached to them, notices and decks; all of it is public."""
        return display.display(state, self.speakers(state), language)

    def turn(self, state: Negopoly) -> TurnView | None:
        """The turn under way (II.B)."""
        turn = state.turn
        return None if turn is None else TurnView(turn.seat, turn.started_at)

    def phase(self, state: Negopoly, language: str) -> PhaseView:
        """What the turn under way has come to."""
        return display.phase(state, language)

    def clock(self, state: Negopoly) -> ClockView | None:
        """The clock of the turn under way (II.B.13)."""
        return display.clock(state)

    def waiting(self, state: Negopoly, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Answers, the turn, offers of deals, and what the banker has to decide."""
        return list(display.waiting(state, viewer, self.speakers(state), language))

    def winners(self, state: Negopoly) -> Sequence[str]:
        """The winners (II.E.1)."""
        return state.winners

    def inconsistencies(self, state: Negopoly) -> Iterable[Inconsistency]:
        """What breaks a limit, or has lost what it belongs to: houses on a title of the bank, two licences."""
        return consistency.inconsistencies(state)

    def wealth(self, state: Negopoly, seat: str) -> Sequence[Asset]:
        """The seat's net worth (II.E.5)."""
        return victory.net_worth(state, seat)

    def shown_wealth(self, state: Negopoly, seat: str) -> Sequence[Asset]:
        """The seat's titles, less their mortgages, and houses: they lie open on the board (I.C.6)."""
        return victory.on_the_board(state, seat)

    def agreements(self, state: Negopoly, collection: str) -> list[Agreement]:
        """All agreements of the collection, open or ended, in the order of opening."""
        return agreements.in_order(agreements.scan(state, self.agreement_types[collection]))

    def has_ended(self, state: Negopoly, agreement: Agreement) -> bool:
        """Whether the agreement has ended.

        The state stores open ones, such as a concluded deal with goods due, apart.
        """
        return agreement.id not in state.open

    def open_agreements(self, state: Negopoly) -> Iterable[Agreement]:
        """The open agreements, which the state stores apart."""
        return state.open.values()

    def terms(self, state: Negopoly, agreement: Agreement, language: str) -> Terms:
        """What an agreement is about: a loan, a deal, a contract, a bounty, a delivery or a meeting."""
        return telling.terms_of(state, agreement, language, self.speakers(state))

    def in_setup(self, state: Negopoly) -> bool:
        """Whether the banker has not started the game yet (II.A)."""
        return state.phase == "setup"

    def private_matters(self, events: Sequence[Event]) -> Mapping[str, frozenset[str]]:
        """The private deals of these events (I.C.5).

        Contracts are not private: the bank knows them too (X.A.7).
        """
        return deals.private_deals(events)

    def account_on(self, commodity: str) -> str | None:
        """The account of what is attached to a title."""
        title = commodity.removeprefix("title:")
        return attached(title) if title in TITLES and title != commodity else None

    def knows_account(self, state: Negopoly, account: str) -> bool:
        """Whether an account exists even without holdings, such as the police, the shops and the decks."""
        return (
            account in {POLICE, USED, decks.WEATHER, *shops.ACCOUNTS}
            or account in {place(deck) for place in (decks.pile, decks.discards) for deck in DECKS}
            or (account.startswith("property:") and account.removeprefix("property:") in TITLES)
            or super().knows_account(state, account)
        )

    def knows_commodity(self, state: Negopoly, commodity: str) -> bool:
        """Whether the commodity is on the price list or lies on titles, even when nobody holds any."""
        return commodity in ITEMS or commodity in adjusting.ON_TITLES or super().knows_commodity(state, commodity)

    def commodities(self, state: Negopoly) -> Glossary:
        """Money, titles, goods, cards, and what lies on titles: the box is known to everybody."""
        return glossary.commodities(state)

    def groups(self, state: Negopoly, language: str) -> Mapping[str, str]:
        """The decks; the quarters are groups of the board."""
        return glossary.groups(language)

    def movable(self, state: Negopoly, viewer: Viewer) -> Mapping[str, Sequence[str]]:
        """What `adjust` moves, and where; the pieces of the game are known to everybody."""
        return adjusting.movable(state)

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """The audience of an agreement: its parties for a private one, everybody for a bounty."""
        return views.audience_of_agreement(agreement)

    def speakers(self, state: Negopoly) -> Mapping[str, Speaker]:
        """The formatters of sentences: seats by player's name, money with its sign, the other things by name."""
        return speaking.speakers_of(state)

    def components(self) -> dict[str, Any]:
        """The components: titles and items with their prices, vehicles, cards and their operations."""
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
        """The squares of this table's board, with their owners and their contents."""
        return statistics.places(state)
