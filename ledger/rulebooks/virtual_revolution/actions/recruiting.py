"""Recruit an Agent: one on offer within the range of the Director of the turn (vr:recruit.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.map import gaining
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import SwapAgent, TakeAgent
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    agent_named,
    amounts,
    cash,
    in_service,
    pieces,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    AGENTS,
    Bonuses,
    CardId,
    Drawn,
    Offered,
    Recruit,
    service,
    slot,
)
from ledger.rulebooks.virtual_revolution.turn import bonuses, performing
from ledger.rulebooks.virtual_revolution.turn.modifiers import RangeAdded, performance, with_performance
from ledger.rulebooks.virtual_revolution.turn.performing import Performing

chapter = Chapter("Recruiting")

FULL = "vr:recruit.3"
"""No more Agents in service than there are places."""


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class AgentRecruited(Event, frozen=True, kw_only=True):
    """An Agent comes into service, upright; its Location token goes back under its slot (vr:recruit.5, 6)."""

    en: ClassVar[str] = "{seat:seat} recruits {agent:card}."
    fr: ClassVar[str] = "{seat:seat} recrute {agent:card}."

    seat: str
    agent: str
    number: int | None = None
    """Which performance of the turn has brought it, from 0; None for none."""

    def apply(self, state: VirtualRevolution) -> None:
        """The slot stays empty; the Agent does not improve the Action that brought it (vr:action.6)."""
        state.offers.pop(self.agent, None)
        state.tilted -= {decks.commodity(self.agent)}
        if self.number is not None:
            brought = (*performance(state, self.number).brought, self.agent)
            with_performance(state, self.number, brought=brought)


@chapter.event
class AgentsSwapped(Event, frozen=True, kw_only=True):
    """An Agent in service takes the slot and the Location token of one on offer, which arrives upright."""

    en: ClassVar[str] = "{seat:seat} exchanges {given:card} for {taken:card}."
    fr: ClassVar[str] = "{seat:seat} échange {given:card} contre {taken:card}."

    seat: str
    given: str
    taken: str

    def apply(self, state: VirtualRevolution) -> None:
        """Both are upright (vr:agents.25)."""
        offer = state.offers.pop(self.taken)
        state.offers[self.given] = replace(offer, agent=self.given)
        state.tilted -= {decks.commodity(self.given), decks.commodity(self.taken)}


# ----------------------------------------------------------------------------------------------
# The Action
# ----------------------------------------------------------------------------------------------


def price(state: VirtualRevolution, seat: str) -> int:
    """What recruiting costs a seat in this round (vr:recruit.4)."""
    return performing.figure(state, seat, "recruit_agent", "price", amounts(state).recruit_price)


def within(state: VirtualRevolution, here: int, reach: int) -> list[str]:
    """The Agents on offer at most so many steps away (vr:recruit.2)."""
    steps = pieces(state).steps[here]
    return [agent for agent, one in state.offers.items() if steps.get(one.place, reach + 1) <= reach]


def _require_place(draft: Draft, seat: str, *rules: str) -> None:
    """Refuse a further Agent in service when all places are taken (vr:recruit.3, vr:agents.2)."""
    if len(in_service(draft.state, seat)) >= amounts(draft.state).agents_in_service:
        raise Impossible(
            FULL,
            "{seat:seat} has {most} Agents in service already",
            "{seat:seat} a déjà {most} Agents en service",
            seat=seat,
            most=amounts(draft.state).agents_in_service,
        ).citing("vr:agents.2", *rules)


def _on_offer(draft: Draft, agent: str, rule: str) -> Offered:
    """An Agent on offer. Raises Impossible by the rule for another one."""
    found = draft.state.offers.get(agent)
    if found is None:
        raise Impossible(
            rule,
            "{agent:card} is not on offer in Néo Paris; on offer are: {offers:each|card}",
            "{agent:card} n'est pas disponible dans Néo Paris ; le sont : {offers:each|card}",
            agent=agent,
            offers=list(draft.state.offers),
        ).citing("vr:agents.1", "vr:recruit.6")
    return found


@performing.performs(Recruit)
def _recruit(draft: Draft, recruit: Recruit, under_way: Performing) -> None:
    """Pay, and take an Agent within the range; from the Agent discard without a range (vr:promotion.26)."""
    seat, agent = under_way.seat, recruit.agent.removeprefix("card:")
    agent_named(draft, agent, "vr:recruit.1")
    if under_way.source == "agent_discard":
        origin = decks.discards(AGENTS)
        if draft.state.holdings.of(origin, decks.commodity(agent)) <= 0:
            raise Impossible(
                "vr:promotion.26",
                "{agent:card} is not in the Agent discard",
                "{agent:card} n'est pas dans la défausse des Agents",
                agent=agent,
            )
    else:
        offer = _on_offer(draft, agent, "vr:recruit.1")
        origin = slot(offer.slot)
        _require_reach(draft, offer, under_way)
    _require_place(draft, seat)
    cost = performing.tell_figure(draft, seat, "recruit_agent", "price", amounts(draft.state).recruit_price)
    gaining.pay(draft, seat, cost, "vr:recruit.4")
    moved = (Posting(decks.commodity(agent), 1, origin, service(seat)),)
    draft.record(
        AgentRecruited(rule="vr:recruit.5", seat=seat, agent=agent, number=under_way.number, postings=moved)
    )


def _require_reach(draft: Draft, offer: Offered, under_way: Performing) -> None:
    """Refuse an Agent out of range (vr:recruit.1); ranges add up (vr:recruit.2)."""
    added = [one.amount for one in draft.events[under_way.since :] if isinstance(one, RangeAdded)]
    reach = amounts(draft.state).recruit_range + sum(added)
    away = pieces(draft.state).steps[under_way.here].get(offer.place)
    draft.require(
        away is not None and away <= reach,
        "vr:recruit.2" if added else "vr:recruit.1",
        "{agent:card} is in {place:place}, out of the range of {reach} from {here:place}",
        "{agent:card} est dans {place:place}, hors de la Portée de {reach} depuis {here:place}",
        agent=offer.agent,
        place=offer.place,
        reach=reach,
        here=under_way.here,
    )


@chapter.action(
    summary=("recruit an Agent", "recruter un Agent"),
    when=("as the Action of one's own turn", "comme Action de son tour"),
)
class RecruitAgent(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pay and take an Agent on offer near the Director of the turn (vr:recruit.1 to vr:recruit.6)."""

    agent: CardId
    bonuses: Bonuses = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Within range, with a free place, for the price."""
        performing.act(draft, Recruit(agent=self.agent, bonuses=self.bonuses), self.drawn)

    def redacted(self) -> Mapping[str, Any]:
        """Cards drawn with a bonus are hidden."""
        return {"agent": self.agent, **bonuses.shown(self.bonuses)}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Each Agent within the range that comes by itself, where one has a place and the price."""
        if not performing.may_act(state, seat) or state.turn is None or state.turn.director is None:
            return
        if len(in_service(state, seat)) >= amounts(state).agents_in_service:
            return
        money, added = bonuses.expected(state, seat, "recruit_agent")
        cost = price(state, seat)
        if cash(state, seat) + money < cost:
            return
        for agent in within(state, state.turn.director, amounts(state).recruit_range + added):
            yield Choice({"agent": agent}, free=("bonuses",), alike="recruit", cost=cost)


