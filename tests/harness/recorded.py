"""Recorded games that are played from their first line to their last."""

from __future__ import annotations

from collections.abc import Iterable

import httpx

from replays.recorded import Played, Progress, open_game, play_on
from replays.recordings import read


def play(
    lines: Iterable[str], client: httpx.Client, *, key: str | None = None, progress: Progress | None = None
) -> Played:
    """Create the game of a recorded game through the API, play all its lines, and compare the results."""
    recording = read(lines)
    return play_on(recording, open_game(recording, client, key=key), client, progress=progress)
