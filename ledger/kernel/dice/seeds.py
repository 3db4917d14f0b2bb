"""The seeds of a service that throws the dice: committed to before use, opened at the end.

An entry of the journal may have a member `chance`. `commits` is a commitment: the hash of a seed, from which
the service will derive the throws of all later actions. `opens` is the seed, once the game has ended and the
end reveals everything. If the game continues because the end is undone, the service commits to another seed.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

_DOMAIN = b"mabligop dice\n"


def commitment(game: str, seed: bytes) -> str:
    """Return the published hash of a seed: SHA-256 over a text, the game's id, a line feed, the seed."""
    return hashlib.sha256(_DOMAIN + game.encode() + b"\n" + seed).hexdigest()


class InForce(NamedTuple):
    """The commitment in force: the number of earlier commitments, and the action after which the commitment
    counts.
    """

    generation: int
    since: int
