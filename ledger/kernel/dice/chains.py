"""Hash chains: whoever commits to the end of one reveals its values one by one, and can choose none of them.

To the byte: a value is 32 bytes, and its hash is SHA-256 over the text `mabligop chain`, a line feed, and the
value. A chain of length n has a secret root. Its end, which is committed to, is the root hashed n times. Its value
k, from 1 to n, is the root hashed n - k times. So value k, hashed k times, gives the end; value k + 1 gives value
k; and nobody can tell value k + 1 from value k.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 10_000
"""The largest length of a chain: so many throws in a row can be checked at once."""


SIZE = 32
"""How many bytes a value has."""


_DOMAIN = b"mabligop chain\n"


def hashed(value: bytes, times: int = 1) -> bytes:
    """A value hashed so many times."""
    for _ in range(times):
        value = hashlib.sha256(_DOMAIN + value).digest()
    return value


class Chain(NamedTuple):
    """A chain by its root, for whoever reveals it."""

    root: bytes
    length: int

    @property
    def end(self) -> bytes:
        """What is committed to."""
        return hashed(self.root, self.length)

    def value(self, place: int) -> bytes:
        """The value of this place, from 1 to the length. Raises ValueError for another one."""
        if not 1 <= place <= self.length:
            raise ValueError(f"a chain of {self.length} values has no value {place}")
        return hashed(self.root, self.length - place)


class Committed(NamedTuple):
    """A chain that a seat has committed to, as the journal has it.

    `action` has the commitment, and `throws` were made up to that action: throw `throws + k` takes value k.
    """

    end: bytes
    length: int
    action: int
    throws: int
    known: int = 0
    """The last value that was revealed; 0 before the first one."""
    value: bytes = b""
    """That value."""

    def place(self, throw: int) -> int | None:
        """Which value a throw takes; None when the chain is used up."""
        place = throw - self.throws
        return place if 1 <= place <= self.length else None

    def admits(self, throw: int, value: bytes) -> bool:
        """Whether this is the value of a throw.

        Takes as many hashes as values were left out since the last one.
        """
        place = self.place(throw)
        if place is None or len(value) != SIZE:
            return False
        if place <= self.known:
            return hashed(self.value, self.known - place) == value
        return hashed(value, place - self.known) == (self.value or self.end)

    def revealed(self, throw: int, value: bytes) -> Committed:
        """The same once the value of a throw is in the journal."""
        place = throw - self.throws
        return self._replace(known=place, value=value) if place > self.known else self


def in_force(chains: Sequence[Committed], after: int) -> Committed | None:
    """The chain of a seat that counts for a throw that was asked for after an action: the last one up to it."""
    return next((one for one in reversed(chains) if one.action <= after), None)
