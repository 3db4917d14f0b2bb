"""The faces of Negopoly. A face that composes several rooms stands here, any other beside its matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files

from ledger.kernel.facts.agreements import Agreement, Terms
from ledger.kernel.facts.consistency import Inconsistency
from ledger.kernel.facts.obligations import Obligation
from ledger.kernel.rules.actions import Action
from ledger.kernel.rules.bots import BANKER, RANDOM
from ledger.kernel.rules.faces.agreements import Agreements
from ledger.kernel.rules.faces.governance import Governance
from ledger.kernel.rules.faces.play import Play
from ledger.kernel.rules.faces.simulation import Simulation
from ledger.kernel.rules.opening import Opening
from ledger.kernel.rules.rulebook import Rulebook
from ledger.rulebooks.negopoly.agreements import obligations, telling
from ledger.rulebooks.negopoly.banker import adjusting, consistency
from ledger.rulebooks.negopoly.board import walking
from ledger.rulebooks.negopoly.bots import house, strategy
from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.meetings import meetings
from ledger.rulebooks.negopoly.mercenaries import reactions
from ledger.rulebooks.negopoly.table import display, own_table, setup, speaking, statistics, views
from ledger.rulebooks.negopoly.table.pieces import SIMULATED
from ledger.rulebooks.negopoly.table.settings import Settings
from ledger.rulebooks.negopoly.table.state import Draft, Negopoly
from ledger.rulebooks.negopoly.table.terms import MONEY, Bounty, Contract, Deal, Delivery, Loan, Meeting
from ledger.rulebooks.negopoly.turns import defaults, turns, victory
from ledger.rulebooks.parts import agreements, reading
from ledger.rulebooks.parts.chapters import chapters_of
from ledger.rulebooks.parts.opening import lay_out, require_players

TITLE, PLAYERS = "Negopoly", (2, 8)

ROOMS = (
    "banker",
    "deals",
    "table",
    "turns",
    "board",
    "cards",
    "meetings",
    "estate",
    "squares",
    "mercenaries",
    "arsenal",
    "goods",
    "agreements",
)
"""The rooms with chapters, in the order of the document. The room `bots` has none."""


class NegopolyPlay(Play[Negopoly]):
    """The opening of a game, and the consequences of its actions."""

    def opening_action(self, opening: Opening) -> Action:
        """Return the action that lays out the table for 2 to 8 players. Raises Malformed for other numbers."""
        require_players(TITLE, opening.players, PLAYERS)
        own_table.check(opening.settings.decks, opening.settings.board)
        return lay_out(setup.CreateGame, opening)

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

    def inconsistencies(self, state: Negopoly) -> Iterable[Inconsistency]:
        """Return the broken limits and orphaned pieces, such as two licences, or houses on a title of the bank."""
        return consistency.inconsistencies(state)


class NegopolyAgreements(Agreements[Negopoly]):
    """The agreements of the game, and their terms."""

    agreement_types: Mapping[str, type[Agreement]] = {
        "contracts": Contract,
        "loans": Loan,
        "bounties": Bounty,
        "deals": Deal,
        "deliveries": Delivery,
        "meetings": Meeting,
    }
    matters = obligations.MATTERS
    settling = obligations.SETTLING
    answers = {
        "agree_deal": "accept",
        "withdraw_deal": "refuse",
        "agree_contract": "accept",
        "withdraw_contract": "refuse",
    }

    def of(self, state: Negopoly, collection: str) -> list[Agreement]:
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
        return telling.terms_of(state, agreement, language, speaking.speakers_of(state))

    def obligations(self, state: Negopoly) -> Iterable[Obligation]:
        """Return the loans, escrows, goods due, deliveries, rackets and overdrafts."""
        return obligations.obligations(state)


RULEBOOK = Rulebook(
    id="negopoly",
    title=TITLE,
    players=PLAYERS,
    settings=Settings,
    state=Negopoly,
    register=reading.register(files(__package__)),
    revisions=reading.revisions(files(__package__)),
    chapters=chapters_of(__package__, ROOMS),
    governance=Governance(
        correction_rule="P.4", dispute_rule="P.2", ruling_rule="P.1", privacy_rule="I.C.5", end_rule="II.E.1"
    ),
    play=NegopolyPlay(),
    progress=defaults.NegopolyProgress(),
    accounts=adjusting.NegopolyAccounts(MONEY),
    secrets=views.NegopolySecrets(),
    language=speaking.NegopolyLanguage(),
    agreements=NegopolyAgreements(),
    screen=display.NegopolyScreen(),
    score=victory.NegopolyScore(),
    simulation=Simulation(
        strategies={RANDOM: strategy.ANYTHING, "plain": strategy.PLAIN, BANKER: house.HOUSE},
        simulated_tables=SIMULATED,
    ),
    board=statistics.NegopolyBoard(),
    tallies=statistics.TALLIES,
)
"""The rulebook, ready to play."""
