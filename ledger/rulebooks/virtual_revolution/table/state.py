"""The state of a game, and queries common to all chapters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.draft import Draft as AnyDraft
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.edition import VirtualEdition
from ledger.rulebooks.virtual_revolution.table.operations import AgentType, Deed
from ledger.rulebooks.virtual_revolution.table.pieces import Agent, Amounts, Pieces
from ledger.rulebooks.virtual_revolution.table.settings import Settings
from ledger.rulebooks.virtual_revolution.table.terms import (
    EUROCREDIT,
    IMMUNITY,
    RECYCLING,
    REVENUE,
    TITLES,
    Attack,
    Changed,
    Chosen,
    Demand,
    Line,
    Offered,
    Raid,
    ScoreChange,
    Turn,
    boosts,
    director,
    hand,
    influence,
    retired,
    server,
    service,
    spot,
    title,
    verses,
)

Stage = Literal["setup", "turn", "raid", "missions", "attack", "order", "upkeep", "choices", "ended"]
"""The stages of a game.

- setup: the table is being prepared
- turn: players take their turns
- raid: a raid is under way
- missions: the Necro card waits for Verses that a raid may turn
- attack: a Necro attack is under way
- order: players choose positions in the turn order
- upkeep: the next round is prepared
- choices: types of Agents and Objectives are chosen
"""

PHASES: Mapping[str, Phrase] = {
    "setup": Phrase("set-up", "préparation"),
    "turn_1": Phrase("a Director is to be placed", "un Directeur est à placer"),
    "turn_2": Phrase("influence", "influence"),
    "turn_3": Phrase("the Action", "l'Action"),
    "turn_4": Phrase("after the Action", "après l'Action"),
    "raid": Phrase("raids", "perquisitions"),
    "missions": Phrase("Verses after the raids", "Verses après les perquisitions"),
    "attack": Phrase("Necro attack", "attaque Nécro"),
    "order": Phrase("choice of the turn order", "choix de l'ordre du tour"),
    "upkeep": Phrase("the next round is prepared", "préparation de la manche suivante"),
    "choices": Phrase("choices before the scoring", "choix avant le décompte"),
    "ended": Phrase("over", "terminée"),
}
"""The phases of the game and of the turn under way, in English and French."""


class VirtualRevolution(State, kw_only=True):
    """The state of a game. Money, Revenue, tokens, cards, influence, Servers, Directors, Titles are holdings."""

    edition: VirtualEdition
    settings: Settings = msgspec.field(default_factory=lambda: Settings())
    stage: Stage = "setup"
    seating: tuple[str, ...] = ()
    """The seats clockwise."""
    order: tuple[str, ...] = ()
    """The seats on the turn-order track."""
    round: int = 0

    # The table
    colours: dict[str, str] = {}
    done: frozenset[str] = frozenset()
    """The finished parts of the set-up: "objectives", "locations", "location_deck", "agents", "corruption",
    "verses", "necro".
    """
    first: str | None = None
    """The seat with the first player's Location card."""

    # Cards on the table
    offers: dict[str, Offered] = {}
    """The Agents on offer, by id."""
    display: tuple[str, ...] = ()
    """The Verses on display, from the leftmost slot to the right; "" for an empty slot."""
    verse_top: str = ""
    """The face-up top card of the Verse deck; "" for an empty deck, or an unnamed card."""
    under: tuple[str, ...] = ()
    """The Verses put under the deck, in order."""
    on_top: dict[str, tuple[str, ...]] = {}
    """The cards on top of each deck in a known order: the cards of undone draws (vr:setup.32)."""
    necro_top: str = ""
    """The Necro card on top, after a player's look."""
    seen_necro: dict[str, str] = {}
    """The card seen by each seat that has looked at the Necro card on top."""
    tilted: frozenset[str] = frozenset()
    """The commodities of used Agents in service and used Titles."""
    online: frozenset[str] = frozenset()
    """The Verses online."""
    raided: frozenset[str] = frozenset()
    """The Verses with a mission fulfilled by a raid."""
    promised: frozenset[str] = frozenset()
    """The Agents with a type open to choice before scoring."""

    # The turn under way
    turn: Turn | None = None
    demands: tuple[Demand, ...] = ()
    """The demands to be answered before the turn goes on, in order."""

    # The end of a round
    raids: tuple[str, ...] = ()
    """The seats still to be raided."""
    raid: Raid | None = None
    waiting: tuple[str, ...] = ()
    """The seats that may still turn a Verse online, or choose for the end of the game."""
    attack: Attack | None = None
    choosers: tuple[str, ...] = ()
    """The seats yet to choose a position in the turn order, the next seat first."""
    places: dict[str, int] = {}
    """The places chosen, from 1."""
    changed: tuple[Changed, ...] = ()
    """The Actions with changed figures."""
    asked: str = ""
    """The question of the clock for answers; "" for a stopped clock."""
    asked_at: str = ""
    """The time of the open question (RFC 3339), if the table has a clock."""

    # The end of the game
    final_hands: dict[str, int] = {}
    """The number of Corruption cards of each seat at the beginning of the final raid."""
    changes: tuple[ScoreChange, ...] = ()
    """The changes of scores by Necro cards."""
    types: dict[str, AgentType] = {}
    """The types chosen for Agents."""
    chosen: dict[str, Chosen] = {}
    """The Objectives chosen: a secret of each seat until all have chosen."""
    scores: dict[str, tuple[Line, ...]] = {}
    winners: tuple[str, ...] = ()


