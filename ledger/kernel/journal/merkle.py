"""The Merkle tree over a journal's leaves (RFC 9162, 2.1): a single hash for all entries, in order."""

from __future__ import annotations

import hashlib


class Tree:
    """A tree that grows leaf by leaf. Only the hash of each complete subtree is kept: a few dozen at most."""

    __slots__ = ("_subtrees", "size")

    def __init__(self) -> None:
        self.size = 0
        self._subtrees: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add the hash of the next entry (`journal.leaf`, 32 bytes)."""
        node = leaf
        complete = self.size
        while complete & 1:
            node = parent(self._subtrees.pop(), node)
            complete >>= 1
        self._subtrees.append(node)
        self.size += 1

    def root(self) -> bytes:
        """Return the Merkle tree hash of the leaves so far; without leaves, the hash of nothing."""
        if not self._subtrees:
            return hashlib.sha256().digest()
        root = self._subtrees[-1]
        for sibling in reversed(self._subtrees[:-1]):
            root = parent(sibling, root)
        return root


def parent(first: bytes, second: bytes) -> bytes:
    """Return the hash of a node over two nodes: SHA-256 of 0x01 and both (RFC 9162, 2.1.1)."""
    return hashlib.sha256(b"\x01" + first + second).digest()
