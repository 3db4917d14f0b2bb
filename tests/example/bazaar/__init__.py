"""The Bazaar: three to five merchants with hidden hands draw, bid in secret, sell, and trade cards face down.

Each chapter of the rules has a file. `table` has the state; `progress`, `secrecy`, `screen`, `language` are faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files

from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.events import UndoneDraw
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.parts import opening, reading
from tests.example.bazaar import auction, banker, deal, pile, sales, scoring, trades, turns
from tests.example.bazaar.language import BazaarLanguage
from tests.example.bazaar.progress import BazaarProgress
from tests.example.bazaar.screen import BazaarScreen
from tests.example.bazaar.secrecy import BazaarSecrets
from tests.example.bazaar.table import COIN, Bazaar, Draft, Settings

TITLE, PLAYERS = "Bazaar", (3, 5)


class BazaarPlay(Play[Bazaar]):
    """The opening of a game, and the undone draws."""

    def opening_action(self, opened: Opening) -> Action:
        """Return the first action, for three to five players (setup.1)."""
        opening.require_players(TITLE, opened.players, PLAYERS, rule="bazaar:setup.1")
        opening.require_banker_at_table(opened)
        return opening.lay_out(deal.LayOutBazaar, opened)

    def restore_draws(self, draft: Draft, undone: Sequence[UndoneDraw]) -> None:
        """Put the cards of undone draws back on top (pile.6)."""
        pile.put_back(draft, undone)

    def inconsistencies(self, state: Bazaar) -> Iterable[Inconsistency]:
        """Return the offers without a card."""
        return banker.inconsistencies(state)


RULEBOOK = Rulebook(
    id="bazaar",
    title=TITLE,
    players=PLAYERS,
    settings=Settings,
    state=Bazaar,
    register=reading.register(files(__name__)),
    chapters=(
        deal.chapter,
        pile.chapter,
        auction.chapter,
        turns.chapter,
        sales.chapter,
        trades.chapter,
        scoring.chapter,
        banker.chapter,
    ),
    governance=Governance(
        correction_rule="bazaar:banker.1",
        dispute_rule="bazaar:banker.2",
        ruling_rule="bazaar:banker.3",
        privacy_rule="bazaar:banker.4",
        end_rule="bazaar:score.5",
        player_undo=True,
    ),
    play=BazaarPlay(),
    progress=BazaarProgress(),
    accounts=banker.BazaarAccounts(COIN),
    secrets=BazaarSecrets(),
    language=BazaarLanguage(),
    screen=BazaarScreen(),
    agreements=trades.BazaarAgreements(),
    score=scoring.BazaarScore(),
    tallies=reading.tallies(files(__name__)),
)
"""The rulebook, ready to play."""
