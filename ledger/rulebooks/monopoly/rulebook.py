"""The chapters and the faces of an edition. A face that composes several rooms stands here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from importlib.resources import files

from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.events import tag_of
from ledger.kernel.facts.refusals import Refusal
from ledger.kernel.rules.actions import Action, DefaultStep, StepGoal
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.faces.editions import Editions
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.faces.progress import Progress
from ledger.kernel.rules.faces.secrets import Open
from ledger.kernel.rules.faces.simulation import Simulation
from ledger.kernel.rules.opening import End, Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.monopoly import own_edition
from ledger.rulebooks.monopoly.bots import STRATEGIES, tables_for
from ledger.rulebooks.monopoly.cards import (
    card_effects,
    cards,
    chance_die,
    choices,
    declining,
    estate,
    kept,
    moves,
    sums,
)
from ledger.rulebooks.monopoly.debts import debts, pots, promises, taxes
from ledger.rulebooks.monopoly.end import bankruptcy, ending, exchange, seasons
from ledger.rulebooks.monopoly.houses import building, mortgages
from ledger.rulebooks.monopoly.rulings import banker, consistency, defaults
from ledger.rulebooks.monopoly.showing import speaking, statistics, views
from ledger.rulebooks.monopoly.start import resuming, setup
from ledger.rulebooks.monopoly.table.pieces import Pieces
from ledger.rulebooks.monopoly.table.roles import Role, Rules
from ledger.rulebooks.monopoly.table.settings import CommonSettings, Settings
from ledger.rulebooks.monopoly.table.state import Draft, Monopoly, MonopolyEdition
from ledger.rulebooks.monopoly.trading import auctions, recruiting, trade_words, trades
from ledger.rulebooks.monopoly.turns import (
    jail_throw,
    landings,
    limits,
    movement,
    pauses,
    prison,
    rents,
    travel,
    turns,
)
from ledger.rulebooks.parts import opening, reading
from ledger.rulebooks.parts.edition import Edition

_CHAPTERS: Sequence[tuple[Chapter, Role]] = (
    (setup.chapter, "opening"),
    (setup.election, "election"),
    (setup.shuffling, "shuffle"),
    (setup.dealing, "dealing"),
    (limits.chapter, "limit"),
    (turns.chapter, "turn"),
    (landings.chapter, "landing"),
    (movement.chapter, "move"),
    (recruiting.chapter, "buy"),
    (auctions.chapter, "auction"),
    (rents.chapter, "rent"),
    (debts.chapter, "debt"),
    (building.chapter, "build_group"),
    (mortgages.chapter, "mortgage"),
    (travel.chapter, "travel"),
    (prison.chapter, "go_to_jail"),
    (jail_throw.chapter, "jail_wait"),
    (card_effects.chapter, "card_effect"),
    (cards.chapter, "card_under"),
    (choices.chapter, "choose"),
    (estate.chapter, "card_title"),
    (kept.chapter, "card_use"),
    (chance_die.chapter, "pot"),
    (declining.chapter, "card_declined"),
    (taxes.chapter, "tax"),
    (pots.chapter, "pot_least"),
    (trades.chapter, "trade"),
    (promises.chapter, "promise"),
    (debts.of_promises, "promise"),
    (bankruptcy.chapter, "bankrupt"),
    (resuming.chapter, "end_turn"),
    (ending.chapter, "victory"),
    (seasons.chapter, "season_open"),
    (exchange.chapter, "relegation"),
    (moves.chapter, "card_move"),
    (sums.of_squares, "square"),
    (debts.of_squares, "square"),
    (pauses.chapter, "miss"),
)
"""The chapters, each with a role: an edition has a chapter if it has a rule for the role."""


class MonopolyPlay(Play[Monopoly]):
    """The opening of a game, and the consequences of its actions."""

    def __init__(self, edition: MonopolyEdition) -> None:
        self.edition = edition

    def opening_action(self, opening: Opening) -> Action:
        """Build the action to lay out the table. Raises Malformed for an impossible number of players."""
        return setup.opening_action(self.edition, opening)

    def settle(self, draft: Draft) -> None:
        """Finish moves held up by a fine, end the game or the season if decided, and open a waiting lot."""
        if draft.state.stage == "play" and not draft.state.ended:
            movement.resume(draft)
            choices.resume(draft)
            ending.settle(draft)
        if draft.state.stage == "play" and not draft.state.ended:
            auctions.settle(draft)

    def inconsistencies(self, state: Monopoly) -> Iterable[Inconsistency]:
        """Report inconsistencies, left only by corrections and rulings."""
        return consistency.inconsistencies(state)

    def exchanged(self, here: End[Monopoly], there: End[Monopoly]) -> Opening | None:
        """Build the next season of a division, with a merchant of the next division in exchange."""
        return exchange.opening(here, there) if "relegation" in self.edition.rules.roles else None


class MonopolyProgress(Progress[Monopoly]):
    """The effects of passing time, and the steps of the game itself."""

    def due(self, state: Monopoly, at: datetime) -> tuple[Action, str | None] | None:
        """Return the close of an auction after the deadline."""
        ending = auctions.due(state, at)
        return None if ending is None else (ending, None)

    def deadlines(self, state: Monopoly) -> Sequence[datetime]:
        """Return the end of the auction under way, if the table sets a clock."""
        return auctions.deadlines(state)

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


def rulebook_of(edition: MonopolyEdition) -> Rulebook[Monopoly]:
    """Return the rulebook of an edition."""
    roles = edition.rules.roles
    chapters = (*(chapter for chapter, role in _CHAPTERS if role in roles), banker.chapter)
    events = {tag_of(event) for chapter in chapters for event in chapter.events}
    settings = opening.with_defaults(Settings if edition.takes_own else CommonSettings, edition.settings)
    kinds = {kind for chapter in chapters for kind in chapter.actions}
    return Rulebook(
        id=edition.id,
        title=edition.title,
        engine="monopoly",
        players=setup.usual_bounds(edition),
        settings=settings,
        state=Monopoly,
        register=edition.register,
        revisions=reading.revisions(files(__package__)),
        chapters=chapters,
        governance=Governance.all_by(
            roles["banker"], privacy=roles["trade"], end=roles["victory"], player_undo=True
        ),
        play=MonopolyPlay(edition),
        progress=MonopolyProgress(),
        accounts=banker.MonopolyAccounts(edition.currency),
        secrets=Open(),
        language=speaking.MonopolyLanguage(kinds, settings.__struct_fields__, customs=edition.takes_own),
        agreements=trade_words.MonopolyAgreements(kinds),
        screen=views.MonopolyScreen(edition),
        score=ending.MonopolyScore(),
        simulation=Simulation(
            strategies=STRATEGIES,
            simulated_tables=tables_for(edition.rules),
            draws=("card_drawn", "chance_die_thrown"),
            idle=("card_returned", "no_pass_left"),
        ),
        board=statistics.MonopolyBoard(edition),
        tallies=statistics.tallies(edition.pieces, events),
        editions=Editions(
            "board",
            own_edition.check,
            own_edition.settings_of,
            own_edition.new_edition,
            own_edition.warnings,
            own_edition.normal,
            own_edition.edition_of,
        )
        if edition.takes_own
        else None,
        shared={"edition": edition},
    )


RULEBOOKS = tuple(
    rulebook_of(Edition.read(files(__package__) / "editions" / name, Pieces, Rules))
    for name in ("naruto", "monopolys", "own")
)
"""The rulebooks of the editions: Naruto, Monopolys, and a table's own board."""
