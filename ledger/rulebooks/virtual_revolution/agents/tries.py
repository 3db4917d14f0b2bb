"""Promising choices for the asking effects of a card, for the moves of a seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import Any

from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.agents import verses_online
from ledger.rulebooks.virtual_revolution.decks.hands import displayed_verses
from ledger.rulebooks.virtual_revolution.map.titles import tilted_agents
from ledger.rulebooks.virtual_revolution.raids import losses
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import (
    BonusAction,
    ChooseOne,
    ChooseType,
    CopyPromotion,
    DiscardServer,
    DiscardVerse,
    Effect,
    ExchangeCorruption,
    FlipVerseOnline,
    GiveCorruption,
    InfluenceAdd,
    InfluenceEliminate,
    InfluenceEliminateOrAdd,
    MoveServer,
    ReadyAgents,
    ReplaceVerses,
    ReuseVerseGain,
    Steal,
    SwapAgent,
    TakeBoost,
    TakeVerse,
)
from ledger.rulebooks.virtual_revolution.table.state import (
    VirtualRevolution,
    directors_of,
    hand_size,
    immunity,
    in_service,
    others,
    pieces,
)
from ledger.rulebooks.virtual_revolution.table.terms import BOOSTS, hand
from ledger.rulebooks.virtual_revolution.turn.manoeuvres import addable, eliminable, server_targets

Picked = dict[str, Any] | None
"""A choice as plain data; None for no choice."""

_MOST = 60
"""The maximum number of combinations of choices for a card."""


def combined(state: VirtualRevolution, asking: Sequence[Effect], doing: Doing) -> Iterator[list[Picked]]:
    """Yield the promising lists of choices for the asking effects of a card."""
    yield from map(list, islice(product(*(_some(state, effect, doing) for effect in asking)), _MOST))


def _some(state: VirtualRevolution, effect: Effect, doing: Doing) -> list[Picked]:
    """Return the choices for an effect; with None for an optional part, or if no choice is possible."""
    options: list[Picked] = [*_tries(state, effect, doing)]
    return options if options and not doing.may_skip else [*options, None]


def _tries(state: VirtualRevolution, effect: Effect, doing: Doing) -> Iterable[dict[str, Any]]:
    seat = doing.seat
    match effect:
        case InfluenceEliminate():
            yield from ({"place": area, "whose": whose} for area, whose in eliminable(state, doing, effect))
        case InfluenceAdd():
            yield from ({"place": area} for area in addable(state, doing, effect))
        case InfluenceEliminateOrAdd():
            yield from ({"place": area, "whose": whose} for area, whose in eliminable(state, doing, effect))
            yield from ({"place": area, "add": True} for area in addable(state, doing, effect))
        case MoveServer() if doing.area is not None:
            yield from ({"place": area} for area in server_targets(state, doing.area))
        case Steal() if doing.area is not None:
            near = {doing.area, *pieces(state).places[doing.area].adjacent}
            for victim in others(state, seat):
                if immunity(state, victim) and near & {*directors_of(state, victim)}:
                    yield {"to": victim}
        case SwapAgent():
            for gives, takes in product(in_service(state, seat), state.offers):
                yield {"gives": gives, "agent": takes}
        case GiveCorruption():
            # All cards of the hand look alike to the opponents.
            for to, card in product(others(state, seat), decks.held_in(state, hand(seat))[:4]):
                yield {"to": to, "cards": [card]}
        case ExchangeCorruption():
            yield from ({"to": item} for item in others(state, seat) if hand_size(state, item))
        case ReadyAgents():
            yield from ({"agent": item} for item in tilted_agents(state, seat))
        case TakeBoost():
            yield from ({"boost": item} for item in decks.held_in(state, BOOSTS))
        case TakeVerse():
            yield from ({"verse": item} for item in displayed_verses(state))
        case ReplaceVerses(mode="all"):
            yield {}
        case ReuseVerseGain():
            for verse in verses_online.with_gain(state, seat):
                yield from _with_gain(state, seat, verse)
        case FlipVerseOnline():
            for verse in verses_online.in_loading(state, seat):
                yield from _with_gain(state, seat, verse)
        case BonusAction():
            yield from ({"action": deed} for deed in _deeds(state, effect, doing))
        case DiscardServer() | DiscardVerse():
            key = "place" if isinstance(effect, DiscardServer) else "verse"
            for thing in losses.options(state, seat, effect):
                named = thing.partition(":")[2]
                yield {key: int(named) if key == "place" else named}
        case ChooseOne():
            for number, option in enumerate(effect.options):
                for picks in islice(combined(state, effects.asking(option), _certain(doing)), 12):
                    yield {
                        "option": number,
                        **{key: value for pick in picks for key, value in (pick or {}).items()},
                    }
        case CopyPromotion():
            for agent in copyable(state, doing.source):
                for pick in _copied(state, agent, doing):
                    yield {"agent": agent, **(pick or {})}
        case _:
            pass


def _certain(doing: Doing) -> Doing:
    """Return the context without the option to leave parts out."""
    return Doing(seat=doing.seat, rule=doing.rule, source=doing.source, area=doing.area)


def _with_gain(state: VirtualRevolution, seat: str, verse: str) -> Iterator[dict[str, Any]]:
    for pick in verses_online.picks_for(state, seat, verse):
        yield {"verse": verse, **(pick or {})}


def copyable(state: VirtualRevolution, source: str) -> list[str]:
    """Return the Agents in service of all players with a promotion that another Agent may copy
    (vr:promotion.14).
    """
    return [
        agent
        for seat in state.seating
        for agent in in_service(state, seat)
        if agent != source and is_copyable(state, agent)
    ]


def is_copyable(state: VirtualRevolution, agent: str) -> bool:
    """Return True if the promotion of an Agent is immediate, and not a copy itself."""
    return not any(
        isinstance(effect, (ChooseType, CopyPromotion)) for effect in pieces(state).agents[agent].promotion
    )


def _copied(state: VirtualRevolution, agent: str, doing: Doing) -> Iterator[Picked]:
    asking = effects.asking(pieces(state).agents[agent].promotion)
    if asking:
        yield from _some(state, asking[0], _certain(doing))
    else:
        yield None


def _deeds(state: VirtualRevolution, effect: BonusAction, doing: Doing) -> Iterator[dict[str, Any]]:
    """Yield the promising bonus Actions."""
    if effect.if_director_in and (
        doing.area is None or pieces(state).places[doing.area].district not in effect.if_director_in
    ):
        return
    kind = effect.action
    match kind:
        case "recruit_agent":
            agents = (
                decks.held_in(state, decks.discards("agents"))
                if effect.source == "agent_discard"
                else state.offers
            )
            yield from ({"action": kind, "agent": agent} for agent in agents)
        case "create_verse":
            yield from ({"action": kind, "verse": verse} for verse in displayed_verses(state))
        case "make_donation":
            hand_cards = decks.held_in(state, hand(doing.seat))
            yield from ({"action": kind, "discard": [card]} for card in hand_cards[:3])
            yield {"action": kind, "immunity": True}
        case _:
            yield {"action": kind}
