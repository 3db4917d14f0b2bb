"""Who has to answer out of turn, and the answer that is taken when nobody gives one."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.kernel.rules.actions import Action
from ledger.rulebooks.parts import decks
from ledger.rulebooks.virtual_revolution.agents import verses_online
from ledger.rulebooks.virtual_revolution.attacks import attacks, necros
from ledger.rulebooks.virtual_revolution.decks import hands
from ledger.rulebooks.virtual_revolution.raids import losses, protection, raids
from ledger.rulebooks.virtual_revolution.rounds import turn_order
from ledger.rulebooks.virtual_revolution.scores import endgame, scores
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution, pieces
from ledger.rulebooks.virtual_revolution.table.terms import Demand, hand


def awaited(state: VirtualRevolution) -> Sequence[str]:
    """The seats whose answer the game waits for out of turn, in the order in which defaults are taken."""
    if state.demands:
        return (state.demands[0].seat,)
    match state.stage:
        case "raid":
            return () if state.raid is None else (state.raid.seat,)
        case "missions" | "choices":
            return state.waiting
        case "attack" if state.attack is not None:
            return state.attack.paying or tuple(due.seat for due in state.attack.losses[:1])
        case "order":
            return state.choosers[:1]
        case _:
            return ()


def asks_for(state: VirtualRevolution) -> str:
    """The question that is open out of turn, as a text that is another one for each; "" when none is.

    A question to several seats is one question, whoever has answered it.
    """
    if state.demands:
        first = state.demands[0]
        own = state.turn is not None and first.seat == state.turn.seat
        return "" if own else f"{first.kind}:{first.seat}"
    seats = awaited(state)
    if not seats:
        return ""
    match state.stage:
        case "raid":
            return f"raid:{state.round}:{seats[0]}:{len(raids.left(state, seats[0]))}"
        case "attack" if state.attack is not None and not state.attack.paying:
            return f"loss:{state.round}:{state.attack.stage}:{len(state.attack.losses)}"
        case "order":
            return f"order:{state.round}:{seats[0]}"
        case stage:
            return f"{stage}:{state.round}"


def default_answer(state: VirtualRevolution) -> tuple[Action, str] | None:
    """The answer that the game takes for the first seat awaited; None when none is.

    Nothing is spent and nothing is kept: the first card, the first thing that can be lost, the first free place,
    no Verse put online, the Objective that scores most.
    """
    seat = next(iter(awaited(state)), None)
    if seat is None:
        return None
    found = _to_demand(state, state.demands[0]) if state.demands else _by_stage(state, seat)
    return None if found is None else (found, seat)


def _by_stage(state: VirtualRevolution, seat: str) -> Action | None:
    """The default answer at the end of a round."""
    match state.stage:
        case "raid":
            card = raids.left(state, seat)[0]
            lose = next(iter(protection.answers(state, seat, card.effects)), {}).get("lose")
            return raids.ResolveCorruptionCard(card=card.id, lose=lose)
        case "missions":
            return verses_online.LeaveLoading()
        case "attack" if state.attack is not None and state.attack.paying:
            return necros.AvoidNecro(tokens=0)
        case "attack" if (due := attacks.asked(state, seat)) is not None:
            first: dict[str, str] = next(iter(protection.answers(state, seat, (due.effect,))), {})
            return necros.ResolveNecroEffect(lose=first.get("lose"))
        case "order":
            return turn_order.ChooseTurnOrder(place=turn_order.free(state)[0])
        case "choices":
            return _choice(state, seat)
        case _:
            return None


def _choice(state: VirtualRevolution, seat: str) -> Action | None:
    """The default choice before scoring: an Agent's own type, then the Objective that scores most."""
    agents = endgame.open_types(state, seat)
    if agents:
        own, among = pieces(state).agents[agents[0]].type, endgame.types_of(state, agents[0])
        return endgame.ChooseAgentType(agent=agents[0], type=own if own in among else among[0])
    best = scores.best_choice(state, seat)
    return None if best is None else endgame.ChooseObjective(objective=best.objective, verse_type=best.verse_type)


def _to_demand(state: VirtualRevolution, demand: Demand) -> Action:
    """The default answer to what a card demands: the first cards, or the first thing."""
    own = decks.held_in(state, hand(demand.seat))
    match demand.kind:
        case "discard":
            return hands.DiscardCorruption(cards=tuple(own[: demand.amount]))
        case "exchange":
            taken = decks.held_in(state, hand(demand.of))[0]
            return hands.ExchangeCorruption(take=taken, give=hands.givable(state, demand.seat, taken)[0])
        case "loss":
            return verses_online.ChooseLoss(lose=losses.losable(state, demand.seat, demand.among)[0])
