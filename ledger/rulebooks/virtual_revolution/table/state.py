"""The state of a game, and the questions that all chapters ask about it."""

from __future__ import annotations

from typing import Literal

import msgspec

from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.state import State
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
"""What the game has come to.

setup     the table is being prepared          turn      players take their turns
raid      a raid is under way                  missions  the Necro card waits for Verses that a raid may turn
attack    a Necro attack is under way          order     players choose their places in the turn order
upkeep    the next round is prepared           choices   types of Agents and Objectives are chosen
"""


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
    """What has been prepared: "objectives", "locations", "location_deck", "agents", "corruption", "verses",
    "necro"."""
    first: str | None = None
    """Who was dealt the first player's Location card."""

    # What lies on the table
    offers: dict[str, Offered] = {}
    """The Agents on offer, by id."""
    display: tuple[str, ...] = ()
    """The Verses on display, from the leftmost slot to the right; "" where a slot is empty."""
    verse_top: str = ""
    """The top card of the Verse deck, which lies face up; "" when the deck is empty, or the table has not said."""
    under: tuple[str, ...] = ()
    """The Verses put under their deck, in their order."""
    on_top: dict[str, tuple[str, ...]] = {}
    """The cards that lie on top of each deck in a known order: those of undone draws (vr:setup.32)."""
    necro_top: str = ""
    """The Necro card on top, once somebody has looked at it."""
    seen_necro: dict[str, str] = {}
    """Who has looked at the Necro card on top, and what they saw."""
    tilted: frozenset[str] = frozenset()
    """The commodities of used Agents in service and used Titles."""
    online: frozenset[str] = frozenset()
    """The Verses online."""
    raided: frozenset[str] = frozenset()
    """The Verses whose mission a raid has fulfilled."""
    promised: frozenset[str] = frozenset()
    """The Agents whose type may be chosen before scoring."""

    # The turn under way
    turn: Turn | None = None
    demands: tuple[Demand, ...] = ()
    """What has to be answered before the turn goes on, in this order."""

    # The end of a round
    raids: tuple[str, ...] = ()
    """The seats still to be raided."""
    raid: Raid | None = None
    waiting: tuple[str, ...] = ()
    """The seats that may still turn a Verse online, or choose for the end of the game."""
    attack: Attack | None = None
    choosers: tuple[str, ...] = ()
    """The seats that still choose their place in the turn order, the next one first."""
    places: dict[str, int] = {}
    """The places chosen, from 1."""
    changed: tuple[Changed, ...] = ()
    """The Actions with other figures."""
    asked: str = ""
    """The question to which the clock for answers belongs; "" when it stands."""
    asked_at: str = ""
    """When the question that is open was asked (RFC 3339), where the table sets a clock."""

    # The end of the game
    final_hands: dict[str, int] = {}
    """How many Corruption cards each seat held when the final raid began."""
    changes: tuple[ScoreChange, ...] = ()
    """What Necro cards change in the scores."""
    types: dict[str, AgentType] = {}
    """The types chosen for Agents."""
    chosen: dict[str, Chosen] = {}
    """The Objectives chosen: a secret of each seat until all have chosen."""
    scores: dict[str, tuple[Line, ...]] = {}
    winners: tuple[str, ...] = ()


Draft = AnyDraft[VirtualRevolution]
"""The game on which an action is being decided."""


def pieces(state: VirtualRevolution) -> Pieces:
    """The pieces in play."""
    return state.edition.pieces


def amounts(state: VirtualRevolution) -> Amounts:
    """The numbers and prices in play."""
    return state.edition.pieces.amounts


# ----------------------------------------------------------------------------------------------
# What players have
# ----------------------------------------------------------------------------------------------


def cash(state: VirtualRevolution, seat: str) -> int:
    """A player's eurocredits."""
    return state.holdings.of(player(seat), EUROCREDIT)


