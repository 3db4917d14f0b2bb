"""A cache of past states of games, to avoid folding a moment again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from ledger.kernel.facts.state import State

EVERY = 10
"""The number of actions between states kept by a fold."""

MOST = 4096
"""The maximum number of states kept for all games together. Neighbours share most data: about 6 KiB each."""

Corrections = Sequence[tuple[int, int]]
"""Corrections in order: the number of each, and the first action touched."""


class PastStates:
    """States after past actions, by game, action and known corrections. The least recently used are dropped
    first.

    Do not change a state in the cache.
    """

    def __init__(self, limit: int = MOST) -> None:
        self._limit = limit
        self._states: OrderedDict[tuple[str, int, int], State] = OrderedDict()
        self._lock = threading.Lock()

    def nearest(self, game_id: str, number: int, corrections: Corrections, within: int) -> State | None:
        """Return the state after an action, or after any of the `within` actions before; None without a state."""
        places = (number, *range(number // EVERY * EVERY, max(number - within, 0), -EVERY))
        with self._lock:
            for version in places:
                key = game_id, version, _last_touching(corrections, version)
                state = self._states.get(key)
                if state is not None:
                    self._states.move_to_end(key)
                    return state
        return None

    def keep(self, game_id: str, number: int, corrections: Corrections, state: State) -> None:
        """Keep the state after an action by the given corrections."""
        with self._lock:
            self._states[game_id, number, _last_touching(corrections, number)] = state
            while len(self._states) > self._limit:
                self._states.popitem(last=False)


def is_alike(number: int, corrections: Corrections, others: Corrections) -> bool:
    """Return True if two lists of known corrections give equal states after an action."""
    return _last_touching(corrections, number) == _last_touching(others, number)


def _last_touching(corrections: Corrections, number: int) -> int:
    """Return the last known correction that touches actions up to a number; 0 for none.

    The last one stands for all known corrections touching the actions, because corrections with lower numbers
    are known too.
    """
    return next((correction for correction, first in reversed(corrections) if first <= number), 0)
