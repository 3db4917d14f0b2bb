"""The demo: an evening under way, and the finished evening, both from the recorded games of the package.

The games are played in memory and written at once, with the journal that a service would write. Each new
evening gets the next number; the newest is the demo.
"""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from random import Random, SystemRandom
from typing import Literal

import msgspec
import rtoml

from ledger.games.games import GameExists
from ledger.games.setups import Setup
from ledger.kernel.journal.entry import canonical
from ledger.kernel.language.phrase import Phrase
from ledger.moving.importing import ExportedGame
from ledger.service import Ledger
from replays import recorded, recordings

Name = Literal["evening", "finished"]
"""The evening under way, or the finished evening."""
NAMES: tuple[Name, ...] = ("evening", "finished")

_TURNING_POINT = '{"comment": "ROUND 8.'
"""The beginning of the line at which the evening under way leaves the recorded evening."""
_PACE = timedelta(seconds=8)


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to try in the evening under way, on a screen. With `seats`, only for those seats.

    A step ends with a line of one of the `kinds`, with a page of the console, or with a look at the `past`.
    `type` is the text to type, and `done` the comment shown afterwards.
    """

    screen: Literal["desk", "phone", "wall"]
    ask: Phrase
    done: Phrase | None = None
    type: Phrase | None = None
    kinds: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    page: str | None = None
    past: bool = False


@cache
def steps() -> tuple[Step, ...]:
    """Return the steps to try in the evening under way, in order."""
    text = (files("replays.demo") / "evening.toml").read_text(encoding="utf-8")
    return msgspec.convert(rtoml.loads(text)["step"], tuple[Step, ...])


class Demo:
    """The demo of a service, with games stored in `ledger`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._numbers: dict[Name, int] = {}
        """The newest number found for each name."""

    def game(self, name: Name) -> str | None:
        """Return the id of the newest game, or None before the first."""
        number = self._newest(name)
        return self._id(name, number) if number else None

    def lay(self, name: Name) -> bool:
        """Store the first game with the given name, unless a game exists. Returns True if the game was stored
        now.
        """
        return self._newest(name) == 0 and self._write(name, 1)

    def begin_again(self, name: Name, game: str) -> bool:
        """Store a new game with the given name in place of `game`.

        Returns False and stores nothing if `game` is not the newest: another caller was faster.
        """
        number = self._newest(name)
        return number > 0 and self._id(name, number) == game and self._write(name, number + 1)

    def _newest(self, name: Name) -> int:
        number = self._numbers.get(name, 0)
        while self._ledger.store.games.get(self._id(name, number + 1)) is not None:
            number += 1
        self._numbers[name] = number
        return number

    def _id(self, name: Name, number: int) -> str:
        """Return the id of a game of the demo, known only to this installation."""
        return self._ledger.tokens.first_answers.game_id(f"demo\0{name}\0{_edition(name)}\0{number}")

    def _write(self, name: Name, number: int) -> bool:
        """Play a game in memory, with its last action just now, and store it."""
        game_id, recording = self._id(name, number), _recording(name)
        rulebook = self._ledger.rulebooks[recording.setup.rulebook]
        began = self._ledger.clock.current_time() - _PACE * (len(recording.accepted) + 1)
        chance: Random = SystemRandom()
        game = recorded.play_in_memory(recording, rulebook, name=game_id, at=began, pace=_PACE, chance=chance)
        setup = Setup(
            players=game.opening.players,
            settings=msgspec.to_builtins(game.opening.settings),
            dice=game.opening.dice,
        )
        journal = [canonical(entry) for entry in game.journal]
        exported = ExportedGame(
            game=game_id,
            rulebook=rulebook.id,
            title=recording.setup.title or rulebook.title,
            created_at=began,
            setup=msgspec.Raw(msgspec.json.encode(setup)),
            actions=len(journal),
            events=sum(len(entry.events) for entry in game.journal),
        )
        try:
            self._ledger.importing.import_game(exported, lambda: journal, decide=False)
        except GameExists:
            return False
        return True


@cache
def _recording(name: Name) -> recordings.Recording:
    return recordings.read(lines(name))


@cache
def _edition(name: Name) -> str:
    """Return a short hash of the text: a changed file becomes a new game."""
    return sha256("\n".join(lines(name)).encode()).hexdigest()[:12]


def lines(name: Name) -> list[str]:
    """Return the lines of a recorded game.

    The evening under way has its own opening and end. The lines between come from the beginning of the finished
    evening.
    """
    finished = _read(files("replays") / "games" / "negopoly.jsonl")
    if name == "finished":
        return finished
    about, opening, *own_lines = _read(files("replays.demo") / "evening.jsonl")
    until = next(index for index, line in enumerate(finished) if line.startswith(_TURNING_POINT))
    shared = [line for line in finished[:until] if not line.startswith('{"game"')]
    return [about, opening, *shared, *own_lines]


def _read(file: Traversable) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()
