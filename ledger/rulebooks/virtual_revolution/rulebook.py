"""The rulebook of Virtual Revolution: the chapters, and the particulars of the game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from typing import Any

import msgspec

from ledger.kernel.facts.accounts import BANK, BOX
from ledger.kernel.facts.audience import BANKER_ONLY, EVERYONE, Audience, Viewer, only
from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.events import UndoneDraw
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.facts.state import State
from ledger.kernel.language.parameter_words import ParameterWording
from ledger.kernel.language.sentences import AccountName, Speaker
from ledger.kernel.language.setting_words import SettingsWording
from ledger.kernel.language.wording import Wording
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.bots import Bot
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.commodities import Glossary
from ledger.kernel.rules.display import AwaitedView, BoardView, ClockView, Display, PhaseView
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.kernel.rules.wealth import Asset
from ledger.rulebooks.parts import decks, reading
from ledger.rulebooks.parts.brought import Fault, NewEdition
from ledger.rulebooks.parts.tallies import Tallies
from ledger.rulebooks.virtual_revolution import own_pieces
from ledger.rulebooks.virtual_revolution.actions import donations, recruiting, servers, verses, work
from ledger.rulebooks.virtual_revolution.agents import activating, agents, promotion, verses_online
from ledger.rulebooks.virtual_revolution.attacks import attacks, changing, necros
from ledger.rulebooks.virtual_revolution.bots import STRATEGIES, TABLES
from ledger.rulebooks.virtual_revolution.decks import boosting, corruption, decking, hands, piles, verse_display
from ledger.rulebooks.virtual_revolution.map import gaining, influence, recycling, titles
from ledger.rulebooks.virtual_revolution.raids import after_raids, losses, protection, raids
from ledger.rulebooks.virtual_revolution.rounds import rounds, turn_order, upkeep
from ledger.rulebooks.virtual_revolution.rulings import adjusting, banker, closed, consistency, defaults
from ledger.rulebooks.virtual_revolution.scores import endgame, scoring
from ledger.rulebooks.virtual_revolution.showing import (
    changes,
    display,
    drawing,
    glossary,
    speaking,
    statistics,
    views,
    waiting,
)
from ledger.rulebooks.virtual_revolution.start import dealing, preparing, setup
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.pieces import Pieces
from ledger.rulebooks.virtual_revolution.table.settings import Settings
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import ASIDE, CORRUPTION, EUROCREDIT, OBJECTIVES, REVENUE
from ledger.rulebooks.virtual_revolution.table.veils import VEIL
from ledger.rulebooks.virtual_revolution.turn import manoeuvres, modifiers, performing, turns

CHAPTERS: tuple[Chapter, ...] = (
    setup.chapter,
    dealing.chapter,
    preparing.chapter,
    piles.chapter,
    decking.chapter,
    corruption.chapter,
    hands.chapter,
    gaining.chapter,
    boosting.chapter,
    verse_display.chapter,
    influence.chapter,
    manoeuvres.chapter,
    titles.chapter,
    activating.chapter,
    agents.chapter,
    promotion.chapter,
    recycling.chapter,
    verses_online.chapter,
    turns.chapter,
    modifiers.chapter,
    performing.chapter,
    work.chapter,
    recruiting.chapter,
    servers.chapter,
    verses.chapter,
    donations.chapter,
    losses.chapter,
    protection.chapter,
    raids.chapter,
    after_raids.chapter,
    changing.chapter,
    attacks.chapter,
    necros.chapter,
    turn_order.chapter,
    upkeep.chapter,
    rounds.chapter,
    endgame.chapter,
    scoring.chapter,
    defaults.chapter,
    banker.chapter,
)
"""The chapters, in the order of the rules."""

FOLDER = files(__package__)
"""The folder of the wording files: actions.toml, parameters.toml, settings.toml."""

_HIDDEN = ("hand:", "objectives:")
_DECKS = ("deck:", "discard:corruption")


class VirtualRevolutionRules(Rulebook[VirtualRevolution]):
    """The rulebook of Virtual Revolution."""

    id: str = EDITION.id
    title: str = EDITION.title
    currency: str = EUROCREDIT
    correction_rule: str = "vr:banker.1"
    dispute_rule: str = "vr:banker.1"
    ruling_rule: str = "vr:banker.1"
    privacy_rule: str = "vr:secrecy.6"
    end_rule: str = "vr:endgame.1"
    players: tuple[int, int] = (setup.FEWEST, setup.MOST)
    settings: type[msgspec.Struct] = Settings
    state: type[State] = VirtualRevolution
    player_undo: bool = True
    strategies: Mapping[str, Bot] = STRATEGIES
    simulated_tables: Sequence[Mapping[str, Any]] = TABLES
    account_names: Mapping[str, AccountName] = glossary.ACCOUNT_NAMES
    display_is_public: bool = False
    wording: Wording = reading.wording(FOLDER)
    parameter_wording: ParameterWording = reading.parameter_wording(FOLDER)
    settings_wording: SettingsWording = reading.settings_wording(FOLDER)
    tallies: Tallies = statistics.TALLIES
    shared = {"edition": EDITION}

    def opening_action(self, opened: Opening) -> Action:
        """Return the action that lays out the table. Raises Malformed for an impossible number of players."""
        return setup.opening_action(EDITION, opened)

    def may_owe(self, account: str, commodity: str) -> bool:
        """Return True for pieces of the box, for eurocredits and Revenue of the bank, and for cards of some
        decks.

        Eurocredits and Revenue never run out. A deck owes a card drawn by a player if the journal has the card
        in a hidden hand.
        """
        if account in {decks.pile(CORRUPTION), decks.pile(OBJECTIVES)}:
            return decks.is_card(commodity)
        return account == BOX or (account == BANK and commodity in {EUROCREDIT, REVENUE})

    def holding_audience(self, state: VirtualRevolution, account: str, commodity: str) -> Audience:
        """Return the player for hands and Objectives, the banker for decks, the players for Agents set aside,
        else everybody.
        """
        if account.startswith(_HIDDEN):
            return only(account.partition(":")[2])
        if account.startswith(_DECKS):
            return BANKER_ONLY
        return only(*state.seats) if account == ASIDE else EVERYONE

    def veil(self, commodity: str) -> str | None:
        """Return the veil "card" for a hidden card, because numbers of cards are public."""
        return VEIL if commodity.startswith("card:") else None

    def restore_draws(self, draft: Draft, undone: Sequence[UndoneDraw]) -> None:
        """Put the cards of draws undone by a correction on top of the decks (vr:setup.32)."""
        piles.restore_draws(draft, undone)

    def settle(self, draft: Draft) -> None:
        """Record the automatic consequences: Titles, the next step of a round."""
        titles.settle(draft)
        rounds.go_on(draft)

    def due(self, state: VirtualRevolution, at: datetime) -> tuple[Action, str | None] | None:
        """Return the Necro card or the upkeep, if the service draws, or an overdue answer."""
        return rounds.due(state, at)

    def deadlines(self, state: VirtualRevolution) -> Sequence[datetime]:
        """Return the deadline of the awaited answer, if the table has a clock."""
        return rounds.deadlines(state)

    def default_step(self, state: VirtualRevolution, goal: StepGoal) -> DefaultStep | None:
        """Return the next default step before an action: an answer, the end of a turn."""
        return defaults.next_step(state, goal)

    def wrong_turn(self, state: VirtualRevolution, goal: StepGoal) -> Refusal | None:
        """Return the refusal of an action that belongs to another turn, or None."""
        return defaults.wrong_turn(state, goal)

    def is_done(self, state: VirtualRevolution, goal: StepGoal) -> bool:
        """Return True if the purpose of an action is already fulfilled."""
        return defaults.is_done(state, goal)

    def whose_turn(self, state: VirtualRevolution) -> tuple[int, str] | None:
        """Return the round and the seat of the turn under way."""
        return defaults.whose_turn(state)

    def closed_kinds(self, state: VirtualRevolution, seat: str) -> Collection[str]:
        """Return the kinds of action of another stage, another phase, or another seat's turn."""
        return closed.kinds(state, seat) & self.actions.keys()

    def knows_account(self, state: VirtualRevolution, account: str) -> bool:
        """Return True if the account exists, even without a holding."""
        return super().knows_account(state, account) or account in adjusting.accounts(state)

    def knows_commodity(self, state: VirtualRevolution, commodity: str) -> bool:
        """Return True if the commodity exists, even without a holder."""
        return super().knows_commodity(state, commodity) or commodity in adjusting.movable(state)

    def movable(self, state: VirtualRevolution, viewer: Viewer) -> Mapping[str, Sequence[str]]:
        """Map each movable commodity to its possible accounts; the contents of the box are public."""
        return adjusting.movable(state)

    def inconsistencies(self, state: VirtualRevolution) -> Iterable[Inconsistency]:
        """Return the inconsistencies of the table, possible only after corrections and rulings."""
        return consistency.inconsistencies(state)

    @property
    def takes_editions(self) -> bool:
        """True if tables may bring pieces (vr:banker.2)."""
        return EDITION.takes_own

    @property
    def edition_setting(self) -> str:
        """The setting with the pieces of an edition."""
        return "pieces"

    def faults_of(self, document: Any) -> Sequence[Fault]:
        """Return the faults of an edition brought by a table."""
        return own_pieces.check(document)

    def settings_of(self, document: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a game with an edition, and with the settings given beside it."""
        return own_pieces.settings_of(document, beside)

    def title_of(self, document: Mapping[str, Any]) -> str:
        """Return the title of an edition."""
        return str(document["title"])

    @property
    def new_edition(self) -> NewEdition:
        """The template of a new edition."""
        return own_pieces.new_edition()

    def pieces_in_play(self, state: VirtualRevolution) -> Pieces:
        """Return the pieces of the rulebook, or of the table's edition."""
        return state.edition.pieces

    def components(self) -> dict[str, Any]:
        """Return the pieces of the rulebook, as plain data."""
        return dict(EDITION.pieces.plain)

    def commodities(self, state: VirtualRevolution) -> Glossary:
        """Return the words for money, tokens, influence, Servers, Directors, Titles and cards: the contents of
        the box are public.
        """
        return glossary.commodities(state)

    def groups(self, state: VirtualRevolution, language: str) -> Mapping[str, str]:
        """Return the sorts of cards; districts are groups of the map."""
        return {name: words.in_language(language) for name, words in glossary.GROUPS.items()}

    def accounts_of(self, seat: str) -> tuple[str, ...]:
        """Return the board of a seat, and the seat's hand, Objectives, Agents, Boosts and Verses."""
        return glossary.accounts_of(seat)

    def has_fixed_audience(self, account: str) -> bool:
        """Return True: hands, Objectives and decks stay hidden, everything else stays open, for the whole game."""
        return True

    def summary(self, state: VirtualRevolution) -> dict[str, Any]:
        """Return the round, the seat of the turn, and the winners."""
        return views.summary(state)

    def turn_order(self, state: VirtualRevolution) -> Sequence[str]:
        """Return the seats on the turn-order track."""
        return state.order or state.seating

    def public_view(self, state: VirtualRevolution) -> dict[str, Any]:
        """Return the public view of the table."""
        return views.public_view(state)

    def own_view(self, state: VirtualRevolution, viewer: Viewer) -> dict[str, Any]:
        """Return the viewer's hand and Objectives, and the cards shown to the viewer."""
        return views.own_view(state, viewer)

    def describe_changes(
        self, state: VirtualRevolution, before: Mapping[str, Any], after: Mapping[str, Any], language: str
    ) -> Iterator[str]:
        """Yield the differences of two views of the table, in sentences."""
        return changes.describe_changes(before, after, self.speakers(state), language)

    def winners(self, state: VirtualRevolution) -> Sequence[str]:
        """Return the winners."""
        return state.winners

    def wealth(self, state: VirtualRevolution, seat: str) -> Sequence[Asset]:
        """Return the score so far in victory points, with the seat's Objectives."""
        return views.wealth(state, seat, objectives=True)

    def shown_wealth(self, state: VirtualRevolution, seat: str) -> Sequence[Asset]:
        """Return the score so far from public information."""
        return views.wealth(state, seat, objectives=False)

    def in_setup(self, state: VirtualRevolution) -> bool:
        """Return True during the set-up."""
        return state.stage == "setup"

    def board_drawn(self, state: VirtualRevolution | None, language: str) -> BoardView:
        """Return the map of the table's pieces."""
        return drawing.drawn(EDITION.pieces if state is None else state.edition.pieces, language)

    def display(self, state: VirtualRevolution, viewer: Viewer, language: str) -> Display:
        """Return Directors, influence and Servers on the map, with cards and tokens beside the map."""
        return display.display(self, state, viewer, self.speakers(state), language)

    def phase(self, state: VirtualRevolution, language: str) -> PhaseView:
        """What the game, or the turn under way, has come to."""
        return waiting.phase(state, language)

    def clock(self, state: VirtualRevolution) -> ClockView | None:
        """Return the clock of the awaited answer."""
        return waiting.clock(state)

    def awaited(self, state: VirtualRevolution) -> Sequence[str]:
        """Return the seats awaited by the game."""
        return waiting.awaited(state)

    def waiting(self, state: VirtualRevolution, viewer: Viewer, language: str) -> Sequence[AwaitedView]:
        """Return the seat of the turn, the seats with an answer due, and the duties of the banker."""
        return list(waiting.waiting(state, viewer, language))

    def speakers(self, state: VirtualRevolution) -> Mapping[str, Speaker]:
        """Return the formatters of seats, cards, arrondissements and money for sentences."""
        return speaking.speakers_of(state)


RULEBOOK = VirtualRevolutionRules(EDITION.register, CHAPTERS)
