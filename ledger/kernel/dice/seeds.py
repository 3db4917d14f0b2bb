"""The seeds of a service that throws the dice: committed to before they are used, opened at the end.

An entry of the journal may have a member `chance`. `commits` is a commitment: the service will derive the throws
of all later actions from a seed whose hash this is. `opens` is that seed, once the game has ended and its end
reveals everything. When the game goes on after all, because its end is undone, the service commits to another one.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

_DOMAIN = b"mabligop dice\n"


def commitment(game: str, seed: bytes) -> str:
    """What is told of a seed before it is opened: SHA-256 over a text, the game's id, a line feed, the seed."""
    return hashlib.sha256(_DOMAIN + game.encode() + b"\n" + seed).hexdigest()


class InForce(NamedTuple):
    """The commitment in force: how many were made before it, and after which action it counts."""

    generation: int
    since: int
