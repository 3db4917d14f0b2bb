"""Kinds of action that are closed to a seat: whatever it chooses, they are refused. Moves need not try them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ledger.rulebooks.monopoly.table.state import Monopoly, in_play

SETUP = frozenset({"join_table", "roll_for_order", "shuffle_deck", "deal_properties", "start_game"})
"""What prepares the table."""
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
"""What needs a game under way."""
_OF_THE_BANKER = frozenset({"open_auction", "close_auction"})
OF_PLAYERS = PLAY - _OF_THE_BANKER
"""What needs a seat that is in the game."""
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
"""What needs the seat's own turn."""

_Todo = Literal["buy", "card", "die", "tax", "throw"]
_ASKED: Mapping[_Todo, frozenset[str]] = {
    "buy": frozenset({"buy_property", "decline_property"}),
    "card": frozenset({"draw_card"}),
    "die": frozenset({"roll_chance_die"}),
    "tax": frozenset({"pay_tax"}),
    "throw": frozenset(),
}
"""What each thing that a square asks for is done by, where nothing else allows it."""
_OF_SQUARES = frozenset().union(*_ASKED.values())
_BIDS = frozenset({"bid", "pass_bid", "close_auction"})
_ALL = SETUP | PLAY


def kinds(state: Monopoly, seat: str) -> frozenset[str]:
    """The kinds of action that the seat cannot do now."""
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
    asked = _ASKED[landing.todo] if landing is not None and landing.seat == seat else frozenset()
    return closed | (_OF_SQUARES - asked)
