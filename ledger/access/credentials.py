"""Tokens as secrets: random, shown once, stored as hashes, for a single game and a single role.

A token has the form `<game>.<secret>`, so the look-up reads only the rows of a single game.
"""

from __future__ import annotations

import base64
import hashlib
import random
from datetime import datetime

from ledger.kernel.facts.audience import Role, Viewer
from ledger.store.records import Credential

_SECRET_BYTES = 24
_ID_BYTES = 10


def game_id(chance: random.Random) -> str:
    """Make the id of a new game: 16 random letters and digits."""
    return as_game_id(chance.randbytes(_ID_BYTES))


def as_game_id(seed: bytes) -> str:
    """Return the id of a game from at least 10 bytes."""
    return base64.b32encode(seed[:_ID_BYTES]).decode().rstrip("=").lower()


def issue(
    chance: random.Random,
    game: str,
    role: Role,
    seat: str | None,
    at: datetime,
    *,
    credential_id: str | None = None,
) -> tuple[str, Credential]:
    """Make a new token and its stored credential. By default the credential's id is random."""
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


def viewer_of(role: str, seat: str | None) -> Viewer:
    """Return the viewer for a token with this stored role and seat."""
    roles: dict[str, Role] = {"banker": "banker", "player": "player"}
    return Viewer(roles.get(role, "spectator"), seat)


def digest(token: str) -> bytes:
    """Return the hash stored instead of a token. Tokens have 192 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).digest()


def game_of(token: str) -> str:
    """Return the game named by a token. Nothing is verified."""
    return token.partition(".")[0]
