"""Négoces 2 (François Tréca, 2008): four merchants, eight goods, hidden offers and hidden coins.

Each chapter of the rules has a file. `table` has the state, `cards` the pieces, `terms` the accounts, `views` the
visibility, `speaking` the sentences. The code cites rules by their id in rules.toml.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.faces.simulation import Simulation
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.negoces2 import (
    auction,
    banker,
    coins,
    consistency,
    defaults,
    ends,
    forced_sales,
    obligations,
    offers,
    sales,
    setup,
    views,
)
from ledger.rulebooks.negoces2.bots import STRATEGIES
from ledger.rulebooks.negoces2.cards import COIN
from ledger.rulebooks.negoces2.showing import display, speaking, statistics
from ledger.rulebooks.negoces2.table import Draft, Negoces2, Settings
from ledger.rulebooks.parts import reading
from ledger.rulebooks.parts.opening import lay_out, require_players

TITLE, PLAYERS = "Négoces 2", (4, 4)


class Negoces2Play(Play[Negoces2]):
    """The opening of a game, and the consequences of its actions."""

    def opening_action(self, opening: Opening) -> Action:
        """Return the action that lays out the table for exactly four players (setup.1).

        Raises Malformed otherwise.
        """
        require_players(TITLE, opening.players, PLAYERS, rule="negoces2:setup.1")
        setup.check_labels(opening.settings)
        setup.check_last_winners(opening.players, opening.settings)
        return lay_out(setup.SetupGame, opening)

    def settle(self, draft: Draft) -> None:
        """End the game once a victory is claimed and all players have answered (end.8 to end.10)."""
        ends.settle(draft)

    def inconsistencies(self, state: Negoces2) -> Iterable[Inconsistency]:
        """Return the numbers of cards without a possible seller, an uncovered bid, a bidder who has withdrawn."""
        return consistency.inconsistencies(state)


RULEBOOK = Rulebook(
    id="negoces2",
    title=TITLE,
    players=PLAYERS,
    settings=Settings,
    state=Negoces2,
    register=reading.register(files(__name__)),
    revisions=reading.revisions(files(__name__)),
    chapters=(
        setup.chapter,
        auction.chapter,
        sales.chapter,
        offers.chapter,
        forced_sales.chapter,
        coins.chapter,
        ends.chapter,
        banker.chapter,
    ),
    governance=Governance.all_by(
        "negoces2:banker.2",
        privacy="negoces2:secrecy.1",
        end="negoces2:end.10",
        player_undo=True,
        money_is_told=False,
    ),
    play=Negoces2Play(),
    progress=defaults.Negoces2Progress(),
    accounts=banker.Negoces2Accounts(COIN),
    secrets=views.Negoces2Secrets(),
    agreements=obligations.Negoces2Agreements(),
    language=speaking.Negoces2Language(),
    screen=display.Negoces2Screen(),
    score=ends.Negoces2Score(),
    simulation=Simulation(strategies=STRATEGIES),
    tallies=statistics.TALLIES,
)
"""The rulebook, ready to play."""
