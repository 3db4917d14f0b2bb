"""An endless game: turns with rolls, payments, purchases and loans, for any number of actions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.state import Seat
from ledger.rulebooks.negopoly.table.state import Negopoly, owner_of
from ledger.rulebooks.negopoly.table.terms import MONEY, Loan, player
from ledger.service import Command, Ledger

SEATS = ("ana", "bob", "cleo", "dan")
SETTINGS = {"turn_seconds": 86_400, "decks": {"chance": [], "kamtar": [], "meteo": []}}
"""A turn that lasts a day: a benchmark is not to run into the clock. Cards would have to be drawn by somebody."""


def create(ledger: Ledger, dice: str = "table") -> str:
    """Create and start a game of four. Returns its id."""
    players = [Seat(seat, seat.capitalize()) for seat in SEATS]
    game = ledger.create("negopoly", title="Marathon", players=players, settings=SETTINGS, dice=dice).game
    for seat in SEATS:
        viewer = Viewer("player", seat)
        ledger.perform(game, viewer, Command(kind="join_game", params={"persona": seat}))
        ledger.perform(game, viewer, Command(kind="choose_starter_perk", params={"perk": "money"}))
    ledger.perform(game, BANKER, Command(kind="start_game"))
    return game


def commands(
    chance: random.Random, state_of: Any, *, deals: bool = True
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Actions as (seat, kind, params). Each must be accepted before the next; `state_of()` gives the state.

    Without deals the state does not grow.
    """
    while True:
        state: Negopoly = state_of()
        if state.turn is None:
            return
        seat = state.turn.seat
        if state.turn.roll == "due":  # A script that continues a game may find the turn already begun.
            yield seat, "roll_dice", {"dice": [chance.randint(1, 6), chance.randint(1, 6)]}
        state = state_of()
        if state.turn is not None and state.turn.seat == seat and state.turn.unresolved:
            yield seat, "resolve_square", {}
        state = state_of()
        stop = state.turn.stop if state.turn is not None else None
        if stop is not None and (title := state.board[stop].property) is not None:
            price_known = owner_of(state, title) is None and state.holdings.of(player(seat), MONEY) > 500
            if price_known:
                yield seat, "buy_property", {}
        other = chance.choice([one for one in state.order if one != seat])
        if state.holdings.of(player(seat), MONEY) > 50:
            yield seat, "transfer_money", {"to": other, "amount": chance.randint(1, 20)}
        if deals:
            yield seat, "propose_deal", {"parties": [seat, other], "clauses": ["Ask me again next round."]}
            state = state_of()
            deal = max(state.open, key=lambda key: int(key.split("-")[0]))
            yield seat, "withdraw_deal", {"deal": deal}
        loans = [one for one in state.open.values() if isinstance(one, Loan) and one.borrower == seat]
        if not loans:
            yield seat, "take_loan", {"amount": 100}
        yield seat, "end_turn", {}


def run(ledger: Ledger, game: str, upto: int, chance: random.Random) -> None:
    """Play until the journal has this many actions."""
    for seat, kind, params in commands(chance, lambda: ledger.games.open(game).state):
        ledger.perform(game, Viewer("player", seat), Command(kind=kind, params=params))
        if ledger.games.open(game).state.version >= upto:
            return
