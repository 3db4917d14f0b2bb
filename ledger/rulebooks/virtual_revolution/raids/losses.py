"""Forced losses: the possible losses of a seat by an effect, and their execution.

Raids, Necro attacks, Dark Kingdom and cards with a price in things share these rules. The name of a thing says
its kind and spot on the table ("arrondissement:5", "server:5", "card:leslie", "immunity").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.decks import boosting, decking
from ledger.rulebooks.virtual_revolution.map import gaining, influence
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import (
    Cap,
    DiscardAgentInService,
    DiscardBoost,
    DiscardCorruption,
    DiscardServer,
    DiscardVerse,
    Effect,
    InfluenceClear,
    InfluenceEliminate,
    Losable,
    Lose,
    OpponentsDiscardOne,
)
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    boost_action,
    boosts_of,
    hand_size,
    immunity,
    in_service,
    influenced,
    pieces,
    servers_of,
    tokens,
    type_of,
    verses_of,
)
from ledger.rulebooks.virtual_revolution.table.terms import AGENTS, IMMUNITY, Pick, hand, service

chapter = Chapter("Losses")

_PLACE = "arrondissement:"
_SERVER = "server:"
_CARD = "card:"
_THINGS = (
    DiscardAgentInService,
    DiscardBoost,
    DiscardServer,
    DiscardVerse,
    InfluenceClear,
    InfluenceEliminate,
    OpponentsDiscardOne,
)
"""The effects that take a thing from a player. A discard of Corruption cards is similar, but no loss."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class AgentDiscarded(Event, frozen=True, kw_only=True):
    """An Agent in service goes to the Agent discard."""

    en: ClassVar[str] = "{seat:seat} discards {agent:card}."
    fr: ClassVar[str] = "{seat:seat} défausse {agent:card}."

    seat: str
    agent: str

    def apply(self, state: VirtualRevolution) -> None:
        """Set the discarded Agent upright."""
        state.tilted -= {decks.commodity(self.agent)}


# ----------------------------------------------------------------------------------------------
# Possible losses
# ----------------------------------------------------------------------------------------------


def units(effect: Effect) -> tuple[Effect, ...]:
    """Split an effect into single losses of one thing, each with a separate choice."""
    match effect:
        case InfluenceEliminate(amount=amount, whose="own") if amount > 1:
            return (replace(effect, amount=1),) * amount
        case InfluenceClear(arrondissements=amount) if amount > 1:
            return (replace(effect, arrondissements=1),) * amount
        case (
            DiscardServer(amount=amount)
            | DiscardVerse(amount=amount)
            | DiscardAgentInService(amount=amount)
            | DiscardBoost(amount=amount)
            | DiscardCorruption(amount=amount, mode="choice")
        ) if amount > 1:
            return (replace(effect, amount=1),) * amount
        case _:
            return (effect,)


def options(state: VirtualRevolution, seat: str, effect: Effect) -> tuple[str, ...]:
    """Return the things open to a loss; empty if the seat has none, or no choice.

    The options of an effect that discards Corruption cards are the seat's secret.
    """
    match effect:
        case InfluenceEliminate(whose="own", where=where, districts=districts):
            places = influenced(state, seat)
            return _named(_PLACE, places if where == "any" else _within(state, places, districts))
        case InfluenceClear():
            return _named(_PLACE, influenced(state, seat))
        case DiscardServer(districts=districts):
            places = servers_of(state, seat)
            return _named(_SERVER, _within(state, places, districts) if districts else places)
        case DiscardVerse(types=types):
            verses = pieces(state).verses
            return _named(
                _CARD, (card for card in verses_of(state, seat) if not types or verses[card].type in types)
            )
        case DiscardAgentInService(type=agent_type):
            return _named(
                _CARD, (card for card in in_service(state, seat) if agent_type in {None, type_of(state, card)})
            )
        case DiscardBoost(under=under):
            return _named(
                _CARD, (card for card in boosts_of(state, seat) if not under or boost_action(state, card) in under)
            )
        case DiscardCorruption(mode="choice"):
            return _named(_CARD, decks.held_in(state, hand(seat)))
        case OpponentsDiscardOne(among=among):
            return losable(state, seat, among)
        case _:
            return ()


