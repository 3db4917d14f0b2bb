"""The speed of the pages of a long game's replay."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable

from ledger.kernel.audience import BANKER, Viewer
from ledger.service import Ledger
from replays.frames import page

_PAGES = 40
_LIMIT = 50


def measured(ledger: Ledger, game: str, say: Callable[[str, str, str, str], None]) -> None:
    """Measure pages of 50 frames at several places of a long game, for the banker and for a player."""
    head = ledger.moment(game).version
    chance = random.Random(13)
    for who, viewer in (("the banker", BANKER), ("a player", Viewer("player", "ana"))):
        near = _seconds(ledger, game, viewer, (chance.randint(1, 1_000) for _ in range(_PAGES)))
        far = _seconds(ledger, game, viewer, (chance.randint(1, head - _LIMIT) for _ in range(_PAGES)))
        say(
            f"{_LIMIT} frames of a replay anywhere in {head:,} actions, {who}",
            f"{far * 1e3:.0f} ms = {far / near:.2f} times",
            f"{near * 1e3:.0f} ms in the first 1,000",
            "<= 1.5 times",
        )


def _seconds(ledger: Ledger, game: str, viewer: Viewer, starts: Iterable[int]) -> float:
    """The median seconds of the pages that start at these actions."""
    taken: list[float] = []
    for first in starts:
        began = time.perf_counter()
        page(ledger.moment(game, viewer), limit=_LIMIT, first=first)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)
