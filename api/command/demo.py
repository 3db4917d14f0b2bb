"""The demo: the recorded game that comes with the service, played once on a service that answers."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import count

import httpx

from replays import recorded


def packaged() -> Traversable | None:
    """The recorded game that comes with the service; None when this build brings none."""
    game = files("replays") / "games" / "negopoly.jsonl"
    return game if game.is_file() else None


def play_once(
    game: Traversable, client: httpx.Client, progress: recorded.Progress | None = None
) -> recorded.Opened:
    """The demo game, played to its end: now, or by an earlier start of the service.

    Another edition of the file is another game. A playing that was broken off is continued; when that cannot be
    done any more, because a clock of the game ran out meanwhile, another game is played. Takes a client as
    `recorded.play` does, and raises what it raises.
    """
    text = game.read_text(encoding="utf-8")
    recording = recorded.read(text.splitlines())
    edition = sha256(text.encode()).hexdigest()[:12]
    for attempt in count(1):
        key = f"demo-{edition}-{attempt}"
        opened = recorded.open_game(recording, client, key=key)
        if opened.ended:
            return opened
        try:
            recorded.play_on(recording, opened, client, key=key, progress=progress)
        except recorded.Difference:
            if not opened.replayed:
                raise
        else:
            return opened
    raise AssertionError("count() has no end")
