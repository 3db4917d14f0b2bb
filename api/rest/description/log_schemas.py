"""The types of answers about the signed log of a game."""

from __future__ import annotations

import msgspec


class GameLog(msgspec.Struct, frozen=True):
    """The log of a game: its name, and the key that signs its checkpoints (C2SP signed-note). Keep it.

    Whoever keeps the key from the beginning notices when another one signs later.
    """

    origin: str
    key: str


class Consistency(msgspec.Struct, frozen=True, rename={"since": "from"}):
    """That a log only grew from one size to another: hashes in base64, and the newer checkpoint."""

    since: int
    to: int
    hashes: tuple[str, ...]
    checkpoint: str


class Cosigned(msgspec.Struct, frozen=True):
    """The checkpoint under which a witness has signed, with all its signatures."""

    checkpoint: str