def immunity(state: VirtualRevolution, seat: str) -> int:
    """A player's Immunity tokens."""
    return state.holdings.of(player(seat), IMMUNITY)


def revenue(state: VirtualRevolution, seat: str) -> int:
    """A player's Revenue."""
    return state.holdings.of(player(seat), REVENUE)


def reserve(state: VirtualRevolution, seat: str) -> int:
    """How many influence tokens are on a player's board."""
    return state.holdings.of(player(seat), influence(seat))


def recycled(state: VirtualRevolution, seat: str) -> int:
    """How many of a player's tokens are in the recycling zone."""
    return state.holdings.of(RECYCLING, influence(seat))


def hand_size(state: VirtualRevolution, seat: str) -> int:
    """How many Corruption cards a player holds; this is public."""
    return sum(state.holdings.account(hand(seat)).values())


def in_service(state: VirtualRevolution, seat: str) -> list[str]:
    """The ids of a player's Agents in service."""
    return decks.held_in(state, service(seat))


def boosts_of(state: VirtualRevolution, seat: str) -> list[str]:
    """The ids of a player's Boosts, cards and Agents."""
    return decks.held_in(state, boosts(seat))


def verses_of(state: VirtualRevolution, seat: str) -> list[str]:
    """The ids of a player's Verses, online or not."""
    return decks.held_in(state, verses(seat))


def agents_of(state: VirtualRevolution, seat: str) -> list[str]:
    """The ids of all Agents of a player: in service, in Boost and retired."""
    agents = pieces(state).agents
    held = (*in_service(state, seat), *boosts_of(state, seat), *decks.held_in(state, retired(seat)))
    return [one for one in held if one in agents]


def type_of(state: VirtualRevolution, agent: str) -> AgentType:
    """The type that an Agent counts as."""
    return state.types.get(agent, pieces(state).agents[agent].type)


def titles_of(state: VirtualRevolution, seat: str) -> list[str]:
    """The districts whose Titles a player holds."""
    return [district for district in pieces(state).titles if state.holdings.of(player(seat), title(district))]


def holder_of(state: VirtualRevolution, district: str) -> str | None:
    """The seat that holds a Title; None when it lies beside the board."""
    if state.holdings.of(TITLES, title(district)):
        return None
    return next((seat for seat in state.seating if state.holdings.of(player(seat), title(district))), None)


def boost_action(state: VirtualRevolution, boost: str) -> Deed:
    """The Action under which a Boost lies: of a Boost card, or of an Agent."""
    found = pieces(state)
    if boost in found.boosts:
        return found.boosts[boost].action
    action = found.agents[boost].boost_action
    if action is None:
        raise LookupError(f"{boost} is no Boost")
    return action


def changed(state: VirtualRevolution, seat: str, action: Deed) -> list[Changed]:
    """What is changed in an Action of a seat in this round."""
    return [one for one in state.changed if one.seat == seat and one.action == action and one.round == state.round]


# ----------------------------------------------------------------------------------------------
# The map
# ----------------------------------------------------------------------------------------------


def tokens(state: VirtualRevolution, seat: str, place: int) -> int:
    """How many of a player's influence tokens are in an arrondissement."""
    return state.holdings.of(spot(place), influence(seat))


def influencer(state: VirtualRevolution, place: int) -> str | None:
    """The one player whose influence tokens are in an arrondissement; None without any (vr:influence.9)."""
    held = state.holdings.account(spot(place))
    return next((seat for seat in state.seating if held.get(influence(seat), 0) > 0), None) if held else None


def builder(state: VirtualRevolution, place: int) -> str | None:
    """The player whose Server is in an arrondissement; None without one."""
    held = state.holdings.account(spot(place))
    return next((seat for seat in state.seating if held.get(server(seat), 0) > 0), None) if held else None


def controls(state: VirtualRevolution, seat: str, place: int) -> bool:
    """Whether a player controls an arrondissement: by a token, or by a Server (vr:title.1)."""
    held = state.holdings.account(spot(place))
    return held.get(influence(seat), 0) > 0 or held.get(server(seat), 0) > 0


