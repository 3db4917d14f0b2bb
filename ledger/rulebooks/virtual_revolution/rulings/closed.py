"""Kinds of action closed to a seat, refused with any parameters. The move generator skips these kinds."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rulebooks.virtual_revolution.rounds.answers import awaited
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution

SETUP = frozenset(
    {
        *("choose_colour", "deal_objectives", "record_objectives", "deal_locations", "reveal_agents"),
        *("prepare_location_deck", "prepare_agent_deck", "prepare_corruption_deck", "prepare_verse_deck"),
        *("prepare_necro_deck", "prepare_table"),
    }
)
"""The kinds that prepare the table."""
FREE = frozenset({"activate_title", "recover_influence", "put_verse_online", "trade_verse"})
"""The kinds open at any moment of the player's turn, even before the Director is placed (vr:turn.4, vr:turn.6)."""
PLACED = frozenset(
    {
        *("activate_agent", "promote_agent", "apply_bonus", "end_turn", "create_verse", "renew_verses"),
    }
)
"""The kinds open after the Director of the turn is placed. Create a Verse may be under way after its phase."""
INFLUENCE = frozenset({"influence_add", "influence_eliminate", "influence_move", "skip_influence"})
DEEDS = frozenset({"work", "recruit_agent", "build_server", "make_donation", "skip_action"})
_OF_PHASE: Mapping[int, frozenset[str]] = {
    1: FREE | {"place_director"},
    2: FREE | PLACED | INFLUENCE | DEEDS,
    3: FREE | PLACED | DEEDS,
    4: FREE | PLACED,
}
_ANSWERS: Mapping[str, frozenset[str]] = {
    "discard": frozenset({"discard_corruption"}),
    "exchange": frozenset({"exchange_corruption"}),
    "loss": frozenset({"choose_loss"}),
}
"""The answers to each kind of demand."""
_ASKED: Mapping[str, frozenset[str]] = {
    "raid": frozenset({"resolve_corruption_card", "avoid_corruption"}),
    "missions": frozenset({"put_verse_online", "leave_loading"}),
    "attack": frozenset({"avoid_necro", "resolve_necro_effect"}),
    "order": frozenset({"choose_turn_order"}),
    "choices": frozenset({"choose_agent_type", "choose_objective"}),
}
"""The kinds open to the awaited seats at each stage."""
_BANKER: Mapping[str, frozenset[str]] = {
    "missions": frozenset({"necro_attack"}),
    "attack": frozenset({"necro_attack"}),
    "upkeep": frozenset({"upkeep"}),
}
"""The kinds that carry the game on at each stage."""
ALL = frozenset().union(
    SETUP, *_OF_PHASE.values(), *_ANSWERS.values(), *_ASKED.values(), *_BANKER.values()
)  # fmt: skip
"""All kinds of play. The kinds of the docket are never closed."""


def kinds(state: VirtualRevolution, seat: str) -> frozenset[str]:
    """Return the kinds of action closed to the seat, "" for the banker."""
    return ALL - _open(state, seat)


def _open(state: VirtualRevolution, seat: str) -> frozenset[str]:
    if state.ended:
        return frozenset()
    if state.stage == "setup":
        return SETUP
    going_on = _BANKER.get(state.stage, frozenset())
    if state.demands:
        first = state.demands[0]
        return going_on | (_ANSWERS[first.kind] if first.seat == seat else frozenset())
    if state.stage == "turn":
        turn = state.turn
        return _OF_PHASE[turn.phase] if turn is not None and turn.seat == seat else frozenset()
    return going_on | (_ASKED.get(state.stage, frozenset()) if seat in awaited(state) else frozenset())
