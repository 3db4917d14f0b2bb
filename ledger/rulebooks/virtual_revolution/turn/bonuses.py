"""Bonuses of an Action: Boosts, Titles, promotions tied to it; each before or after it (vr:action.3 to action.6).

They add up without limit. What adds range or waives a condition acts during the Action. Every bonus is an event of
its own, with its source and its rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from ledger.kernel.facts.refusals import Impossible
from ledger.rulebooks.virtual_revolution.map import titles
from ledger.rulebooks.virtual_revolution.table import effects
from ledger.rulebooks.virtual_revolution.table.effects import Doing
from ledger.rulebooks.virtual_revolution.table.operations import (
    AddRange,
    CopyPromotion,
    Deed,
    Effect,
    Gain,
    PayToDiscardCorruption,
    ReplaceVerses,
)
from ledger.rulebooks.virtual_revolution.table.state import (
    Draft,
    VirtualRevolution,
    boost_action,
    boosts_of,
    in_service,
    pieces,
    titles_of,
)
from ledger.rulebooks.virtual_revolution.table.terms import EUROCREDIT, Bonus, Pick
from ledger.rulebooks.virtual_revolution.turn.modifiers import (
    BonusApplied,
    During,
    PromotionTied,
    performance,
    too_late,
)

Promoting = Callable[..., object]
"""(draft, seat, agent, *, effect, to, picks, performing): promote an Agent in service."""
PROMOTE: list[Promoting] = []


def promotes(promoting: Promoting) -> Promoting:
    """Register what promotes an Agent whose promotion is declared with an Action (vr:promotion.8)."""
    PROMOTE[:] = [promoting]
    return promoting


# ----------------------------------------------------------------------------------------------
# Sources
# ----------------------------------------------------------------------------------------------


def bare(source: str) -> str:
    """The id of a source, also where it is written out."""
    return source.removeprefix("card:").removeprefix("title:")


def sources(state: VirtualRevolution, seat: str, deed: Deed) -> tuple[str, ...]:
    """The Boosts under an Action, and the upright Titles tied to it: what can improve it, each once."""
    under = [one for one in boosts_of(state, seat) if boost_action(state, one) == deed]
    found = pieces(state).titles
    held = [one for one in titles_of(state, seat) if titles.is_usable(state, seat, one)]
    return (*under, *(one for one in held if _tied(found[one].effects, deed)))


def still_open(state: VirtualRevolution, seat: str, number: int) -> list[str]:
    """The Boosts and Titles that a seat still has, and may still apply to a performance of the turn."""
    held = {*boosts_of(state, seat), *titles_of(state, seat)}
    return [one for one in performance(state, number).open if one in held]


def is_left(state: VirtualRevolution, seat: str, number: int, bonus: Bonus) -> bool:
    """Whether a bonus declared for after an Action has neither been applied nor lost meanwhile."""
    return bonus.source in still_open(state, seat, number) or bonus.source in in_service(state, seat)


def rule_of(state: VirtualRevolution, source: str) -> str:
    """The rule of a Boost, of a Title, or of the Boost of an Agent."""
    found = pieces(state)
    if source in found.titles:
        return found.titles[source].rule
    return found.boosts[source].rule if source in found.boosts else found.agents[source].rules.boost


def effects_of(state: VirtualRevolution, source: str, deed: Deed) -> tuple[Effect, ...]:
    """What a Boost or a Title does for an Action."""
    found = pieces(state)
    if source in found.titles:
        return _tied(found.titles[source].effects, deed)
    return found.boosts[source].effects if source in found.boosts else found.agents[source].boost


def _tied(found: Iterable[Effect], deed: Deed) -> tuple[Effect, ...]:
    return tuple(one for one in found if getattr(one, "tied_to", None) == deed)


def promotion_effects(state: VirtualRevolution, agent: str, copies: str | None, deed: Deed) -> tuple[Effect, ...]:
    """The effects of a promotion that are tied to an Action; with `copies`, those of the Agent that it copies."""
    found = pieces(state).agents
    own = found[agent].promotion
    if copies is not None and copies in found and any(isinstance(one, CopyPromotion) for one in own):
        own = found[copies].promotion
    return _tied(own, deed)


def gains_by_default(state: VirtualRevolution, seat: str, deed: Deed) -> list[str]:
    """The Boosts that only gain something: they apply where a player declares nothing."""
    found = pieces(state)
    return [
        one
        for one in sources(state, seat, deed)
        if one not in found.titles
        and all(isinstance(effect, Gain | AddRange) for effect in effects_of(state, one, deed))
    ]


def expected(state: VirtualRevolution, seat: str, deed: Deed) -> tuple[int, int]:
    """The eurocredits and the range that the Boosts bring by default: for choices."""
    money = reach = 0
    for source in gains_by_default(state, seat, deed):
        for effect in effects_of(state, source, deed):
            if isinstance(effect, AddRange):
                reach += effect.amount
            elif isinstance(effect, Gain) and effect.what == EUROCREDIT:
                money += effect.amount
    return money, reach


# ----------------------------------------------------------------------------------------------
# Declaring
# ----------------------------------------------------------------------------------------------


def declared(
    draft: Draft, seat: str, deed: Deed, wanted: Sequence[Bonus] | None, found: Sequence[str]
) -> list[Bonus]:
    """The bonuses of an Action, in their order; `found` are the Boosts and Titles that may be applied.

    Raises Impossible for one that does not improve this Action, that is named twice, or says what nobody asks.
    """
    if wanted is None:
        return [Bonus(source=one) for one in gains_by_default(draft.state, seat, deed) if one in found]
    named = [replace(one, source=bare(one.source)) for one in wanted]
    for number, one in enumerate(named):
        if any(one.source == other.source for other in named[:number]):
            raise Impossible(
                "vr:action.5",
                "a bonus applies once to an Action: {bonus:bonus}",
                "une bonification s'applique une fois à une Action : {bonus:bonus}",
                bonus={"source": one.source},
            )
        require_bonus(draft.state, seat, deed, one, found)
    return named


def require_bonus(state: VirtualRevolution, seat: str, deed: Deed, bonus: Bonus, found: Sequence[str]) -> None:
    """Refuse what does not improve this Action (vr:action.3), and answers that nobody has asked for."""
    if bonus.source in found:
        acting = effects_of(state, bonus.source, deed)
        asks_verses = any(isinstance(one, ReplaceVerses) for one in acting)
        asks_card = any(isinstance(one, PayToDiscardCorruption) for one in acting)
        too_much = (
            bonus.to is not None
            or bonus.copies is not None
            or (bool(bonus.verses) and not asks_verses)
            or (bonus.card is not None and not asks_card)
        )
        if too_much:
            raise _unasked(rule_of(state, bonus.source), bonus)
        return
    agent = pieces(state).agents.get(bonus.source)
    copies = None if bonus.copies is None else bare(bonus.copies)
    if agent is None or bonus.source not in in_service(state, seat):
        raise _no_bonus(state, seat, deed, bonus)
    acting = promotion_effects(state, bonus.source, copies, deed)
    if not acting:
        raise Impossible(
            "vr:promotion.8",
            "the promotion of {agent:card} does not go with this Action: {deed:deed}",
            "la promotion : {agent:card}, n'accompagne pas cette Action : {deed:deed}",
            agent=bonus.source,
            deed=deed,
        ).citing(agent.rules.promotion)
    if bonus.verses or bonus.card is not None:
        raise _unasked(agent.rules.promotion, bonus)
    if bonus.to is None:
        raise Impossible(
            "vr:promotion.4",
            "say what becomes of {agent:card}: retirement, or a Boost",
            "indiquez ce que devient {agent:card} : la retraite, ou un Boost",
            agent=bonus.source,
        )
    if bonus.when == "after" and any(isinstance(one, During) for one in acting):
        raise too_late(bonus.source).citing(agent.rules.promotion)


def _no_bonus(state: VirtualRevolution, seat: str, deed: Deed, bonus: Bonus) -> Impossible:
    """Why something does not improve an Action: it is none of the player's, or tilted, or of another Action."""
    if bonus.source in titles_of(state, seat) and _tied(pieces(state).titles[bonus.source].effects, deed):
        return Impossible(
            "vr:title.7",
            "the Title of {district:district} has been used in this round",
            "le Titre {district:district} a déjà été utilisé pendant cette manche",
            district=bonus.source,
        )
    return Impossible(
        "vr:action.3",
        "{seat:seat} has no such bonus for this Action ({deed:deed}): {bonus:bonus}",
        "{seat:seat} n'a pas cette bonification pour cette Action ({deed:deed}) : {bonus:bonus}",
        seat=seat,
        deed=deed,
        bonus={"source": bonus.source},
    ).citing("vr:action.5", "vr:action.6")


