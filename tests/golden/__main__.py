"""Store a played game as a golden journal. Existing files are never changed.

python -m tests.golden <rulebook>_v<n> [<players> <seed> <actions> | <name>]
"""

from __future__ import annotations

import hashlib
import random
import sys
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import msgspec

from api.rest.application import Config, create_app
from ledger.kernel.journal.entry import canonical
from ledger.kernel.rules.bots import BANKER
from ledger.kernel.rules.rulebook import Rulebook
from ledger.service import Ledger
from ledger.store.database.connection import connect
from ledger.store.database.migration import migrate
from ledger.store.postgres.embedded import EmbeddedPostgres
from ledger.store.records import Selection
from ledger.store.store import Store
from replays import simulation
from tests.golden import PINS, entries_of, fold, journal_of, plain, rulebook_of, state_of
from tests.golden.scripted import SCRIPTED
from tests.harness.recorded import play

_SEED = 1
_BEGINNING = datetime(2026, 1, 2, 20, 0, tzinfo=UTC)
_LINE = timedelta(seconds=7)


class Clock:
    """A clock that advances with the lines of the file, so that the same game gives the same bytes."""

    def __init__(self) -> None:
        self._now = _BEGINNING

    def __call__(self) -> datetime:
        """The time of the game."""
        return self._now

    def tick(self, _done: int, _total: int) -> None:
        """Advance after a line."""
        self._now += _LINE


def played(rulebook: Rulebook[Any]) -> list[bytes]:
    """The canonical bytes of every entry of the rulebook's recorded game, as read from a database."""
    lines = (files("replays") / "games" / f"{rulebook.id}.jsonl").read_text(encoding="utf-8").splitlines()
    with TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder)) as server:
        migrate(server.url)
        engine = connect(server.url)
        try:
            store, clock = Store(engine), Clock()
            ledger = Ledger(store, {rulebook.id: rulebook}, clock=clock, chance=random.Random(_SEED))
            transport = httpx.WSGITransport(app=create_app(ledger, Config()))
            with httpx.Client(transport=transport, base_url="http://table.example") as client:
                game = play(lines, client, progress=clock.tick)
            found = store.journal.entries(game.game, Selection(limit=game.actions + 1))
            return [stored for _, stored in found]
        finally:
            engine.dispose()


def simulated(rulebook: Rulebook[Any], players: int, seed: int, actions: int) -> list[bytes]:
    """The canonical bytes of every entry of a game that bots have played, up to a number of actions."""
    series = simulation.Series(
        rulebook=rulebook.id,
        games=1,
        players=players,
        seed=seed,
        strategies=tuple(name for name in rulebook.simulation.strategies if name != BANKER),
        tables="varied",
        actions=actions,
    )
    return [canonical(entry) for entry in simulation.game_of(series, 0).game.journal]


def main(name: str, *way: str) -> None:
    """Write the two files of a new golden journal. Raises FileExistsError when one exists."""
    for path in (journal_of(name), state_of(name)):
        if path.exists():
            raise FileExistsError(f"{path} is kept for ever: give the new journal the next number")
    rulebook = rulebook_of(name)
    match way:
        case ():
            stored = played(rulebook)
        case (scripted,):
            stored = SCRIPTED[scripted]()
        case _:
            stored = simulated(rulebook, *map(int, way))
    journal_of(name).write_bytes(b"".join(entry + b"\n" for entry in stored))
    state = msgspec.json.encode(plain(fold(rulebook, entries_of(name))), order="sorted")
    state_of(name).write_bytes(msgspec.json.format(state, indent=1) + b"\n")
    with PINS.open("a") as pins:
        for path in journal_of(name), state_of(name):
            pins.write(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
