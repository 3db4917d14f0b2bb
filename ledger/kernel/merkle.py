"""The Merkle tree over a journal's leaves (RFC 9162, 2.1): one hash that stands for every entry, in order."""

from __future__ import annotations

import hashlib


class Tree:
    """A tree that grows leaf by leaf. It keeps but one hash for each complete subtree: a few dozen at most."""

    __slots__ = ("_subtrees", "size")

    def __init__(self) -> None:
        self.size = 0
        self._subtrees: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add the hash of the next entry (`journal.leaf`, 32 bytes)."""
        node = leaf
        complete = self.size
        while complete & 1:
            node = _parent(self._subtrees.pop(), node)
            complete >>= 1
        self._subtrees.append(node)
        self.size += 1

    def root(self) -> bytes:
        """The Merkle tree hash of the leaves so far; of none, the hash of nothing."""
        if not self._subtrees:
            return hashlib.sha256().digest()
        root = self._subtrees[-1]
        for left in reversed(self._subtrees[:-1]):
            root = _parent(left, root)
        return root


def _parent(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
