"""The Merkle tree, compared with the roots of the RFC's own log and with its recursive definition."""

from __future__ import annotations

import hashlib

import pytest

from ledger.kernel.journal.merkle import Tree
from ledger.kernel.journal.stored import leaf

ENTRIES = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""The roots over the first 0, 1, 2… of these entries, as the logs of certificate transparency have them."""


def tree_of(leaves: list[bytes]) -> Tree:
    tree = Tree()
    for one in leaves:
        tree.add(one)
    return tree


def root_of(leaves: list[bytes]) -> bytes:
    """RFC 9162, 2.1.1, literally."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + root_of(leaves[:split]) + root_of(leaves[split:])).digest()


@pytest.mark.parametrize("size", range(len(ROOTS)))
def test_the_roots_of_a_known_log(size: int) -> None:
    leaves = [leaf(bytes.fromhex(entry)) for entry in ENTRIES[:size]]
    assert tree_of(leaves).root().hex() == ROOTS[size]


def test_the_recursive_definition_at_every_size() -> None:
    leaves = [leaf(str(number).encode()) for number in range(70)]
    growing = Tree()
    for size, one in enumerate(leaves, start=1):
        growing.add(one)
        assert growing.size == size
        # Reading the root meanwhile changes nothing.
        assert growing.root() == root_of(leaves[:size]) == tree_of(leaves[:size]).root()


def test_the_order_of_the_leaves_matters() -> None:
    first, second = leaf(b"first"), leaf(b"second")
    assert tree_of([first, second]).root() != tree_of([second, first]).root()
