"""Proofs about a Merkle tree (RFC 9162, 2.1.3 and 2.1.4): the inclusion of a leaf, and growth without changes.

A tree is read through a `Node`: a function that returns the hash of the complete subtree `index` of a level,
whose `2 ** level` leaves begin at leaf `index * 2 ** level`. All further hashes are computed from such nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ledger.kernel.journal.merkle import parent

Node = Callable[[int, int], bytes]


class WrongProof(ValueError):  # noqa: N818 - it names a condition
    """The proof is wrong. The message names the reason."""


# ----------------------------------------------------------------------------------------------
# Making proofs
# ----------------------------------------------------------------------------------------------


def root(node: Node, size: int) -> bytes:
    """Return the root of the first `size` leaves, at least one."""
    return _hash(node, 0, size)


def inclusion(node: Node, index: int, size: int) -> list[bytes]:
    """Return the hashes from leaf `index` to the root of the first `size` leaves, the lowest first.

    Raises ValueError for a leaf beyond `size`.
    """
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} among {size}")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_hash(node, middle, end))
            end = middle
        else:
            path.append(_hash(node, start, middle))
            start = middle
    return path[::-1]


def consistency(node: Node, old: int, size: int) -> list[bytes]:
    """Return the hashes that prove that the first `old` leaves are unchanged in `size` leaves.

    The proof is empty for an empty old log, and for equal sizes. Raises ValueError for an `old` above `size`.
    """
    if not 0 <= old <= size:
        raise ValueError(f"a log of {size} leaves never began with {old}")
    path: list[bytes] = []
    start, end, whole = 0, size, True
    if old in (0, size):
        return path
    while old != end:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(_hash(node, middle, end))
            end = middle
        else:
            path.append(_hash(node, start, middle))
            start, whole = middle, False
    if not whole:
        path.append(_hash(node, start, end))
    return path[::-1]


def _hash(node: Node, start: int, end: int) -> bytes:
    """Return the hash over leaves `start` up to `end`.

    `start` must be a multiple of the largest subtree in between.
    """
    count = end - start
    if count & (count - 1) == 0:
        level = count.bit_length() - 1
        return node(level, start >> level)
    middle = start + _split(count)
    return parent(_hash(node, start, middle), _hash(node, middle, end))


def _split(count: int) -> int:
    """Return the largest power of two below a count of at least two."""
    return 1 << ((count - 1).bit_length() - 1)


# ----------------------------------------------------------------------------------------------
# Verifying proofs
# ----------------------------------------------------------------------------------------------


def require_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> None:
    """Raise WrongProof unless the path leads from the leaf to the root of a tree of this size (2.1.3.2)."""
    if not 0 <= index < size:
        raise WrongProof(f"there is no leaf {index} in a log of {size}")
    position, last, computed = index, size - 1, leaf
    for hashed in path:
        if last == 0:
            raise WrongProof("the proof is too long")
        if position & 1 or position == last:
            computed = parent(hashed, computed)
            while position & 1 == 0 and position:
                position, last = position >> 1, last >> 1
        else:
            computed = parent(computed, hashed)
        position, last = position >> 1, last >> 1
    if last:
        raise WrongProof("the proof is too short")
    if computed != root:
        raise WrongProof(f"the proof does not lead from leaf {index} to the root that was signed")


def require_consistency(old: int, size: int, path: Sequence[bytes], old_root: bytes, root: bytes) -> None:
    """Raise WrongProof unless the first `old` of `size` leaves match the older root (2.1.4.2)."""
    if not 0 <= old <= size:
        raise WrongProof(f"a log of {size} leaves never began with {old}")
    if old in (0, size):
        if path:
            raise WrongProof("the proof is too long")
        if old and old_root != root:
            raise WrongProof(f"two different logs of {size} leaves were signed")
        return
    if old & (old - 1) == 0:
        path = [old_root, *path]
    if not path:
        raise WrongProof("the proof is too short")
    position, last = old - 1, size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    computed_old = computed_root = path[0]
    for hashed in path[1:]:
        if last == 0:
            raise WrongProof("the proof is too long")
        if position & 1 or position == last:
            computed_old, computed_root = parent(hashed, computed_old), parent(hashed, computed_root)
            while position & 1 == 0 and position:
                position, last = position >> 1, last >> 1
        else:
            computed_root = parent(computed_root, hashed)
        position, last = position >> 1, last >> 1
    if last:
        raise WrongProof("the proof is too short")
    if computed_old != old_root or computed_root != root:
        raise WrongProof(f"the log of {size} leaves does not begin with the {old} leaves that were signed before")
