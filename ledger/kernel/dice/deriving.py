"""Deriving throws from values, so that anybody can do it again.

The derivation, to the byte:

1. Each value has a name (a seat, or `service`) and some bytes. The key is SHA-256 over all of them, in the order
   of their names as UTF-8: the length of the name in two bytes, the name, the length of the value in two bytes,
   the value.
2. The stream of action `number` of game `game` is made of blocks of 32 bytes. Block `i`, counted from 0, is
   HMAC-SHA-256 with the key over: the id of the game as UTF-8, a zero byte, the number in eight bytes, `i` in
   eight bytes. All numbers are big-endian.
3. A number from `a` to `b`, of which there are n = b - a + 1, takes the next eight bytes of the stream as a number
   `w`. When `w` is 2^64 - (2^64 mod n) or more, it takes the next eight instead, and so on: so every result is as
   likely as every other. The result is a + w mod n.
4. Shuffling a list goes from its last place to its second: place `k` (counted from 0) changes with the place that
   a number from 0 to k gives.

Dice are thrown, and cards are drawn, in the order in which the action asks for them.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping

from ledger.kernel.dice.chance import Chance

_WORD = 8


_ALL = 1 << (8 * _WORD)


SERVICE = "service"
"""The name of the service's own value."""


def key_of(values: Mapping[str, bytes]) -> bytes:
    """The key that values come to, each by the name of whose it is."""
    hashed = hashlib.sha256()
    for name, value in sorted((name.encode(), value) for name, value in values.items()):
        hashed.update(len(name).to_bytes(2) + name + len(value).to_bytes(2) + value)
    return hashed.digest()


class Derived:
    """A source of chance whose numbers are derived from a key, the id of a game, and the number of an action."""

    def __init__(self, key: bytes, game: str, number: int) -> None:
        self._key = key
        self._message = game.encode() + b"\0" + number.to_bytes(8)
        self._block = 0
        self._stream = b""

    def randint(self, a: int, b: int, /) -> int:
        """The next number from a to b, both included."""
        count = b - a + 1
        accepted = _ALL - _ALL % count
        while True:
            word = self._word()
            if word < accepted:
                return a + word % count

    def shuffle(self, x: list[str], /) -> None:
        """Put the list in the order that the next numbers give, in place."""
        for last in range(len(x) - 1, 0, -1):
            other = self.randint(0, last)
            x[last], x[other] = x[other], x[last]

    def _word(self) -> int:
        if not self._stream:
            self._stream = hmac.digest(self._key, self._message + self._block.to_bytes(8), "sha256")
            self._block += 1
        word, self._stream = self._stream[:_WORD], self._stream[_WORD:]
        return int.from_bytes(word)


class Throws:
    """The sources of chance of a game, one for each action, by its number. Each begins anew when asked for."""

    def __init__(self, keys: Mapping[int, bytes], game: str, otherwise: Chance) -> None:
        """Take the keys by the number of the action after which each is used, and what throws before the first."""
        self._keys = keys
        self._game = game
        self._otherwise = otherwise

    def at(self, number: int, by: str) -> Chance:
        """The source of the action of this number, whoever asks for it."""
        since = max((after for after in self._keys if after < number), default=None)
        return self._otherwise if since is None else Derived(self._keys[since], self._game, number)

    def randint(self, a: int, b: int, /) -> int:
        """Raise TypeError: which action throws?"""
        raise TypeError("ask for the source of an action")

    def shuffle(self, x: list[str], /) -> None:
        """Raise TypeError: which action shuffles?"""
        raise TypeError("ask for the source of an action")
