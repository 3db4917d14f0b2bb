"""The demo: the recorded game of the package, played once on a running service."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import count

import httpx

from replays import recorded


def packaged() -> Traversable | None:
    """The recorded game of the package; None when this build has none."""
    game = files("replays") / "games" / "negopoly.jsonl"
    return game if game.is_file() else None


def play_once(
    game: Traversable, client: httpx.Client, progress: recorded.Progress | None = None
) -> recorded.Opened:
    """Play the demo game to its end, unless an earlier start of the service has played it.

    A changed file is another game. A game that was interrupted is continued. When it cannot be continued, because
    a clock of the game has run out, another game is played. Takes a client as `recorded.play` does, and raises the
    same exceptions.
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
