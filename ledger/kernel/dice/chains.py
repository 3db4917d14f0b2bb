"""Hash chains: a seat commits to the end of a chain and then reveals the values in order, without any choice.

To the byte: a value is 32 bytes, and its hash is SHA-256 over the text `mabligop chain`, a line feed, and the
value. A chain of length n has a secret root. The seat commits to the end: the root hashed n times. Value k,
from 1 to n, is the root hashed n - k times. So value k, hashed k times, gives the end; value k + 1, hashed
once, gives value k; and nobody can derive value k + 1 from value k.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 10_000
"""The maximum length of a chain, which bounds the number of hashes for a check."""


SIZE = 32
"""The number of bytes of a value."""


_DOMAIN = b"mabligop chain\n"


def hashed(value: bytes, times: int = 1) -> bytes:
    """Hash a value `times` times."""
    for _ in range(times):
        value = hashlib.sha256(_DOMAIN + value).digest()
    return value


class Chain(NamedTuple):
    """A chain with the root, for the owner of the chain."""

    root: bytes
    length: int

    @property
    def end(self) -> bytes:
        """The committed value: the end of the chain."""
        return hashed(self.root, self.length)

    def value(self, index: int) -> bytes:
        """Return the value at this index, from 1 to the length. Raises ValueError for an index out of range."""
        if not 1 <= index <= self.length:
            raise ValueError(f"a chain of {self.length} values has no value {index}")
        return hashed(self.root, self.length - index)


class CommittedChain(NamedTuple):
    """A chain committed to by a seat, as read from the journal.

    `action` contains the commitment, and `throws` were made up to the action: throw `throws + k` takes value k.
    """

    end: bytes
    length: int
    action: int
    throws: int
    known: int = 0
    """The index of the last revealed value; 0 before the first."""
    value: bytes = b""
    """The last revealed value."""

    def index_of(self, throw: int) -> int | None:
        """Return the index of the value for a throw; None if the chain is used up."""
        index = throw - self.throws
        return index if 1 <= index <= self.length else None

    def admits(self, throw: int, value: bytes) -> bool:
        """Return True if this is the value for a throw.

        Hashes once for each value since the last revealed value.
        """
        index = self.index_of(throw)
        if index is None or len(value) != SIZE:
            return False
        if index <= self.known:
            return hashed(self.value, self.known - index) == value
        return hashed(value, index - self.known) == (self.value or self.end)

    def revealed(self, throw: int, value: bytes) -> CommittedChain:
        """Return the chain after the value of a throw is in the journal."""
        index = throw - self.throws
        return self._replace(known=index, value=value) if index > self.known else self


def in_force(chains: Sequence[CommittedChain], action: int) -> CommittedChain | None:
    """Return the chain of a seat for a throw requested after an action: the last chain committed to up to the
    action.
    """
    return next((chain for chain in reversed(chains) if chain.action <= action), None)