def losable(state: VirtualRevolution, seat: str, among: Iterable[Losable]) -> tuple[str, ...]:
    """Return the seat's Agents in service, Boosts and Immunity tokens of the named kinds."""
    kinds = frozenset(among)
    return (
        *(_named(_CARD, in_service(state, seat)) if "agent_in_service" in kinds else ()),
        *(_named(_CARD, boosts_of(state, seat)) if "boost" in kinds else ()),
        *((IMMUNITY,) if "immunity" in kinds and immunity(state, seat) > 0 else ()),
    )


def _within(state: VirtualRevolution, places: Iterable[int], districts: Iterable[str]) -> list[int]:
    """Return the arrondissements within the districts."""
    meant, areas = frozenset(districts), pieces(state).places
    return [area for area in places if areas[area].district in meant]


def _named(prefix: str, ids: Iterable[int | str]) -> tuple[str, ...]:
    return tuple(f"{prefix}{name}" for name in ids)


def takes_thing(candidates: Iterable[Effect]) -> bool:
    """Return True if any of the effects takes a thing, possibly with a choice."""
    return any(isinstance(effect, (*_THINGS, DiscardCorruption)) for effect in candidates)


def affects(state: VirtualRevolution, seat: str, effect: Effect) -> bool:
    """Return True if an effect changes anything for a seat."""
    match effect:
        case Lose(what=what):
            return state.holdings.of(player(seat), what) > 0
        case Cap(what=what, amount=amount):
            return state.holdings.of(player(seat), what) > amount
        case DiscardServer(otherwise_vp=points) if points:
            return True
        case _ if isinstance(effect, _THINGS):
            return bool(options(state, seat, effect))
        case _:
            return True


def chosen(
    draft: Draft, seat: str, effect: Effect, available: tuple[str, ...], thing: str | None, rule: str
) -> str:
    """Return the thing to lose; a single available thing needs no choice.

    Raises Impossible by the rule for an unavailable thing, and for a missing choice.
    """
    if thing is None and len(available) == 1:
        return available[0]
    if thing is not None and isinstance(effect, DiscardCorruption):
        decking.require_in_hand(draft, seat, (thing,), rule)
    choice = next(
        (candidate for candidate in available if thing in {candidate, candidate.removeprefix(_CARD)}), None
    )
    if choice is not None:
        return choice
    if isinstance(effect, DiscardCorruption):
        raise Impossible(
            rule,
            "choose one of the Corruption cards of {seat:seat} that is discarded",
            "choisissez la carte Corruption défaussée parmi celles {seat:de|seat}",
            seat=seat,
        )
    raise Impossible(
        rule,
        "choose what is lost among: {found:each|thing}",
        "choisissez ce qui est perdu parmi : {found:each|thing}",
        found=available,
    )


def require_nothing_named(thing: str | None, rule: str) -> None:
    """Raise Impossible by the rule for a thing named without need."""
    if thing is not None:
        raise Impossible(
            rule,
            "there is no choice to make: leave out {thing:thing}",
            "il n'y a pas de choix à faire : omettez {thing:thing}",
            thing=thing,
        )


# ----------------------------------------------------------------------------------------------
# Taking a loss
# ----------------------------------------------------------------------------------------------


