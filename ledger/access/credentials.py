"""Tokens as secrets: they are random, shown once, stored as hashes, and belong to one game and one role.

A token has the form `<game>.<secret>`, so that the look-up reads only the rows of one game.
"""

from __future__ import annotations

import base64
import hashlib
import random
from datetime import datetime
from typing import TypeVar

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ledger.kernel.audience import Role
from ledger.store.records import Credential

_SECRET_BYTES = 24
_ID_BYTES = 10


def game_id(chance: random.Random, key: str | None) -> str:
    """Make the id of a new game: 16 letters and digits, derived from the idempotency key if there is one.

    So a second request with the same key gets the same id, and the primary key decides which request was first.
    """
    seed = (
        chance.randbytes(_ID_BYTES)
        if key is None
        else hashlib.sha256(b"mabligop game\x00" + key.encode()).digest()[:_ID_BYTES]
    )
    return base64.b32encode(seed).decode().rstrip("=").lower()


def replacement_id(game: str, key: str) -> str:
    """The id of the new credential of a replacement with this idempotency key.

    So a repeated request gets the same id, and the primary key decides which request was first.
    """
    return hashlib.sha256(f"mabligop token\x00{game}\x00{key}".encode()).digest()[:_ID_BYTES].hex()


def issue(
    chance: random.Random,
    game: str,
    role: Role,
    seat: str | None,
    at: datetime,
    *,
    credential_id: str | None = None,
) -> tuple[str, Credential]:
    """Make a new token and its stored credential. The credential's id is random unless one is given."""
    token = f"{game}.{base64.urlsafe_b64encode(chance.randbytes(_SECRET_BYTES)).decode().rstrip('=')}"
    credential = Credential(
        game_id=game,
        credential_id=credential_id or chance.randbytes(6).hex(),
        token_hash=digest(token),
        role=role,
        seat=seat,
        created_at=at,
    )
    return token, credential


def digest(token: str) -> bytes:
    """The hash that is stored instead of a token. Tokens have 192 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).digest()


def game_of(token: str) -> str:
    """The game that a token names. Nothing is verified."""
    return token.partition(".")[0]


class Sealed(msgspec.Struct, frozen=True):
    """The tokens in the answer that created a game, encrypted with the caller's own idempotency key."""

    banker: str
    players: dict[str, str]
    spectator: str


class SealedReplacement(msgspec.Struct, frozen=True):
    """The new token in the answer of a replacement, and the id of the replaced credential."""

    token: str
    replaces: str


A = TypeVar("A", Sealed, SealedReplacement)


def seal(answer: Sealed | SealedReplacement, game: str, key: str) -> bytes:
    """Encrypt the first answer so that only a repetition of the request with its key can read it."""
    return _lock(game, key).encrypt(msgspec.json.encode(answer))


def unseal(sealed: bytes, game: str, key: str, kind: type[A]) -> A | None:
    """Decrypt the first answer; None when the key is not the one that encrypted it."""
    try:
        return msgspec.json.decode(_lock(game, key).decrypt(sealed), type=kind)
    except InvalidToken:
        return None


def _lock(game: str, key: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=game.encode(), info=b"mabligop first answer").derive(
        key.encode()
    )
    return Fernet(base64.urlsafe_b64encode(derived))
