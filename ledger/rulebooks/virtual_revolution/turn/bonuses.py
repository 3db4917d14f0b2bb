"""Bonuses of an Action: Boosts, Titles, promotions tied to the Action; each before or after it (vr:action.3 to
action.6).

Bonuses add up without limit. Range and waived conditions act during the Action. Every bonus is a separate event
with a source and a rule.
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
    """Register the function that promotes an Agent declared with an Action (vr:promotion.8)."""
    PROMOTE[:] = [promoting]
    return promoting


# ----------------------------------------------------------------------------------------------
# Sources
# ----------------------------------------------------------------------------------------------


def bare(source: str) -> str:
    """Return the id of a source without a "card:" or "title:" prefix."""
    return source.removeprefix("card:").removeprefix("title:")


def sources(state: VirtualRevolution, seat: str, deed: Deed) -> tuple[str, ...]:
    """Return the possible bonuses of an Action: the Boosts under the Action, and the upright Titles tied to it."""
    under = [source for source in boosts_of(state, seat) if boost_action(state, source) == deed]
    title_cards = pieces(state).titles
    usable_titles = [source for source in titles_of(state, seat) if titles.is_usable(state, seat, source)]
    return (*under, *(source for source in usable_titles if _tied(title_cards[source].effects, deed)))


def still_open(state: VirtualRevolution, seat: str, number: int) -> list[str]:
    """Return the Boosts and Titles of a seat that may still apply to a performance of the turn."""
    sources_held = {*boosts_of(state, seat), *titles_of(state, seat)}
    return [source for source in performance(state, number).open if source in sources_held]


def is_left(state: VirtualRevolution, seat: str, number: int, bonus: Bonus) -> bool:
    """Return True if a bonus declared for after an Action is neither applied nor lost."""
    return bonus.source in still_open(state, seat, number) or bonus.source in in_service(state, seat)


def rule_of(state: VirtualRevolution, source: str) -> str:
    """Return the rule of a Boost, of a Title, or of the Boost of an Agent."""
    catalogue = pieces(state)
    if source in catalogue.titles:
        return catalogue.titles[source].rule
    return catalogue.boosts[source].rule if source in catalogue.boosts else catalogue.agents[source].rules.boost


def effects_of(state: VirtualRevolution, source: str, deed: Deed) -> tuple[Effect, ...]:
    """Return the effects of a Boost or a Title on an Action."""
    catalogue = pieces(state)
    if source in catalogue.titles:
        return _tied(catalogue.titles[source].effects, deed)
    return catalogue.boosts[source].effects if source in catalogue.boosts else catalogue.agents[source].boost


def _tied(candidates: Iterable[Effect], deed: Deed) -> tuple[Effect, ...]:
    return tuple(effect for effect in candidates if getattr(effect, "tied_to", None) == deed)


def promotion_effects(state: VirtualRevolution, agent: str, copies: str | None, deed: Deed) -> tuple[Effect, ...]:
    """Return the effects of a promotion tied to an Action; with `copies`, the effects of the copied Agent."""
    agents = pieces(state).agents
    candidates = agents[agent].promotion
    if copies is not None and copies in agents and any(isinstance(effect, CopyPromotion) for effect in candidates):
        candidates = agents[copies].promotion
    return _tied(candidates, deed)


def gains_by_default(state: VirtualRevolution, seat: str, deed: Deed) -> list[str]:
    """Return the Boosts with gains alone. These Boosts apply if a player declares nothing."""
    catalogue = pieces(state)
    return [
        source
        for source in sources(state, seat, deed)
        if source not in catalogue.titles
        and all(isinstance(effect, Gain | AddRange) for effect in effects_of(state, source, deed))
    ]


def expected(state: VirtualRevolution, seat: str, deed: Deed) -> tuple[int, int]:
    """Return the eurocredits and the range from the default Boosts, as a help for choices."""
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
    draft: Draft, seat: str, deed: Deed, requests: Sequence[Bonus] | None, available: Sequence[str]
) -> list[Bonus]:
    """Return the bonuses of an Action, in order; `available` are the Boosts and Titles open to the Action.

    Raises Impossible for a bonus without use in the Action, for a repeated bonus, and for a superfluous answer.
    """
    if requests is None:
        return [Bonus(source=bonus) for bonus in gains_by_default(draft.state, seat, deed) if bonus in available]
    named = [replace(bonus, source=bare(bonus.source)) for bonus in requests]
    for number, bonus in enumerate(named):
        if any(bonus.source == other.source for other in named[:number]):
            raise Impossible(
                "vr:action.5",
                "a bonus applies once to an Action: {bonus:bonus}",
                "une bonification s'applique une fois à une Action : {bonus:bonus}",
                bonus={"source": bonus.source},
            )
        require_bonus(draft.state, seat, deed, bonus, available)
    return named


def require_bonus(state: VirtualRevolution, seat: str, deed: Deed, bonus: Bonus, available: Sequence[str]) -> None:
    """Raise Impossible for a bonus without use in the Action (vr:action.3), and for a superfluous answer."""
    if bonus.source in available:
        acting = effects_of(state, bonus.source, deed)
        asks_verses = any(isinstance(effect, ReplaceVerses) for effect in acting)
        asks_card = any(isinstance(effect, PayToDiscardCorruption) for effect in acting)
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
    if bonus.when == "after" and any(isinstance(effect, During) for effect in acting):
        raise too_late(bonus.source).citing(agent.rules.promotion)


def _no_bonus(state: VirtualRevolution, seat: str, deed: Deed, bonus: Bonus) -> Impossible:
    """Return the refusal of a bonus: not the player's, tilted, or of another Action."""
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


def redact_bonuses(requests: Sequence[Bonus] | None) -> dict[str, Any]:
    """Return the bonuses of an action for outside viewers, without the Corruption card discarded by a bonus."""
    if requests is None:
        return {}
    return {"bonuses": msgspec.to_builtins([replace(bonus, card=None) for bonus in requests])}


# ----------------------------------------------------------------------------------------------
# Applying
# ----------------------------------------------------------------------------------------------


def apply(draft: Draft, number: int, bonus: Bonus, moment: Literal["before", "after"]) -> None:
    """Apply the effects of a declared bonus before or after the Action of the number.

    Range and waived conditions act before the Action, even if the bonus is declared for after it.
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
        acting = tuple(effect for effect in acting if isinstance(effect, During) is (moment == "before"))
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
    doing = Doing(seat=turn.seat, rule=rule, source=bonus.source, area=turn.director, performing=deed, picks=picks)
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
    """Record a link between the promotion of an Agent and a performance."""
    turn = draft.state.turn
    if turn is not None:
        rule = pieces(draft.state).agents[agent].rules.promotion
        deed = turn.performed[number].action
        draft.record(PromotionTied(rule=rule, seat=turn.seat, agent=agent, action=deed, number=number))


def tie(draft: Draft, seat: str, agent: str, deed: Deed, *, rule: str) -> None:
    """Tie the promotion of an Agent to an Action performed by the seat in this turn (vr:promotion.8).

    Raises Impossible by the rule without an Action; the Action that brought the Agent does not count.
    """
    turn = draft.state.turn
    done = () if turn is None or turn.seat != seat else turn.performed
    numbers = [
        n for n, performed in enumerate(done) if performed.action == deed and agent not in performed.brought
    ]
    if not numbers:
        raise Impossible(
            "vr:promotion.8",
            "this effect needs an Action in the same turn: {deed:deed}",
            "cet effet exige une Action dans le même tour : {deed:deed}",
            deed=deed,
        ).citing(rule, "vr:action.6")
    tie_to(draft, numbers[-1], agent)
