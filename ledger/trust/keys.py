"""The keys of a service, for signing the heads of its logs.

The keys are in a file readable only by its owner, a key per line, in the form of signer keys of Go's `note`
package::

    PRIVATE+KEY+mabligop-1a2b3c4d+5e6f7a8b+ATk…

The name is the service's, and the first line is the key in use. A service signs with every key of the file. A
rotation puts a new key on top, keeps the key before, and adds a succession (`successions`): the old key endorses
the new key. Of still older keys only the successions remain. Lines that begin with # are comments.
"""

from __future__ import annotations

import base64
import fcntl
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from ledger.trust.checkpoints import Checkpoint, origin_of
from ledger.trust.notes import PLAIN, BadNote, Note, Signer, Verifier, note
from ledger.trust.successions import LINE, Succession, followed, succession

log = logging.getLogger("mabligop")

_BEFORE = "PRIVATE+KEY+"
_SECRET = 32
_PREFIX = "mabligop-"


class BadKeys(ValueError):  # noqa: N818 - it names a condition
    """The file of the keys cannot be used, and why."""


class Keys:
    """The keys of a service, all under its name. The first key is in use."""

    def __init__(self, *signers: Signer, successions: Sequence[Succession] = ()) -> None:
        names = {signer.verifier.name for signer in signers}
        if len(names) != 1:
            raise BadKeys("the keys of a service have one name, that of the service")
        (self.service,) = names
        self._signers = signers
        self.successions = tuple(successions)
        """The changes of the key, newest first."""

    @property
    def signing(self) -> list[Verifier]:
        """The public parts of the signing keys, under the name of the service. The first is the key in use."""
        return [signer.verifier for signer in self._signers]

    @property
    def public(self) -> list[Verifier]:
        """The public parts of the signing keys, and of earlier keys known from successions."""
        return followed(self.signing, self.successions)

    def origin(self, game: str) -> str:
        """Return the origin of a game's log."""
        return origin_of(self.service, game)

    def verifiers(self, game: str) -> list[Verifier]:
        """Return the public parts of all keys for a game's log. The first belongs to the key in use."""
        return [key._replace(name=self.origin(game)) for key in self.public]

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
        successions: list[Succession] = []
        signers: list[Signer] = []
        for number, line in _written(lines):
            if not line.startswith(LINE):
                signers.append(_signer(path, number, line))
                continue
            try:
                successions.append(Succession.parse(line))
            except BadNote as fault:
                raise BadKeys(f"line {number} of {path} is no succession of keys") from fault
        if not signers:
            raise BadKeys(f"the file {path} has no key")
        return cls(*signers, successions=successions)

    @classmethod
    def rotate(cls, path: Path, at: datetime, chance: Callable[[int], bytes] = os.urandom) -> Keys:
        """Put a new key on top of a file. The key in use until now goes on signing, and endorses the new key.

        The file changes at once or not at all, also for parallel rotations. Raises BadKeys.
        """
        path = path.resolve()
        with _alone(path):
            old = cls.read(path)
            signer, secret = old._signers[0], chance(_SECRET)
            changes = (succession(signer, Signer(old.service, secret), at), *old.successions)
            lines = [written(old.service, secret), written(old.service, signer.secret), *map(str, changes)]
            part = path.with_name(f".{path.name}.new")
            part.unlink(missing_ok=True)
            _write(part, lines)
            part.replace(path)
        return cls.read(path)

    @classmethod
    def ensure(cls, path: Path, chance: Callable[[int], bytes] = os.urandom) -> Keys:
        """Read the keys of a file. A missing file is created with a new key. Raises BadKeys.

        The file appears with its content, so a kill leaves a usable file or none.
        """
        if not path.exists():
            secret = chance(_SECRET)
            try:
                # Readable only by the owner.
                with NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}.") as file:
                    file.write(f"{written(cls.of_secret(secret).service, secret)}\n")
                    file.flush()
                    os.fsync(file.fileno())
                    with suppress(FileExistsError):  # Another process was faster.
                        os.link(file.name, path)
            except OSError as fault:
                raise BadKeys(f"no file for the keys of the service can be made: {fault}") from fault
        return cls.read(path)


def watched(path: Path) -> Callable[[], Keys]:
    """Return a function that returns the keys of a file, and reads a replaced file again. Raises BadKeys.

    So every worker signs with a new key at once. The function never fails: while the file is missing or wrong, the
    earlier keys stay in use.
    """
    keys, stamp = Keys.read(path), _stamp(path)

    def current() -> Keys:
        nonlocal keys, stamp
        newest = _stamp(path)
        if newest != stamp:
            stamp = newest
            try:
                keys = Keys.read(path)
            except BadKeys as fault:
                log.error("the earlier keys stay in use: %s", fault)
        return keys

    return current


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let no other process rotate the keys of a folder meanwhile. Raises BadKeys for an unwritable folder."""
    try:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)
    except OSError as fault:
        raise BadKeys(f"the keys in {path} cannot be replaced: {fault}") from fault


def _write(path: Path, lines: Sequence[str]) -> None:
    """Write a new file, readable only by its owner, to the disk. Raises OSError, also for an existing file."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.writelines(f"{line}\n" for line in lines)
        file.flush()
        os.fsync(file.fileno())


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