# ----------------------------------------------------------------------------------------------
# Effects
# ----------------------------------------------------------------------------------------------


def _named(agent: str | None) -> str | None:
    return None if agent is None else agent.removeprefix("card:")


@effects.carries_out(TakeAgent, asks=True)
def _take(draft: Draft, effect: TakeAgent, doing: Doing) -> None:
    """Take an Agent on offer within the range, without a price; a fourth one is refused (vr:agents.2)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick) or doing.here is None:
        return
    found = within(draft.state, doing.here, effect.range)
    agent = effects.chosen(doing, found, None if pick is None else _named(pick.agent), must=True)
    if agent is not None:
        _require_place(draft, doing.seat, doing.rule)
        origin = slot(draft.state.offers[agent].slot)
        moved = (Posting(decks.commodity(agent), 1, origin, service(doing.seat)),)
        draft.record(AgentRecruited(rule=doing.rule, seat=doing.seat, agent=agent, postings=moved))


@effects.carries_out(SwapAgent, asks=True)
def _swap(draft: Draft, effect: SwapAgent, doing: Doing) -> None:
    """Exchange an Agent in service, tilted or not, for one on offer: no price, no range (vr:agents.25)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick):
        return
    own, offered = in_service(draft.state, doing.seat), list(draft.state.offers)
    if pick is None and not (own and offered):
        return
    given = effects.chosen(doing, own, None if pick is None else _named(pick.gives), must=True)
    taken = effects.chosen(doing, offered, None if pick is None else _named(pick.agent), must=True)
    if given is None or taken is None:
        raise Impossible(
            doing.rule,
            "there is no Agent to exchange",
            "il n'y a pas d'Agent à échanger",
        )
    place = slot(draft.state.offers[taken].slot)
    moved = (
        Posting(decks.commodity(taken), 1, place, service(doing.seat)),
        Posting(decks.commodity(given), 1, service(doing.seat), place),
    )
    draft.record(AgentsSwapped(rule=doing.rule, seat=doing.seat, given=given, taken=taken, postings=moved))
