"""Games of Negopoly in a ledger, on a database: started and played through its front.

ledger = a_ledger(store, clock)                          with nothing in memory
game = started(ledger, "ana", "bob")                     version 6: it is Ana's turn of round 1
do(ledger, game, ANA, "transfer_money", to="bob", amount=40)
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

from ledger.kernel.facts.audience import BANKER, Viewer
from ledger.kernel.facts.state import Seat
from ledger.rulebooks.negopoly import RULEBOOK
from ledger.service import Command, Ledger, Performed
from ledger.store.store import Store
from tests.harness.playing import NOON
from tests.tables.negopoly import NO_DECKS, starting

ANA, BOB, CID = Viewer("player", "ana"), Viewer("player", "bob"), Viewer("player", "cid")
SPECTATOR = Viewer("spectator")


class Clock:
    """A clock that stands still until it is moved; with a step it moves by this many seconds at every reading."""

    def __init__(self, now: datetime = NOON, *, step: int = 0) -> None:
        self.now = now
        self._step = timedelta(seconds=step)

    def __call__(self) -> datetime:
        self.now += self._step
        return self.now

    def pass_by(self, seconds: int) -> None:
        """Move the clock by this many seconds."""
        self.now += timedelta(seconds=seconds)


_LEDGERS = Counter[str]()


def chance_of_a_test() -> Random:
    """Give a ledger chance of its own. A test that is run again alone has the same."""
    name = os.environ.get("PYTEST_CURRENT_TEST", "")
    _LEDGERS[name] += 1
    return Random(f"{name} {_LEDGERS[name]}")


def a_ledger(store: Store, clock: Callable[[], datetime] = lambda: NOON) -> Ledger:
    """Return a ledger for Negopoly without any game in memory."""
    return Ledger(store, {RULEBOOK.id: RULEBOOK}, clock=clock, chance=chance_of_a_test())


def do(ledger: Ledger, game: str, viewer: Viewer, kind: str, **params: Any) -> Performed:
    """Perform an action for this viewer."""
    return ledger.perform(game, viewer, Command(kind=kind, params=params))


def start(ledger: Ledger, game: str, *seats: str, perks: dict[str, str] | None = None) -> str:
    """Let these seats join and choose a perk, and the banker start; return the game's id."""
    for seat, kind, params in starting(*seats, perks=perks):
        do(ledger, game, BANKER if seat is None else Viewer("player", seat), kind, **params)
    return game


def started(
    ledger: Ledger,
    *seats: str,
    title: str | None = None,
    dice: str = "table",
    settings: dict[str, Any] | None = None,
    perks: dict[str, str] | None = None,
) -> str:
    """Return the id of a new, started game of these seats; it has no cards unless its settings say so."""
    chosen = {"decks": NO_DECKS} if settings is None else settings
    players = [Seat(seat, seat.capitalize()) for seat in seats]
    created = ledger.create(RULEBOOK.id, title=title, players=players, settings=chosen, dice=dice)
    return start(ledger, created.game, *seats, perks=perks)
