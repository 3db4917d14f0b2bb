"""Deriving throws from values, so that anybody can repeat the derivation.

The derivation, to the byte:

1. Each value has a name (a seat, or `service`) and some bytes. The key is SHA-256 over all of them, in the order
   of their names as UTF-8: the length of the name in two bytes, the name, the length of the value in two bytes,
   the value.
2. The stream of action `number` of game `game` is made of blocks of 32 bytes. Block `i`, counted from 0, is
   HMAC-SHA-256 with the key over: the id of the game as UTF-8, a zero byte, the number in eight bytes, `i` in
   eight bytes. All numbers are big-endian.
3. A number from `a` to `b`, with n = b - a + 1 possible results, takes the next eight bytes of the stream as a
   number `w`. If `w` is 2^64 - (2^64 mod n) or more, the next eight bytes are taken instead, and so on: so all
   results are equally likely. The result is a + w mod n.
4. Shuffling a list goes from the last element to the second: element `k` (counted from 0) is swapped with the
   element at an index from 0 to k, given by the next number.

Dice are thrown, and cards are drawn, in the order of the action's requests.
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
    """Return the key derived from values, each with the name of the owner."""
    hashed = hashlib.sha256()
    for name, value in sorted((name.encode(), value) for name, value in values.items()):
        hashed.update(len(name).to_bytes(2) + name + len(value).to_bytes(2) + value)
    return hashed.digest()


class Derived:
    """A source of chance with numbers derived from a key, the id of a game, and the number of an action."""

    def __init__(self, key: bytes, game: str, number: int) -> None:
        self._key = key
        self._message = game.encode() + b"\0" + number.to_bytes(8)
        self._block = 0
        self._stream = b""

    def randint(self, a: int, b: int, /) -> int:
        """Return the next number from a to b, both included."""
        count = b - a + 1
        accepted = _ALL - _ALL % count
        while True:
            word = self._word()
            if word < accepted:
                return a + word % count

    def shuffle(self, x: list[str], /) -> None:
        """Shuffle the list in place by the next numbers."""
        for last in range(len(x) - 1, 0, -1):
            chosen = self.randint(0, last)
            x[last], x[chosen] = x[chosen], x[last]

    def _word(self) -> int:
        if not self._stream:
            self._stream = hmac.digest(self._key, self._message + self._block.to_bytes(8), "sha256")
            self._block += 1
        word, self._stream = self._stream[:_WORD], self._stream[_WORD:]
        return int.from_bytes(word)


class Throws:
    """The sources of chance of a game, keyed by action number. Each source starts anew on request."""

    def __init__(self, keys: Mapping[int, bytes], game: str, otherwise: Chance) -> None:
        """Take the keys by the number of the action before use, and the source for actions before the first
        key.
        """
        self._keys = keys
        self._game = game
        self._otherwise = otherwise

    def at(self, number: int, by: str) -> Chance:
        """Return the source of the action with the given number; `by` makes no difference."""
        since = max((start for start in self._keys if start < number), default=None)
        return self._otherwise if since is None else Derived(self._keys[since], self._game, number)

    def randint(self, a: int, b: int, /) -> int:
        """Raise TypeError: throws need the source of an action."""
        raise TypeError("ask for the source of an action")

    def shuffle(self, x: list[str], /) -> None:
        """Raise TypeError: shuffles need the source of an action."""
        raise TypeError("ask for the source of an action")
