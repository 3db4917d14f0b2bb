"""Caches of functions of large unchanging values, such as the pieces or the cards of a table.

A value is compared by identity, because hashing hundreds of cards costs as much as the cached work. States of a
game share the value, so every request of a game meets the same object.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

MOST_VALUES = 64
"""Maximum number of values with a cached result: the values of rulebooks, and of the tables played last."""


class _Identity(Generic[T]):
    """A key of a cache: a value compared by identity. The key keeps the value alive."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def cached_by_identity(function: Callable[[T], R]) -> Callable[[T], R]:
    """Cache a function of an unchanging value by the identity of the value. Callers must not change the result."""

    @lru_cache(maxsize=MOST_VALUES)
    def cached(key: _Identity[T]) -> R:
        return function(key.value)

    @wraps(function)
    def result(value: T) -> R:
        return cached(_Identity(value))

    return result
