"""The keys of a service, for signing the heads of its logs.

They are in a file readable only by its owner, a key per line, in the form of signer keys of Go's `note` package::

    PRIVATE+KEY+mabligop-1a2b3c4d+5e6f7a8b+ATk…

The name is the service's, and the first line is the key in use. A service signs with every key of the file. So
a key is replaced in two steps: put a new line on top, and remove the old line when everybody has pinned the new
key. Lines that begin with # are comments.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from ledger.trust.checkpoints import Checkpoint, origin_of
from ledger.trust.notes import PLAIN, BadNote, Note, Signer, Verifier, note

_BEFORE = "PRIVATE+KEY+"
_SECRET = 32
_PREFIX = "mabligop-"


class BadKeys(ValueError):  # noqa: N818 - it names a condition
    """The file of the keys cannot be used, and why."""


class Keys:
    """The keys of a service, all under its name. The first key is in use."""

    def __init__(self, *signers: Signer) -> None:
        names = {signer.verifier.name for signer in signers}
        if len(names) != 1:
            raise BadKeys("the keys of a service have one name, that of the service")
        (self.service,) = names
        self._signers = signers

    def origin(self, game: str) -> str:
        """Return the origin of a game's log."""
        return origin_of(self.service, game)

    def verifiers(self, game: str) -> list[Verifier]:
        """Return the public parts of the keys for a game's log. The first belongs to the key in use."""
        return [self._named(signer, game).verifier for signer in self._signers]

    def sign(self, checkpoint: Checkpoint, game: str) -> Note:
        """Sign a checkpoint of a game's log with every key."""
        return note(checkpoint.text, [self._named(signer, game) for signer in self._signers])

    def _named(self, signer: Signer, game: str) -> Signer:
        return signer.named(self.origin(game))

    @classmethod
    def of_secret(cls, secret: bytes) -> Keys:
        """Return the key of a secret of 32 bytes, named after the key."""
        public = Signer("unnamed", secret).verifier.public
        return cls(Signer(_PREFIX + sha256(public).hexdigest()[:8], secret))

    @classmethod
    def read(cls, path: Path) -> Keys:
        """Read the keys of a file. Raises BadKeys."""
        try:
            lines = path.read_text().splitlines()
        except (OSError, UnicodeDecodeError) as fault:
            raise BadKeys(f"the file {path} with the keys of the service cannot be read: {fault}") from fault
        signers = tuple(_signer(path, number, line) for number, line in _written(lines))
        if not signers:
            raise BadKeys(f"the file {path} has no key")
        return cls(*signers)

    @classmethod
    def ensure(cls, path: Path, chance: Callable[[int], bytes] = os.urandom) -> Keys:
        """Read the keys of a file. A missing file is created with a new key. Raises BadKeys."""
        secret = chance(_SECRET)
        new_line = written(cls.of_secret(secret).service, secret)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return cls.read(path)
        except OSError as fault:
            raise BadKeys(f"no file for the keys of the service can be made: {fault}") from fault
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{new_line}\n")
            file.flush()
            os.fsync(file.fileno())
        return cls.read(path)


def written(name: str, secret: bytes) -> str:
    """Write a key as a line of the file."""
    verifier = Signer(name, secret).verifier
    return f"{_BEFORE}{name}+{verifier.key_id.hex()}+{base64.b64encode(bytes([PLAIN]) + secret).decode()}"


def _written(lines: list[str]) -> Iterator[tuple[int, str]]:
    return ((number, line.strip()) for number, line in enumerate(lines, 1) if line.strip() and line[0] != "#")


def _signer(path: Path, number: int, line: str) -> Signer:
    """Parse the key of a line. The error message does not quote the line."""
    name, _, encoded_parts = line.removeprefix(_BEFORE).partition("+")
    key_id, _, encoded = encoded_parts.partition("+")
    try:
        key = base64.b64decode(encoded, validate=True)
        signer = Signer(name, key[1:])
    except (ValueError, BadNote):
        key, signer = b"", None
    if not line.startswith(_BEFORE) or signer is None or key[0] != PLAIN or signer.verifier.key_id.hex() != key_id:
        raise BadKeys(f"line {number} of {path} is no key")
    return signer
