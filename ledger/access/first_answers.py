"""The first answers with tokens to requests with an idempotency key, sealed for repeated requests.

A key leads to an id, of a game, a credential or an invitation, and to the lock of the stored answer. Both are
derived with a secret of the installation: without the secret nobody can try keys against the ids in a list of
games. The API refuses keys that somebody could guess (`ledger.access.keys`). The lock opens for a day.
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
from ledger.store.database.installation import Installation

KEPT = timedelta(days=1)
"""Period in which a repeated request gets the tokens of the first answer again."""


class KeyUsed(Exception):  # noqa: N818 - an answer, not a fault
    """The idempotency key was used before for another request."""


class KeyExpired(KeyUsed):
    """The request used the idempotency key too long ago: the tokens are not shown again."""

    def __init__(self) -> None:
        super().__init__("the idempotency key was used more than a day ago; its tokens are not shown again")


class Sealed(msgspec.Struct, frozen=True):
    """The tokens in the answer to the creation of a game."""

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
    """A sealer of first answers. Takes the installation, which has the secret, and a clock."""

    def __init__(self, installation: Installation, clock: Callable[[], datetime]) -> None:
        self._installation = installation
        self._clock = clock

    def game_id(self, key: str) -> str:
        """Return the id of the new game of a request with this key.

        A repeated request gets an equal id, so the primary key decides between repeated requests.
        """
        return credentials.as_game_id(self._derived(f"game\0{key}"))

    def replacement_id(self, game: str, key: str) -> str:
        """Return the id of the new credential of a replacement with this key, derived like `game_id`."""
        return self.derived_id("token", game, key)

    def derived_id(self, kind: str, game: str, key: str) -> str:
        """Return the id, within a game, of the object created by a request with this key.

        Takes the kind of the object.
        """
        return self._derived(f"{kind}\0{game}\0{key}")[:10].hex()

    def seal(self, answer: Answer, game: str, key: str) -> bytes:
        """Encrypt an answer at the current time, readable only by a repeated request with its key."""
        return self._lock(game, key).encrypt_at_time(msgspec.json.encode(answer), self._seconds())

    def unseal(self, sealed: bytes, game: str, key: str, kind: type[A]) -> A | None:
        """Decrypt an answer of any age, or return None for a wrong key."""
        try:
            return msgspec.json.decode(self._lock(game, key).decrypt(sealed), type=kind)
        except InvalidToken:
            return None

    def require_recent(self, sealed: bytes, game: str, key: str) -> None:
        """Raise KeyExpired if the answer was sealed more than a day ago. The key must open the answer."""
        sealed_at = self._lock(game, key).extract_timestamp(sealed)
        if self._seconds() - sealed_at > KEPT.total_seconds():
            raise KeyExpired

    def _lock(self, game: str, key: str) -> Fernet:
        """Return the cipher of an answer (RFC 5869).

        Its key is derived from the idempotency key and the secret.
        """
        derived = HKDF(
            algorithm=SHA256(), length=32, salt=self._secret, info=f"mabligop first answer\0{game}".encode()
        ).derive(key.encode())
        return Fernet(base64.urlsafe_b64encode(derived))

    def _derived(self, about: str) -> bytes:
        return hmac.digest(self._secret, about.encode(), "sha256")

    @cached_property
    def _secret(self) -> bytes:
        return self._installation.secret("idempotency")

    def _seconds(self) -> int:
        return int(self._clock().timestamp())
