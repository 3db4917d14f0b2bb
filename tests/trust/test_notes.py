"""Signed notes, checkpoints and receipts: their text to the byte, and that nothing in them can be changed."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from ledger.kernel.journal.stored import leaf
from ledger.trust.checkpoints import Checkpoint, key_of, origin_of, verified
from ledger.trust.notes import WITNESS, BadNote, Note, Signer, Verifier, note
from ledger.trust.proofs import WrongProof, inclusion
from ledger.trust.receipts import Receipt
from tests.kernel.test_merkle import root_of

SERVICE = Signer("mabligop.example", bytes(range(32)))
GAME = origin_of("mabligop.example", "3fdk2q")
KEY = key_of(SERVICE.verifier, GAME)
LEAVES = [leaf(str(number).encode()) for number in range(13)]
HEAD = Checkpoint(GAME, 13, root_of(LEAVES))


def node(level: int, index: int) -> bytes:
    return root_of(LEAVES[index << level : (index + 1) << level])


def receipt(index: int = 11) -> Receipt:
    return Receipt(index, tuple(inclusion(node, index, 13)), HEAD.signed(SERVICE))


PUBLISHED = """\
If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""
"""The example in the documentation of Go's notes."""
PUBLISHED_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"


def test_a_note_that_others_signed() -> None:
    key = Verifier.parse(PUBLISHED_KEY)
    assert str(key) == PUBLISHED_KEY
    found = Note.parse(PUBLISHED)
    assert [one.name for one in found.signed_by([key])] == ["PeterNeumann"]
    assert str(found) == PUBLISHED


def test_a_checkpoint_to_the_byte() -> None:
    """The three lines, an empty one, and the signature by the name of the log."""
    written = str(HEAD.signed(SERVICE))
    origin, size, root, empty, signature, end = written.split("\n")
    assert (origin, size, empty, end) == ("mabligop.example/3fdk2q", "13", "", "")
    assert base64.b64decode(root) == root_of(LEAVES)
    assert signature.startswith(f"— {GAME} ")
    made = base64.b64decode(signature.rpartition(" ")[2])
    assert (made[:4], len(made)) == (KEY.key_id, 4 + 64)
    assert verified(written, KEY) == HEAD


def test_a_receipt_to_the_byte() -> None:
    first, index, *rest = str(receipt()).split("\n")
    assert (first, index) == ("c2sp.org/tlog-proof@v1", "index 11")
    assert [base64.b64decode(one) for one in rest[:4]] == inclusion(node, 11, 13)
    assert "\n".join(rest[5:]) == str(HEAD.signed(SERVICE))
    again = Receipt.parse(str(receipt()))
    assert again == receipt()
    assert again.require(LEAVES[11], KEY) == HEAD
    assert len(str(receipt())) < 776


def test_a_receipt_with_more_to_read() -> None:
    told = replace(receipt(), extra=b"the entry")
    assert str(told).split("\n")[1] == "extra dGhlIGVudHJ5"
    assert Receipt.parse(str(told)) == told


def changed_bits(written: bytes) -> list[bytes]:
    """Everything that comes of changing one bit."""
    return [
        written[:place] + bytes([written[place] ^ (1 << bit)]) + written[place + 1 :]
        for place in range(len(written))
        for bit in range(8)
    ]


def test_every_changed_bit_of_a_checkpoint_is_refused() -> None:
    for changed in changed_bits(str(HEAD.signed(SERVICE)).encode()):
        with pytest.raises(BadNote):
            verified(changed, KEY)


def test_every_changed_bit_of_a_receipt_is_refused() -> None:
    for changed in changed_bits(str(receipt()).encode()):
        with pytest.raises((BadNote, WrongProof)):
            Receipt.parse(changed).require(LEAVES[11], KEY)


