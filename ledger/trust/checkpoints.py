"""Checkpoints (C2SP tlog-checkpoint): the size and the root of a game's log at some moment, signed.

The text has three lines: the origin of the log, its size, and its root in base64::

    mabligop.example/3fdk2q
    57
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

The origin is the name of the service and the id of the game, and the key that signs is called the same.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import NamedTuple

from ledger.trust.notes import BadNote, Note, Signer, Verifier, note

_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


class Checkpoint(NamedTuple):
    """What a checkpoint says: whose log, how many leaves, and the root over them (32 bytes)."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    def signed(self, signer: Signer) -> Note:
        """The checkpoint, signed by a key of any name: it signs under the name of the log."""
        return note(self.text, [signer.named(self.origin)])

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Read the text of a checkpoint. Lines that others added below are left out. Raises BadNote."""
        lines = text.split("\n")
        if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
            raise BadNote("a checkpoint has three lines: the origin of the log, its size and its root")
        origin, size, encoded = lines[:3]
        if not _SIZE.fullmatch(size):
            raise BadNote(f"{size[:40]!r} is no size of a log")
        try:
            root = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            root = b""
        if len(root) != 32 or base64.b64encode(root).decode() != encoded:
            raise BadNote(f"{encoded[:80]!r} is no root of a log")
        return cls(origin, int(size), root)


def verified(written: str | bytes | Note, key: Verifier) -> Checkpoint:
    """The checkpoint of a log, which this key must have signed. Raises BadNote."""
    found = written if isinstance(written, Note) else Note.parse(written)
    found.signed_by([key])
    checkpoint = Checkpoint.parse(found.text)
    if checkpoint.origin != key.name:
        raise BadNote(f"it is a checkpoint of {checkpoint.origin!r}, not of {key.name!r}")
    return checkpoint


def key_of(verifier: Verifier, origin: str) -> Verifier:
    """The key of a service as it signs for one of its logs: the same bytes under the name of the log."""
    return verifier._replace(name=origin)


def origin_of(service: str, game: str) -> str:
    """The origin of a game's log."""
    return f"{service}/{game}"
