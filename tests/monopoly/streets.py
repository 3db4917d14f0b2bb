"""The town with other streets, dice and prisons, and games of simulated players on it."""

from __future__ import annotations

import copy
from typing import Any

import msgspec

from ledger import rulebooks
from ledger.kernel.deciding.in_memory import GameInMemory
from ledger.kernel.facts.state import Seat
from ledger.kernel.rules.bots import RANDOM
from ledger.kernel.rules.opening import Opening
from ledger.rulebooks.monopoly.own_edition import check, settings_of
from ledger.rulebooks.monopoly.table.state import Monopoly
from replays import simulation
from tests.monopoly.own import TOWN, row
from tests.monopoly.table import Table

SEATS = ("ana", "bob", "cid")


def changed(**squares: dict[str, Any]) -> dict[str, Any]:
    """The town with these members of some squares; None leaves a member out."""
    board = copy.deepcopy(TOWN)
    for name, members in squares.items():
        square = row(board, "squares", name)
        square |= members
        for member in [member for member, value in square.items() if value is None]:
            del square[member]
    return board


def of(board: dict[str, Any], *, seats: tuple[str, ...] = SEATS, dice: str = "table", **settings: Any) -> Table:
    """A game on a board of the table's own."""
    assert check(board) == []
    return Table("monopoly", seats=seats, dice=dice, settings=settings_of(board, settings))


def simulated(board: dict[str, Any], *, seed: int, actions: int = 1500, **settings: Any) -> GameInMemory[Monopoly]:
    """A game of random players: never stuck, nothing made or lost, the same state again from its journal."""
    assert check(board) == []
    rulebook = rulebooks.rulebooks_by_id()["monopoly"]
    chosen = msgspec.convert(settings_of(board, settings), rulebook.settings)
    opening = Opening(players=tuple(Seat(seat, seat.title()) for seat in SEATS), settings=chosen, dice="service")
    bots = rulebook.simulation.strategies
    strategies = dict(zip(SEATS, (RANDOM, "bold", "careful"), strict=True))
    minds = {seat: bots.get(strategies[seat], bots[RANDOM]) for seat in SEATS}
    played = simulation.play(
        rulebook, opening, seed=seed, bots=lambda by: minds.get(by) or bots.get(by, bots[RANDOM]), actions=actions
    )
    game: GameInMemory[Monopoly] = played.game
    assert simulation.unbalanced(game.state) == {}
    again = game.past.state_after(game.state.version)
    assert rulebook.codec.to_snapshot(again) == rulebook.codec.to_snapshot(game.state)
    return game


def happened(game: GameInMemory[Monopoly], kind: str) -> int:
    """How often an action was performed in a game."""
    return sum(entry.kind == kind for entry in game.journal)
