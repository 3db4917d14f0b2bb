"""Ways to bring a table laid out by hand to the end of a round."""

from __future__ import annotations

from typing import Any

from ledger.kernel.facts.accounts import Posting
from ledger.kernel.facts.events import Event
from ledger.rulebooks.parts.seats import player
from ledger.rulebooks.virtual_revolution.table.state import VirtualRevolution
from ledger.rulebooks.virtual_revolution.table.terms import SHOWN_NECRO, Turn, director, spot
from tests.virtual_revolution.table import Table

LAST = 5
"""The last round."""


def end_round(table: Table, *, number: int = 1) -> list[Event]:
    """End the last turn of a round: every Director is on the map. Returns the events of that action."""
    last = table.seats[-1]
    with table.arranged() as state:
        state.round = number
        for seat in table.seats:
            left = state.holdings.of(player(seat), director(seat))
            if left:
                state.holdings.post(Posting(director(seat), left, player(seat), spot(1)))
        state.turn = Turn(seat=last, cycle=3, director=1, phase=4)
    return table.play(last, "end_turn")


def attack(table: Table, card: str, *drawn: str, number: int = 1) -> list[Event]:
    """End a round without any raid, and turn up this Necro card; `drawn` are the Corruption cards drawn then."""
    if number == LAST:
        with table.arranged() as state:
            for shown in ("corruption", "insurrections", "chantage", "revolte"):
                state.holdings.post(Posting(f"card:{shown}", 1, "deck:necro", SHOWN_NECRO))
    end_round(table, number=number)
    return table.banker("necro_attack", drawn=[card, *drawn])


def events_of(table: Table, kind: type[Event]) -> list[Any]:
    """The events of this kind that the last action recorded."""
    assert table.last is not None
    return [event for event in table.last.events if isinstance(event, kind)]


def stage(table: Table) -> str:
    """What the game has come to."""
    state: VirtualRevolution = table.state
    return state.stage
