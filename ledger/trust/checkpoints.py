"""Checkpoints (C2SP tlog-checkpoint): the signed size and root of a game's log.

The text has three lines: the origin of the log, its size, and its root in base64::

    mabligop.example/3fdk2q
    57
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

The origin is the name of the service and the id of the game. The signing key has the origin as its name.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import NamedTuple

from ledger.trust.notes import BadNote, Note, Signer, Verifier, note

_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


class Checkpoint(NamedTuple):
    """The content of a checkpoint: the origin of the log, the number of leaves, and the root (32 bytes)."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The signed text."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    def signed(self, signer: Signer) -> Note:
        """Sign the checkpoint with a key of any name, under the name of the log."""
        return note(self.text, [signer.named(self.origin)])

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Read the text of a checkpoint. Lines added below by others are left out. Raises BadNote."""
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
    """Read the checkpoint of a log and check its signature by this key. Raises BadNote."""
    signed_note = written if isinstance(written, Note) else Note.parse(written)
    signed_note.signed_by([key])
    checkpoint = Checkpoint.parse(signed_note.text)
    if checkpoint.origin != key.name:
        raise BadNote(f"it is a checkpoint of {checkpoint.origin!r}, not of {key.name!r}")
    return checkpoint


def key_of(verifier: Verifier, origin: str) -> Verifier:
    """Return the key of a service for a log: the key's bytes under the name of the log."""
    return verifier._replace(name=origin)


def origin_of(service: str, game: str) -> str:
    """Return the origin of a game's log."""
    return f"{service}/{game}"


def same_game(first: str, second: str) -> bool:
    """Return True if two origins name one game, perhaps of services with different names."""
    return first.rpartition("/")[2] == second.rpartition("/")[2]