def test_every_changed_bit_of_a_key_is_refused() -> None:
    """A key that was copied wrongly says so, and does not let a forged note pass."""
    written = str(HEAD.signed(SERVICE))
    for changed in changed_bits(str(KEY).encode()):
        with pytest.raises((BadNote, UnicodeDecodeError)):
            verified(written, Verifier.parse(changed.decode()))


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "no signature\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n— name not-base64\n",
        "text\n\n- name AAAAAAAA\n",
        "text\n\n— a+b AAAAAAAA\n",
        "text\n\n— name AAAA\n",
        "text\n\n— name AAAAAAAA",
        "te\x07xt\n\n— name AAAAAAAA\n",
        "\n\n— name AAAAAAAA\n",
        "text\n\n" + 65 * "— name AAAAAAAA\n",
        "text\n\n" + "— " + 100_000 * "n" + " AAAAAAAA\n",
    ],
)
def test_what_is_no_note(wrong: str) -> None:
    with pytest.raises(BadNote):
        Note.parse(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        f"{GAME}\n13\n",
        f"{GAME}\n013\n{base64.b64encode(bytes(32)).decode()}\n",
        f"{GAME}\n-1\n{base64.b64encode(bytes(32)).decode()}\n",
        f"{GAME}\n13\n{base64.b64encode(bytes(31)).decode()}\n",
        f"{GAME}\n13\nnot a root\n",
        f"\n13\n{base64.b64encode(bytes(32)).decode()}\n",
    ],
)
def test_a_signed_text_that_is_no_checkpoint(wrong: str) -> None:
    with pytest.raises(BadNote):
        verified(note(wrong, [SERVICE.named(GAME)]), KEY)


def test_somebody_elses_signature() -> None:
    """A key of the same name, a key of another game, and no signature of a known key."""
    forged = Signer(GAME, bytes(32))
    for signed in (note(HEAD.text, [forged]), note(HEAD.text, [SERVICE.named("mabligop.example/other")])):
        with pytest.raises(BadNote, match="none of the keys that are trusted"):
            verified(signed, KEY)
    other = HEAD._replace(origin="mabligop.example/other")
    with pytest.raises(BadNote, match="it is a checkpoint of"):
        verified(note(other.text, [SERVICE.named(GAME)]), KEY)


def test_a_signature_moved_to_another_text() -> None:
    later = HEAD._replace(size=14)
    moved = Note(later.text, HEAD.signed(SERVICE).signatures)
    with pytest.raises(BadNote, match="is not over this text"):
        verified(moved, KEY)


def test_a_witness_tells_when_it_saw_a_checkpoint() -> None:
    """Its line is added, and verified by itself; the log's own stays."""
    witness = Signer("witness.example/w1", bytes(reversed(range(32))), WITNESS)
    seen = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)
    both = HEAD.signed(SERVICE).with_signature(witness.sign(HEAD.text, seen))
    again = Note.parse(str(both))
    assert [one.name for one in again.signed_by([KEY, witness.verifier])] == [GAME, "witness.example/w1"]
    assert again.signatures[1].at == seen
    assert again.signatures[0].at is None
    assert verified(again, KEY) == HEAD
    assert Verifier.parse(str(witness.verifier)) == witness.verifier
    for changed in changed_bits(again.signatures[1].signed):
        moved = again.signatures[1]._replace(signed=changed)
        assert not witness.verifier.accepts(HEAD.text, moved)
    assert not witness.verifier.accepts(HEAD._replace(size=14).text, again.signatures[1])


def test_a_later_cosignature_takes_the_place_of_the_older() -> None:
    witness = Signer("witness.example/w1", bytes(32), WITNESS)
    once = HEAD.signed(SERVICE).with_signature(witness.sign(HEAD.text, datetime(2026, 1, 1, tzinfo=UTC)))
    twice = once.with_signature(witness.sign(HEAD.text, datetime(2026, 1, 2, tzinfo=UTC)))
    assert len(once.signatures) == len(twice.signatures) == 2
    assert twice.signatures[1].at == datetime(2026, 1, 2, tzinfo=UTC)