def _unasked(rule: str, bonus: Bonus) -> Impossible:
    return Impossible(
        rule,
        "more is said with this bonus than it asks for: {bonus:bonus}",
        "cette bonification ne demande pas tout ce qui est indiqué : {bonus:bonus}",
        bonus={"source": bonus.source},
    )


def shown(wanted: Sequence[Bonus] | None) -> dict[str, Any]:
    """The bonuses of an action for other viewers, without the Corruption card that one of them discards."""
    if wanted is None:
        return {}
    return {"bonuses": msgspec.to_builtins([replace(one, card=None) for one in wanted])}


# ----------------------------------------------------------------------------------------------
# Applying
# ----------------------------------------------------------------------------------------------


def apply(draft: Draft, number: int, bonus: Bonus, moment: Literal["before", "after"]) -> None:
    """Apply what a declared bonus does before the Action of this number, or after it.

    Range and waived conditions act before it whenever the rest is declared for.
    """
    state = draft.state
    turn = state.turn
    if turn is None:
        return
    deed = turn.performed[number].action
    if bonus.source not in {*pieces(state).titles, *boosts_of(state, turn.seat)}:
        if bonus.when == moment:
            _promote(draft, number, bonus)
        return
    acting = effects_of(state, bonus.source, deed)
    if bonus.when == "after":
        acting = tuple(one for one in acting if isinstance(one, During) is (moment == "before"))
    elif moment == "after":
        acting = ()
    if not acting:
        return
    rule = rule_of(state, bonus.source)
    if bonus.source in turn.performed[number].open:
        if bonus.source in pieces(state).titles:
            titles.use(draft, turn.seat, bonus.source, rule=rule)
        draft.record(BonusApplied(rule=rule, seat=turn.seat, source=bonus.source, action=deed, number=number))
    card = () if bonus.card is None else (bonus.card,)
    picks: list[Pick | None] = [Pick(verses=bonus.verses, cards=card) for _ in effects.asking(acting)]
    doing = Doing(seat=turn.seat, rule=rule, source=bonus.source, here=turn.director, performing=deed, picks=picks)
    effects.carry_out(draft, acting, doing)


