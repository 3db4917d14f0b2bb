"""Using Agents in service: the effect of the type, and at level 2 the extra of the card (vr:agents.*)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from ledger.kernel.facts.events import Event
from ledger.kernel.facts.refusals import Impossible
from ledger.kernel.rules.actions import Action, Choice
from ledger.kernel.rules.chapter import Chapter
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.agents import tries
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import ChooseOne, InfluenceEliminate
from ledger.rulebooks.virtual_revolution.table.pieces import Agent
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    agent_named,
    in_service,
    influencer,
    is_turn_of,
    on_turn,
    pieces,
)
from ledger.rulebooks.virtual_revolution.table.terms import AgentId, Drawn, Picks

chapter = Chapter("Agents")


@chapter.event
class AgentUsed(Event, frozen=True, kw_only=True):
    """A player uses an Agent in service, which is tilted for the round (vr:agents.4)."""

    en: ClassVar[str] = "{seat:seat} uses {agent:card}."
    fr: ClassVar[str] = "{seat:seat} utilise {agent:card}."

    rule: str = "vr:agents.4"
    seat: str
    agent: str

    def apply(self, state: VirtualRevolution) -> None:
        """Tilt the Agent: one use per round, unless an effect sets the card upright."""
        state.tilted |= {decks.commodity(self.agent)}


def serving(draft: Draft, seat: str, agent: str, rule: str) -> Agent:
    """Return an Agent of the seat in service. Raises Impossible by the rule for an Agent not in service
    (vr:promotion.6).
    """
    serving_agent = agent_named(draft, agent, rule)
    mine = in_service(draft.state, seat)
    if serving_agent.id not in mine:
        raise Impossible(
            rule,
            "{agent:card} is not in service of {seat:seat}; in service are: {mine:each|card}",
            "{agent:card} n'est pas en service chez {seat:seat} ; y sont : {mine:each|card}",
            agent=serving_agent.id,
            seat=seat,
            mine=mine,
        ).citing("vr:promotion.6")
    return serving_agent


@effects.carries_out(ChooseOne, asks=True)
def _choose_one(draft: Draft, effect: ChooseOne, doing: Doing) -> None:
    """Carry out the option named by the player, with the answers of the pick."""
    pick = doing.pick()
    if pick is None or pick.option is None:
        skipped = effect.optional or doing.may_skip
        if skipped and (pick is None or pick.skip):
            return
        raise Impossible(
            doing.rule,
            "name one of the {count} options by its number, from 0",
            "indiquez l'une des {count} options par son numéro, à partir de 0",
            count=len(effect.options),
        )
    if pick.option >= len(effect.options):
        raise Impossible(
            doing.rule,
            "there is no option {option}; there are {count}, from 0",
            "il n'y a pas d'option {option} ; il y en a {count}, à partir de 0",
            option=pick.option,
            count=len(effect.options),
        )
    rule = effect.rules[pick.option] if pick.option < len(effect.rules) else doing.rule
    option = effect.options[pick.option]
    inner = Doing(
        seat=doing.seat,
        rule=rule,
        source=doing.source,
        area=doing.area,
        picks=[pick for _ in effects.asking(option)],
    )
    effects.carry_out(draft, option, inner)


@chapter.action(
    summary=("use an Agent in service", "utiliser un Agent en service"),
    when=(
        "at any moment of one's own turn once the Director is placed, once per round",
        "à tout moment de son tour une fois le Directeur posé, une fois par manche",
    ),
)
class ActivateAgent(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player tilts an Agent in service, which acts where the Director of this turn is (vr:agents.3 to 12)."""

    agent: AgentId
    picks: Picks = ()
    drawn: Drawn = None

    def decide(self, draft: Draft) -> None:
        """Tilt the Agent and carry out the effects. The effect of the type is mandatory if possible, the extra
        is optional (vr:agents.12).
        """
        turn = on_turn(draft, placed="vr:turn.6")
        state, seat = draft.state, draft.seat
        agent = serving(draft, seat, self.agent, "vr:agents.3")
        if decks.commodity(agent.id) in state.tilted:
            raise Impossible(
                "vr:agents.4",
                "{agent:card} has been used in this round, and serves again once upright",
                "{agent:card} a déjà été utilisé pendant cette manche, et resservira une fois redressé",
                agent=agent.id,
            )
        if _is_idle(state, agent, turn.director):
            raise Impossible(
                agent.rules.use,
                "no influence token stands in {place:place}: {agent:card} would do nothing",
                "il n'y a pas de jeton Influence dans {place:place} : {agent:card} ne ferait rien",
                place=turn.director,
                agent=agent.id,
            )
        draft.draws.offer(self.drawn)
        draft.record(AgentUsed(seat=seat, agent=agent.id))
        doing = Doing(seat=seat, rule=agent.rules.use, source=agent.id, area=turn.director, picks=[*self.picks])
        effects.carry_out(draft, agent.activation[:1], doing)
        if len(agent.activation) > 1:
            doing.rule, doing.may_skip = agent.rules.extra or agent.rules.use, True
            effects.carry_out(draft, agent.activation[1:], doing)
        doing.require_none_left()

    def redacted(self) -> Mapping[str, Any]:
        """Hide the picks: cards given, discarded or drawn are secret."""
        return {"agent": self.agent}

    @classmethod
    def choices(cls, state: VirtualRevolution, seat: str) -> Iterable[Choice]:
        """Offer each upright Agent in service, with all combinations of picks."""
        turn = state.turn
        if not is_turn_of(state, seat) or turn is None or turn.director is None:
            return
        for agent in in_service(state, seat):
            card = pieces(state).agents[agent]
            if decks.commodity(agent) in state.tilted or _is_idle(state, card, turn.director):
                continue
            doing = Doing(seat=seat, rule=card.rules.use, source=agent, area=turn.director)
            first = effects.asking(card.activation[:1])
            extra_asking = effects.asking(card.activation[1:])
            extra = Doing(seat=seat, rule=card.rules.use, source=agent, area=turn.director, may_skip=True)
            combinations = [
                [*picks, *others]
                for picks in tries.combined(state, first, doing)
                for others in tries.combined(state, extra_asking, extra)
            ]
            is_choice = any(any(picks) for picks in combinations)
            for picks in combinations:
                yield Choice(
                    {"agent": agent, "picks": picks if any(picks) else []} if is_choice else {"agent": agent}
                )


def _is_idle(state: VirtualRevolution, agent: Agent, area: int | None) -> bool:
    """Return True if a level 1 Combatant would have no effect in the arrondissement (vr:agents.9)."""
    alone = len(agent.activation) == 1 and isinstance(agent.activation[0], InfluenceEliminate)
    return alone and area is not None and influencer(state, area) is None
