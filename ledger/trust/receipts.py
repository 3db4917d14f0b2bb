"""Receipts (C2SP tlog-proof): proofs of an entry in a game's log, for everybody with the key of the service.

A receipt names the index of the entry, the hashes from the entry to the root, and a signed checkpoint with the
root. The owner of a receipt and its entry can show both to anybody, without the service.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

import msgspec

from ledger.trust.checkpoints import Checkpoint, verified
from ledger.trust.notes import LONGEST, BadNote, Note, Verifier
from ledger.trust.proofs import require_inclusion

FIRST = "c2sp.org/tlog-proof@v1"
_INDEX = re.compile(r"index (0|[1-9][0-9]{0,18})")
_MOST_HASHES = 63


class Receipt(msgspec.Struct, frozen=True):
    """The index of an entry, counted from 0; the hashes from its sibling up; and the signed checkpoint."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: Note
    extra: bytes | None = None
    """Additional, unsigned data for readers of the receipt."""

    def __str__(self) -> str:
        extra = [] if self.extra is None else [f"extra {base64.b64encode(self.extra).decode()}"]
        hashes = (base64.b64encode(step).decode() for step in self.path)
        return "\n".join([FIRST, *extra, f"index {self.index}", *hashes, "", str(self.checkpoint)])

    def require(self, leaf: bytes, key: Verifier) -> Checkpoint:
        """Return the checkpoint, after verifying the key's signature and the leaf in the log.

        Raises BadNote and WrongProof.
        """
        checkpoint = verified(self.checkpoint, key)
        self.require_in(leaf, checkpoint)
        return checkpoint

    def require_in(self, leaf: bytes, checkpoint: Checkpoint) -> None:
        """Raise WrongProof unless the leaf is in the log of a checkpoint, at the receipt's index."""
        require_inclusion(leaf, self.index, checkpoint.size, self.path, checkpoint.root)

    @classmethod
    def parse(cls, written: str | bytes) -> Receipt:
        """Read a receipt. Raises BadNote."""
        if len(written) > 2 * LONGEST:
            raise BadNote("this is too long for a receipt")
        try:
            text = written if isinstance(written, str) else written.decode()
        except UnicodeDecodeError as mistake:
            raise BadNote(f"it is not UTF-8: {mistake}") from mistake
        head, empty, checkpoint = text.partition("\n\n")
        lines = head.split("\n")
        if not empty or lines.pop(0) != FIRST:
            raise BadNote(f"a receipt begins with {FIRST!r}")
        extra = _decoded(lines.pop(0).removeprefix("extra ")) if lines and lines[0].startswith("extra ") else None
        index = _INDEX.fullmatch(lines.pop(0)) if lines else None
        if index is None:
            raise BadNote("a receipt tells the place of its entry")
        return cls(int(index[1]), _path_of(lines), Note.parse(checkpoint), extra)


def _path_of(lines: Sequence[str]) -> tuple[bytes, ...]:
    path = tuple(map(_decoded, lines))
    if len(path) > _MOST_HASHES or any(len(step) != 32 for step in path):
        raise BadNote("a receipt has hashes of 32 bytes in base64, one a line")
    return path


def _decoded(encoded: str) -> bytes:
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except ValueError:
        decoded = b""
    if base64.b64encode(decoded).decode() != encoded or not decoded:
        raise BadNote(f"this is not base64: {encoded[:80]!r}")
    return decoded
