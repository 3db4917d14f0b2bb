"""Proofs about the tree of a log, compared with the RFC's own definitions and with what others' logs give."""

from __future__ import annotations

import pytest

from ledger.kernel.journal.stored import leaf
from ledger.trust.proofs import (
    WrongProof,
    consistency,
    inclusion,
    require_consistency,
    require_inclusion,
    root,
)
from tests.kernel.test_merkle import ENTRIES, ROOTS, root_of

LEAVES = [leaf(str(number).encode()) for number in range(70)]


def node(level: int, index: int) -> bytes:
    return root_of(LEAVES[index << level : (index + 1) << level])


def literally(index: int, leaves: list[bytes]) -> list[bytes]:
    """PATH(m, D_n) of RFC 9162, 2.1.3.1."""
    if len(leaves) == 1:
        return []
    split = largest_below(len(leaves))
    if index < split:
        return [*literally(index, leaves[:split]), root_of(leaves[split:])]
    return [*literally(index - split, leaves[split:]), root_of(leaves[:split])]


def grown(old: int, leaves: list[bytes], whole: bool = True) -> list[bytes]:
    """SUBPROOF(m, D_n, b) of RFC 9162, 2.1.4.1."""
    if old == len(leaves):
        return [] if whole else [root_of(leaves)]
    split = largest_below(len(leaves))
    if old <= split:
        return [*grown(old, leaves[:split], whole), root_of(leaves[split:])]
    return [*grown(old - split, leaves[split:], whole=False), root_of(leaves[:split])]


def largest_below(count: int) -> int:
    split = 1
    while split * 2 < count:
        split *= 2
    return split


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13, 32, 33, 63, 70])
def test_the_proofs_of_every_leaf(size: int) -> None:
    """They are those that the RFC defines, and lead to the root."""
    assert root(node, size) == root_of(LEAVES[:size])
    for index in range(size):
        path = inclusion(node, index, size)
        assert path == literally(index, LEAVES[:size])
        require_inclusion(LEAVES[index], index, size, path, root_of(LEAVES[:size]))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 13, 32, 33, 63, 70])
def test_a_log_that_only_grew(size: int) -> None:
    for old in range(1, size + 1):
        path = consistency(node, old, size)
        assert path == grown(old, LEAVES[:size])
        require_consistency(old, size, path, root_of(LEAVES[:old]), root_of(LEAVES[:size]))


def test_paths_that_others_publish() -> None:
    """The proofs of the eight entries with which logs of certificate transparency are tested."""
    leaves = [leaf(bytes.fromhex(entry)) for entry in ENTRIES]
    of_six = [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]
    path = [bytes.fromhex(one) for one in of_six]
    assert literally(5, leaves) == path
    require_inclusion(leaves[5], 5, 8, path, bytes.fromhex(ROOTS[8]))
    from_six_to_eight = [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]
    path = [bytes.fromhex(one) for one in from_six_to_eight]
    assert grown(6, leaves) == path
    require_consistency(6, 8, path, bytes.fromhex(ROOTS[6]), bytes.fromhex(ROOTS[8]))


def test_every_log_goes_on_from_an_empty_one() -> None:
    """That needs no proof, and takes none."""
    require_consistency(0, 8, [], b"", bytes.fromhex(ROOTS[8]))
    with pytest.raises(WrongProof, match="too long"):
        require_consistency(0, 8, [bytes(32)], b"", bytes.fromhex(ROOTS[8]))


def flipped(hashed: bytes) -> list[bytes]:
    """The same with each of its bits changed."""
    number = int.from_bytes(hashed)
    return [(number ^ (1 << bit)).to_bytes(len(hashed)) for bit in range(8 * len(hashed))]


def test_every_changed_bit_of_an_inclusion_is_refused() -> None:
    size, index = 13, 11
    path, head = inclusion(node, index, size), root_of(LEAVES[:size])
    for place, hashed in enumerate(path):
        for changed in flipped(hashed):
            with pytest.raises(WrongProof):
                require_inclusion(LEAVES[index], index, size, [*path[:place], changed, *path[place + 1 :]], head)
    for changed in flipped(LEAVES[index]):
        with pytest.raises(WrongProof):
            require_inclusion(changed, index, size, path, head)
    for changed in flipped(head):
        with pytest.raises(WrongProof):
            require_inclusion(LEAVES[index], index, size, path, changed)


def test_every_changed_bit_of_a_consistency_is_refused() -> None:
    old, size = 6, 13
    path = consistency(node, old, size)
    before, now = root_of(LEAVES[:old]), root_of(LEAVES[:size])
    for place, hashed in enumerate(path):
        for changed in flipped(hashed):
            with pytest.raises(WrongProof):
                require_consistency(old, size, [*path[:place], changed, *path[place + 1 :]], before, now)
    for changed in flipped(before):
        with pytest.raises(WrongProof):
            require_consistency(old, size, path, changed, now)
    for changed in flipped(now):
        with pytest.raises(WrongProof):
            require_consistency(old, size, path, before, changed)


@pytest.mark.parametrize("size", [2, 3, 8, 13, 33])
def test_another_place_or_a_path_of_another_length_is_refused(size: int) -> None:
    head = root_of(LEAVES[:size])
    for index in range(size):
        path = inclusion(node, index, size)
        for other in (one for one in range(-1, size + 2) if one != index):
            with pytest.raises(WrongProof):
                require_inclusion(LEAVES[index], other, size, path, head)
        for wrong in (path[1:], path[:-1], [*path, LEAVES[0]], [LEAVES[0], *path], []):
            with pytest.raises(WrongProof):
                require_inclusion(LEAVES[index], index, size, wrong, head)


@pytest.mark.parametrize(("old", "size"), [(1, 2), (3, 4), (4, 8), (5, 9), (6, 13), (32, 33)])
def test_growth_of_another_length_is_refused(old: int, size: int) -> None:
    path = consistency(node, old, size)
    before, now = root_of(LEAVES[:old]), root_of(LEAVES[:size])
    for wrong in (path[1:], path[:-1], [*path, LEAVES[0]], [LEAVES[0], *path], []):
        with pytest.raises(WrongProof):
            require_consistency(old, size, wrong, before, now)
    for other in (one for one in range(-1, size + 2) if one not in (old, 0)):
        with pytest.raises(WrongProof):
            require_consistency(other, size, path, before, now)


def test_two_logs_of_one_size_are_not_the_same() -> None:
    with pytest.raises(WrongProof, match="two different logs of 3 leaves"):
        require_consistency(3, 3, [], root_of(LEAVES[:3]), root_of(LEAVES[1:4]))
    require_consistency(0, 3, [], b"", root_of(LEAVES[:3]))


def test_proofs_of_what_is_not_there() -> None:
    for index, size in ((3, 3), (-1, 3), (0, 0)):
        with pytest.raises(ValueError, match="there is no leaf"):
            inclusion(node, index, size)
    with pytest.raises(ValueError, match="never began with 4"):
        consistency(node, 4, 3)
