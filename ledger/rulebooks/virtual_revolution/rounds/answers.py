"""Answers due out of turn: the seats awaited, and the default answers."""

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
    """Return the seats with an answer due out of turn, in the order of the default answers."""
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
    """Return a text that identifies the question open out of turn; "" without a question.

    A question to several seats is one question, whether or not some seats have answered.
    """
    if state.demands:
        first = state.demands[0]
        is_own_turn = state.turn is not None and first.seat == state.turn.seat
        return "" if is_own_turn else f"{first.kind}:{first.seat}"
    seats = awaited(state)
    if not seats:
        return ""
    match state.stage:
        case "raid":
            return f"raid:{state.round}:{seats[0]}:{len(raids.unresolved(state, seats[0]))}"
        case "attack" if state.attack is not None and not state.attack.paying:
            return f"loss:{state.round}:{state.attack.stage}:{len(state.attack.losses)}"
        case "order":
            return f"order:{state.round}:{seats[0]}"
        case stage:
            return f"{stage}:{state.round}"


def default_answer(state: VirtualRevolution) -> tuple[Action, str] | None:
    """Return the default answer of the first seat awaited, and the seat. None if no answer is due.

    The default spends nothing and keeps nothing: the first card, the first possible loss, the first free
    position, no Verse put online, the Objective with the highest score.
    """
    seat = next(iter(awaited(state)), None)
    if seat is None:
        return None
    answer = _to_demand(state, state.demands[0]) if state.demands else _by_stage(state, seat)
    return None if answer is None else (answer, seat)


def _by_stage(state: VirtualRevolution, seat: str) -> Action | None:
    """Return the default answer at the end of a round."""
    match state.stage:
        case "raid":
            card = raids.unresolved(state, seat)[0]
            lose = next(iter(protection.answers(state, seat, card.effects)), {}).get("lose")
            return raids.ResolveCorruptionCard(card=card.id, lose=lose)
        case "missions":
            return verses_online.LeaveLoading()
        case "attack" if state.attack is not None and state.attack.paying:
            return necros.AvoidNecro(tokens=0)
        case "attack" if (due := attacks.pending_loss(state, seat)) is not None:
            first: dict[str, str] = next(iter(protection.answers(state, seat, (due.effect,))), {})
            return necros.ResolveNecroEffect(lose=first.get("lose"))
        case "order":
            return turn_order.ChooseTurnOrder(place=turn_order.free(state)[0])
        case "choices":
            return _choice(state, seat)
        case _:
            return None


def _choice(state: VirtualRevolution, seat: str) -> Action | None:
    """Return the default choice before scoring: an Agent's printed type, then the Objective with the highest
    score.
    """
    agents = endgame.open_types(state, seat)
    if agents:
        printed_type, among = pieces(state).agents[agents[0]].type, endgame.types_of(state, agents[0])
        return endgame.ChooseAgentType(agent=agents[0], type=printed_type if printed_type in among else among[0])
    best = scores.best_choice(state, seat)
    return None if best is None else endgame.ChooseObjective(objective=best.objective, verse_type=best.verse_type)


def _to_demand(state: VirtualRevolution, demand: Demand) -> Action:
    """Return the default answer to a card's demand: the first cards, or the first possible loss."""
    hand_cards = decks.held_in(state, hand(demand.seat))
    match demand.kind:
        case "discard":
            return hands.DiscardCorruption(cards=tuple(hand_cards[: demand.amount]))
        case "exchange":
            card = decks.held_in(state, hand(demand.of))[0]
            return hands.ExchangeCorruption(take=card, give=hands.givable(state, demand.seat, card)[0])
        case "loss":
            return verses_online.ChooseLoss(lose=losses.losable(state, demand.seat, demand.among)[0])
