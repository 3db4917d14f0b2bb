"""Signed notes (C2SP signed-note): a text, and lines with signatures.

A key has a name. The `Verifier`, written "name+1a2b3c4d+base64", is public; only the owner of the key has the
`Signer`. Two kinds of keys are supported: keys for plain texts (Ed25519, RFC 8032), and keys of witnesses, for
a checkpoint of a log with the time of the witness (C2SP tlog-cosignature, version 1).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PLAIN = 0x01
"""The kind of a key for plain texts."""
WITNESS = 0x04
"""The kind of a witness's key."""
_KINDS = frozenset({PLAIN, WITNESS})

_DASH = "\N{EM DASH} "
_ID, _STAMP, _SIGNATURE, _PUBLIC = 4, 8, 64, 32
LONGEST_NAME = 200
"""A longer name of a key is refused, in characters."""
_NAME = re.compile(rf"[^\s+\x00-\x1f\x7f\ud800-\udfff]{{1,{LONGEST_NAME}}}")
# Lone surrogates stand for wrong bytes in an argument of a command (PEP 383).
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")
_KEY_ID = re.compile(r"[0-9a-f]{8}")
MOST_SIGNATURES = 64
"""A note with more signatures is refused."""
LONGEST = 64_000
"""A longer note is refused, in bytes."""


class BadNote(ValueError):  # noqa: N818 - it names a condition
    """The text is no signed note, or a required signature is missing."""


class Signature(NamedTuple):
    """A line under a note: the name of a key, its id, and the signature of the text."""

    name: str
    key_id: bytes
    signed: bytes

    @property
    def line(self) -> str:
        """The line, with its line feed."""
        return f"{_DASH}{self.name} {base64.b64encode(self.key_id + self.signed).decode()}\n"

    @property
    def at(self) -> datetime | None:
        """The time at which a witness saw the checkpoint; None for a signature without a time."""
        if len(self.signed) != _STAMP + _SIGNATURE:
            return None
        try:
            return datetime.fromtimestamp(int.from_bytes(self.signed[:_STAMP]), UTC)
        except (ValueError, OverflowError, OSError):
            return None


class Verifier(NamedTuple):
    """The public part of a key: the name, the kind, and the 32 public bytes."""

    name: str
    kind: int
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes of the key's id in signatures."""
        return hashlib.sha256(f"{self.name}\n".encode() + bytes([self.kind]) + self.public).digest()[:_ID]

    def __str__(self) -> str:
        encoded = base64.b64encode(bytes([self.kind]) + self.public).decode()
        return f"{self.name}+{self.key_id.hex()}+{encoded}"

    def accepts(self, text: str, signature: Signature) -> bool:
        """Verify a signature of the key over a text."""
        if signature.name != self.name or signature.key_id != self.key_id:
            return False
        stamp, signed = b"", signature.signed
        if self.kind == WITNESS:
            stamp, signed = signed[:_STAMP], signed[_STAMP:]
            if len(stamp) != _STAMP or int.from_bytes(stamp) >= 1 << 63:
                return False
        if len(signed) != _SIGNATURE:
            return False
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signed, _signed(self.kind, text, stamp))
        except (InvalidSignature, ValueError):
            return False
        return True

    @classmethod
    def parse(cls, written: str) -> Verifier:
        """Read a verifier key in its written form. Raises BadNote."""
        name, _, encoded_parts = written.strip().partition("+")
        key_id, _, encoded = encoded_parts.partition("+")
        wrong = BadNote(f"this is no verifier key: {written.strip()[:120]!r}")
        if not _NAME.fullmatch(name) or not _KEY_ID.fullmatch(key_id):
            raise wrong
        key = _decoded(encoded)
        if key is None or len(key) != 1 + _PUBLIC or key[0] not in _KINDS:
            raise wrong
        verifier = cls(name, key[0], key[1:])
        if verifier.key_id.hex() != key_id:
            raise BadNote(f"the id of the verifier key {name!r} is {verifier.key_id.hex()}, not {key_id}")
        return verifier


