"""A cache of past states of games, so that a moment that is read again is not folded again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from ledger.kernel.facts.state import State

EVERY = 10
"""A fold keeps the state after every tenth action."""

MOST = 4096
"""How many states are kept, of all games together. Neighbours share most of their data: about 6 KiB each."""

Corrections = Sequence[tuple[int, int]]
"""Corrections in order: the number of each, and the first action that it touches."""


class PastStates:
    """States after past actions, by game, action and known corrections. The least recently used are dropped first.

    Do not change a state that is kept here.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, int, int], State] = OrderedDict()
        self._lock = threading.Lock()

    def nearest(self, game_id: str, number: int, known: Corrections, within: int) -> State | None:
        """The state after an action, or after one of the `within` actions before it; None without one."""
        places = (number, *range(number // EVERY * EVERY, max(number - within, 0), -EVERY))
        with self._lock:
            for place in places:
                key = game_id, place, _last_touching(known, place)
                kept = self._kept.get(key)
                if kept is not None:
                    self._kept.move_to_end(key)
                    return kept
        return None

    def keep(self, game_id: str, number: int, known: Corrections, state: State) -> None:
        """Keep the state after an action by these corrections."""
        with self._lock:
            self._kept[game_id, number, _last_touching(known, number)] = state
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def is_alike(number: int, known: Corrections, others: Corrections) -> bool:
    """Whether the state after an action is the same by two lists of known corrections."""
    return _last_touching(known, number) == _last_touching(others, number)


def _last_touching(known: Corrections, number: int) -> int:
    """The last known correction that touches actions up to a number; 0 for none.

    It stands for all known corrections that touch these actions, because those with lower numbers are known too.
    """
    return next((correction for correction, first in reversed(known) if first <= number), 0)
