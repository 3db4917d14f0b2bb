"""The Merkle tree over a journal's leaves (RFC 9162, 2.1): one hash that stands for every entry, in order."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


class Tree:
    """A tree that grows leaf by leaf. It keeps but one hash for each complete subtree: a few dozen at most."""

    __slots__ = ("_subtrees", "size")

    def __init__(self, size: int = 0, edge: Sequence[bytes] = ()) -> None:
        """An empty tree, or one of this size that goes on from its `edge`. Raises ValueError for no such edge."""
        if len(edge) != size.bit_count() or any(len(one) != 32 for one in edge):
            raise ValueError(f"a tree of {size} leaves has an edge of {size.bit_count()} hashes, not {len(edge)}")
        self.size = size
        self._subtrees = list(edge)

    @property
    def edge(self) -> tuple[bytes, ...]:
        """The roots of the complete subtrees, largest first: all that is needed to go on from here."""
        return tuple(self._subtrees)

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
        """The Merkle tree hash of the leaves so far; of none, the hash of nothing."""
        if not self._subtrees:
            return hashlib.sha256().digest()
        root = self._subtrees[-1]
        for left in reversed(self._subtrees[:-1]):
            root = parent(left, root)
        return root

    def copy(self) -> Tree:
        """The same tree, which grows by itself."""
        return Tree(self.size, self._subtrees)


def parent(left: bytes, right: bytes) -> bytes:
    """The hash of a node over two others: SHA-256 of 0x01 and both (RFC 9162, 2.1.1)."""
    return hashlib.sha256(b"\x01" + left + right).digest()
