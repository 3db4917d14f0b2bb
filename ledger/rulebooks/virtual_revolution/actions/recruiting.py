"""Recruit an Agent: an Agent on offer within the range of the turn's Director (vr:recruit.*)."""

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
    AgentId,
    Bonuses,
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
"""The rule that limits the number of Agents in service."""


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
    """The number of the recruiting performance in the turn, from 0; None for none."""

    def apply(self, state: VirtualRevolution) -> None:
        """Empty the slot, and set the Agent upright. It does not improve the Action that recruited it
        (vr:action.6).
        """
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
        """Exchange the Agents, both upright (vr:agents.25)."""
        state.require_part(self.taken in state.offers)
        offer = state.offers.pop(self.taken)
        state.offers[self.given] = replace(offer, agent=self.given)
        state.tilted -= {decks.commodity(self.given), decks.commodity(self.taken)}


# ----------------------------------------------------------------------------------------------
# The Action
# ----------------------------------------------------------------------------------------------


def price(state: VirtualRevolution, seat: str) -> int:
    """Return the price of recruiting for a seat in this round (vr:recruit.4)."""
    return performing.figure(state, seat, "recruit_agent", "price", amounts(state).recruit_price)


def within(state: VirtualRevolution, area: int, reach: int) -> list[str]:
    """Return the Agents on offer at most `reach` steps away (vr:recruit.2)."""
    steps = pieces(state).steps[area]
    return [agent for agent, offer in state.offers.items() if steps.get(offer.place, reach + 1) <= reach]


def _require_place(draft: Draft, seat: str, *rules: str) -> None:
    """Raise Impossible if the seat has no room for a further Agent in service (vr:recruit.3, vr:agents.2)."""
    if len(in_service(draft.state, seat)) >= amounts(draft.state).agents_in_service:
        raise Impossible(
            FULL,
            "{seat:seat} has {most} Agents in service already: promote one first",
            "{seat:seat} a déjà {most} Agents en service : il faut d'abord en promouvoir un",
            seat=seat,
            most=amounts(draft.state).agents_in_service,
        ).citing("vr:agents.2", *rules)


def _on_offer(draft: Draft, agent: str) -> Offered:
    """Return an Agent on offer. Raises Impossible for an Agent not on offer (vr:agents.1)."""
    offer = draft.state.offers.get(agent)
    if offer is None:
        raise Impossible(
            "vr:agents.1",
            "{agent:card} is not on offer in Néo Paris; on offer are: {offers:each|card}",
            "{agent:card} n'est pas disponible dans Néo Paris ; le sont : {offers:each|card}",
            agent=agent,
            offers=list(draft.state.offers),
        ).citing("vr:recruit.1", "vr:recruit.6")
    return offer


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
        offer = _on_offer(draft, agent)
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
    """Raise RuleBroken for an Agent out of range (vr:recruit.1); ranges add up (vr:recruit.2)."""
    added = [event.amount for event in draft.events[under_way.since :] if isinstance(event, RangeAdded)]
    reach = amounts(draft.state).recruit_range + sum(added)
    away = pieces(draft.state).steps[under_way.area].get(offer.place)
    draft.require(
        away is not None and away <= reach,
        "vr:recruit.2" if added else "vr:recruit.1",
        "{agent:card} is in {place:place}, out of the range of {reach} from {here:place}: it takes {away}",
        "{agent:card} est dans {place:place}, hors de la Portée de {reach} depuis {here:place} : il faut {away}",
        agent=offer.agent,
        place=offer.place,
        reach=reach,
        here=under_way.area,
        away=away,
    )


@chapter.action(
    summary=("recruit an Agent", "recruter un Agent"),
    when=("as the Action of one's own turn", "comme Action de son tour"),
)
class RecruitAgent(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pay and take an Agent on offer near the Director of the turn (vr:recruit.1 to vr:recruit.6)."""

    agent: AgentId
    bonuses: Bonuses = None
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Recruit the Agent, within range, with room in service, for the price."""
        performing.act(draft, Recruit(agent=self.agent, bonuses=self.bonuses), self.drawn)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the cards drawn with a bonus."""
        return {"agent": self.agent, **bonuses.redact_bonuses(self.bonuses)}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each Agent within the default range, if the seat has room and the price."""
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
    """Take an Agent on offer within the range, without a price; a fourth Agent is refused (vr:agents.2)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick) or doing.area is None:
        return
    in_range = within(draft.state, doing.area, effect.range)
    agent = effects.chosen(doing, in_range, None if pick is None else _named(pick.agent), must=True)
    if agent is not None:
        _require_place(draft, doing.seat, doing.rule)
        origin = slot(draft.state.offers[agent].slot)
        moved = (Posting(decks.commodity(agent), 1, origin, service(doing.seat)),)
        draft.record(AgentRecruited(rule=doing.rule, seat=doing.seat, agent=agent, postings=moved))


@effects.carries_out(SwapAgent, asks=True)
def _swap(draft: Draft, effect: SwapAgent, doing: Doing) -> None:
    """Exchange an Agent in service, tilted or not, for an offered Agent: no price, no range (vr:agents.25)."""
    pick = doing.pick()
    if effects.is_left_out(doing, pick):
        return
    mine, offered = in_service(draft.state, doing.seat), list(draft.state.offers)
    if pick is None and not (mine and offered):
        return
    agent_given = effects.chosen(doing, mine, None if pick is None else _named(pick.gives), must=True)
    agent_taken = effects.chosen(doing, offered, None if pick is None else _named(pick.agent), must=True)
    if agent_given is None or agent_taken is None:
        raise Impossible(
            doing.rule,
            "there is no Agent to exchange",
            "il n'y a pas d'Agent à échanger",
        )
    slot_account = slot(draft.state.offers[agent_taken].slot)
    moved = (
        Posting(decks.commodity(agent_taken), 1, slot_account, service(doing.seat)),
        Posting(decks.commodity(agent_given), 1, service(doing.seat), slot_account),
    )
    draft.record(
        AgentsSwapped(rule=doing.rule, seat=doing.seat, given=agent_given, taken=agent_taken, postings=moved)
    )
