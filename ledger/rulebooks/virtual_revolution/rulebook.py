"""The chapters and the faces of Virtual Revolution. A face that composes several rooms stands here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files

from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.events import UndoneDraw
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.chapter import Chapter
from ledger.kernel.rules.faces.editions import Editions
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.faces.simulation import Simulation
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.parts import reading
from ledger.rulebooks.virtual_revolution import own_pieces
from ledger.rulebooks.virtual_revolution.actions import donations, recruiting, servers, verses, work
from ledger.rulebooks.virtual_revolution.agents import activating, agents, promotion, verses_online
from ledger.rulebooks.virtual_revolution.attacks import attacks, changing, necros
from ledger.rulebooks.virtual_revolution.bots import STRATEGIES, TABLES
from ledger.rulebooks.virtual_revolution.decks import boosting, corruption, decking, hands, piles, verse_display
from ledger.rulebooks.virtual_revolution.map import gaining, influence, recycling, titles
from ledger.rulebooks.virtual_revolution.raids import after_raids, losses, protection, raids
from ledger.rulebooks.virtual_revolution.rounds import obligations, rounds, turn_order, upkeep
from ledger.rulebooks.virtual_revolution.rulings import adjusting, banker, consistency, defaults
from ledger.rulebooks.virtual_revolution.scores import endgame, scoring
from ledger.rulebooks.virtual_revolution.showing import (
    speaking,
    statistics,
    views,
)
from ledger.rulebooks.virtual_revolution.start import dealing, preparing, setup
from ledger.rulebooks.virtual_revolution.table.edition import EDITION
from ledger.rulebooks.virtual_revolution.table.settings import Settings
from ledger.rulebooks.virtual_revolution.table.state import Draft, VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT
from ledger.rulebooks.virtual_revolution.table.veils import VirtualRevolutionSecrets
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


class VirtualRevolutionPlay(Play[VirtualRevolution]):
    """The opening of a game, and the consequences of its actions."""

    def opening_action(self, opening: Opening) -> Action:
        """Return the action that lays out the table. Raises Malformed for an impossible number of players."""
        return setup.opening_action(EDITION, opening)

    def settle(self, draft: Draft) -> None:
        """Record the automatic consequences: Titles, the next step of a round."""
        titles.settle(draft)
        rounds.go_on(draft)

    def restore_draws(self, draft: Draft, undone: Sequence[UndoneDraw]) -> None:
        """Put the cards of draws undone by a correction on top of the decks (vr:setup.32)."""
        piles.restore_draws(draft, undone)

    def inconsistencies(self, state: VirtualRevolution) -> Iterable[Inconsistency]:
        """Return the inconsistencies of the table, possible only after corrections and rulings."""
        return consistency.inconsistencies(state)


RULEBOOK = Rulebook(
    id=EDITION.id,
    title=EDITION.title,
    players=(setup.FEWEST, setup.MOST),
    settings=Settings,
    state=VirtualRevolution,
    register=EDITION.register,
    revisions=reading.revisions(files(__package__)),
    chapters=CHAPTERS,
    governance=Governance.all_by("vr:banker.1", privacy="vr:secrecy.6", end="vr:endgame.1", player_undo=True),
    play=VirtualRevolutionPlay(),
    progress=defaults.VirtualRevolutionProgress(),
    accounts=adjusting.VirtualRevolutionAccounts(EUROCREDIT),
    secrets=VirtualRevolutionSecrets(),
    agreements=obligations.VirtualRevolutionAgreements(),
    language=speaking.VirtualRevolutionLanguage(),
    screen=views.VirtualRevolutionScreen(),
    score=views.VirtualRevolutionScore(),
    simulation=Simulation(strategies=STRATEGIES, simulated_tables=TABLES),
    tallies=statistics.TALLIES,
    editions=Editions(
        "pieces",
        own_pieces.check,
        own_pieces.settings_of,
        own_pieces.new_edition,
        own_pieces.warnings,
        own_pieces.normal,
    )
    if EDITION.takes_own
    else None,
    shared={"edition": EDITION},
)
"""The rulebook, ready to play."""
