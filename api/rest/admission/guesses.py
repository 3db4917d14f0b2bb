"""Wrong codes of invitations: an address that sends wrong codes waits longer and longer, and nobody else waits.

A wrong code is counted by address, and over all addresses, never by game. So no stranger keeps a table from
filling.

- After `allowed` wrong codes an address waits 15 seconds, then twice as long after each further wrong code, an
  hour at most. Every minute a wrong code is forgotten.
- After 60 wrong codes in a minute from all addresses together, one person may be guessing from many addresses. For
  an hour an address waits after a single wrong code, and needs ten minutes to forget a wrong code. An address
  without wrong codes never waits.
- No code of a waiting address is looked up, not even a right code.

`api/README.md` ("Codes") has the arithmetic. Each worker counts for itself.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_MOST_ADDRESSES = 100_000
_CROWD = 60
"""The number of wrong codes in a minute, from all addresses together, of a guesser with many addresses."""
_CROWD_SECONDS = 3600
_FIRST_WAIT, _LONGEST_WAIT = 15, 3600
_FORGOTTEN, _FORGOTTEN_IN_CROWD = 60, 600
"""Seconds until a wrong code of an address is forgotten."""


@dataclass(slots=True)
class _Address:
    """Wrong codes, attempts in progress, the time since the last forgotten code, and the end of the wait."""

    since: float
    wrong: int = 0
    trying: int = 0
    waits_until: float = 0.0


class Guesses:
    """Counts the wrong codes of each address. `clock` returns seconds.

    Beyond `most_addresses`, the address with the oldest last attempt is forgotten.
    """

    def __init__(
        self, allowed: int, clock: Callable[[], float] = time.monotonic, most_addresses: int = _MOST_ADDRESSES
    ) -> None:
        self._allowed = allowed
        self._clock = clock
        self._most_addresses = most_addresses
        self._addresses: OrderedDict[int, _Address] = OrderedDict()
        self._lock = threading.Lock()
        self._recent = 0
        self._recent_until = 0.0
        self._crowded_until = 0.0

    def begin(self, address: int) -> int:
        """Begin an attempt with a code, to be finished by `end`. Returns 0, or the seconds to wait.

        No attempt begins for an address that must wait. Simultaneous attempts stay within the limit, because
        attempts in progress count like wrong codes.
        """
        with self._lock:
            moment = self._clock()
            state = self._forget(address, moment)
            if moment < state.waits_until:
                return math.ceil(state.waits_until - moment)
            if state.trying and state.wrong + state.trying >= self._allowed:
                return 1
            state.trying += 1
            self._addresses[address] = state
            self._addresses.move_to_end(address)
            if len(self._addresses) > self._most_addresses:
                self._addresses.popitem(last=False)
            return 0

    def end(self, address: int, *, wrong: bool) -> int:
        """End an attempt. Returns the number of wrong codes still allowed before a wait."""
        with self._lock:
            moment = self._clock()
            state = self._forget(address, moment)
            state.trying = max(0, state.trying - 1)
            if wrong:
                self._recent += 1
                if self._recent >= _CROWD:
                    self._crowded_until = moment + _CROWD_SECONDS
                state.wrong += 1
                self._addresses[address] = state
            over = state.wrong - (1 if moment < self._crowded_until else self._allowed)
            if wrong and over >= 0:
                state.waits_until = moment + min(_FIRST_WAIT * 2 ** min(over, 10), _LONGEST_WAIT)
            if not (state.wrong or state.trying):
                self._addresses.pop(address, None)
            return max(0, -over)

    def _forget(self, address: int, moment: float) -> _Address:
        """Return what is known of an address, without the wrong codes that time has forgotten."""
        if moment >= self._recent_until:
            self._recent, self._recent_until = 0, moment + 60
        state = self._addresses.get(address)
        if state is None:
            return _Address(since=moment)
        seconds = _FORGOTTEN_IN_CROWD if moment < self._crowded_until else _FORGOTTEN
        forgotten = int((moment - state.since) // seconds)
        state.wrong = max(0, state.wrong - forgotten)
        state.since += forgotten * seconds
        return state
