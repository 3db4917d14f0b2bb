"""Kinds of action closed to a seat: refused whatever the choice. Moves need not try them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ledger.rulebooks.monopoly.table.state import Monopoly, in_play

SETUP = frozenset({"join_table", "roll_for_order", "shuffle_deck", "deal_properties", "start_game"})
"""The actions to prepare the table."""
PLAY = frozenset(
    {
        *(
            "roll_and_move",
            "end_turn",
            "buy_property",
            "decline_property",
            "draw_card",
            "roll_chance_die",
            "pay_tax",
        ),
        *("claim_rent", "roll_for_rent", "pay_debt", "declare_bankruptcy"),
        *("build", "sell_building", "request_building", "mortgage", "unmortgage", "settle_mortgage_transfer"),
        *("pay_jail_fine", "use_jail_card", "roll_for_jail", "bid", "pass_bid", "open_auction", "close_auction"),
        *("propose_trade", "accept_trade", "reject_trade"),
    }
)
"""The actions of a game under way."""
_OF_THE_BANKER = frozenset({"open_auction", "close_auction"})
OF_PLAYERS = PLAY - _OF_THE_BANKER
"""The actions of a seat still in the game."""
OWN_TURN = frozenset(
    {
        *(
            "roll_and_move",
            "end_turn",
            "buy_property",
            "decline_property",
            "draw_card",
            "roll_chance_die",
            "pay_tax",
        ),
        *("use_jail_card", "roll_for_jail"),
    }
)
"""The actions of the seat's own turn."""

_Todo = Literal["buy", "card", "die", "tax", "throw"]
_ASKED: Mapping[_Todo, frozenset[str]] = {
    "buy": frozenset({"buy_property", "decline_property"}),
    "card": frozenset({"draw_card"}),
    "die": frozenset({"roll_chance_die"}),
    "tax": frozenset({"pay_tax"}),
    "throw": frozenset(),
}
"""The actions for each demand of a square, if nothing else allows them."""
_OF_SQUARES = frozenset().union(*_ASKED.values())
_BIDS = frozenset({"bid", "pass_bid", "close_auction"})
_ALL = SETUP | PLAY


def kinds(state: Monopoly, seat: str) -> frozenset[str]:
    """Return the kinds of action closed to the seat now."""
    if state.ended:
        return _ALL
    if state.stage == "setup":
        return PLAY
    if state.stage == "between":
        return _ALL
    closed = SETUP
    if state.auction is None:
        closed |= _BIDS
    if seat and seat not in in_play(state):
        return closed | OF_PLAYERS
    if state.turn != seat:
        return closed | OWN_TURN
    landing = state.landing
    demanded = _ASKED[landing.todo] if landing is not None and landing.seat == seat else frozenset()
    return closed | (_OF_SQUARES - demanded)
