"""Kinds of action closed to a seat: refused with any parameters, so moves need not try the kinds.

Each kind is listed by the first requirement of its `decide`. A kind may be missing: then moves try the kind.
"""

from __future__ import annotations

from ledger.rulebooks.negopoly.estate import quarters
from ledger.rulebooks.negopoly.mercenaries import bar
from ledger.rulebooks.negopoly.table.state import Negopoly, open_passages

AT_THE_BAR = frozenset({"attack_property", "squat_property", "take_service"})
"""Actions that need a stop with access to the bar (IX.A.2), and are sold once in a visit (IX.A.3)."""
BUYING_WEAPONS = frozenset({"buy_weapon"})
"""Actions that need a stop with access to the bar, or a passage by a bar with the Jaune quarter (V.E.12)."""
OWN_TURN = frozenset(
    {
        *AT_THE_BAR,
        *BUYING_WEAPONS,
        "build_house",
        "buy_doses",
        "buy_for_player",
        "buy_kamtar_card",
        "buy_licence",
        "buy_prescription",
        "buy_prison_racket",
        "consume_dose",
        "destroy_house",
        "end_turn",
        "evict_squatters",
        "force_buyback",
        "mortgage_property",
        "quarter_teleport",
        "resolve_square",
        "roll_dice",
        "send_delivery",
        "unmortgage_property",
        "use_vehicle",
    }
)
"""Actions that need the seat's own turn, and no open question or strike (II.2, IX.B.15)."""

_ALL_AT_THE_BAR = AT_THE_BAR | BUYING_WEAPONS


def kinds(state: Negopoly, seat: str) -> frozenset[str]:
    """Return the kinds of action closed to the seat now."""
    turn = state.turn
    if turn is None or turn.seat != seat or _is_held_up(state, seat):
        return OWN_TURN
    visits = open_passages(state, bar.access(state), stop_only=True)
    if visits:
        return AT_THE_BAR if visits[0].served else frozenset()
    return AT_THE_BAR if quarters.has_ability(state, seat, "jaune") else _ALL_AT_THE_BAR


def _is_held_up(state: Negopoly, seat: str) -> bool:
    """Return True if a question or a strike comes first: a question caused by the seat or put to it, or a
    strike against it.
    """
    return any(seat in (question.seat, question.by) for question in state.questions) or any(
        seat in strike.victims and seat not in strike.spared for strike in state.strikes
    )