def servers_of(state: VirtualRevolution, seat: str) -> list[int]:
    """The arrondissements with a Server of a player."""
    kind = server(seat)
    return [place for place in pieces(state).places if state.holdings.of(spot(place), kind) > 0]


def influenced(state: VirtualRevolution, seat: str) -> list[int]:
    """The arrondissements with influence of a player."""
    kind = influence(seat)
    return [place for place in pieces(state).places if state.holdings.of(spot(place), kind) > 0]


def directors_of(state: VirtualRevolution, seat: str) -> list[int]:
    """The arrondissements of a player's Directors on the map, each as often as there are Directors."""
    kind = director(seat)
    return [place for place in pieces(state).places for _ in range(max(0, state.holdings.of(spot(place), kind)))]


def others(state: VirtualRevolution, seat: str) -> list[str]:
    """The other players, in turn order after a seat."""
    around = state.order or state.seating
    place = around.index(seat)
    return [*around[place + 1 :], *around[:place]]


def place_named(draft: Draft, place: int, rule: str) -> int:
    """The number of an arrondissement. Raises Impossible by the rule when there is none."""
    if place not in pieces(draft.state).places:
        raise Impossible(
            rule,
            "there is no arrondissement {place}; their numbers are: {places:list}",
            "il n'y a pas d'arrondissement {place} ; leurs numéros sont : {places:list}",
            place=place,
            places=[str(one) for one in pieces(draft.state).places],
        )
    return place


def agent_named(draft: Draft, agent: str, rule: str) -> Agent:
    """The Agent of this id, also written out ("card:leslie"). Raises Impossible by the rule when there is none."""
    found = pieces(draft.state).agents.get(agent.removeprefix("card:"))
    if found is None:
        raise Impossible(rule, "there is no Agent {agent!r}", "il n'y a pas d'Agent {agent!r}", agent=agent)
    return found


# ----------------------------------------------------------------------------------------------
# Whose turn it is
# ----------------------------------------------------------------------------------------------

TURN = "vr:turn.5"
"""The rule by which everybody acts in their own turn."""


def on_turn(draft: Draft, *, placed: bool = False) -> Turn:
    """The turn of the acting seat, with nothing to be answered first. Raises Impossible otherwise.

    With `placed`, the Director of the turn has been placed (vr:turn.6).
    """
    state, seat = draft.state, draft.seat
    turn = state.turn
    if state.stage != "turn" or turn is None:
        raise Impossible(TURN, "no turn is under way", "aucun tour n'est en cours")
    if turn.seat != seat:
        raise Impossible(
            TURN,
            "it is {current:seat}'s turn, not {seat:seat}'s",
            "c'est le tour {current:de|seat}, pas celui {seat:de|seat}",
            current=turn.seat,
            seat=seat,
        )
    require_answered(draft)
    if placed and turn.director is None:
        raise Impossible(
            "vr:turn.6",
            "{seat:seat} places a Director first",
            "{seat:seat} doit d'abord placer un Directeur",
            seat=seat,
        )
    return turn


def require_answered(draft: Draft) -> None:
    """Raise Impossible while a seat still has to answer something."""
    if draft.state.demands:
        demand = draft.state.demands[0]
        raise Impossible(
            demand.rule,
            "{seat:seat} has to answer first",
            "{seat:seat} doit d'abord répondre",
            seat=demand.seat,
        )


def is_turn_of(state: VirtualRevolution, seat: str) -> bool:
    """Whether the seat may go on with its turn: for choices, as `on_turn` decides."""
    turn = state.turn
    return state.stage == "turn" and turn is not None and turn.seat == seat and not state.demands


def in_order(state: VirtualRevolution) -> tuple[str, ...]:
    """The seats in the order of raids and attacks."""
    return state.seating if state.settings.raids_by_seating else state.order
