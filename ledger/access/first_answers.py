"""The first answers to requests with an idempotency key, when they hold tokens: kept sealed for their repetition.

A key leads to an id, of a game, a credential or an invitation, and to the lock of the answer that is stored there.
Both are derived with a secret of the installation, because people choose keys that can be guessed. Without the
secret nobody can try keys against the ids that a list of games shows. The lock opens for a day.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cached_property
from typing import TypeVar

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ledger.access import credentials
from ledger.store.store import Store

KEPT = timedelta(days=1)
"""How long a repeated request gets the tokens of the first answer again."""


class KeyUsed(Exception):  # noqa: N818 - an answer, not a fault
    """The idempotency key was used before for another request."""


class KeyExpired(KeyUsed):
    """The idempotency key was used before for this request, so long ago that its tokens are not shown again."""

    def __init__(self) -> None:
        super().__init__("the idempotency key was used more than a day ago; its tokens are not shown again")


class Sealed(msgspec.Struct, frozen=True):
    """The tokens in the answer that created a game."""

    banker: str
    players: dict[str, str]
    spectator: str


class SealedReplacement(msgspec.Struct, frozen=True):
    """The new token in the answer of a replacement, and the id of the replaced credential."""

    token: str
    replaces: str


class SealedCode(msgspec.Struct, frozen=True):
    """The code in the answer of an invitation."""

    code: str


class SealedToken(msgspec.Struct, frozen=True):
    """The token in the answer to a code."""

    token: str


Answer = Sealed | SealedReplacement | SealedCode | SealedToken
A = TypeVar("A", Sealed, SealedReplacement, SealedCode, SealedToken)


class FirstAnswers:
    """Seals first answers and opens them. Takes the store, which has the secret, and a clock."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock

    def game_id(self, key: str) -> str:
        """The id of the new game of a request with this key.

        So a repeated request gets the same id, and the primary key decides which request was first.
        """
        return credentials.as_game_id(self._derived(f"game\0{key}"))

    def replacement_id(self, game: str, key: str) -> str:
        """The id of the new credential of a replacement with this key, for the same reason."""
        return self.derived_id("token", game, key)

    def derived_id(self, kind: str, game: str, key: str) -> str:
        """The id, within a game, of what a request with this key makes. Takes the kind of thing that is made."""
        return self._derived(f"{kind}\0{game}\0{key}")[:10].hex()

    def seal(self, answer: Answer, game: str, key: str) -> bytes:
        """Encrypt an answer, as of now, so that only a repetition of the request with its key can read it."""
        return self._lock(game, key).encrypt_at_time(msgspec.json.encode(answer), self._seconds())

    def unseal(self, sealed: bytes, game: str, key: str, kind: type[A]) -> A | None:
        """Decrypt an answer of any age; None when the key is not the one that encrypted it."""
        try:
            return msgspec.json.decode(self._lock(game, key).decrypt(sealed), type=kind)
        except InvalidToken:
            return None

    def require_recent(self, sealed: bytes, game: str, key: str) -> None:
        """Refuse an answer that this key opens, but was sealed more than a day ago. Raises KeyExpired."""
        sealed_at = self._lock(game, key).extract_timestamp(sealed)
        if self._seconds() - sealed_at > KEPT.total_seconds():
            raise KeyExpired

    def _lock(self, game: str, key: str) -> Fernet:
        """The cipher of an answer (RFC 5869). Its key is derived from the idempotency key and the secret."""
        derived = HKDF(
            algorithm=SHA256(), length=32, salt=self._secret, info=f"mabligop first answer\0{game}".encode()
        ).derive(key.encode())
        return Fernet(base64.urlsafe_b64encode(derived))

    def _derived(self, about: str) -> bytes:
        return hmac.digest(self._secret, about.encode(), "sha256")

    @cached_property
    def _secret(self) -> bytes:
        return self._store.secret("idempotency")

    def _seconds(self) -> int:
        return int(self._clock().timestamp())