class Signer:
    """A key for signing: 32 secret bytes, and a name."""

    def __init__(self, name: str, secret: bytes, kind: int = PLAIN) -> None:
        if not _NAME.fullmatch(name):
            raise BadNote(f"no key can be called {name!r}")
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.verifier = Verifier(name, kind, self._key.public_key().public_bytes_raw())

    @property
    def secret(self) -> bytes:
        """The 32 secret bytes."""
        return self._key.private_bytes_raw()

    def named(self, name: str) -> Signer:
        """Return the key under another name."""
        return Signer(name, self.secret, self.verifier.kind)

    def sign(self, text: str, at: datetime | None = None) -> Signature:
        """Sign a text that ends with a line feed. A witness needs the time, in whole seconds."""
        stamp = b""
        if self.verifier.kind == WITNESS:
            if at is None:
                raise ValueError("a witness tells when it signs")
            stamp = int(at.timestamp()).to_bytes(_STAMP)
        signed = self._key.sign(_signed(self.verifier.kind, text, stamp))
        return Signature(self.verifier.name, self.verifier.key_id, stamp + signed)


class Note(NamedTuple):
    """A text with its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(signature.line for signature in self.signatures)}"

    def signed_by(self, keys: Iterable[Verifier]) -> list[Signature]:
        """Return the signatures of known keys.

        Raises BadNote without any such signature, or for a wrong signature under the name of a known key.
        """
        keys_by_id = {(key.name, key.key_id): key for key in keys}
        signatures: list[Signature] = []
        for signature in self.signatures:
            key = keys_by_id.get((signature.name, signature.key_id))
            if key is None:
                continue
            if not key.accepts(self.text, signature):
                raise BadNote(f"the signature of {key.name!r} is not over this text")
            signatures.append(signature)
        if not signatures:
            signed = ", ".join(dict.fromkeys(f"{each.name}+{each.key_id.hex()}" for each in self.signatures))
            trusted = ", ".join(f"{name}+{key_id.hex()}" for name, key_id in keys_by_id)
            raise BadNote(f"none of the keys that are trusted ({trusted}) has signed it: it is signed by {signed}")
        return signatures

    def with_signature(self, signature: Signature) -> Note:
        """Return the note with an additional signature. An older signature by this key is replaced."""
        others = (
            earlier
            for earlier in self.signatures
            if (earlier.name, earlier.key_id) != (signature.name, signature.key_id)
        )
        return Note(self.text, (*others, signature))

    @classmethod
    def parse(cls, written: str | bytes) -> Note:
        """Read a note with signatures of any keys. Raises BadNote."""
        text = _text_of(written)
        if _CONTROL.search(text):
            raise BadNote("a note has no control characters")
        if len(text.encode()) > LONGEST:
            raise BadNote(f"a note has at most {LONGEST} bytes")
        end = text.rfind("\n\n")
        if end < 1 or not text.endswith("\n"):
            raise BadNote("a note is a text, an empty line, and signatures")
        lines = text[end + 2 :].split("\n")[:-1]
        if not 1 <= len(lines) <= MOST_SIGNATURES:
            raise BadNote(f"a note has 1 to {MOST_SIGNATURES} signatures, not {len(lines)}")
        return cls(text[: end + 1], tuple(map(signature_of, lines)))


def signature_of(line: str) -> Signature:
    """Read a line under a note, without its line feed. Raises BadNote."""
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    decoded = _decoded(encoded)
    if not line.startswith(_DASH) or not _NAME.fullmatch(name) or decoded is None or len(decoded) <= _ID:
        raise BadNote(f"this is no line with a signature: {line[:120]!r}")
    return Signature(name, decoded[:_ID], decoded[_ID:])


def note(text: str, signers: Sequence[Signer]) -> Note:
    """Sign a text with these keys."""
    return Note(text, tuple(signer.sign(text) for signer in signers))


def _signed(kind: int, text: str, stamp: bytes) -> bytes:
    """Return the bytes to sign for a text, by kind of key."""
    if kind == WITNESS:
        return f"cosignature/v1\ntime {int.from_bytes(stamp)}\n{text}".encode()
    return text.encode()


def _text_of(written: str | bytes) -> str:
    try:
        return written if isinstance(written, str) else written.decode()
    except UnicodeDecodeError as mistake:
        raise BadNote(f"it is not UTF-8: {mistake}") from mistake


def _decoded(encoded: str) -> bytes | None:
    """Decode standard base64 in its canonical form. None for anything else."""
    try:
        decoded = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if base64.b64encode(decoded).decode() == encoded else None
