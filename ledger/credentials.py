"""Tokens: random, shown once, stored hashed, belonging to one game and one role.

A token reads `<game>.<secret>`, so that looking it up starts with the game's own rows.
"""

from __future__ import annotations

import base64
import hashlib
import random
from datetime import datetime

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ledger.kernel.audience import Role
from ledger.store.records import Credential

_SECRET_BYTES = 24
_ID_BYTES = 10


def game_id(chance: random.Random, key: str | None) -> str:
    """A new game's id: 16 letters and digits; from the idempotency key when there is one.

    So a second request with the same key meets the same game, and the primary key settles which came first.
    """
    seed = (
        chance.randbytes(_ID_BYTES)
        if key is None
        else hashlib.sha256(b"mabligop game\x00" + key.encode()).digest()[:_ID_BYTES]
    )
    return base64.b32encode(seed).decode().rstrip("=").lower()


def issue(chance: random.Random, game: str, role: Role, seat: str | None, at: datetime) -> tuple[str, Credential]:
    """A new token and what is stored of it."""
    token = f"{game}.{base64.urlsafe_b64encode(chance.randbytes(_SECRET_BYTES)).decode().rstrip('=')}"
    credential = Credential(
        game_id=game,
        credential_id=chance.randbytes(6).hex(),
        token_hash=digest(token),
        role=role,
        seat=seat,
        created_at=at,
    )
    return token, credential


def digest(token: str) -> bytes:
    """What is stored instead of a token. Tokens carry 192 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).digest()


def game_of(token: str) -> str:
    """The game that a token claims to belong to."""
    return token.partition(".")[0]


class Sealed(msgspec.Struct, frozen=True):
    """The tokens that creating a game answered with, kept under the caller's own idempotency key."""

    banker: str
    players: dict[str, str]
    spectator: str


def seal(tokens: Sealed, game: str, key: str) -> bytes:
    """Encrypt the first answer so that only a repetition of the request, with its key, can read it."""
    return _lock(game, key).encrypt(msgspec.json.encode(tokens))


def unseal(sealed: bytes, game: str, key: str) -> Sealed | None:
    """The first answer back; None when the key is not the one it was sealed with."""
    try:
        return msgspec.json.decode(_lock(game, key).decrypt(sealed), type=Sealed)
    except InvalidToken:
        return None


def _lock(game: str, key: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=game.encode(), info=b"mabligop first answer").derive(
        key.encode()
    )
    return Fernet(base64.urlsafe_b64encode(derived))
