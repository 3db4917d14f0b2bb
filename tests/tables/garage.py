"""Vehicles in hand, for scenarios: Ana's turn with what she drives, and what came of a walk."""

from __future__ import annotations

from ledger.kernel.accounts import Posting
from ledger.kernel.events import Event, kind_of
from ledger.rulebooks.negopoly.board import tokens
from ledger.rulebooks.negopoly.table.terms import Turn
from tests.tables.negopoly import Table

SPAWN = 0
CHECKPOINT = 4
PRISON = 10
NC_CUSTOM = 15
HOPITAL = 20
PAY = 250


def kinds(events: list[Event]) -> list[str]:
    return [kind_of(event) for event in events]


def turn(table: Table) -> Turn:
    assert table.state.turn is not None
    return table.state.turn


def walked(events: list[Event]) -> list[tuple[tuple[int, ...], bool, str]]:
    """Of every walk: its squares, whether it ended in a stop, and the rule that made it."""
    return [(one.path, one.stop, one.rule) for one in events if isinstance(one, tokens.TokenMoved)]


def garage(*vehicles: str, start: int = PRISON, perks: dict[str, str] | None = None, decks: bool = False) -> Table:
    """Ana's turn, with these vehicles in hand."""
    table = Table("ana", "bob", perks=perks, decks=decks)
    for vehicle in vehicles:
        table.give("ana", vehicle)
    table.place("ana", start)
    return table


def weather(table: Table, card: str) -> None:
    """This Météo card is active."""
    with table.arranged() as state:
        state.holdings.post(Posting(f"card:{card}", 1, "deck:meteo", "weather"))
        state.weather = (*state.weather, card)
