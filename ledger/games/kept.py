"""Answers about the newest state of each game, kept until the game moves on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from ledger.kernel.facts.state import State

T = TypeVar("T")

MOST = 2048
"""The maximum number of answers kept for all games together: about 20 KB each."""
MOST_OF_A_GAME = 256


class AnswerCache:
    """Answers about the newest states of games. The games with the oldest last question are dropped first.

    An answer is the result of `make` for a state and a key. The result may not depend on anything else: not on
    the time, and not on a viewer missing in the key. Do not change an answer.
    """

    def __init__(self, limit: int = MOST, most_of_a_game: int = MOST_OF_A_GAME) -> None:
        self._limit = limit
        self._most_of_a_game = most_of_a_game
        self._games: OrderedDict[str, _OfState] = OrderedDict()
        self._count = 0
        self._lock = threading.Lock()

    def answer(self, game_id: str, state: State, key: Hashable, make: Callable[[], T]) -> T:
        """Return the answer to this key at a state: the kept answer, or the result of `make`.

        Threads with equal questions wait for a single answer. Nothing is kept for a state older than the newest
        known state. Raises the exceptions of `make`; nothing is kept then.
        """
        with self._lock:
            answer = self._slot(game_id, state, key)
        return make() if answer is None else answer.given_by(make)

    def forget(self) -> None:
        """Drop all answers."""
        with self._lock:
            self._games.clear()
            self._count = 0

    def __len__(self) -> int:
        return self._count

    def _slot(self, game_id: str, state: State, key: Hashable) -> _Answer | None:
        """Return the slot of the answer; None for a state that the game has left behind."""
        group = self._games.get(game_id)
        if group is None or group.state is not state:
            if group is not None and group.state.version > state.version:
                return None
            self._count -= 0 if group is None else len(group.answers)
            group = self._games[game_id] = _OfState(state)
        self._games.move_to_end(game_id)
        answer = group.answers.get(key)
        if answer is None:
            answer = group.answers[key] = _Answer()
            self._count += 1
            if len(group.answers) > self._most_of_a_game:
                group.answers.popitem(last=False)
                self._count -= 1
            while self._count > self._limit and len(self._games) > 1:
                self._count -= len(self._games.popitem(last=False)[1].answers)
        group.answers.move_to_end(key)
        return answer


class _OfState:
    """The answers about a state."""

    __slots__ = ("answers", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.answers: OrderedDict[Hashable, _Answer] = OrderedDict()


class _Answer:
    """An answer to be made once."""

    __slots__ = ("_is_made", "_lock", "_value")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_made = False
        self._value: Any = None

    def given_by(self, make: Callable[[], T]) -> T:
        """Return the answer, made by the first caller."""
        if not self._is_made:
            with self._lock:
                if not self._is_made:
                    self._value = make()
                    self._is_made = True
        value: T = self._value
        return value