def _promote(draft: Draft, number: int, bonus: Bonus) -> None:
    """Promote an Agent in service with the Action."""
    turn = draft.state.turn
    if turn is None:
        return
    tie_to(draft, number, bonus.source)
    picks = [] if bonus.copies is None else [Pick(agent=bare(bonus.copies))]
    deed = turn.performed[number].action
    for promote in PROMOTE:
        promote(draft, turn.seat, bonus.source, effect=True, to=bonus.to, picks=picks, performing=deed)


def tie_to(draft: Draft, number: int, agent: str) -> None:
    """Record that the promotion of an Agent goes with a performance."""
    turn = draft.state.turn
    if turn is not None:
        rule = pieces(draft.state).agents[agent].rules.promotion
        deed = turn.performed[number].action
        draft.record(PromotionTied(rule=rule, seat=turn.seat, agent=agent, action=deed, number=number))


def tie(draft: Draft, seat: str, agent: str, deed: Deed, *, rule: str) -> None:
    """Tie the promotion of an Agent to an Action that the seat has performed in this turn (vr:promotion.8).

    Raises Impossible by the rule without such an Action; the one that brought the Agent does not count.
    """
    turn = draft.state.turn
    done = () if turn is None or turn.seat != seat else turn.performed
    numbers = [n for n, one in enumerate(done) if one.action == deed and agent not in one.brought]
    if not numbers:
        raise Impossible(
            "vr:promotion.8",
            "this effect needs an Action in the same turn: {deed:deed}",
            "cet effet exige une Action dans le même tour : {deed:deed}",
            deed=deed,
        ).citing(rule, "vr:action.6")
    tie_to(draft, numbers[-1], agent)
