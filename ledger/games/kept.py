"""Answers about the newest state of each game, kept until the game moves on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from ledger.kernel.facts.state import State

T = TypeVar("T")

MOST = 2048
"""How many answers are kept, of all games together: about 20 KB each."""
MOST_OF_A_GAME = 256


class KeptAnswers:
    """Answers about the newest states of games. The games that were asked about least recently are dropped first.

    An answer is what its maker gives for a state and a key, and for nothing else: not for the time, and not for a
    viewer that the key does not name. Whoever gets an answer does not change it.
    """

    def __init__(self, most: int = MOST, most_of_a_game: int = MOST_OF_A_GAME) -> None:
        self._most = most
        self._most_of_a_game = most_of_a_game
        self._games: OrderedDict[str, _OfState] = OrderedDict()
        self._count = 0
        self._lock = threading.Lock()

    def answer(self, game_id: str, state: State, key: Hashable, make: Callable[[], T]) -> T:
        """The answer of this key at a state: the kept one, or what `make` gives.

        Threads that ask at the same time wait for one of them to make it. Nothing is kept for a state that is not
        the newest one known. Raises what `make` raises; nothing is kept then.
        """
        with self._lock:
            answer = self._place(game_id, state, key)
        return make() if answer is None else answer.given_by(make)

    def forget(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._games.clear()
            self._count = 0

    def __len__(self) -> int:
        return self._count

    def _place(self, game_id: str, state: State, key: Hashable) -> _Answer | None:
        """Where the answer is kept; None for a state that the game has left behind."""
        found = self._games.get(game_id)
        if found is None or found.state is not state:
            if found is not None and found.state.version > state.version:
                return None
            self._count -= 0 if found is None else len(found.answers)
            found = self._games[game_id] = _OfState(state)
        self._games.move_to_end(game_id)
        answer = found.answers.get(key)
        if answer is None:
            answer = found.answers[key] = _Answer()
            self._count += 1
            if len(found.answers) > self._most_of_a_game:
                found.answers.popitem(last=False)
                self._count -= 1
            while self._count > self._most and len(self._games) > 1:
                self._count -= len(self._games.popitem(last=False)[1].answers)
        found.answers.move_to_end(key)
        return answer


class _OfState:
    """The answers about one state."""

    __slots__ = ("answers", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.answers: OrderedDict[Hashable, _Answer] = OrderedDict()


class _Answer:
    """An answer that is made once."""

    __slots__ = ("_found", "_is_made", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_made = False
        self._found: Any = None

    def given_by(self, make: Callable[[], T]) -> T:
        """The answer, made by the first who asks."""
        if not self._is_made:
            with self._lock:
                if not self._is_made:
                    self._found = make()
                    self._is_made = True
        found: T = self._found
        return found