Draft = AnyDraft[VirtualRevolution]
"""A draft of this game, for deciding an action."""


def pieces(state: VirtualRevolution) -> Pieces:
    """Return the pieces in play."""
    return state.edition.pieces


def amounts(state: VirtualRevolution) -> Amounts:
    """Return the numbers and prices in play."""
    return state.edition.pieces.amounts


# ----------------------------------------------------------------------------------------------
# Holdings of players
# ----------------------------------------------------------------------------------------------


def cash(state: VirtualRevolution, seat: str) -> int:
    """Return a player's eurocredits."""
    return state.holdings.of(player(seat), EUROCREDIT)


def immunity(state: VirtualRevolution, seat: str) -> int:
    """Return a player's Immunity tokens."""
    return state.holdings.of(player(seat), IMMUNITY)


def revenue(state: VirtualRevolution, seat: str) -> int:
    """Return a player's Revenue."""
    return state.holdings.of(player(seat), REVENUE)


def reserve(state: VirtualRevolution, seat: str) -> int:
    """Count the influence tokens on a player's board."""
    return state.holdings.of(player(seat), influence(seat))


def recycled(state: VirtualRevolution, seat: str) -> int:
    """Count a player's tokens in the recycling zone."""
    return state.holdings.of(RECYCLING, influence(seat))


def hand_size(state: VirtualRevolution, seat: str) -> int:
    """Count a player's Corruption cards, a public number."""
    return sum(state.holdings.account(hand(seat)).values())