def take(draft: Draft, seat: str, effect: Effect, thing: str | None, *, rule: str) -> None:
    """Take one loss from a seat: the chosen thing, or an amount up to the holding.

    `thing` is one of the `options`, or None for an effect without a choice.
    """
    state = draft.state
    match effect:
        case Lose(what=what, amount=amount):
            gaining.lose(draft, seat, what, amount, rule=rule)
        case Cap(what=what, amount=amount):
            over = state.holdings.of(player(seat), what) - amount
            if over > 0:
                gaining.lose(draft, seat, what, over, rule=rule)
        case InfluenceClear() if thing is not None:
            area = int(thing.removeprefix(_PLACE))
            for _ in range(tokens(state, seat, area)):
                influence.eliminate(draft, seat, area, seat, rule=rule)
        case _ if thing is not None:
            lose_thing(draft, seat, thing, rule=rule)


def lose_thing(draft: Draft, seat: str, thing: str, *, rule: str) -> None:
    """Take one thing of a seat: a token, a Server, an Agent in service, a Boost, a Verse, a card of the hand."""
    state = draft.state
    if thing == IMMUNITY:
        gaining.lose(draft, seat, "immunity", 1, rule=rule)
    elif thing.startswith(_PLACE):
        influence.eliminate(draft, seat, int(thing.removeprefix(_PLACE)), seat, rule=rule)
    elif thing.startswith(_SERVER):
        influence.remove_server(draft, seat, int(thing.removeprefix(_SERVER)), rule=rule)
    else:
        card = thing.removeprefix(_CARD)
        if card in in_service(state, seat):
            discard_agent(draft, seat, card, rule)
        elif card in boosts_of(state, seat):
            boosting.discard_boost(draft, seat, card, rule)
        elif card in verses_of(state, seat):
            decking.discard_verse(draft, seat, card, rule=rule)
        elif hand_size(state, seat) == 1:
            decking.discard_all(draft, seat, rule=rule)
        else:
            decking.discard(draft, seat, (card,), rule=rule)


def discard_agent(draft: Draft, seat: str, agent: str, rule: str) -> None:
    """Discard an Agent in service."""
    moved = (Posting(decks.commodity(agent), 1, service(seat), decks.discards(AGENTS)),)
    draft.record(AgentDiscarded(rule=rule, seat=seat, agent=agent, postings=moved))


# ----------------------------------------------------------------------------------------------
# Directly, as the price of a card
# ----------------------------------------------------------------------------------------------


@effects.carries_out(Lose, Cap)
def _lose(draft: Draft, effect: Lose | Cap, doing: Doing) -> None:
    """Give an amount back."""
    take(draft, doing.seat, effect, None, rule=doing.rule)


@effects.carries_out(DiscardServer, DiscardVerse, DiscardAgentInService, DiscardBoost, InfluenceClear, asks=True)
def _discard(draft: Draft, effect: Effect, doing: Doing) -> None:
    """Discard one of the seat's things. The part is mandatory, because the thing is a price."""
    available = options(draft.state, doing.seat, effect)
    if not available:
        raise Impossible(
            doing.rule,
            "{seat:seat} has nothing of that kind to give up",
            "{seat:seat} n'a rien de tel à abandonner",
            seat=doing.seat,
        )
    picked = _picked(effect, doing.pick())
    for unit in units(effect):
        if available := options(draft.state, doing.seat, unit):
            take(
                draft,
                doing.seat,
                unit,
                chosen(draft, doing.seat, unit, available, picked, doing.rule),
                rule=doing.rule,
            )
            picked = None


def _picked(effect: Effect, pick: Pick | None) -> str | None:
    """Return the thing named by a player's choice, or None."""
    if pick is None:
        return None
    match effect:
        case DiscardServer() if pick.place is not None:
            return f"{_SERVER}{pick.place}"
        case InfluenceClear() if pick.place is not None:
            return f"{_PLACE}{pick.place}"
        case DiscardVerse() if pick.verse is not None:
            return pick.verse
        case DiscardAgentInService() if pick.agent is not None:
            return pick.agent
        case DiscardBoost() if pick.boost is not None or pick.agent is not None:
            return pick.boost or pick.agent
        case _:
            return None
