"""The keys of a service, with which it signs the heads of its logs.

They are in a file that only its owner may read, one key a line, as Go's `note` package writes signer keys::

    PRIVATE+KEY+mabligop-1a2b3c4d+5e6f7a8b+ATk…

The name is that of the service, and the first line is the key in use. A service signs with every key of the file.
So a key is replaced in two steps: put a new line on top, and take the old one out when everybody has pinned the
new one. Lines that begin with # are comments.
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
    """The keys of a service, all under its name. The first one is the one in use."""

    def __init__(self, *signers: Signer) -> None:
        names = {one.verifier.name for one in signers}
        if len(names) != 1:
            raise BadKeys("the keys of a service have one name, that of the service")
        (self.service,) = names
        self._signers = signers

    def origin(self, game: str) -> str:
        """The origin of a game's log."""
        return origin_of(self.service, game)

    def verifiers(self, game: str) -> list[Verifier]:
        """What everybody may know of the keys for a game's log; the first is of the one in use."""
        return [self._named(one, game).verifier for one in self._signers]

    def sign(self, checkpoint: Checkpoint, game: str) -> Note:
        """A checkpoint of a game's log, signed by every key."""
        return note(checkpoint.text, [self._named(one, game) for one in self._signers])

    def _named(self, signer: Signer, game: str) -> Signer:
        return signer.named(self.origin(game))

    @classmethod
    def of_secret(cls, secret: bytes) -> Keys:
        """The key of a secret of 32 bytes, named after the key."""
        public = Signer("unnamed", secret).verifier.public
        return cls(Signer(_PREFIX + sha256(public).hexdigest()[:8], secret))

    @classmethod
    def read(cls, path: Path) -> Keys:
        """The keys of a file. Raises BadKeys."""
        try:
            lines = path.read_text().splitlines()
        except (OSError, UnicodeDecodeError) as fault:
            raise BadKeys(f"the file {path} with the keys of the service cannot be read: {fault}") from fault
        signers = tuple(_signer(path, number, line) for number, line in _written(lines))
        if not signers:
            raise BadKeys(f"the file {path} has no key")
        return cls(*signers)

    @classmethod
    def kept(cls, path: Path, chance: Callable[[int], bytes] = os.urandom) -> Keys:
        """The keys of a file, which is made with a new key when it is missing. Raises BadKeys."""
        secret = chance(_SECRET)
        made = written(cls.of_secret(secret).service, secret)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return cls.read(path)
        except OSError as fault:
            raise BadKeys(f"no file for the keys of the service can be made: {fault}") from fault
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{made}\n")
            file.flush()
            os.fsync(file.fileno())
        return cls.read(path)


def written(name: str, secret: bytes) -> str:
    """A key as its line in the file."""
    verifier = Signer(name, secret).verifier
    return f"{_BEFORE}{name}+{verifier.key_id.hex()}+{base64.b64encode(bytes([PLAIN]) + secret).decode()}"


def _written(lines: list[str]) -> Iterator[tuple[int, str]]:
    return ((number, line.strip()) for number, line in enumerate(lines, 1) if line.strip() and line[0] != "#")


def _signer(path: Path, number: int, line: str) -> Signer:
    """The key of a line. What is wrong with it is told without it."""
    name, _, rest = line.removeprefix(_BEFORE).partition("+")
    key_id, _, encoded = rest.partition("+")
    try:
        key = base64.b64decode(encoded, validate=True)
        signer = Signer(name, key[1:])
    except (ValueError, BadNote):
        key, signer = b"", None
    if not line.startswith(_BEFORE) or signer is None or key[0] != PLAIN or signer.verifier.key_id.hex() != key_id:
        raise BadKeys(f"line {number} of {path} is no key")
    return signer
