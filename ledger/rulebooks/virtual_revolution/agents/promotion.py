"""Promoting Agents: an optional effect, then retirement, or a spot as a Boost (vr:promotion.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.facts.values import of_kind
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.agents import tries
from ledger.rulebooks.virtual_revolution.agents.agents import serving
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import (
    AddRange,
    ChooseType,
    CopyPromotion,
    Deed,
    DrawCorruption,
    Effect,
    Waive,
)
from ledger.rulebooks.virtual_revolution.table.pieces import Agent
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    agent_named,
    in_service,
    is_turn_of,
    on_turn,
    pieces,
)
from ledger.rulebooks.virtual_revolution.table.terms import (
    AgentId,
    Drawn,
    Pick,
    Picks,
    boosts,
    retired,
    service,
)
from ledger.rulebooks.virtual_revolution.turn import bonuses

chapter = Chapter("Promotion")

Place = Literal["retire", "boost"]


# ----------------------------------------------------------------------------------------------
# Events
# ----------------------------------------------------------------------------------------------


@chapter.event
class AgentPromoted(Event, frozen=True, kw_only=True):
    """A player promotes an Agent in service, with or without its effect (vr:promotion.1, vr:promotion.2)."""

    en: ClassVar[str] = "{seat:seat} promotes {agent:card}."
    fr: ClassVar[str] = "{seat:seat} promeut {agent:card}."

    seat: str
    agent: str
    effect: bool


class _Left(Event, frozen=True, kw_only=True):
    """A promoted Agent is no longer in service (vr:promotion.6)."""

    seat: str
    agent: str

    def apply(self, state: VirtualRevolution) -> None:
        """Set the Agent upright."""
        state.tilted -= {decks.commodity(self.agent)}


@chapter.event
class AgentRetired(_Left, frozen=True, kw_only=True):
    """A promoted Agent retires, and can never be discarded (vr:promotion.4)."""

    en: ClassVar[str] = "{agent:card} retires."
    fr: ClassVar[str] = "{agent:card} prend sa retraite."

    rule: str = "vr:promotion.4"


@chapter.event
class AgentBoosted(_Left, frozen=True, kw_only=True):
    """A promoted level 1 Agent becomes a Boost of its Action (vr:promotion.5)."""

    en: ClassVar[str] = "{agent:card} becomes a Boost, under {action:deed}."
    fr: ClassVar[str] = "{agent:card} devient un Boost, sous {action:deed}."

    rule: str = "vr:promotion.5"
    action: Deed


@chapter.event
class TypePromised(Event, frozen=True, kw_only=True):
    """The type of an Agent is chosen before scoring (vr:promotion.34)."""

    en: ClassVar[str] = "The type of {agent:card} is chosen before the scoring."
    fr: ClassVar[str] = "Le type {agent:de|card} se choisit avant le décompte."

    seat: str
    agent: str

    def apply(self, state: VirtualRevolution) -> None:
        """Note the promise; the owner chooses at the end."""
        state.promised |= {self.agent}


@effects.carries_out(ChooseType)
def _choose_type(draft: Draft, effect: ChooseType, doing: Doing) -> None:
    """Record the promise; nothing happens before the end of the game."""
    draft.record(TypePromised(rule=doing.rule, seat=doing.seat, agent=doing.source))


@effects.carries_out(CopyPromotion, asks=True)
def _copy(draft: Draft, effect: CopyPromotion, doing: Doing) -> None:
    """Apply the effect of any Agent in service, without a second draw of Corruption (vr:promotion.14)."""
    pick = doing.pick()
    if pick is None or pick.agent is None:
        raise Impossible(
            doing.rule,
            "name the Agent in service whose promotion effect is applied",
            "indiquez l'Agent en service dont l'effet de promotion s'applique",
        )
    state = draft.state
    agent = agent_named(draft, pick.agent, doing.rule)
    possible = tries.copyable(state, doing.source)
    if agent.id not in possible:
        raise Impossible(
            doing.rule,
            "the promotion of {agent:card} cannot be applied; possible: {possible:each|card}",
            "la promotion de {agent:card} ne peut pas s'appliquer ; possible : {possible:each|card}",
            agent=agent.id,
            possible=possible,
        )
    copied = tuple(part for part in agent.promotion if not isinstance(part, DrawCorruption))
    require_tie(draft, agent, copied, doing.performing, doing.rule)
    inner = Doing(
        seat=doing.seat,
        rule=doing.rule,
        source=doing.source,
        area=doing.area,
        performing=doing.performing,
        picks=[pick for _ in effects.asking(copied)],
    )
    effects.carry_out(draft, copied, inner)


# ----------------------------------------------------------------------------------------------
# Promoting
# ----------------------------------------------------------------------------------------------


def tied_to(promotion_effects: Sequence[Effect]) -> Deed | None:
    """Return the Action to which a promotion is tied; None for an untied promotion."""
    return next(
        (effect.if_action for effect in promotion_effects if getattr(effect, "if_action", None) is not None), None
    )


def is_for_during(promotion_effects: Sequence[Effect]) -> bool:
    """Return True if a tied promotion changes only the Action itself: range, a waived condition."""
    return all(isinstance(effect, (AddRange, Waive, DrawCorruption)) for effect in promotion_effects)


def require_tie(
    draft: Draft, agent: Agent, promotion_effects: Sequence[Effect], performing: Deed | None, rule: str
) -> None:
    """Raise Impossible for an effect tied to an Action not performed in this turn (vr:promotion.8)."""
    action = tied_to(promotion_effects)
    if action == performing:
        return
    if action is not None and performing is None and not is_for_during(promotion_effects):
        bonuses.tie(draft, draft.seat, agent.id, action, rule=rule)
        return
    if action is not None or not any(isinstance(effect, CopyPromotion) for effect in promotion_effects):
        raise Impossible(
            "vr:promotion.8",
            "the promotion effect of {agent:card} is for {action:deed}, declared with it",
            "l'effet de promotion de {agent:card} vaut pour {action:deed}, déclaré avec elle",
            agent=agent.id,
            action=action or "no Action",
        ).citing(rule)


@bonuses.promotes
def promote(
    draft: Draft,
    seat: str,
    agent: str,
    *,
    effect: bool,
    to: Place | None,
    picks: Sequence[Pick | None] = (),
    performing: Deed | None = None,
) -> Agent:
    """Promote an Agent in service of a seat, and return the Agent. `performing` is the Action declared with the
    promotion.

    Raises Impossible for an Agent not in service, a closed destination, and impossible effects.
    """
    turn = draft.state.turn
    card = serving(draft, seat, agent, "vr:promotion.1")
    destination = _destination(card, to)
    rule = card.rules.promotion
    draft.record(AgentPromoted(rule=rule if effect else "vr:promotion.2", seat=seat, agent=card.id, effect=effect))
    if effect:
        require_tie(draft, card, card.promotion, performing, rule)
        doing = Doing(
            seat=seat,
            rule=rule,
            source=card.id,
            area=None if turn is None else turn.director,
            performing=performing,
            picks=[*picks],
        )
        effects.carry_out(draft, card.promotion, doing)
        doing.require_none_left()
    elif any(pick is not None for pick in picks):
        raise Impossible(
            "vr:promotion.2",
            "the effect of {agent:card} is not applied: there is nothing to choose",
            "l'effet de {agent:card} n'est pas appliqué : il n'y a rien à choisir",
            agent=card.id,
        )
    _leave(draft, seat, card, destination)
    return card


def _destination(agent: Agent, to: Place | None) -> Place:
    """Return the destination of a promoted Agent. Raises Impossible for an impossible Boost, and without a
    choice.
    """
    if to is None and agent.boost_action is not None:
        raise Impossible(
            "vr:promotion.4",
            "say whether {agent:card} retires or becomes a Boost",
            "dites si {agent:card} prend sa retraite ou devient un Boost",
            agent=agent.id,
        )
    if to == "boost" and agent.boost_action is None:
        raise Impossible(
            "vr:promotion.5",
            "{agent:card} is of level {level} and can only retire",
            "{agent:card} est de niveau {level} et ne peut que prendre sa retraite",
            agent=agent.id,
            level=agent.level,
        )
    return to or "retire"


def _leave(draft: Draft, seat: str, agent: Agent, destination: Place) -> None:
    """Move a promoted Agent to the destination."""
    thing = decks.commodity(agent.id)
    if destination == "boost" and agent.boost_action is not None:
        moved = (Posting(thing, 1, service(seat), boosts(seat)),)
        draft.record(AgentBoosted(seat=seat, agent=agent.id, action=agent.boost_action, postings=moved))
    else:
        moved = (Posting(thing, 1, service(seat), retired(seat)),)
        draft.record(AgentRetired(seat=seat, agent=agent.id, postings=moved))


@chapter.action(
    summary=("promote an Agent", "promouvoir un Agent"),
    when=(
        "at any moment of one's own turn once the Director is placed",
        "à tout moment de son tour une fois le Directeur posé",
    ),
)
class PromoteAgent(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player promotes an Agent in service, tilted or not (vr:promotion.1 to vr:promotion.6)."""

    agent: AgentId
    effect: bool = True
    to: Annotated[
        Place | None, Meta(description="what becomes of the Agent; level 2 always retires"), of_kind("enum")
    ] = None
    picks: Picks = ()
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Promote the Agent, with the destination named (vr:promotion.4)."""
        on_turn(draft, placed="vr:turn.6")
        draft.draws.offer(self.drawn)
        promote(draft, draft.seat, self.agent, effect=self.effect, to=self.to, picks=self.picks)

    def redacted(self) -> Mapping[str, Any]:
        """Hide the picks: cards given, discarded or drawn are secret."""
        return {"agent": self.agent, "effect": self.effect, "to": self.to}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each Agent in service: with all picks for the effect, and without it."""
        turn = state.turn
        if not is_turn_of(state, seat) or turn is None or turn.director is None:
            return
        for agent in in_service(state, seat):
            card = pieces(state).agents[agent]
            places: tuple[Place, ...] = ("retire", "boost") if card.boost_action is not None else ("retire",)
            doing = Doing(seat=seat, rule=card.rules.promotion, source=agent, area=turn.director)
            tied = tied_to(card.promotion)
            is_open = tied is None or any(performed.action == tied for performed in turn.performed)
            for destination in places:
                if is_open and not (tied is not None and is_for_during(card.promotion)):
                    for picks in tries.combined(state, effects.asking(card.promotion), doing):
                        params = {"picks": picks} if any(picks) else {}
                        yield Choice({"agent": agent, "effect": True, "to": destination, **params})
                yield Choice({"agent": agent, "effect": False, "to": destination}, alike=(agent, "without"))
