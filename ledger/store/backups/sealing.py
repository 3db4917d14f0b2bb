"""The keys of a service within a backup: files from beside the database, sealed by a passphrase.

A seal is a salt of 16 bytes, a nonce of 12 bytes, and the files under AES-256-GCM (NIST SP 800-38D). Scrypt (RFC
7914) derives the key of the cipher from the passphrase, with 64 MiB of memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

_SALT, _NONCE, _KEY = 16, 12, 32
_PURPOSE = b"the keys of a mabligop backup"


class WrongPassphrase(Exception):  # noqa: N818 - it names a condition
    """The passphrase does not open the seal."""


def seal(files: Mapping[str, bytes], passphrase: str, chance: Callable[[int], bytes] = os.urandom) -> bytes:
    """Seal files, by name, with a passphrase."""
    salt, nonce = chance(_SALT), chance(_NONCE)
    return salt + nonce + _cipher(passphrase, salt).encrypt(nonce, msgspec.json.encode(files), _PURPOSE)


def unseal(sealed: bytes, passphrase: str) -> dict[str, bytes]:
    """Return the sealed files by name. Raises WrongPassphrase, also for a seal with a changed byte."""
    salt, nonce, text = sealed[:_SALT], sealed[_SALT : _SALT + _NONCE], sealed[_SALT + _NONCE :]
    try:
        return msgspec.json.decode(_cipher(passphrase, salt).decrypt(nonce, text, _PURPOSE), type=dict[str, bytes])
    except (InvalidTag, ValueError) as fault:
        raise WrongPassphrase("the passphrase does not open the keys of the backup") from fault


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    return AESGCM(Scrypt(salt, length=_KEY, n=1 << 16, r=8, p=1).derive(passphrase.encode()))
