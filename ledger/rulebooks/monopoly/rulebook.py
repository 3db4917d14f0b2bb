"""The rulebook of an edition: the chapters, and the answers to the questions asked of every game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any

import msgspec

from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.agreements import Agreement, Terms
from ledger.kernel.facts.audience import EVERYONE, Audience, Viewer
from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.bots import Bot
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.display import AwaitedView, BoardView, ClockView, Display, PhaseView
from ledger.kernel.rules.opening import End, Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.monopoly import own_edition
from ledger.rulebooks.monopoly.bots import STRATEGIES, tables_for
from ledger.rulebooks.monopoly.cards import card_effects, cards, chance_die
from ledger.rulebooks.monopoly.debts import debts, taxes
from ledger.rulebooks.monopoly.end import bankruptcy, ending, exchange, seasons
from ledger.rulebooks.monopoly.houses import building, mortgages
from ledger.rulebooks.monopoly.rulings import banker, closed, consistency, defaults
from ledger.rulebooks.monopoly.showing import changes, drawing, glossary, speaking, statistics, views, waiting
from ledger.rulebooks.monopoly.start import resuming, setup
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.roles import Role, Rules
from ledger.rulebooks.monopoly.table.settings import Settings
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, MonopolyEdition, in_play
from ledger.rulebooks.monopoly.table.terms import Trade
from ledger.rulebooks.monopoly.trading import auctions, recruiting, trade_words, trades
from ledger.rulebooks.monopoly.turns import jail_throw, landings, movement, prison, rents, turns
from ledger.rulebooks.parts import agreements, opening, reading
from ledger.rulebooks.parts.boards import Place
from ledger.rulebooks.parts.brought import Fault, NewEdition
from ledger.rulebooks.parts.edition import Edition

_WORDS = reading.words(files(__package__))

_CHAPTERS: Sequence[tuple[Chapter, Role]] = (
    (setup.chapter, "opening"),
    (setup.election, "election"),
    (setup.shuffling, "shuffle"),
    (setup.dealing, "dealing"),
    (turns.chapter, "turn"),
    (landings.chapter, "landing"),
    (movement.chapter, "move"),
    (recruiting.chapter, "buy"),
    (auctions.chapter, "auction"),
    (rents.chapter, "rent"),
    (debts.chapter, "debt"),
    (building.chapter, "build_group"),
    (mortgages.chapter, "mortgage"),
    (prison.chapter, "go_to_jail"),
    (jail_throw.chapter, "jail_wait"),
    (card_effects.chapter, "card_effect"),
    (cards.chapter, "card_under"),
    (chance_die.chapter, "pot"),
    (taxes.chapter, "tax"),
    (trades.chapter, "trade"),
    (bankruptcy.chapter, "bankrupt"),
    (resuming.chapter, "end_turn"),
    (ending.chapter, "victory"),
    (seasons.chapter, "season_open"),
    (exchange.chapter, "relegation"),
)
"""The chapters, each with a role: an edition has a chapter if it has a rule for the role."""


class MonopolyRules(Rulebook[Monopoly]):
    """The rulebook of a single edition."""

    state = Monopoly
    display_is_public: bool = True
    player_undo: bool = True
    strategies: Mapping[str, Bot] = STRATEGIES
    agreement_types: Mapping[str, type[Agreement]] = {"trades": Trade}
    agreement_names = glossary.AGREEMENTS
    account_names: Mapping[str, AccountName] = speaking.ACCOUNT_NAMES
    wording, parameter_wording, settings_wording = _WORDS

    def __init__(self, edition: MonopolyEdition) -> None:
        self.edition, self.shared = edition, {"edition": edition}
        self.id, self.title, self.currency = edition.id, edition.title, edition.currency
        self.settings = opening.with_defaults(Settings, edition.settings)
        roles = edition.rules.roles
        self.correction_rule = self.dispute_rule = self.ruling_rule = roles["banker"]
        self.privacy_rule = roles["trade"]
        self.end_rule = roles["victory"]
        self.simulated_tables = tables_for(edition.rules)
        self.players = setup.usual_bounds(edition)
        super().__init__(
            edition.register, (*(chapter for chapter, role in _CHAPTERS if role in roles), banker.chapter)
        )
        self.wording = _WORDS[0].only(self.actions)
        self.tallies = statistics.tallies(edition.pieces, self.events)

    @property
    def engine(self) -> str:
        """The name of the engine, common to all editions."""
        return "monopoly"

    def opening_action(self, opened: Opening) -> Action:
        """Build the action to lay out the table. Raises Malformed for an impossible number of players."""
        return setup.opening_action(self.edition, opened)

    def exchanged(self, here: End[Monopoly], there: End[Monopoly]) -> Opening:
        """Build the next season of a division, with a merchant of the next division in exchange."""
        if "relegation" not in self.edition.rules.roles:
            return super().exchanged(here, there)
        return exchange.opening(here, there)

    def may_owe(self, account: str, commodity: str) -> bool:
        """Return True if an account may owe: the box issues pieces; the bank issues money and mortgages, and never
        goes bankrupt.
        """
        return account == BOX or (account == BANK and commodity in {self.currency, "mortgage"})

    def holding_audience(self, state: Monopoly, account: str, commodity: str) -> Audience:
        """Return everybody: nothing is hidden."""
        return EVERYONE

    def has_fixed_audience(self, account: str) -> bool:
        """Return True: nothing is ever hidden."""
        return True

    def settle(self, draft: Draft) -> None:
        """Finish moves held up by a fine, then end the game or the season if decided."""
        if draft.state.stage == "play" and not draft.state.ended:
            movement.resume(draft)
            ending.settle(draft)

    def due(self, state: Monopoly, at: datetime) -> tuple[Action, str | None] | None:
        """Return the close of an auction after the deadline."""
        ending = auctions.due(state, at)
        return None if ending is None else (ending, None)

    def deadlines(self, state: Monopoly) -> Sequence[datetime]:
        """Return the end of the auction under way, if the table sets a clock."""
        return auctions.deadlines(state)

    def summary(self, state: Monopoly) -> dict[str, Any]:
        """Return the round, the turn, the players in play, and the winners."""
        turn = {} if state.turn is None else {"turn": state.turn}
        return {"round": state.round, **turn, "in_play": in_play(state), "winners": [*state.winners]}

    def winners(self, state: Monopoly) -> Sequence[str]:
        """Return the winners."""
        return state.winners

    def wealth(self, state: Monopoly, seat: str) -> Sequence[Asset]:
        """Return the wealth of a seat: money, titles, buildings."""
        return ending.worth(state, seat)

    def shown_wealth(self, state: Monopoly, seat: str) -> Sequence[Asset]:
        """Return all wealth, because nothing is hidden."""
        return ending.worth(state, seat)

    def in_setup(self, state: Monopoly) -> bool:
        """Return True if the table is being prepared."""
        return state.stage == "setup"

    def agreements(self, state: Monopoly, collection: str) -> list[Agreement]:
        """Return the trades, open or ended, in the order of proposal."""
        return agreements.in_order(agreements.scan(state, self.agreement_types[collection]))

    def open_agreements(self, state: Monopoly) -> Iterable[Agreement]:
        """Return the trades awaiting an answer."""
        return state.open.values()

    def agreement_audience(self, agreement: Agreement) -> Audience:
        """Return everybody: trades are made openly at the table."""
        return EVERYONE

    def account_on(self, commodity: str) -> str | None:
        """Return the account of the things on a title."""
        title = commodity.removeprefix("title:")
        return None if title == commodity else f"property:{title}"

    def knows_account(self, state: Monopoly, account: str) -> bool:
        """Return True if an account exists, even an empty one."""
        return account in banker.accounts(state) or super().knows_account(state, account)

    def knows_commodity(self, state: Monopoly, commodity: str) -> bool:
        """Return True if a commodity exists, even without a holder."""
        names = banker.commodities(state.edition.pieces, self.currency)
        return commodity in names or super().knows_commodity(state, commodity)

    def speakers(self, state: Monopoly) -> Mapping[str, Speaker]:
        """Return the formatters for seats, titles, buildings, cards and money, in the words of the edition."""
        return speaking.speakers_of(state)

    def groups(self, state: Monopoly, language: str) -> Mapping[str, str]:
        """Return the decks. The groups of titles are groups of the board."""
        return glossary.groups(state.edition.pieces)

    def terms(self, state: Monopoly, agreement: Agreement, language: str) -> Terms:
        """Return the terms of a trade."""
        return trade_words.terms_of(state, agreement, language, self.speakers(state))

    def movable(self, state: Monopoly, viewer: Viewer) -> Mapping[str, Sequence[str]]:
        """Return the things movable by a ruling, each with the possible accounts."""
        return banker.movable(state)

    def commodities(self, state: Monopoly) -> Glossary:
        """Return money, titles, buildings and cards. Everybody knows the contents of the box."""
        return glossary.commodities(state.edition.pieces, self.currency)

    def inconsistencies(self, state: Monopoly) -> Iterable[Inconsistency]:
        """Report inconsistencies, left only by corrections and rulings."""
        return consistency.inconsistencies(state)

    def board(self) -> list[dict[str, Any]]:
        """Return the squares of the edition's board."""
        return [msgspec.to_builtins(square) for square in self.edition.pieces.squares]

    def places(self, state: Monopoly) -> Sequence[Place]:
        """Return the squares of the table's board, with owners and buildings."""
        return statistics.places(state)

    def positions(self, state: Monopoly) -> Mapping[str, int]:
        """Return the squares of the tokens."""
        return state.positions

    def default_step(self, state: Monopoly, goal: StepGoal) -> DefaultStep | None:
        """Return the next default step before an action: a tax, a debt, an auction, the end of a turn."""
        return defaults.next_step(state, goal)

    def wrong_turn(self, state: Monopoly, goal: StepGoal) -> Refusal | None:
        """Return the refusal of an action of another turn, or None."""
        return defaults.wrong_turn(state, goal)

    def is_done(self, state: Monopoly, goal: StepGoal) -> bool:
        """Return True if the turn to be ended by an action is already over."""
        return defaults.is_done(state, goal)

    def whose_turn(self, state: Monopoly) -> tuple[int, str] | None:
        """Return the round and the seat of the turn under way."""
        return defaults.whose_turn(state)

    def resume_action(self, state: Monopoly) -> tuple[Action, str | None] | None:
        """Give the auction under way the full time again."""
        return (resuming.TakeUpAuction(), None) if resuming.is_timed(state) else None

    def closed_kinds(self, state: Monopoly, seat: str) -> Collection[str]:
        """Return the kinds of action of another stage, another seat's turn, or another square."""
        return closed.kinds(state, seat) & self.actions.keys()

    def public_view(self, state: Monopoly) -> dict[str, Any]:
        """Return the whole table: nothing is hidden."""
        return views.public_view(state)

    def own_view(self, state: Monopoly, viewer: Viewer) -> dict[str, Any]:
        """Return an empty view, because the public view shows everything."""
        return {}

    def describe_changes(
        self, state: Monopoly, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Yield the differences of two views of the table, in sentences."""
        return changes.differences(before, after, self.speakers(state), language)

    def worth_audience(self, state: Monopoly, seat: str) -> Audience:
        """Return everybody: nothing is hidden."""
        return EVERYONE

    def board_drawn(self, state: Monopoly | None, language: str) -> BoardView:
        """Draw the ring of the table's squares, with the colours of the groups."""
        return drawing.drawn(self.edition.pieces if state is None else state.edition.pieces, language)

    def display(self, state: Monopoly, viewer: Viewer, language: str) -> Display:
        """Return tokens, titles with buildings, notices and decks."""
        return drawing.display(state, self.speakers(state), language)

    def phase(self, state: Monopoly, language: str) -> PhaseView:
        """What the game, or the turn under way, has come to."""
        return waiting.phase(state, language)

    def clock(self, state: Monopoly) -> ClockView | None:
        """Return the clock of an auction, if any."""
        return waiting.clock(state)

    def awaited(self, state: Monopoly) -> Sequence[str]:
        """Return the seats awaited by the game."""
        return waiting.awaited(state)

    def waiting(self, state: Monopoly, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the players to throw, buy, pay, bid or claim, and the banker's auctions to open or close."""
        return list(waiting.waiting(state, self.speakers(state), language))

    def is_due(self, state: Monopoly, seat: str, kind: str, params: Mapping[str, Any]) -> bool:
        """Return True if the action accepts a trade: only a try shows if both players still have the things
        promised.
        """
        return kind == "accept_trade"

    @property
    def takes_editions(self) -> bool:
        """True if tables may bring editions of their own."""
        return self.edition.takes_own

    @property
    def edition_setting(self) -> str:
        """The setting for the pieces of an edition: the board."""
        return "board"

    def faults_of(self, document: Any) -> Sequence[Fault]:
        """Return the faults of an edition brought by a table."""
        return own_edition.check(document)

    def settings_of(self, document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a game with the edition, and with the settings `beside` it."""
        return own_edition.settings_of(document, beside)

    def title_of(self, document: Mapping[str, Any]) -> str:
        """Return the title of the edition."""
        return str(document["title"])

    @property
    def new_edition(self) -> NewEdition:
        """The starting material for a table's own edition."""
        return own_edition.new_edition()

    def pieces_in_play(self, state: Monopoly) -> Pieces:
        """Return the pieces of the edition, or the table's own."""
        return state.edition.pieces

    def components(self) -> dict[str, Any]:
        """Return the pieces of the edition, as plain data."""
        return msgspec.to_builtins(self.edition.pieces)  # type: ignore[no-any-return]


RULEBOOKS = tuple(
    MonopolyRules(Edition.read(files(__package__) / "editions" / name, Pieces, Rules))
    for name in ("naruto", "monopolys", "own")
)
"""The rulebooks of the editions: Naruto, Monopolys, and a table's own board."""
