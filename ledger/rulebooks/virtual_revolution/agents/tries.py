"""What is worth trying with a card: choices for the effects that ask, for the moves of a seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import Any

from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.agents import verses_online
from ledger.rulebooks.virtual_revolution.decks.hands import shown
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
"""One choice as plain data; None where nothing is said."""

_MOST = 60
"""How many combinations of choices are tried for one card."""


def combined(state: VirtualRevolution, asked: Sequence[Effect], doing: Doing) -> Iterator[list[Picked]]:
    """The lists of choices worth trying for the effects of a card that ask."""
    yield from map(list, islice(product(*(_some(state, one, doing) for one in asked)), _MOST))


def _some(state: VirtualRevolution, effect: Effect, doing: Doing) -> list[Picked]:
    """The choices for one effect; None among them where it may be left out, or nothing else is possible."""
    found: list[Picked] = [*_tries(state, effect, doing)]
    return found if found and not doing.may_skip else [*found, None]


def _tries(state: VirtualRevolution, effect: Effect, doing: Doing) -> Iterable[dict[str, Any]]:
    seat = doing.seat
    match effect:
        case InfluenceEliminate():
            yield from ({"place": place, "whose": whose} for place, whose in eliminable(state, doing, effect))
        case InfluenceAdd():
            yield from ({"place": place} for place in addable(state, doing, effect))
        case InfluenceEliminateOrAdd():
            yield from ({"place": place, "whose": whose} for place, whose in eliminable(state, doing, effect))
            yield from ({"place": place, "add": True} for place in addable(state, doing, effect))
        case MoveServer() if doing.here is not None:
            yield from ({"place": place} for place in server_targets(state, doing.here))
        case Steal() if doing.here is not None:
            near = {doing.here, *pieces(state).places[doing.here].adjacent}
            for victim in others(state, seat):
                if immunity(state, victim) and near & {*directors_of(state, victim)}:
                    yield {"to": victim}
        case SwapAgent():
            for gives, takes in product(in_service(state, seat), state.offers):
                yield {"gives": gives, "agent": takes}
        case GiveCorruption():
            # Which of one's own cards: all alike to the others.
            for to, card in product(others(state, seat), decks.held_in(state, hand(seat))[:4]):
                yield {"to": to, "cards": [card]}
        case ExchangeCorruption():
            yield from ({"to": one} for one in others(state, seat) if hand_size(state, one))
        case ReadyAgents():
            yield from ({"agent": one} for one in tilted_agents(state, seat))
        case TakeBoost():
            yield from ({"boost": one} for one in decks.held_in(state, BOOSTS))
        case TakeVerse():
            yield from ({"verse": one} for one in shown(state))
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
    """The same, where nothing is left out."""
    return Doing(seat=doing.seat, rule=doing.rule, source=doing.source, here=doing.here)


def _with_gain(state: VirtualRevolution, seat: str, verse: str) -> Iterator[dict[str, Any]]:
    for pick in verses_online.picks_for(state, seat, verse):
        yield {"verse": verse, **(pick or {})}


def copyable(state: VirtualRevolution, source: str) -> list[str]:
    """The Agents in service of all players whose promotion another Agent may copy (vr:promotion.14)."""
    return [
        agent
        for seat in state.seating
        for agent in in_service(state, seat)
        if agent != source and is_copyable(state, agent)
    ]


def is_copyable(state: VirtualRevolution, agent: str) -> bool:
    """Whether the promotion of an Agent is immediate, and no copy itself."""
    return not any(isinstance(one, (ChooseType, CopyPromotion)) for one in pieces(state).agents[agent].promotion)


def _copied(state: VirtualRevolution, agent: str, doing: Doing) -> Iterator[Picked]:
    asked = effects.asking(pieces(state).agents[agent].promotion)
    if asked:
        yield from _some(state, asked[0], _certain(doing))
    else:
        yield None


def _deeds(state: VirtualRevolution, effect: BonusAction, doing: Doing) -> Iterator[dict[str, Any]]:
    """The bonus Actions worth trying."""
    if effect.if_director_in and (
        doing.here is None or pieces(state).places[doing.here].district not in effect.if_director_in
    ):
        return
    kind = effect.action
    match kind:
        case "recruit_agent":
            found = (
                decks.held_in(state, decks.discards("agents"))
                if effect.source == "agent_discard"
                else state.offers
            )
            yield from ({"action": kind, "agent": agent} for agent in found)
        case "create_verse":
            yield from ({"action": kind, "verse": verse} for verse in shown(state))
        case "make_donation":
            held = decks.held_in(state, hand(doing.seat))
            yield from ({"action": kind, "discard": [card]} for card in held[:3])
            yield {"action": kind, "immunity": True}
        case _:
            yield {"action": kind}