def in_service(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the ids of a player's Agents in service."""
    return decks.held_in(state, service(seat))


def boosts_of(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the ids of a player's Boosts, cards and Agents."""
    return decks.held_in(state, boosts(seat))


def verses_of(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the ids of a player's Verses, online or not."""
    return decks.held_in(state, verses(seat))


def agents_of(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the ids of all Agents of a player: in service, in Boost and retired."""
    agents = pieces(state).agents
    cards = (*in_service(state, seat), *boosts_of(state, seat), *decks.held_in(state, retired(seat)))
    return [card for card in cards if card in agents]


def type_of(state: VirtualRevolution, agent: str) -> AgentType:
    """Return the scoring type of an Agent."""
    return state.types.get(agent, pieces(state).agents[agent].type)


def titles_of(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the districts of a player's Titles."""
    return [district for district in pieces(state).titles if state.holdings.of(player(seat), title(district))]


def holder_of(state: VirtualRevolution, district: str) -> str | None:
    """Return the seat with a Title; None for a Title beside the board."""
    if state.holdings.of(TITLES, title(district)):
        return None
    return next((seat for seat in state.seating if state.holdings.of(player(seat), title(district))), None)


def boost_action(state: VirtualRevolution, boost: str) -> Deed:
    """Return the Action above a Boost: a Boost card, or an Agent."""
    catalogue = pieces(state)
    if boost in catalogue.boosts:
        return catalogue.boosts[boost].action
    action = catalogue.agents[boost].boost_action
    if action is None:
        raise LookupError(f"{boost} is no Boost")
    return action


def changed(state: VirtualRevolution, seat: str, action: Deed) -> list[Changed]:
    """Return the changes of a seat's Action in this round."""
    return [
        change
        for change in state.changed
        if change.seat == seat and change.action == action and change.round == state.round
    ]


# ----------------------------------------------------------------------------------------------
# The map
# ----------------------------------------------------------------------------------------------


def tokens(state: VirtualRevolution, seat: str, area: int) -> int:
    """Count a player's influence tokens in an arrondissement."""
    return state.holdings.of(spot(area), influence(seat))


def influencer(state: VirtualRevolution, area: int) -> str | None:
    """Return the only player with influence tokens in an arrondissement; None without tokens (vr:influence.9)."""
    holding = state.holdings.account(spot(area))
    return next((seat for seat in state.seating if holding.get(influence(seat), 0) > 0), None) if holding else None


def builder(state: VirtualRevolution, area: int) -> str | None:
    """Return the player with a Server in an arrondissement; None without a Server."""
    holding = state.holdings.account(spot(area))
    return next((seat for seat in state.seating if holding.get(server(seat), 0) > 0), None) if holding else None


def controls(state: VirtualRevolution, seat: str, area: int) -> bool:
    """Return True if a player controls an arrondissement: by a token, or by a Server (vr:title.1)."""
    holding = state.holdings.account(spot(area))
    return holding.get(influence(seat), 0) > 0 or holding.get(server(seat), 0) > 0


def servers_of(state: VirtualRevolution, seat: str) -> list[int]:
    """Return the arrondissements with a Server of a player."""
    kind = server(seat)
    return [area for area in pieces(state).places if state.holdings.of(spot(area), kind) > 0]


def influenced(state: VirtualRevolution, seat: str) -> list[int]:
    """Return the arrondissements with influence of a player."""
    kind = influence(seat)
    return [area for area in pieces(state).places if state.holdings.of(spot(area), kind) > 0]


def directors_of(state: VirtualRevolution, seat: str) -> list[int]:
    """Return the arrondissements of a player's Directors on the map, each once per Director."""
    kind = director(seat)
    return [area for area in pieces(state).places for _ in range(max(0, state.holdings.of(spot(area), kind)))]


def others(state: VirtualRevolution, seat: str) -> list[str]:
    """Return the opponents, in turn order after a seat."""
    around = state.order or state.seating
    index = around.index(seat)
    return [*around[index + 1 :], *around[:index]]


def place_named(draft: Draft, area: int, rule: str) -> int:
    """Return the number of an arrondissement. Raises Impossible by the rule for an unknown number."""
    if area not in pieces(draft.state).places:
        raise Impossible(
            rule,
            "there is no arrondissement {place}; their numbers are: {places:list}",
            "il n'y a pas d'arrondissement {place} ; leurs numéros sont : {places:list}",
            place=area,
            places=[str(number) for number in pieces(draft.state).places],
        )
    return area


def agent_named(draft: Draft, agent: str, rule: str) -> Agent:
    """Return the Agent with the id, possibly written "card:leslie". Raises Impossible by the rule for an
    unknown id.
    """
    card = pieces(draft.state).agents.get(agent.removeprefix("card:"))
    if card is None:
        raise Impossible(rule, "there is no Agent {agent!r}", "il n'y a pas d'Agent {agent!r}", agent=agent)
    return card


# ----------------------------------------------------------------------------------------------
# Turns
# ----------------------------------------------------------------------------------------------

TURN = "vr:turn.5"
"""The rule by which players act only in their turn."""


def on_turn(draft: Draft, *, placed: str | None = None) -> Turn:
    """Return the turn of the acting seat. Raises Impossible outside the turn, and with a demand to answer
    first.

    `placed` is the rule by which the Director of the turn comes first, if any.
    """
    state, seat = draft.state, draft.seat
    turn = state.turn
    if state.stage != "turn" or turn is None:
        raise Impossible(
            TURN,
            "no turn is under way, but: {phase.en}",
            "aucun tour n'est en cours, mais : {phase.fr}",
            phase=PHASES.get(state.stage, PHASES["turn_1"]),
        )
    if turn.seat != seat:
        raise Impossible(
            TURN,
            "it is {current:seat}'s turn, not {seat:seat}'s",
            "c'est le tour {current:de|seat}, pas celui {seat:de|seat}",
            current=turn.seat,
            seat=seat,
        )
    require_answered(draft)
    if placed is not None and turn.director is None:
        raise Impossible(
            placed,
            "{seat:seat} places a Director first",
            "{seat:seat} doit d'abord placer un Directeur",
            seat=seat,
        )
    return turn


def require_answered(draft: Draft) -> None:
    """Raise Impossible while a seat has a demand to answer."""
    if draft.state.demands:
        demand = draft.state.demands[0]
        raise Impossible(
            demand.rule,
            "{seat:seat} has to answer first",
            "{seat:seat} doit d'abord répondre",
            seat=demand.seat,
        )


def is_turn_of(state: VirtualRevolution, seat: str) -> bool:
    """Return True if the seat may go on with the turn: for choices, like `on_turn`."""
    turn = state.turn
    return state.stage == "turn" and turn is not None and turn.seat == seat and not state.demands


def in_order(state: VirtualRevolution) -> tuple[str, ...]:
    """Return the seats in the order of raids and attacks."""
    return state.seating if state.settings.raids_by_seating else state.order
